"""How likely a combination takes the trick, judged from the cards whose place is unknown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb, prod

from dizhu.bots.forms import Forms, forms_of
from dizhu.bots.knowledge import Knowledge, Other
from dizhu.bots.weights import Weights
from dizhu.rules.cards import Cards

_ACE = 11
_LAST_PLAIN = 12
_JOKER = 13


@lru_cache(1 << 14)
def _at_least(copies: int, share: float, wanted: int) -> float:
    """Tell how likely somebody who holds this share of the unknown cards has `wanted` of these `copies`."""
    if wanted <= 0:
        return 1.0
    return sum(comb(copies, k) * share**k * (1 - share) ** (copies - k) for k in range(wanted, copies + 1))


class Holdings:
    """What one other player may hold: for each rank, how likely he has at least so many cards of it."""

    def __init__(self, other: Other, pool: Cards, forms: Forms) -> None:
        self.other = other
        self._pool = pool
        self._forms = forms
        self._ranks: dict[int, list[float]] = {}
        self._same: dict[tuple[int, int, int, int], float] = {}
        self._bombs: list[tuple[int, int, float]] | None = None

    def has(self, copies: int) -> list[float]:
        """For each rank: how likely he has at least `copies` of it."""
        if copies not in self._ranks:
            share, known, pool = self.other.share, self.other.known, self._pool
            self._ranks[copies] = [
                _at_least(pool >> shift & 15, share, copies - (known >> shift & 15)) for shift in range(0, 60, 4)
            ]
        return self._ranks[copies]

    def beats_in_kind(self, row: int, length: int, top: int) -> float:
        """How likely he holds a combination of this row and length with a higher rank."""
        return self._in_kind(row, length, top, _JOKER + 1)

    def beats_cheaply(self, row: int, length: int, top: int) -> float:
        """The same, with no card above K."""
        return self._in_kind(row, length, top, _ACE - 1)

    def _in_kind(self, row: int, length: int, top: int, last: int) -> float:
        key = (row, length, top, last)
        if key not in self._same:
            self._same[key] = self._beats_in_kind(row, length, top, last)
        return self._same[key]

    def _beats_in_kind(self, row: int, length: int, top: int, last: int) -> float:
        shape = self._forms.grammar.shapes[row]
        if shape.power or self.other.count < length * (shape.copies + shape.kickers * shape.kicker):
            return 0.0
        has = self.has(shape.copies)
        if length == 1:
            last = min(last, _JOKER + 1 if shape.copies == 1 else _LAST_PLAIN)
            return 1 - prod([1 - chance for chance in has[top + 1 : last + 1]])
        # Neighbouring chains share most of their cards: one more of them adds little.
        return max((prod(has[end - length + 1 : end + 1]) for end in range(top + 1, min(last, _ACE) + 1)), default=0.0)

    def bombs_above(self, power: int, top: int) -> float:
        """How likely he holds a bomb above this one (power 0: any)."""
        if self._bombs is None:
            self._bombs = [
                (bomb.power, order, chance)
                for bomb in self._forms.bombs
                for order, chance in self._of(bomb.copies, bomb.literals)
                if chance > 0
            ]
        return 1 - prod([1 - chance for level, order, chance in self._bombs if (level, order) > (power, top)])

    def _of(self, copies: int, literals: Sequence[Cards]) -> list[tuple[int, float]]:
        if copies:
            return list(enumerate(self.has(copies)[: _LAST_PLAIN + 1]))
        return [
            (order, prod([self.has(cards >> shift & 15)[shift >> 2] for shift in (52, 56)]))
            for order, cards in enumerate(literals)
        ]


@dataclass(frozen=True)
class Odds:
    """What becomes of a combination. hold: likely nobody beats it; safe: likely nobody even could."""

    hold: float
    safe: float


class Chances:
    """Judges combinations for one seat at one moment."""

    def __init__(self, knowledge: Knowledge, weights: Weights) -> None:
        self.forms = forms_of(knowledge.game.grammar)
        self.weights = weights
        self.holdings = {other.seat: Holdings(other, knowledge.pool, self.forms) for other in knowledge.others}
        self._enemies = [self.holdings[other.seat] for other in knowledge.enemies]
        self._beaten: dict[tuple[int, int, int, int], tuple[float, float]] = {}
        self._odds: dict[tuple[int, int, int], Odds] = {}

    def odds(self, row: int, length: int, top: int) -> Odds:
        """Judge a combination against all enemies."""
        key = (row, length, top)
        if key not in self._odds:
            hold = safe = 1.0
            for holdings in self._enemies:
                can, does = self.beaten(holdings, row, length, top)
                hold *= 1 - does * holdings.other.enmity
                safe *= 1 - can * holdings.other.enmity
            self._odds[key] = Odds(hold, safe)
        return self._odds[key]

    def beaten(self, holdings: Holdings, row: int, length: int, top: int) -> tuple[float, float]:
        """How likely a player can beat a combination, and how likely he does."""
        key = (holdings.other.seat, row, length, top)
        if key not in self._beaten:
            self._beaten[key] = self._judge(holdings, row, length, top)
        return self._beaten[key]

    def _judge(self, holdings: Holdings, row: int, length: int, top: int) -> tuple[float, float]:
        weights = self.weights
        power = self.forms.grammar.shapes[row].power
        same = holdings.beats_in_kind(row, length, top)
        cheap = holdings.beats_cheaply(row, length, top)
        bombs = holdings.bombs_above(power, top if power else -1)
        willing = weights.willing.get(self.forms.names[row], weights.willing_other)
        does = willing * cheap + weights.willing_dear * (same - cheap)
        return 1 - (1 - same) * (1 - bombs), 1 - (1 - does) * (1 - weights.willing_bomb * bombs)
