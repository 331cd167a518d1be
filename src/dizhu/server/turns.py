"""Who is asked what, since when and until when."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from dizhu.game.engine import Game
from dizhu.protocol import Clock
from dizhu.server.terms import Terms

_GIVEN_BACK = 5.0
"""The seconds that there are at least for a question that stood while the server did not."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question put to one seat: the number of the event that put it, and when the server answers for the seat."""

    seq: int
    due: float


class Turns:
    """The open question. One put to several seats has one clock for all; every seat is answered for once at most."""

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._phase: int | None = None
        self._put = 0.0
        self._limit = 0.0
        self.asked: dict[int, Asked] = {}

    @property
    def until(self) -> float:
        """When the time for the open question is over."""
        return self._put + self._limit

    @property
    def due(self) -> float | None:
        """When the next seat has to be answered for; None: no seat is asked."""
        return min((asked.due for asked in self.asked.values()), default=None)

    def overdue(self, now: float) -> int | None:
        """Name a seat that has to be answered for now."""
        return next((seat for seat, asked in self.asked.items() if asked.due <= now), None)

    def clear(self) -> None:
        """Forget the question: a new hand begins, or one has ended."""
        self._phase = None
        self.asked = {}

    def ask(self, game: Game, seq: int, now: float, due: Callable[[int], float], gone: float = 0.0) -> None:
        """Take in the question that stands after event `seq`; `due` says when a seat newly asked is answered for.

        gone: how long it has stood already. Some of its time is always given back.
        """
        if game.simultaneous and game.state.phase == self._phase:
            self.asked = {seat: asked for seat, asked in self.asked.items() if seat in game.turn}
            return
        self._phase = game.state.phase
        self._limit = self._time_for(game)
        self._put = now - max(0.0, min(gone, self._limit - _GIVEN_BACK))
        self.asked = {seat: Asked(seq, due(seat)) for seat in game.turn}

    def postpone(self, seat: int, due: float) -> None:
        """Set anew when a seat that is asked is answered for."""
        if seat in self.asked:
            self.asked[seat] = replace(self.asked[seat], due=due)

    def clock(self, now: float) -> Clock | None:
        """Show the time of the open question, the same to everybody and whoever answers."""
        if not self.asked:
            return None
        left = max(0.0, self.until - now)
        return Clock(limit_ms=round(self._limit * 1000), left_ms=round(left * 1000))

    def _time_for(self, game: Game) -> float:
        if game.simultaneous:
            return self._terms.offer
        return self._terms.play if game.phase == "play" else self._terms.question
