"""What one seat may know of a hand: the types that leave the engine.

Everything outside `game` (bots, server, screen) sees a hand only through these values. They hold text and
small numbers only, so that they can be written as JSON as they stand. Cards are physical cards as text
(`7h`, `B`, `R`), each tuple sorted from low to high; seats are numbers from 0 in playing order.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Factor:
    """One part of the multiplier: `name` is rob, open, declare, double, bomb, rocket, spring or anti_spring."""

    name: str
    times: int


@dataclass(frozen=True, slots=True)
class Answer:
    """What a seat answered to a question before the play: `bid 2`, `call`, `rob`, `open`, `double`, `declare`, `no`."""

    phase: str
    seat: int
    action: str


@dataclass(frozen=True, slots=True)
class Move:
    """A turn of the play: the cards a seat put down, none for a pass."""

    seat: int
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """The combination that has to be beaten: who played it, its cards and its reading (rules.md §2)."""

    seat: int
    cards: tuple[str, ...]
    kind: str
    length: int
    rank: str


@dataclass(frozen=True, slots=True)
class Result:
    """How a hand ended. `points` is by seat, and `sum(points) + house == 0`.

    `reason` is `out` (a hand was played to its last card), `let` (a farmer came down to the let cards) or
    `leave` (somebody left on purpose). `factors` are the parts of `multiplier`; pairwise doubling is not in
    it: `doubled` lists the seats that doubled. `points` are what a cap leaves of that, `multiplier` is what it was.
    """

    reason: str
    landlords: tuple[int, ...]
    winners: tuple[int, ...]
    base: int
    multiplier: int
    factors: tuple[Factor, ...]
    doubled: tuple[int, ...]
    points: tuple[int, ...]
    house: int


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened at the table, known to everybody; secrets travel in views only.

    `kind` is an action's word (`bid`, `call`, `rob`, `open`, `double`, `declare`, `no`, `play`, `pass`, `leave`) or
    `deal`, `answered` (a simultaneous answer came in, its content is held back), `landlord` (somebody became
    landlord), `bottom` (the landlord took the bottom cards), `reveal` (the hidden landlord is known), `over`, `redeal`.
    `value` is the bid, or the factor that the answer or the combination stands for (of several open hands only the
    largest counts, a pairwise doubling counts between the two); `cards` are cards put down.
    """

    kind: str
    seat: int | None = None
    value: int | None = None
    cards: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class View:
    """All that `seat` may know of a hand (`None`: a spectator), and nothing else.

    phase: `open`, `bid`, `call`, `rob`, `declare`, `double`, `play`, `over` or `redeal`.
    moment: in phase `open` one of `before`, `early`, `late`, `landlord`; else None.
    turn: the seats that must answer now, ascending; several at once for a simultaneous question.
    hands: by seat; None where the cards are hidden from this seat. A hand of which only a part is dealt
        so far (phase `open`) is that part.
    counts: cards left, by seat.
    bottom: the cards, or None while this seat may not know them. aside: likewise (`two_player`), after the end.
    marked: the marked card (`five_player`).
    landlords: those that this seat knows of; the hidden landlord knows himself.
    revealed: whether everybody knows who all the landlords are.
    let: cards left at which the farmer wins (`two_player`), else 0.
    table: what has to be beaten, None on a lead. last: by seat, the last turn since the trick began
        (None: none yet; a Move without cards: passed).
    legal: what this seat may answer now, as text for `Game.act`, from low to high (empty if it is not asked).
        `leave` is never in it: `may_leave` says whether leaving on purpose ends the hand now.
    cap: the most that the base is multiplied by between two players, pairwise doublings included (None: no limit);
        `multiplier` is the product of its factors, which may be more.
    """

    variant: str
    seat: int | None
    phase: str
    moment: str | None
    turn: tuple[int, ...]
    first: int
    hands: tuple[tuple[str, ...] | None, ...]
    counts: tuple[int, ...]
    bottom: tuple[str, ...] | None
    aside: tuple[str, ...] | None
    marked: str | None
    landlords: tuple[int, ...]
    revealed: bool
    base: int
    multiplier: int
    factors: tuple[Factor, ...]
    doubled: tuple[int, ...]
    opened: tuple[int, ...]
    let: int
    answers: tuple[Answer, ...]
    table: Table | None
    last: tuple[Move | None, ...]
    history: tuple[Move, ...]
    legal: tuple[str, ...]
    may_leave: bool
    result: Result | None
    cap: int | None
