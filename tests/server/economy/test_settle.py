"""What a hand is worth in beans: whole numbers that sum to zero, and nobody pays what he has not."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dizhu import Result
from dizhu.server.economy.settle import Settlement, settle_beans, settle_points
from server.economy.bank import left, lost, played, won

PLENTY = 10**15


@dataclass(frozen=True)
class Price:
    coefficient: int = 10
    fee: int = 5


def result(points: tuple[int, ...], *, landlord: bool = True) -> Result:
    winners = tuple(seat for seat, gained in enumerate(points) if gained > 0)
    return Result("out", (0,) if landlord else (), winners, 1, 1, (), (), points, -sum(points))


@st.composite
def results(draw: st.DrawFn) -> Result:
    """What the games can come to: one against some, two against three, or somebody left."""
    worth = draw(st.integers(1, 10**6))
    sign = draw(st.sampled_from((1, -1)))
    kind = draw(st.sampled_from(("alone", "pairwise", "two", "left")))
    if kind == "alone":
        farmers = draw(st.integers(1, 4))
        return result((sign * worth * farmers, *(-sign * worth,) * farmers))
    if kind == "pairwise":
        parts = draw(st.lists(st.integers(1, 10**6), min_size=2, max_size=2))
        return result((sign * sum(parts), *(-sign * part for part in parts)))
    if kind == "two":
        points = [sign * 3 * worth] * 2 + [-sign * 2 * worth] * 3
        return result(tuple(draw(st.permutations(points))))
    points = draw(st.sampled_from(((-3, 1, 1), (2, -3, 0), (2, 0, -3), (0, -3, 0))))
    return result(tuple(worth * one for one in points), landlord=0 not in points or sum(points) != -3)


prices = st.builds(Price, st.integers(1, 10**6), st.integers(0, 10**6))
purses = st.one_of(st.none(), st.integers(0, 200), st.integers(0, 10**9), st.just(PLENTY))


@st.composite
def hands(draw: st.DrawFn) -> tuple[Result, Price, list[int | None]]:
    ended = draw(results())
    return ended, draw(prices), draw(st.lists(purses, min_size=len(ended.points), max_size=len(ended.points)))


def plain(ended: Result, price: Price) -> tuple[int, ...]:
    """The formula of the rule book, where everybody has enough."""
    takes_part = [bool(ended.landlords) or points != 0 for points in ended.points]
    return tuple(
        points * price.coefficient - price.fee * part for points, part in zip(ended.points, takes_part, strict=True)
    )


@given(hands())
def test_all_is_whole_numbers_that_sum_to_zero_and_nobody_is_below_it(hand: tuple[Result, Price, list[int | None]]):
    ended, price, owned = hand
    settlement = settle_beans(ended, price, owned)
    assert all(type(change) is int for change in settlement.changes)
    assert sum(settlement.changes) + settlement.house == 0
    assert settlement.house >= 0
    for has, change in zip(owned, settlement.changes, strict=True):
        assert has is None or has + change >= 0


@given(results(), prices)
def test_it_is_the_plain_formula_where_everybody_has_enough(ended: Result, price: Price):
    rich = settle_beans(ended, price, [PLENTY] * len(ended.points))
    assert rich.changes == plain(ended, price)
    assert settle_beans(ended, price, [None] * len(ended.points)) == rich


@given(hands())
def test_nobody_pays_or_gets_more_than_by_the_plain_formula(hand: tuple[Result, Price, list[int | None]]):
    ended, price, owned = hand
    for points, change in zip(ended.points, settle_beans(ended, price, owned).changes, strict=True):
        bound = points * price.coefficient
        assert bound - price.fee <= change <= 0 if points <= 0 else -price.fee <= change <= bound


@given(hands(), st.data())
def test_a_richer_loser_never_makes_a_winner_get_less(
    hand: tuple[Result, Price, list[int | None]], data: st.DataObject
):
    ended, price, owned = hand
    losers = [seat for seat, points in enumerate(ended.points) if points < 0]
    loser = data.draw(st.sampled_from(losers))
    has = owned[loser]
    richer = [*owned]
    richer[loser] = None if has is None else has + data.draw(st.integers(0, 10**12))
    before, after = settle_beans(ended, price, owned), settle_beans(ended, price, richer)
    for seat, points in enumerate(ended.points):
        if points > 0:
            assert after.changes[seat] >= before.changes[seat]


@given(hands())
def test_winners_share_in_proportion_but_for_a_fraction(hand: tuple[Result, Price, list[int | None]]):
    ended, price, owned = hand
    free = Price(price.coefficient, 0)
    changes = settle_beans(ended, free, owned).changes
    won = [(points, changes[seat]) for seat, points in enumerate(ended.points) if points > 0]
    due, pot = sum(points for points, _ in won), sum(change for _, change in won)
    for points, change in won:
        # the whole pot is at most a bean for each winner more than what was handed out
        assert pot * points <= (change + 1) * due
        assert change * due <= (pot + len(won)) * points


def test_a_loser_who_owes_500_and_has_120_pays_120_which_the_winners_share():
    ended = lost(1).result
    assert ended
    assert ended.points == (-4, 2, 2)
    assert settle_beans(ended, Price(125, 0), (120, 0, 0)) == Settlement((-120, 60, 60), 0)
    assert settle_beans(ended, Price(125, 7), (120, 0, 0)) == Settlement((-120, 53, 53), 14)
    # fractions are the house's
    assert settle_beans(ended, Price(125, 0), (121, 9, 9)) == Settlement((-121, 60, 60), 1)


def test_losers_who_can_pay_one_more_than_the_other():
    ended = won(1).result
    assert ended
    assert ended.points == (4, -2, -2)
    assert settle_beans(ended, Price(10, 3), (50, 15, 500)) == Settlement((32, -15, -23), 6)


def test_shares_follow_what_each_winner_is_due():
    script = "0 call; 1 no; 2 no; 0 no; 1 double; 2 no; 0 play 3; 1 play 6"
    ended = played("landlord_war", ["35", "6", "7"], script).result
    assert ended
    assert ended.points == (-6, 4, 2)
    assert settle_beans(ended, Price(10, 0), (45, 0, 0)).changes == (-45, 30, 15)


def test_the_fee_comes_last_and_from_what_is_there():
    ended = won(1).result
    assert ended
    # who lost all pays no fee, and a winner's fee comes out of his gain
    assert settle_beans(ended, Price(10, 5), (0, 20, 22)) == Settlement((35, -20, -22), 7)
    assert settle_beans(ended, Price(1, 100), (3, 2, 9)) == Settlement((-3, -2, -9), 14)


def test_two_landlords_against_three():
    ended = result((3, 3, -2, -2, -2))
    assert settle_beans(ended, Price(10, 0), (0, 0, 20, 0, 5)).changes == (12, 12, -20, 0, -5)


@pytest.mark.parametrize(
    ("seat", "owned", "changes", "house"),
    [
        (0, (1000, 0, 50), (-95, 25, 25), 45),  # 90 for the landlord's -9 points, 30 for each farmer, 5 from each
        (1, (50, 1000, 50), (55, -95, -5), 45),
        (1, (50, 40, 50), (35, -40, -5), 10),  # the winners come before the house
        (1, (50, 70, 2), (55, -70, -2), 17),
    ],
)
def test_leaving_after_the_bidding(seat: int, owned: tuple[int, ...], changes: tuple[int, ...], house: int):
    ended = left(seat).result
    assert ended
    assert settle_beans(ended, Price(10, 5), owned) == Settlement(changes, house)


def test_leaving_before_there_is_a_landlord_is_the_business_of_one_and_the_house():
    ended = played("classic", ["35", "6", "7"], "0 bid 1; 2 leave").result
    assert ended
    assert settle_beans(ended, Price(10, 5), (50, 50, 50)) == Settlement((0, 0, -35), 35)
    assert settle_beans(ended, Price(10, 5), (50, 50, 32)) == Settlement((0, 0, -32), 32)


def test_bots_win_and_lose_without_a_limit():
    ended = won(3).result
    assert ended
    assert settle_beans(ended, Price(10**6, 5), (None, 30, None)).changes == (6_000_025, -30, -6_000_005)


def test_points_are_what_the_result_says():
    for game in (won(), lost(), left(1)):
        assert game.result
        settlement = settle_points(game.result)
        assert (settlement.changes, settlement.house) == (game.result.points, game.result.house)
