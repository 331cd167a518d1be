"""The bot `rule` in C, against which networks train: it chooses as the bot does, and is met in training."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

import dizhu
from dizhu.bots import create
from dizhu.bots.arena.match import Match, start
from dizhu.bots.knowledge import conclude
from dizhu.game.engine import Game
from dizhu.game.physical import rank_word
from dizhu.game.view import View
from dizhu.network.scenes import first_landlord, scene, shown_at_first
from dizhu.rules import cards as c
from dizhu.rules.cards import Cards
from dizhu.training import learner

GAMES = ("classic", "auction", "two_player", "five_player")
Played = tuple[tuple[int, ...], int, int, int, int, int, tuple[int, ...]]


@dataclass
class Turn:
    """What the bot chose at a turn; `alike`: whether it and the core know the same of the landlord's cards."""

    chosen: Cards
    alike: bool


def played(variant: str, deals: int) -> Iterator[tuple[Played, dict[int, Turn]]]:
    """Play hands of `rule` against careless networks, so that there is much to decide; `rule` is asked at each turn."""
    rule = create("rule", b"")
    for number in range(deals):
        game = start(Match("rule", "normal", variant, seed=3, fixed_landlord=True), number)
        seats = len(game.state.words)
        bots = [create("rule" if (seat + number) % 2 else "easy", b"x") for seat in range(seats)]
        dealt, landlords, revealed = game.state.words, game.state.all_landlords, 1000
        turns: dict[int, Turn] = {}
        while game.turn:
            seat = game.turn[0]
            view = game.view(seat)
            if len(view.legal) > 1:
                turns[len(view.history)] = Turn(cards_of(rule.act(view)), knows_alike(view))
            game.act(seat, bots[seat].act(view))
            if game.state.revealed:
                revealed = min(revealed, len(game.state.history))
        yield told(game, dealt, landlords, revealed), turns


def cards_of(action: str) -> Cards:
    return 0 if action == "pass" else c.parse(action.removeprefix("play "))


def knows_alike(view: View) -> bool:
    """The bot knows which of two equal ranks the landlord has put down; the core takes it for the shown one."""
    known = {other.seat: other.known for other in conclude(view).others}
    return known.get(first_landlord(view), scene(view).shown) == scene(view).shown


def told(game: Game, dealt: tuple[Cards, ...], landlords: tuple[int, ...], revealed: int) -> Played:
    view = game.view(None)
    order = [(first_landlord(view) + step) % len(dealt) for step in range(len(dealt))]
    return (
        tuple(dealt[seat] for seat in order),
        sum(1 << order.index(seat) for seat in landlords),
        shown_at_first(game.variant, view),
        c.RANKS.index(view.marked[0]) if view.marked else -1,
        view.let,
        revealed,
        tuple(rank_word(move.cards) for move in view.history),
    )


@pytest.mark.parametrize("game", GAMES)
def test_it_chooses_as_the_bot_does(game: str):
    made = learner(dizhu.variant(game), seed=1)
    asked = other = 0
    for hand, turns in played(game, 25):
        planned = made.planned(*hand)
        assert len(planned) == len(hand[-1])
        asked += len(turns)
        for place, turn in turns.items():
            if turn.alike:
                assert c.format_cards(planned[place]) == c.format_cards(turn.chosen)
            other += planned[place] != turn.chosen
    assert asked > 250
    assert other < asked / 25


def test_no_hand_of_another_game_is_taken():
    made = learner(dizhu.variant("classic"), seed=1)
    hand, _ = next(played("classic", 1))
    with pytest.raises(ValueError, match="turn 0 breaks the rules"):
        made.planned(*hand[:-1], (c.parse("BR"), *hand[-1]))
    whole = sum(hand[0])
    for wrong in (
        (hand[0][:2], *hand[1:]),
        ((whole, 0, 0), *hand[1:]),
        (tuple(2 * cards for cards in hand[0]), *hand[1:]),
        (hand[0], 0b1000, *hand[2:]),
        (hand[0], 0b10, *hand[2:]),
        (*hand[:2], whole, *hand[3:]),
        (*hand[:3], 4, *hand[4:]),
        (*hand[:4], 5, *hand[5:]),
    ):
        with pytest.raises(ValueError, match="no hand of this game"):
            made.planned(*wrong)


def test_it_is_met_in_training():
    def trained(rivalry: float) -> bytes:
        made = learner(dizhu.variant("two_player"), seed=3)
        made.run(20_000, 1e-3, 0.01, 0.125, 0.5, rivalry)
        return made.weights()

    assert trained(0.5) == trained(0.5)
    assert trained(0.5) != trained(0.0)


def test_networks_that_know_nothing_lose_against_it():
    made = learner(dizhu.variant("classic"), seed=1)
    as_landlord, as_farmers, points = made.match("rule", 200, 5, 0.125)
    assert as_landlord + as_farmers < 60
    assert points < 0
    with pytest.raises(ValueError, match="not the weights"):
        made.match("ruler", 1, 5, 0.125)
