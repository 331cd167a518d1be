"""A refused action changes nothing to the bit, whatever it is; and what was kept can be gone back to."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dizhu import Game, IllegalAction, shuffled, variant, variants
from dizhu.errors import DizhuError
from dizhu.testing.strategies import hands_in_play
from game.table import everything, fork, refused

CODES = {
    "hand_over", "not_your_turn", "not_allowed", "malformed_action", "malformed_cards", "cards_not_held",
    "not_a_combination", "does_not_beat", "must_play", "may_not_leave",
}  # fmt: skip

NONSENSE = [
    "", " ", "play", "play ", "PLAY 3", "Pass", "pass ", " pass", "pass pass", "no no", "no\n", "no\x00", "bid", "bid ",
    "bid x", "bid -1", "bid +1", "bid 1e1", "bid ²", "bid ١", "bid " + "9" * 10_000, "bid 00", "rob 2", "call 1",
    "play 0", "play 1", "play 10", "play 11", "play b", "play \ud800", "play 3\ud800", "play 🂡", "play ３", "play 3,4",
    "play 3-4", "play [3]", "play 3sh", "play s3", "play Bs", "play " + "3" * 100_000, "play " + "3s " * 20_000,
    "play " + "x" * 100_000, "play 3\u00a0" * 3, "leave ", "leave now", "double double", "\ud800", "x" * 1_000_000,
    "__class__", "play __class__", "{}", "null",
]  # fmt: skip


def in_every_phase() -> list[tuple[str, Game]]:
    """A hand of every game before each of its decisions, by a fixed choice of answers."""
    found: list[tuple[str, Game]] = []
    for name in variants():
        game = variant(name)
        for wish in (("bid 2", "call", "rob", "open", "declare", "double"), ("no",)):
            hand = Game(game, shuffled(game, bytes(32), 0))
            seen: set[tuple[str, str | None]] = set()
            while hand.turn:
                seat = hand.turn[0]
                kind = (hand.phase, hand.view(seat).moment)
                if kind not in seen or (hand.phase == "play" and len(hand.state.history) < 3):
                    found.append((f"{name}-{hand.phase}-{hand.view(seat).moment}-{len(found)}", fork(hand)))
                seen.add(kind)
                legal = hand.legal(seat)
                hand.act(seat, next((action for action in legal if action in wish), legal[-1]))
            found.append((f"{name}-{hand.phase}-{len(found)}", hand))
    return found


PHASES = in_every_phase()


@pytest.mark.parametrize("hand", [hand for _, hand in PHASES], ids=[name for name, _ in PHASES])
def test_nonsense_is_refused_in_every_phase_by_every_seat(hand: Game):
    for action in NONSENSE:
        for seat in range(hand.variant.seats):
            assert refused(hand, seat, action) in CODES


def refused_anyhow(hand: Game, seat: Any, action: Any) -> str:
    return refused(hand, seat, action)


@pytest.mark.parametrize("action", [None, 0, 1, True, 3.5, b"pass", ["pass"], ("pass",), {"pass": 1}, object()])
@pytest.mark.parametrize("name", variants())
def test_what_is_no_text_is_no_action(name: str, action: object):
    for hand in (hand for its, hand in PHASES if its.startswith(name) and hand.turn):
        assert refused_anyhow(hand, hand.turn[0], action) == "malformed_action"


@pytest.mark.parametrize("seat", [-1, 5, 10**30, -(10**30), None, "0", "", 0.0, 1.5, True, False, [], {}, (0,)])
@pytest.mark.parametrize("name", variants())
def test_only_seats_of_the_table_may_act(name: str, seat: object):
    for hand in (hand for its, hand in PHASES if its.startswith(name) and hand.turn):
        for action in ("no", "pass", "leave", *hand.legal(hand.turn[0])[-1:]):
            assert refused_anyhow(hand, seat, action) == "not_your_turn"


def test_seats_that_there_are_not_have_nothing_to_answer():
    hand = PHASES[0][1]
    assert hand.legal(-1) == hand.legal(99) == []


def test_a_refusal_carries_a_code_a_sentence_and_the_seat():
    hand = Game(variant("classic"), PHASES[0][1].deal)
    with pytest.raises(IllegalAction) as caught:
        hand.act(hand.turn[0], "bid 7")
    assert isinstance(caught.value, DizhuError)
    assert (caught.value.code, caught.value.detail) == ("not_allowed", {"seat": hand.turn[0]})
    assert "bid 7" in str(caught.value)
    assert "\n" not in str(caught.value)


def accepted(hand: Game, seat: int, action: str) -> bool:
    """Whether the rules allow an action, by the list of legal ones: cards may be named in any order and with suits."""
    if action == "leave":
        return 0 <= seat < hand.variant.seats and hand.view(seat).may_leave
    if not action.startswith("play "):
        return action in hand.legal(seat)
    cards = action.removeprefix("play ").split()
    if any(len(card) == 2 and card[1] in "shcd" for card in cards):
        return False  # with suits it is legal only if those are held; drawn at random they hardly ever are
    ranks = "".join(cards)
    return "play " + "".join(sorted(ranks, key="3456789TJQKA2BR".find)) in hand.legal(seat)


@pytest.mark.parametrize("name", variants())
@settings(max_examples=15)
@given(data=st.data())
def test_whatever_is_not_legal_is_refused(name: str, data: st.DataObject):
    hand = data.draw(hands_in_play(variant(name)))
    ranks = st.text("3456789TJQKA2BR x", max_size=12)
    some = st.one_of(st.text(max_size=12), ranks.map("play {}".format), st.integers().map("bid {}".format))
    for _ in range(5):
        seat, action = data.draw(st.integers(-2, 6)), data.draw(some)
        if accepted(hand, seat, action):
            hand.act(seat, action)
        else:
            assert refused(hand, seat, action) in CODES


@pytest.mark.parametrize("name", variants())
@settings(max_examples=10)
@given(data=st.data())
def test_every_legal_answer_is_accepted_and_the_kept_hand_does_not_change(name: str, data: st.DataObject):
    hand = data.draw(hands_in_play(variant(name)))
    before = everything(hand)
    for seat in hand.turn:
        for action in hand.legal(seat)[:25]:
            after = fork(hand)
            events = after.act(seat, action)
            assert events
            assert after.actions == (*hand.actions, (seat, action))
            assert after.state != hand.state
    assert everything(hand) == before


@pytest.mark.parametrize("name", variants())
@settings(max_examples=10)
@given(data=st.data())
def test_going_back_is_keeping_the_state(name: str, data: st.DataObject):
    hand = data.draw(hands_in_play(variant(name)))
    kept, actions, before = hand.state, hand.actions, everything(hand)
    choice = data.draw(st.randoms(use_true_random=False))
    while hand.turn:
        seat = choice.choice(hand.turn)
        hand.act(seat, choice.choice(hand.legal(seat)))
    hand.state, hand.actions = kept, actions
    assert everything(hand) == before
