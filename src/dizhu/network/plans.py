"""How a hand may go out: a quick guess of the turns that it takes, and of those that unseen cards may beat."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from dizhu.game.variant import Variant
from dizhu.rules import cards as c
from dizhu.rules.cards import Cards


class Plan(NamedTuple):
    """How a hand may go out if nobody else plays: the lowest is the best. `weak`: turns that unseen cards may beat."""

    turns: int
    weak: int
    solos: int
    pairs: int


@lru_cache
def solo_kickers(game: Variant) -> bool:
    """Tell whether trios may take single cards along."""
    return any(shape.kickers and shape.kicker == 1 for shape in game.grammar.shapes)


@lru_cache(1 << 16)
def best_plan(hand: Cards, unseen: Cards, *, singles: bool, chains: int = 2) -> Plan:
    """Plan a hand, where so many chains of solos and pairs may go first as a whole. singles: see `solo_kickers`."""
    best = _plain_plan(hand, unseen, singles=singles)
    if not chains:
        return best
    for copies, shortest in ((1, 5), (2, 3)):
        for run in _runs(c.at_least(hand, copies) & c.CHAIN):
            if run.bit_count() < shortest:
                continue
            rest = best_plan(hand - run * copies, unseen, singles=singles, chains=chains - 1)
            weak = rest.weak + _run_is_weak(unseen, copies, run)
            best = min(best, Plan(rest.turns + 1, weak, rest.solos, rest.pairs))
    return best


def _runs(ranks: Cards) -> Iterator[Cards]:
    """Take ranks apart where they are no neighbours."""
    for start in c.bits(ranks & ~(ranks << 4)):
        run, bit = 0, start
        while ranks & bit:
            run, bit = run | bit, bit << 4
        yield run


def _run_is_weak(unseen: Cards, copies: int, run: Cards) -> bool:
    ranks = c.at_least(unseen, copies) & c.CHAIN
    return bool(starts_above(ranks, run.bit_count(), (run.bit_length() - 1) // 4))


def _plain_plan(hand: Cards, unseen: Cards, *, singles: bool) -> Plan:
    """Plan fours, the rocket and runs of trios, which take the lowest kickers along; the others go alone."""
    fours, threes, twos = c.at_least(hand, 4), c.at_least(hand, 3), c.at_least(hand, 2)
    trios, pairs, ones = threes & ~fours, twos & ~threes, c.at_least(hand, 1) & ~twos
    rocket = ones & c.JOKERS == c.JOKERS
    if rocket:
        ones &= ~c.JOKERS
    taken = sum(list(c.bits(pairs | ones if singles else pairs))[: trios.bit_count()])
    pairs, ones = pairs & ~taken, ones & ~taken
    runs = list(_runs(trios & c.CHAIN))
    weak = sum(_run_is_weak(unseen, 3, run) for run in runs)
    weak += _below(pairs, c.at_least(unseen, 2)).bit_count() + _below(ones, c.at_least(unseen, 1)).bit_count()
    solos, twos = ones.bit_count(), pairs.bit_count()
    turns = fours.bit_count() + rocket + len(runs) + (trios & ~c.CHAIN).bit_count() + solos + twos
    return Plan(turns, weak, solos, twos)


def _below(ranks: Cards, others: Cards) -> Cards:
    """Of the ranks of a mask, those below the highest of another."""
    return ranks & ((1 << max(0, others.bit_length() - 1)) - 1)


def starts_above(ranks: Cards, length: int, highest: int) -> Cards:
    """Tell where runs of so many ranks begin that end above a rank."""
    starts = ranks
    for step in range(1, length):
        starts &= ranks >> 4 * step
    first = 4 * max(0, highest - length + 2)
    return starts >> first << first
