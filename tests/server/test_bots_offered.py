"""Which bots people are offered: those of the levels where a game has networks, else the one that needs none."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

import dizhu
from dizhu import bots
from dizhu.server import players
from dizhu.server.players import offered, usual
from dizhu.server.rooms import read_rooms
from server.harness import QUICK, HandClock, joined, serving

LEVELS = ("easy", "normal", "hard", "master")


def of_classic(game: dizhu.Variant) -> None:
    if game.name != "classic":
        raise dizhu.DizhuError("no_networks", "there are none")


@pytest.fixture
def levels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let there be levels, and networks for `classic` alone."""
    monkeypatch.setattr(bots, "names", lambda: ("random", "rule", *LEVELS))
    monkeypatch.setattr(players, "judge", lambda _: None)
    monkeypatch.setattr(players, "prospects", of_classic)


@pytest.mark.usefixtures("levels")
def test_games_with_networks_have_levels_and_the_others_the_bot_without():
    classic, happy = dizhu.variant("classic"), dizhu.variant("happy")
    assert (offered(classic), usual(classic), usual(classic, "hard")) == (LEVELS, "normal", "hard")
    assert (offered(happy), usual(happy), usual(happy, "hard")) == (("rule",), "rule", "rule")


def test_where_nothing_computes_networks_there_are_no_levels(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(bots, "names", lambda: ("random", "rule"))
    assert offered(dizhu.variant("classic")) == ("rule",)


@pytest.mark.usefixtures("levels")
def test_rooms_take_bots_by_their_level_unless_the_host_says_which(tmp_path: Path):
    beans = 'kind = "beans"\ncoefficient = 1\nfee = 0\nneed = 100\n'
    text = "".join(
        f'[{game}-{level}]\nvariant = "{game}"\n{beans}level = "{level}"\n'
        for game in ("classic", "happy")
        for level in ("beginner", "middle", "high")
    )
    text += (
        '[points]\nvariant = "classic"\nkind = "points"\n[own]\nvariant = "classic"\nkind = "points"\nbot = "master"\n'
    )
    (tmp_path / "rooms.toml").write_text(text, encoding="utf-8")
    assert [room.bot for room in read_rooms(tmp_path / "rooms.toml").values()] == [
        "easy", "normal", "hard", "rule", "rule", "rule", "normal", "master"
    ]  # fmt: skip


def test_the_greeting_tells_them_for_each_game_and_one_can_sit_down_with_each():
    async def run():
        async with serving(QUICK, clock=HandClock()) as server, joined(server) as one:
            for info in one.welcome["variants"]:
                assert tuple(info["bots"]) == offered(dizhu.variant(info["name"]))
                for bot in info["bots"]:
                    assert "random" != bot in one.welcome["bots"]
                    assert (await one.sit(info["name"], bot))["type"] == "done"
                    assert (await one.answer("leave"))["type"] == "done"
                    await one.until(lambda: one.closed)
                    one.closed.clear()

    asyncio.run(run())
