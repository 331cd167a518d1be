"""The engine: carries answers to the phase that asked, and phases to their end. It knows no variant."""

from __future__ import annotations

from dizhu.errors import IllegalAction, ParseError
from dizhu.game.change import replace
from dizhu.game.deal import Deal, check
from dizhu.game.phases.phase import Phase, Step
from dizhu.game.physical import rank_word
from dizhu.game.record import Record, write
from dizhu.game.sight import Asked, sight
from dizhu.game.state import Seat, Stakes, State
from dizhu.game.variant import Variant
from dizhu.game.view import Event, Result, View

LEAVE = "leave"


class Game:
    """A hand that is being played: the present state, and the actions that led to it.

    States are values: keep `state` to come back to it later. An action that is refused changes nothing.
    """

    def __init__(self, variant: Variant, deal: Deal, stakes: Stakes | None = None) -> None:
        """Begin a hand; raises InvalidDeal if the deal does not fit the variant.

        `opening` is what happened before the first question: in `five_player` somebody became landlord.
        """
        check(variant, deal)
        self.variant = variant
        self.actions: tuple[tuple[Seat, str], ...] = ()
        start = State(
            variant=variant,
            deal=deal,
            stakes=stakes,
            hands=deal.hands,
            words=tuple(rank_word(hand) for hand in deal.hands),
            first=deal.first,
            base=variant.base,
            last=(None,) * variant.seats,
            plays=(0,) * variant.seats,
        )
        self.state, self.opening = _settle_phases(variant.phases[0].begin(start))

    @property
    def deal(self) -> Deal:
        """The deal that the hand began with."""
        return self.state.deal

    @property
    def phase(self) -> str:
        """The name of the question that is open, or `over` or `redeal`."""
        return self.state.ended or _phase(self.state).name(self.state)

    @property
    def turn(self) -> tuple[Seat, ...]:
        """The seats that must answer now, ascending; several at once for a simultaneous question."""
        return () if self.state.ended else _phase(self.state).turn(self.state)

    @property
    def simultaneous(self) -> bool:
        """Whether the open question is put to all its seats at once and has the default answer `no`."""
        return not self.state.ended and _phase(self.state).simultaneous

    @property
    def result(self) -> Result | None:
        """How the hand ended; None before that."""
        return self.state.result

    def legal(self, seat: Seat) -> list[str]:
        """List what a seat may answer now, from low to high; empty if it is not asked. `leave` is never listed."""
        return _phase(self.state).legal(self.state, seat) if seat in self.turn else []

    def act(self, seat: Seat, action: str) -> tuple[Event, ...]:
        """Carry out an action; returns what happened. Raises IllegalAction, and then nothing has changed.

        Codes: hand_over, not_your_turn, not_allowed, malformed_action, malformed_cards, cards_not_held,
        not_a_combination, does_not_beat, must_play, may_not_leave.
        """
        if self.state.ended:
            raise IllegalAction("hand_over", f"the hand is over; seat {seat} can do nothing more", seat=seat)
        if not _is_seat(seat, self.variant.seats):
            raise IllegalAction("not_your_turn", f"there is no seat {seat!r}", seat=seat)
        if action == LEAVE:
            step = self.variant.phases[-1].leave(self.state, seat)
        else:
            action = self._normal(seat, action)
            step = _phase(self.state).apply(self.state, seat, action)
        self.state, events = _settle_phases(step)
        self.actions += ((seat, action),)
        return events

    def _normal(self, seat: Seat, action: str) -> str:
        if not _is_action(action):
            raise IllegalAction("malformed_action", f"{action!r} is no action; an action is {_FORMS}", seat=seat)
        if seat not in self.turn:
            asked = " and ".join(map(str, self.turn))
            raise IllegalAction("not_your_turn", f"it is not seat {seat}'s turn but {asked}'s", seat=seat)
        try:
            return _phase(self.state).normal(self.state, seat, action)
        except ParseError as error:
            raise IllegalAction(error.code, str(error), seat=seat) from error

    def view(self, seat: Seat | None = None) -> View:
        """Show all that a seat may know, and nothing else; None: a spectator."""
        state = self.state
        asked = Asked(
            phase=self.phase,
            moment=None if state.ended else _phase(state).moment(state),
            turn=self.turn,
            legal=() if seat is None else tuple(self.legal(seat)),
            may_leave=seat is not None and self.variant.phases[-1].may_leave(state),
        )
        return sight(state, seat, asked)

    def record(self) -> Record:
        """Write the hand so far as one JSON object: the variant, the deal and the actions say all (see `record.py`)."""
        return write(self.state, self.actions)


_WORDS = frozenset(("call", "rob", "open", "double", "declare", "no", "pass", LEAVE))
_FORMS = "bid N, call, rob, open, double, declare, no, play CARDS, pass or leave"


def _is_seat(seat: object, seats: int) -> bool:
    # 0.0 and False are equal to 0, and would stand in records as what they are.
    return isinstance(seat, int) and not isinstance(seat, bool) and 0 <= seat < seats


def _is_action(action: object) -> bool:
    if not isinstance(action, str):
        return False
    word, _, rest = action.partition(" ")
    if word == "bid":
        return rest.isascii() and rest.isdigit()
    return bool(rest.strip()) if word == "play" else action in _WORDS


def _phase(state: State) -> Phase:
    return state.variant.phases[state.phase]


def _settle_phases(step: Step) -> tuple[State, tuple[Event, ...]]:
    """Enter phase after phase until one has a question or the hand has ended."""
    events = step.events
    while step.done and not step.state.ended:
        following = step.state.phase + 1
        state = replace(step.state, phase=following, local=None)
        step = _phase(state).begin(state)
        events += step.events
    return step.state, events
