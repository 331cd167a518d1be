"""The solver: the core against the plain search, its line played out, and the command."""

from __future__ import annotations

import random

import pytest

import dizhu
from dizhu import _core, sim
from dizhu.cli import main
from dizhu.game.change import replace
from dizhu.rules import cards as c
from dizhu.sim import plain
from dizhu.sim.solve import Solution, solve

needs_core = pytest.mark.skipif(_core.Rules is None, reason="the C core was not built, or DIZHU_PURE is set")


def deal(draws: random.Random, game: dizhu.Variant, cards_each: int) -> list[int]:
    """Few ranks, so that the hands meet in all kinds of combinations."""
    low = draws.randrange(11)
    ranks = [c.RANKS[rank] for rank in range(low, min(low + 5, 13)) for _ in range(4 * game.deck.decks)]
    ranks = [rank for rank in ranks + ["B", "R"] * game.deck.decks if rank in game.deck.ranks]
    draws.shuffle(ranks)
    return [c.parse("".join(ranks[seat * cards_each : (seat + 1) * cards_each])) for seat in range(game.seats)]


@needs_core
@pytest.mark.parametrize("name", dizhu.variants())
def test_the_core_and_the_plain_search_agree(name: str):
    game, draws = dizhu.variant(name), random.Random(name)
    won = 0
    for _ in range(60 if game.seats < 5 else 20):
        hands = deal(draws, game, draws.randrange(2, 5 if game.seats < 5 else 4))
        let = draws.randrange(3) if game.seats == 2 else 0
        landlords = (0,) if not game.marked else (0, draws.randrange(1, 5))
        turn = draws.randrange(game.seats)
        fast = solve(sim.table(game, hands, landlords, turn, let))
        slow = solve(plain.Rules(game).table(tuple(hands), sum(1 << seat for seat in landlords), turn, let))
        assert fast.won == slow.won is not None
        won += bool(fast.won)
    assert won > 5


@pytest.mark.parametrize("name", ["classic", "two_player"])
def test_the_line_of_a_solution_shows_it(name: str):
    game, draws = dizhu.variant(name), random.Random(7)
    for _ in range(30):
        table = sim.table(game, deal(draws, game, 4))
        found = solve(table)
        for cards in found.line:
            assert not table.over
            table.play(cards)
        assert table.over
        assert (table.landlords >> table.winner & 1) == found.won


def test_no_answer_to_the_winning_moves_helps():
    """Whatever the losing side plays, the winners' side still has a winning move."""
    game, draws = dizhu.variant("classic"), random.Random(9)
    checked = 0
    while checked < 12:
        table = sim.table(game, deal(draws, game, 3))
        if not solve(table).won:
            continue
        checked += 1
        stack = [table]
        while stack:
            here = stack.pop()
            if here.over:
                assert here.winner == 0
                continue
            choices = here.moves() if here.turn else [solve(here).line[0]]
            for cards in choices:
                after = here.copy()
                after.play(cards)
                stack.append(after)


def test_a_search_is_given_up_at_its_limit():
    game = dizhu.variant("classic")
    table = sim.table(game, [c.parse("3579JKA2"), c.parse("468TQA2B"), c.parse("3579JKA2")])
    assert solve(table, most=10) == Solution(None, 11, ())
    finished = sim.table(game, [c.parse("3"), c.parse("4"), c.parse("5")])
    finished.play(c.parse("3"))
    with pytest.raises(ValueError, match="over"):
        solve(finished)


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["33", "44"], 0, "First wins (1 positions).\n  first     33\n"),
        (["34", "5", "6"], 0, "Farmers win (3 positions).\n  landlord  3\n  farmer 1  5\n"),
        (
            ["35", "4", "4"],
            0,
            "Landlord wins (5 positions).\n  landlord  5\n  farmer 1  pass\n  farmer 2  pass\n  landlord  3\n",
        ),
        (["33445566", "778899TT", "JJQQKKAA", "--positions", "1"], 0, "Landlord wins"),
    ],
)
def test_the_command_tells_who_wins_and_how(
    arguments: list[str], status: int, said: str, capsys: pytest.CaptureFixture[str]
):
    assert main(["solve", *arguments]) == status
    assert capsys.readouterr().out.startswith(said)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["34"], "a puzzle has 2 or 3 hands, not 1"),
        (["34", ""], "every hand of a puzzle needs a card"),
        (["34X", "5"], "'X' in '34X' is not a rank"),
        (["333", "334"], "these hands make no position of classic"),
        (["3", "5", "--variant", "two_player"], "the deck"),
        (["3", "5", "--variant", "whist"], "there is no variant 'whist'"),
    ],
)
def test_no_puzzle_gets_one_clear_line(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]):
    assert main(["solve", *arguments]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert len(error.splitlines()) == 1


def test_a_game_of_another_number_of_seats_is_solved_by_its_combinations():
    game = replace(dizhu.variant("auction"), seats=2)
    table = sim.table(game, [c.parse("3334"), c.parse("5")])
    assert solve(table).won
