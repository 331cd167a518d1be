"""The hints: legal, the best first, bombs behind what is as good without them, and never without an answer."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

import pytest

import dizhu
from dizhu import bots
from dizhu.bots import advice as advising
from dizhu.bots import stakes
from dizhu.bots.advice import MOST, advice
from dizhu.bots.network import NetworkBot, action
from dizhu.bots.search import SearchBot
from dizhu.errors import DizhuError
from dizhu.game.view import View
from dizhu.network import judge
from dizhu.network.prospects import prospects


def there(load: Callable[[dizhu.Variant], object], name: str) -> bool:
    try:
        load(dizhu.variant(name))
    except DizhuError:
        return False
    return True


WITH = [name for name in dizhu.variants() if there(judge, name)]
WITH_PROSPECTS = [name for name in dizhu.variants() if there(prospects, name)]


def asked(name: str, number: int) -> list[View]:
    """List the views of all who are asked something in a hand that `rule` plays."""
    variant = dizhu.variant(name)
    game = dizhu.Game(variant, dizhu.shuffled(variant, number.to_bytes(32, "big")))
    views: list[View] = []
    bot = bots.create("rule", seed=1)
    while game.turn:
        views.append(game.view(game.turn[0]))
        game.act(game.turn[0], bot.act(views[-1]))
    return views


def bomb(answer: str) -> bool:
    cards = answer.removeprefix("play ")
    return len(cards) >= 2 and (set(cards) <= {*"BR"} or (len(cards) >= 4 and len(set(cards)) == 1))


@pytest.mark.parametrize("name", dizhu.variants())
def test_advises_what_is_legal_each_once_and_of_plays_bombs_last_but_for_the_best(name: str):
    for number in range(2):
        for view in asked(name, number)[::3]:
            found = advice(view)
            assert 1 <= len(found) <= MOST
            assert set(found) <= set(view.legal)
            assert len(set(found)) == len(found)
            bombs = [bomb(answer) for answer in found[1:]]
            assert bombs == sorted(bombs), found


@pytest.mark.parametrize("name", WITH)
def test_puts_first_what_the_best_bot_would_play(name: str):
    for view in islice((view for view in asked(name, 4) if view.phase == "play"), 12):
        assert advice(view)[0] == SearchBot(0).act(view)


@pytest.mark.parametrize("name", WITH_PROSPECTS)
def test_orders_answers_before_the_play_by_what_they_are_worth(name: str):
    early = [view for number in range(4) for view in asked(name, number) if view.phase != "play"]
    assert early
    for view in early:
        found, worths = advice(view), stakes.worths(view)
        assert found[0] == stakes.answer(view)
        assert [worths[answer] for answer in found] == sorted((worths[answer] for answer in found), reverse=True)


@pytest.mark.parametrize("name", WITH)
def test_a_bot_plays_what_it_ranks_first_and_ranks_all_it_may_play(name: str):
    for bot in (NetworkBot(1), NetworkBot(1, carelessness=0.2), SearchBot(1)):
        for view in [view for view in asked(name, 2) if view.phase == "play" and len(view.legal) > 1][::4]:
            ranked = [action(move) for move in bot.ranked(view)]
            assert sorted(ranked) == sorted(view.legal)
            assert bot.act(view) == ranked[0]


@pytest.mark.parametrize("name", ["classic", "five_player"])
def test_without_networks_the_rule_bot_leads_and_the_others_follow_from_low_to_high(
    name: str, monkeypatch: pytest.MonkeyPatch
):
    def none(_: View) -> list[str]:
        raise DizhuError("no_networks", "there are none")

    monkeypatch.setattr(advising, "_judged", none)
    rule = bots.create("rule", seed=0)
    for view in asked(name, 1)[::4]:
        first, *others = advice(view)
        assert first == rule.act(view)
        places = [(bomb(answer), view.legal.index(answer)) for answer in others]
        assert places == sorted(places)


def test_what_would_break_a_bomb_is_not_advised_unless_it_is_best(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(advising, "_judged", lambda view: [*view.legal])
    classic = dizhu.variant("classic")
    game = dizhu.Game(classic, dizhu.position(classic, ["44", "55668888BR", "3"], first=0))
    game.act(0, "bid 3")
    game.act(0, "play 4")
    view = game.view(1)
    assert {"play 8", "play B"} < set(view.legal)
    assert advice(view) == ("pass", "play 5", "play 6", "play 8888", "play BR")
    monkeypatch.setattr(advising, "_judged", lambda view: ["play 3", "play 8", *view.legal])
    assert advice(view) == ("play 8", "pass", "play 5", "play 6", "play 8888", "play BR")


def test_other_faults_are_not_taken_for_a_game_without_networks(monkeypatch: pytest.MonkeyPatch):
    def broken(_: View) -> list[str]:
        raise DizhuError("bad_networks", "damaged")

    monkeypatch.setattr(advising, "_judged", broken)
    with pytest.raises(DizhuError, match="damaged"):
        advice(asked("classic", 1)[0])
