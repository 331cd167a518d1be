"""The fair shuffle: known answers by a second implementation, entropy, and statistics over fixed seeds."""

from __future__ import annotations

import hashlib
from collections import Counter
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dizhu import InvalidDeal, shuffled, variant, variants
from dizhu.game.shuffle import Stream

SEED = bytes(range(32))


def draws(seed: bytes, entropy: tuple[bytes, ...] = ()):
    """A generator of fair draws as the documentation describes them: send a bound, get a number below it."""
    key = seed
    if entropy:
        key = hashlib.sha256(b"".join(len(part).to_bytes(4, "big") + part for part in (seed, *entropy))).digest()
    stream = (byte for block in count() for byte in hashlib.sha256(key + block.to_bytes(8, "big")).digest())
    number = 0
    while True:
        bound = yield number
        assert bound <= 256, "the decks here have fewer cards than a byte has values"
        number = next(stream)
        while number >= 256 // bound * bound:
            number = next(stream)
        number %= bound


def dealt_by_hand(name: str, seed: bytes, entropy: tuple[bytes, ...] = ()) -> tuple[int, str]:
    """The first seat and all cards in the order they are dealt, from the description alone."""
    ranks = "56789TJQKA2" if name == "two_player" else "3456789TJQKA2"
    cards = [rank + suit for rank in ranks for suit in "shcd"] + ["B", "R"]
    cards *= 2 if name == "five_player" else 1
    draw = draws(seed, entropy)
    next(draw)
    first = draw.send(5 if name == "five_player" else 2 if name == "two_player" else 3)
    marked, place = None, 0
    if name == "five_player":
        plain = [index for index, card in enumerate(cards) if len(card) == 2]
        marked = cards.pop(plain[draw.send(104)])
        place = draw.send(105)
        first = place // 21
    for last in range(len(cards) - 1, 0, -1):
        other = draw.send(last + 1)
        cards[last], cards[other] = cards[other], cards[last]
    if marked:
        cards.insert(place, marked)
    return first, " ".join(cards)


def in_order(name: str, seed: bytes, entropy: tuple[bytes, ...] = ()) -> tuple[int, str]:
    deal = shuffled(variant(name), seed, entropy=entropy)
    return deal.first, " ".join(card for group in (*deal.hands, deal.bottom, deal.aside) for card in group)


@pytest.mark.parametrize("name", variants())
@pytest.mark.parametrize("entropy", [(), (b"",), (b"a", b"bc"), (b"x" * 300,)], ids=len)
def test_deals_are_what_a_second_implementation_deals(name: str, entropy: tuple[bytes, ...]):
    for seed in (SEED, bytes(32), b"\xff" * 32, hashlib.sha256(b"another").digest()):
        assert in_order(name, seed, entropy) == dealt_by_hand(name, seed, entropy)


def test_known_answer():
    # Written down once from `dealt_by_hand`: a change of the shuffle would make old seeds deal other cards.
    deal = shuffled(variant("classic"), SEED)
    assert (deal.first, " ".join(deal.hands[0]), " ".join(deal.bottom)) == KNOWN
    assert deal.commitment == hashlib.sha256(SEED).hexdigest()
    assert deal.commitment == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"


KNOWN = (1, "Tc 6h 7c 3d Jc 2d 9d 4c Ts 9h 6c 7h 5h Jh 8d As Ks", "Kh 3s B")


@pytest.mark.parametrize("name", variants())
def test_a_deal_holds_every_card_once_and_the_first_seat_may_be_chosen(name: str):
    game = variant(name)
    for first in range(game.seats):
        deal = shuffled(game, SEED, first)
        assert Counter(card for group in (*deal.hands, deal.bottom, deal.aside) for card in group) == Counter(
            game.deck.cards
        )
        assert [len(hand) for hand in deal.hands] == [game.deal] * game.seats
        assert (len(deal.bottom), len(deal.aside)) == (game.bottom, game.aside)
        assert deal.first == first or game.marked
    for first in (-1, game.seats):
        with pytest.raises(InvalidDeal) as caught:
            shuffled(game, SEED, first)
        assert caught.value.code == "no_such_seat"


def test_the_cards_are_the_same_whoever_is_first():
    game = variant("classic")
    assert len({shuffled(game, SEED, first).hands for first in range(3)}) == 1
    assert shuffled(game, SEED).first in range(3)


@pytest.mark.parametrize("seed", [b"", bytes(31), bytes(33), bytes(64)])
def test_a_seed_has_32_bytes(seed: bytes):
    with pytest.raises(InvalidDeal) as caught:
        shuffled(variant("classic"), seed)
    assert caught.value.code == "bad_seed"


@given(st.lists(st.binary(max_size=6), max_size=4), st.lists(st.binary(max_size=6), max_size=4))
def test_other_entropy_deals_other_cards_also_when_its_bytes_are_split_otherwise(one: list[bytes], other: list[bytes]):
    game = variant("classic")
    same = shuffled(game, SEED, 0, one).hands == shuffled(game, SEED, 0, other).hands
    assert same is (one == other)


def test_splits_of_the_same_bytes_differ():
    game = variant("classic")
    splits = [(b"abc",), (b"ab", b"c"), (b"a", b"bc"), (b"", b"abc"), (b"abc", b""), (b"a", b"b", b"c"), (), (b"",)]
    assert len({shuffled(game, SEED, 0, split).hands for split in splits}) == len(splits)
    assert shuffled(game, SEED, 0, (b"x",)).commitment == shuffled(game, SEED, 0).commitment


@given(st.integers(1, 10**12), st.binary(min_size=32, max_size=32))
def test_draws_are_below_their_bound(bound: int, seed: bytes):
    stream = Stream(seed)
    assert all(0 <= stream.below(bound) < bound for _ in range(5))


def chi_square(observed: list[int]) -> float:
    expected = sum(observed) / len(observed)
    return sum((number - expected) ** 2 for number in observed) / expected


def test_every_bound_is_drawn_evenly():
    for bound in (2, 3, 54, 100, 255, 256, 257):
        stream = Stream(hashlib.sha256(str(bound).encode()).digest())
        observed = Counter(stream.below(bound) for _ in range(200 * bound))
        # Mean bound - 1, standard deviation about the root of 2 (bound - 1).
        assert chi_square([observed[number] for number in range(bound)]) < bound - 1 + 4 * (2 * bound) ** 0.5


@pytest.mark.slow
def test_every_card_comes_to_every_place_equally_often():
    game = variant("classic")
    number = 5_000
    places: Counter[tuple[int, str]] = Counter()
    for index in range(number):
        deal = shuffled(game, index.to_bytes(32, "big"), 0)
        places.update(enumerate(card for group in (*deal.hands, deal.bottom) for card in group))
    cards = game.deck.cards
    total = sum(chi_square([places[place, card] for card in cards]) for place in range(54))
    # 53 × 53 degrees of freedom: mean 2,809, standard deviation 75.
    assert abs(total - 53 * 53) < 4 * 75


@pytest.mark.slow
def test_marked_card_and_its_twin_lie_where_they_should():
    """rules.md §3.6: never in the bottom, never a joker, an open landlord always; the twin anywhere else, uniformly."""
    game = variant("five_player")
    number = 12_000
    first: Counter[int] = Counter()
    marks: Counter[str] = Counter()
    twins: Counter[str] = Counter()
    for index in range(number):
        deal = shuffled(game, (index + 7).to_bytes(32, "big"))
        marked = deal.marked
        assert marked is not None
        assert len(marked) == 2
        assert marked in deal.hands[deal.first]
        first[deal.first] += 1
        marks[marked] += 1
        held = [hand.count(marked) for hand in deal.hands]
        assert sum(held) + deal.bottom.count(marked) == 2
        twins["own" if held[deal.first] == 2 else "bottom" if marked in deal.bottom else "others"] += 1
    assert chi_square([first[seat] for seat in range(5)]) < 4 + 4 * 8**0.5
    assert len(marks) == 52
    assert chi_square(list(marks.values())) < 51 + 4 * 102**0.5
    for where, places in (("own", 20), ("others", 84), ("bottom", 3)):
        expected = number * places / 107
        assert abs(twins[where] - expected) < 4 * (expected * (1 - places / 107)) ** 0.5, where
