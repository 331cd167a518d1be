"""Faults that environments for research have had elsewhere: none of them here."""

from __future__ import annotations

import copy
import json
import pickle
import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import dizhu
from dizhu.envs import aec, seat
from dizhu.envs.actions import action_ids
from dizhu.envs.hand import Hand, numbers
from dizhu.envs.observation import ANSWERS, ASKED, MOST_ANSWERS, QUESTIONS, observation_layout, observe
from dizhu.envs.rewards import scaled
from dizhu.envs.rlcard_env import RLCardEnv
from dizhu.game.replay import replay
from dizhu.rules import cards as c
from dizhu.testing.worlds import other_world

NAMES = dizhu.variants()
SETTINGS = [(name, bidding) for name in NAMES for bidding in (True, False)]

settings = pytest.mark.parametrize(("name", "bidding"), SETTINGS)


def begun(name: str = "classic", *, bidding: bool = False, seed: int = 1, **options: Any) -> Hand:
    return numbers(name, bidding).begin(np.random.default_rng(seed), options)


def play(hand: Hand, *actions: str) -> None:
    for action in actions:
        hand.act(hand.numbers.ids.encode(action))


def read(row: Any, decks: int = 1) -> str:
    """Read a row of cards back."""
    cells = row.reshape(-1, 54 * decks)[0].tolist()
    held = [sum(cells[4 * decks * at : 4 * decks * (at + 1)]) for at in range(13)]
    held += [sum(cells[52 * decks : 53 * decks]), sum(cells[53 * decks :])]
    return "".join(rank * count for rank, count in zip(c.RANKS, held, strict=True))


def test_six_bombs_are_exactly_64():
    bombs = [rank * 4 for rank in "345678"]
    hand = begun(hands=["".join(bombs), "9T", "9T"])
    for bomb in bombs:
        play(hand, bomb)
        if hand.seat is not None:
            play(hand, "pass", "pass")
    # The two farmers never played: a spring, ×2.
    assert hand.game.result
    assert hand.game.result.multiplier == 64 * 2
    assert hand.rewards("points") == [256, -128, -128]
    assert all(isinstance(reward, int) for reward in hand.rewards("points"))
    assert hand.rewards("log") == [9.0, -8.0, -8.0]
    assert hand.rewards("win") == [1, -1, -1]


def test_six_bombs_without_a_spring_are_exactly_64():
    bombs = [rank * 4 for rank in "345678"]
    hand = begun(hands=["".join([*bombs, "9"]), "TT", "JJ"])
    play(hand, "9", "T", "pass", bombs[0], "pass", "pass")
    for bomb in bombs[1:-1]:
        play(hand, bomb, "pass", "pass")
    play(hand, bombs[-1])
    assert hand.game.result
    assert hand.game.result.multiplier == 64
    assert hand.rewards("points") == [128, -64, -64]


def test_a_cap_of_the_host_holds():
    """The same as above: of 64 only 4 count, and what is seen stays the same."""
    bombs = [rank * 4 for rank in "345678"]
    game = dizhu.variant("classic", cap=4)
    setup: dict[str, Any] = {"hands": ["".join([*bombs, "9"]), "TT", "JJ"]}
    hand = numbers(game, False).begin(np.random.default_rng(1), setup)
    plain = begun(**setup)
    for action in ("9", "T", "pass", *(step for bomb in bombs[:-1] for step in (bomb, "pass", "pass")), bombs[-1]):
        np.testing.assert_equal(hand.observe(0), plain.observe(0))
        play(hand, action)
        play(plain, action)
    assert hand.rewards("points") == [8, -4, -4]
    assert plain.rewards("points") == [128, -64, -64]


def test_large_points_stay_exact():
    assert scaled(2**80, "points") == 2**80
    assert scaled(-(2**80), "log") == -81.0
    assert [scaled(0, scale) for scale in ("points", "win", "log")] == [0, 0, 0]


def test_what_was_played_keeps_its_copies():
    hand = begun(hands=["3344", "35TT", "78JJ"])
    play(hand, "3", "5", "pass", "pass", "3", "pass", "4", "pass", "pass", "4")
    sections = hand.numbers.layout.sections
    row = hand.observe(2)["observation"][sections["played"]]
    assert [read(part) for part in (row[:54], row[54:])] == ["344", "35"]


def test_the_newest_turns_are_shown():
    hand = begun(hands=["3456", "789T", "789T"])
    play(hand, "3", "7", "pass", "pass", "8", "pass", "pass", "9")
    sections = hand.numbers.layout.sections
    row = hand.observe(2)["observation"]
    assert read(row[sections["table"]]) == "9"
    assert [read(part) for part in row[sections["last"]].reshape(2, 54)] == ["", "9"]
    turns = [read(part) for part in row[sections["history"]].reshape(15, 54)]
    assert turns == [""] * 7 + ["3", "7", "", "", "8", "", "", "9"]


@settings
def test_going_back_is_exact(name: str, bidding: bool):
    hand, draws = begun(name, bidding=bidding), random.Random(1)
    kept: list[Any] = []
    while hand.seat is not None:
        kept.append((hand.moment, hand.game.record(), hand.observe(hand.seat)))
        hand.act(draws.choice(hand.legal()))
    for moment, record, seen in reversed(kept):
        hand.moment = moment
        assert hand.game.record() == record
        assert hand.seat is not None
        np.testing.assert_equal(hand.observe(hand.seat), seen)


@settings
def test_copies_and_what_is_pickled_go_their_own_way(name: str, bidding: bool):
    for make in (aec.raw_env, seat.single):
        env: Any = make(name, bidding=bidding)
        env.reset(seed=3)
        for _ in range(4):
            env.step(env.hand.legal()[-1])
        before = env.hand.game.record()
        for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
            assert other.hand.game.record() == before
            other.step(other.hand.legal()[-1])
            assert other.hand.game.record() != before
            assert env.hand.game.record() == before


def test_a_game_with_options_travels_and_one_that_cannot_be_found_is_refused():
    capped = aec.raw_env(dizhu.variant("classic", cap=4))
    capped.reset(seed=3)
    again = pickle.loads(pickle.dumps(capped))
    assert again.numbers.game == capped.numbers.game
    assert again.hand.game.record() == capped.hand.game.record()
    for name in ("classic", "unknown"):
        other = aec.raw_env(replace(dizhu.variant("classic"), name=name, base=3))
        with pytest.raises(dizhu.UnknownName):
            pickle.dumps(other)


@pytest.mark.parametrize("name", NAMES)
def test_a_hand_with_bidding_is_written_down_and_played_again(name: str):
    hand, draws = begun(name, bidding=True, seed=7), random.Random(7)
    while hand.seat is not None:
        hand.act(draws.choice(hand.legal()))
    record = json.loads(json.dumps(hand.game.record()))
    assert replay(record, dizhu.variant).record() == record


@pytest.mark.parametrize("hands", [["3", "44", "555"], ["34", "5", "6"], ["3344", "BR", "2"]])
def test_any_position_can_be_set_up(hands: list[str]):
    for first in range(3):
        hand = begun(hands=hands, landlord=first)
        assert hand.seat == first
        assert hand.game.state.landlords == (first,)
        while hand.seat is not None:
            hand.act(hand.legal()[-1])
        assert sum(hand.rewards("points")) == 0


@settings
def test_global_generators_have_no_part_in_it(name: str, bidding: bool):
    courses: list[Any] = []
    for attempt in range(2):
        random.seed(attempt)
        np.random.seed(attempt)
        state = random.getstate(), np.random.get_state()[1].tolist()  # pyright: ignore[reportArgumentType]
        env = seat.single(name, bidding=bidding)
        env.reset(seed=9)
        while env.hand.seat is not None:
            env.step(env.hand.legal()[0])
        hands = aec.raw_env(name, bidding=bidding)
        hands.reset(seed=9)
        courses.append((env.hand.game.record(), hands.hand.game.record()))
        assert state == (random.getstate(), np.random.get_state()[1].tolist())  # pyright: ignore[reportArgumentType]
    assert courses[0] == courses[1]


@pytest.mark.parametrize("name", ["classic", "happy", "auction"])
def test_rlcards_interface_draws_from_its_own_generator(name: str):
    first, second = RLCardEnv(name, seed=2), RLCardEnv(name, seed=2)
    np.random.seed(1)
    assert first.reset()[0]["raw_obs"] == second.reset()[0]["raw_obs"]
    assert first.reset()[0]["raw_obs"] == second.reset()[0]["raw_obs"]


def test_a_lead_lists_every_set_of_cards_once():
    hand = begun(hands=["333444555666", "789", "TJQ"])
    legal = hand.legal()
    ids = hand.numbers.ids
    assert len(legal) == len(set(legal)) == len({ids.cards(number) for number in legal})
    assert len(legal) == len(dizhu.variant("classic").moves("333444555666"))
    leads = begun(hands=["3334K", "5", "6"])
    assert {ids.encode("3334"), ids.encode("333K")} <= set(leads.legal())


@settings
def test_every_fact_has_its_own_cells(name: str, bidding: bool):
    """The parts follow one another without gap or overlap, and each of their facts is read back from the row."""
    game = dizhu.variant(name)
    layout = observation_layout(game, bidding=bidding)
    ends = [0]
    for part in layout.sections.values():
        assert part.start == ends[-1]
        ends.append(part.stop)
    assert ends[-1] == layout.size
    hand, draws = begun(name, bidding=bidding, seed=4), random.Random(4)
    while hand.seat is not None:
        view = hand.game.view(hand.seat)
        assert_read_back(observe(game, view, bidding=bidding), view, layout.sections, game, bidding)
        hand.act(draws.choice(hand.legal()))


def assert_read_back(
    row: Any, view: dizhu.View, sections: dict[str, slice], game: dizhu.Variant, bidding: bool
) -> None:
    decks, me = game.deck.decks, view.seat
    assert me is not None
    others = [(me + steps) % game.seats for steps in range(1, game.seats)]

    def texts(name: str) -> list[str]:
        return [read(part, decks) for part in row[sections[name]].reshape(-1, 54 * decks)]

    def ranks(cards: Any) -> str:
        return c.format_cards(sum(c.UNIT[card[0]] for card in cards or ()))

    assert texts("hand") == [ranks(view.hands[me])]
    assert texts("table") == [ranks(view.table.cards if view.table else ())]
    assert texts("bottom") == [ranks(view.bottom)]
    assert texts("shown") == [ranks(view.hands[other]) for other in others]
    recent = [ranks(move.cards) for move in view.history[-15:]]
    assert texts("history") == [""] * (15 - len(recent)) + recent
    left = row[sections["left"]].reshape(len(others), -1)
    assert [int(part.argmax()) + 1 if part.any() else 0 for part in left] == [view.counts[other] for other in others]
    assert int(row[sections["let"]].argmax()) == view.let
    assert bool(row[sections["revealed"]][0]) == view.revealed
    known = [(me + int(steps)) % game.seats for steps in np.flatnonzero(row[sections["landlords"]])]
    assert set(known) == set(view.landlords)
    if view.marked:
        assert c.RANKS[int(row[sections["marked"]].argmax())] == view.marked[0]
        assert int(row[sections["own_marked"]].sum()) == (view.hands[me] or ()).count(view.marked)
    if bidding:
        assert (me + int(row[sections["first"]].argmax())) % game.seats == view.first
        question = QUESTIONS[int(row[sections["question"]].argmax())]
        assert question == " ".join(filter(None, (view.phase, view.moment)))
        rows = row[sections["answers"]].reshape(MOST_ANSWERS, -1)
        answers = [
            (
                (me + int(each[: game.seats].argmax())) % game.seats,
                ASKED[int(each[game.seats : game.seats + len(ASKED)].argmax())],
                ANSWERS[int(each[-len(ANSWERS) :].argmax())],
            )
            for each in rows
            if each.any()
        ]
        assert answers == [(answer.seat, answer.phase, answer.action) for answer in view.answers]


def test_the_red_joker_is_no_other_fact():
    with_joker = begun(hands=["3R", "45", "67"]).observe(0)["observation"]
    without = begun(hands=["35", "46", "78"]).observe(0)["observation"]
    joker = 53
    assert with_joker[joker] == 1
    assert without[joker] == 0
    # No course of the play sets the cell while the joker is not held.
    hand = begun(hands=["3579", "468R", "TJQK"])
    while hand.seat is not None:
        assert not hand.observe(0)["observation"][joker]
        hand.act(hand.legal()[-1])


@settings
def test_two_worlds_alike_to_a_seat_give_it_equal_observations(name: str, bidding: bool):
    hand, draws = begun(name, bidding=bidding, seed=6), random.Random(6)
    compared = 0
    while hand.seat is not None:
        world = Hand(hand.numbers, other_world(hand.game, hand.seat, draws))
        compared += world.game.deal != hand.game.deal
        np.testing.assert_equal(world.observe(hand.seat), hand.observe(hand.seat))
        hand.act(draws.choice(hand.legal()))
    assert compared


@pytest.mark.parametrize("name", NAMES)
def test_a_deck_is_dealt_in_its_order(name: str):
    game = dizhu.variant(name)
    deal = dizhu.shuffled(game, bytes(32))
    deck = [card for group in (*deal.hands, deal.bottom, deal.aside) for card in group]
    options: dict[str, Any] = {"deck": deck, "first": deal.first}
    if game.marked:
        options["marked"] = deal.marked
    for cards in (deck, " ".join(deck)):
        given: dict[str, Any] = {**options, "deck": cards}
        hand = begun(name, bidding=True, **given)
        assert (hand.game.deal.hands, hand.game.deal.bottom) == (deal.hands, deal.bottom)
        assert hand.game.deal.aside == deal.aside
    assert begun(name, bidding=True, deal=deal).game.deal == deal


@pytest.mark.parametrize("name", NAMES)
def test_roles_are_as_wished(name: str):
    seats = dizhu.variant(name).seats
    wishes = [[place == at for place in range(seats)] for at in range(seats)]
    if name == "five_player":
        wishes += [[place in {1, 3} for place in range(seats)], [place in {0, 4} for place in range(seats)]]
    for number, wish in enumerate(wishes):
        roles = ["landlord" if each else "farmer" for each in wish]
        hand = begun(name, seed=number, roles=roles)
        landlords = hand.game.state.all_landlords
        assert [place in landlords for place in range(seats)] == wish
        assert hand.seat in landlords
    for landlord in range(seats):
        hand = begun(name, landlord=landlord)
        assert hand.seat == landlord
        assert landlord in hand.game.state.landlords


def test_the_open_landlord_of_two_can_be_named():
    roles = ["farmer", "landlord", "farmer", "landlord", "farmer"]
    opens = {begun("five_player", seed=seed, roles=roles).seat for seed in range(12)}
    assert opens == {1, 3}
    for first in (1, 3):
        assert begun("five_player", roles=roles, landlord=first).seat == first


def test_let_cards_can_be_given():
    hand = begun("two_player", hands=["59TT", "67JJ"], let=3)
    play(hand, "5", "6")
    assert hand.rewards("points") == [-2, 2]
    assert begun("two_player", let=2).observe(0)["observation"][numbers("two_player", False).layout.sections["let"]][2]


@pytest.mark.parametrize(
    ("bidding", "options", "message"),
    [
        (True, {"landlord": 1}, "needs bidding=False"),
        (True, {"roles": ["landlord", "farmer", "farmer"]}, "needs bidding=False"),
        (False, {"roles": ["farmer"] * 3}, "one of them landlord"),
        (False, {"roles": ["landlord", "farmer"]}, "one of them landlord"),
        (False, {"roles": ["landlord", "farmer", "farmer"], "landlord": 2}, "not"),
        (False, {"landlord": 3}, "no seat 3"),
        (False, {"let": 5}, "let must be"),
        (False, {"deck": ["3s"]}, "has 54 cards"),
        (False, {"deck": ["3s"], "hands": ["3", "4", "5"]}, "only one of"),
    ],
)
def test_options_that_cannot_be_are_refused(bidding: bool, options: dict[str, Any], message: str):
    with pytest.raises(ValueError, match=message):
        begun(bidding=bidding, **options)


def test_options_that_there_are_not_are_pointed_out():
    with pytest.warns(UserWarning, match="no option 'hand'"):
        begun(hand=["3", "4", "5"])


def test_nobody_wants_to_be_landlord():
    hands = aec.raw_env("classic")
    hands.reset(seed=1)
    for _ in range(3):
        hands.step(action_ids("classic").encode("no"))
    assert all(hands.terminations.values())
    assert set(hands.rewards.values()) == {0}
    assert hands.hand.game.phase == "redeal"
