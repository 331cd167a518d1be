"""A slow second implementation of the combinations, straight from the rule book; it shares no code with dizhu.rules.

A set of cards is a tuple of counts, one for each of the 15 ranks. `readings` tries every definition on the whole set,
`universe` lists all combinations of a game, and `subsets` all ways to take cards from a hand. Speed does not matter.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement, product

RANKS = ("3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A", "2", "B", "R")
ACE, TWO, BLACK, RED = 11, 12, 13, 14

Counts = tuple[int, ...]


@dataclass(frozen=True)
class Reading:
    """What a set of cards is; `strength` is 0 for what is no bomb, and orders bombs, with `order` among equals."""

    kind: str
    length: int
    order: int
    strength: int


@dataclass(frozen=True)
class House:
    """The rules of one game that matter here: which kickers, how many decks, the lowest rank and the largest hand."""

    kickers: str
    decks: int = 1
    lowest: int = 0
    largest: int = 20


HOUSES = {
    "landlord_war": House("standard"),
    "classic": House("standard"),
    "happy": House("standard"),
    "auction": House("distinct"),
    "two_player": House("distinct", lowest=2),
    "five_player": House("pairs", decks=2, largest=24),
}


def counts(text: str) -> Counts:
    """Count the ranks of a text."""
    return tuple(text.count(rank) for rank in RANKS)


def text(cards: Counts) -> str:
    """Write counts as sorted ranks."""
    return "".join(rank * count for rank, count in zip(RANKS, cards, strict=True))


def named(reading: Reading, house: House) -> tuple[str, int, str | None]:
    """Kind, length and rank; bombs of two decks have no rank that the rule book would name."""
    unnamed = reading.kind == "bomb" and house.decks > 1
    return reading.kind, reading.length, None if unnamed else RANKS[reading.order]


def full_deck(house: House) -> Counts:
    """All cards of the game."""
    return tuple(0 if rank < house.lowest else house.decks * (1 if rank >= BLACK else 4) for rank in range(len(RANKS)))


def subsets(hand: Counts) -> Iterator[Counts]:
    """Every way to take cards from a hand, nothing included."""
    return product(*(range(count + 1) for count in hand))


def readings(cards: Counts, house: House) -> list[Reading]:
    """All readings of the whole set; the rules promise that there is never more than one."""
    found = [*_plain(cards), *_bombs(cards, house)]
    for copies, fewest, name in ((1, 5, "solo_chain"), (2, 3, "pair_chain"), (3, 2, "trio_chain")):
        found += [
            Reading(name, len(core), core[-1], 0) for core in _cores(cards, copies, fewest) if not _rest(cards, core)
        ]
    for core in _cores(cards, 3, 1):
        found += _with_kickers(cards, core, 1, ("trio_solo", "trio_pair"), house)
    for core in _cores(cards, 4, 1) if house.kickers != "pairs" else ():
        found += _with_kickers(cards, core, 2, ("four_two_solo", "four_two_pair"), house)
    for core in _cores(cards, 3, 2):
        found += _with_kickers(cards, core, len(core), ("trio_solo_chain", "trio_pair_chain"), house)
    return found


def beats(one: Reading, other: Reading) -> bool:
    """Whether a reading beats another, as rules.md says it."""
    if one.strength or other.strength:
        return (one.strength, one.order) > (other.strength, other.order) if one.strength else False
    return (one.kind, one.length) == (other.kind, other.length) and one.order > other.order


def _plain(cards: Counts) -> Iterator[Reading]:
    used = [rank for rank in range(len(RANKS)) if cards[rank]]
    if len(used) == 1:
        rank = used[0]
        if cards[rank] == 1:
            yield Reading("solo", 1, rank, 0)
        if cards[rank] == 2 and rank <= TWO:
            yield Reading("pair", 1, rank, 0)
        if cards[rank] == 3 and rank <= TWO:
            yield Reading("trio", 1, rank, 0)


def _bombs(cards: Counts, house: House) -> Iterator[Reading]:
    jokers = (cards[BLACK], cards[RED])
    plain = [rank for rank in range(TWO + 1) if cards[rank]]
    ladder = {4: 1, 5: 3, 6: 4, 7: 6, 8: 7}
    if jokers == (0, 0) and len(plain) == 1 and cards[plain[0]] in ladder:
        yield Reading("bomb", 1, plain[0], ladder[cards[plain[0]]])
    if plain:
        return
    if house.decks == 1:
        if jokers == (1, 1):
            yield Reading("rocket", 1, RED, 9)
        return
    if sorted(jokers) == [0, 2]:
        yield Reading("bomb", 1, jokers[1], 2)
    if sum(jokers) == 3:
        yield Reading("bomb", 1, jokers[1], 5)
    if jokers == (2, 2):
        yield Reading("rocket", 1, RED, 9)


@cache
def _runs(fewest: int) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(range(low, high + 1)) for low in range(ACE + 1) for high in range(low + fewest - 1, ACE + 1))


def _cores(cards: Counts, copies: int, fewest: int) -> list[tuple[int, ...]]:
    """Where the set has exactly `copies` cards of each rank of a run; of a single rank, also of the 2."""
    runs = _runs(fewest) if fewest > 1 else [(rank,) for rank in range(TWO + 1)]
    return [core for core in runs if cards[core[0]] == copies and all(cards[rank] == copies for rank in core)]


def _rest(cards: Counts, core: tuple[int, ...]) -> list[tuple[int, int]]:
    """What is left beside the core as (rank, count) pairs."""
    return [(rank, count) for rank, count in enumerate(cards) if count and rank not in core]


def _with_kickers(
    cards: Counts, core: tuple[int, ...], wanted: int, names: tuple[str, str], house: House
) -> Iterator[Reading]:
    rest = _rest(cards, core)
    number = sum(count for _, count in rest)
    if house.kickers != "pairs" and number == wanted and _solo_kickers(rest, core, house):
        yield Reading(names[0], len(core), core[-1], 0)
    pairs = all(count == 2 and rank <= TWO for rank, count in rest)
    if number == 2 * wanted and pairs:
        yield Reading(names[1], len(core), core[-1], 0)


def _solo_kickers(rest: list[tuple[int, int]], core: tuple[int, ...], house: House) -> bool:
    ranks = [rank for rank, _ in rest]
    if BLACK in ranks and RED in ranks:
        return False
    if house.kickers == "distinct":
        return all(count == 1 for _, count in rest)
    if any(count > 3 for _, count in rest):
        return False
    beside = (core[0] - 1, core[-1] + 1)
    return len(core) == 1 or not any(count == 3 and rank in beside and rank < TWO for rank, count in rest)


@cache
def universe(house: House) -> dict[Counts, Reading]:
    """All combinations of a game: every core with every conceivable set of other cards, as far as it has a reading."""
    deck = full_deck(house)
    found: dict[Counts, Reading] = {}
    for cards in set(_candidates(deck, house)):
        if sum(cards) <= house.largest and all(map(int.__le__, cards, deck)):
            several = readings(cards, house)
            assert len(several) <= 1, f"{text(cards)} has the readings {several}"
            if several:
                found[cards] = several[0]
    return found


def _candidates(deck: Counts, house: House) -> Iterator[Counts]:
    nothing = (0,) * len(RANKS)
    for rank in range(len(RANKS)):
        for count in range(1, deck[rank] + 1):
            yield _plus(nothing, (rank,) * count)
    for black, red in product(range(3), repeat=2):
        yield _plus(nothing, (BLACK,) * black + (RED,) * red)
    for copies, fewest in ((1, 5), (2, 3), (3, 2)):
        for core in _runs(fewest):
            yield _plus(nothing, core * copies)
    cores = [((rank,), copies) for rank in range(TWO + 1) for copies in (3, 4)]
    for core, copies in cores + [(core, 3) for core in _runs(2)]:
        number = len(core) if copies == 3 else 2
        others = [rank for rank in range(house.lowest, len(RANKS)) if rank not in core]
        for width in (2,) if house.kickers == "pairs" else (1, 2):
            if copies * len(core) + width * number <= house.largest:
                for kickers in combinations_with_replacement(others, number):
                    yield _plus(nothing, core * copies + kickers * width)


def _plus(cards: Counts, more: tuple[int, ...]) -> Counts:
    total = list(cards)
    for rank in more:
        total[rank] += 1
    return tuple(total)
