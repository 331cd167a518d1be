"""check_variant finds the faults that a variant may have; each is put into a good one here."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest

from dizhu import IllegalAction, Variant, variant
from dizhu.game import sight
from dizhu.game.change import replace as changed
from dizhu.game.phases.bid import Bid
from dizhu.game.phases.bottom import TakeBottom
from dizhu.game.phases.phase import Phase, Step
from dizhu.game.phases.settle import Settle, over
from dizhu.game.phases.tricks import Tricks
from dizhu.game.state import Seat, State
from dizhu.game.view import Move
from dizhu.testing import check_variant

CLASSIC = variant("classic")


def with_phases(*phases: Phase) -> Variant:
    return replace(CLASSIC, phases=phases)


@dataclass(frozen=True)
class Silent(Tricks):
    """Lists nothing when a seat can only pass."""

    def legal(self, state: State, seat: Seat) -> list[str]:
        return [action for action in super().legal(state, seat) if action != "pass"]


@dataclass(frozen=True)
class Twice(Bid):
    """Lists an answer twice."""

    def legal(self, state: State, seat: Seat) -> list[str]:
        return [*super().legal(state, seat), "no"]


@dataclass(frozen=True)
class Lax(Bid):
    """Takes a call for a bid of one."""

    def normal(self, state: State, seat: Seat, action: str) -> str:
        return "bid 1" if action == "call" else super().normal(state, seat, action)


@dataclass(frozen=True)
class Loses(TakeBottom):
    """Loses one of the bottom cards."""

    def begin(self, state: State) -> Step:
        step = super().begin(state)
        return replace(step, state=changed(step.state, hands=tuple(hand[-17:] for hand in step.state.hands)))


@dataclass(frozen=True)
class Generous(Settle):
    """Gives everybody a point, and does not take them from the house."""

    def begin(self, state: State) -> Step:
        step = super().begin(state)
        result = step.state.result
        assert result
        return replace(step, state=changed(step.state, result=replace(result, points=(1, 1, 1))))


DRAWS: list[int] = []


@dataclass(frozen=True)
class Moody(Settle):
    """Settles every hand differently."""

    def begin(self, state: State) -> Step:
        DRAWS.append(len(DRAWS))
        step = super().begin(state)
        result = step.state.result
        assert result
        return over(changed(state, base=len(DRAWS)), result.winners, result.points, ())


@dataclass(frozen=True)
class Endless(Tricks):
    """Takes everybody's answers, and goes on for ever."""

    def legal(self, state: State, seat: Seat) -> list[str]:
        return ["pass"]

    def normal(self, state: State, seat: Seat, action: str) -> str:
        if action != "pass":
            raise IllegalAction("not_allowed", "nobody ever plays", seat=seat)
        return action

    def apply(self, state: State, seat: Seat, action: str) -> Step:
        return Step(changed(state, local=state.after(seat), history=(*state.history, Move(seat, ()))))


GOOD = (Bid(rounds=1), TakeBottom(), Tricks(), Settle(escape=3))


@pytest.mark.parametrize(
    ("phases", "complaint"),
    [
        ((GOOD[0], GOOD[1], Silent(), GOOD[3]), r"seat \d may answer \[\]"),
        ((Twice(rounds=1), *GOOD[1:]), "is listed twice"),
        ((Lax(rounds=1), *GOOD[1:]), r"'call' is not among the legal answers of seat \d, and was accepted"),
        ((GOOD[0], Loses(), *GOOD[2:]), "cards were lost or made"),
        ((*GOOD[:3], Generous()), "do not sum to zero"),
        ((*GOOD[:3], Moody()), "damaged record: the result is not what the actions come to"),
        ((*GOOD[:2], Endless(), GOOD[3]), "the hand does not end"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_faults_of_phases_are_found(phases: tuple[Phase, ...], complaint: str):
    with pytest.raises(AssertionError, match=complaint):
        check_variant(with_phases(*phases), hands=30)


@pytest.mark.parametrize(
    ("name", "leak"),
    [
        ("_sees", lambda *_: True),
        ("_sees", lambda state, seat, other: seat == other or state.trick is not None),
        ("_sees_bottom", lambda *_: True),
        ("_dealt", lambda state, seat, *_: state.hands[seat]),
        ("_landlords", lambda state, *_: state.all_landlords),
    ],
)
def test_views_that_show_too_much_are_found(name: str, leak: Callable[..., object], monkeypatch: pytest.MonkeyPatch):
    game = variant("five_player" if name == "_landlords" else "happy")
    monkeypatch.setattr(sight, name, leak)
    with pytest.raises(AssertionError, match="sees what it may not know") as caught:
        check_variant(game, hands=40)
    assert any("check_variant(" in note for note in caught.value.__notes__)


def test_the_good_one_passes_and_the_same_seed_plays_the_same_hands():
    check_variant(with_phases(*GOOD), hands=5)


def test_hypothesis_is_needed_for_the_strategies_only():
    code = "import sys, dizhu.testing, dizhu.testing.cases; sys.exit('hypothesis' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
