"""How long an automatic answer takes tells nothing: not whether the seat could beat, nor whether a person chose it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

import dizhu
from dizhu.server import Settings, create_app
from dizhu.server.actor import Enter
from dizhu.server.terms import free_terms
from server.harness import NO_LIMIT
from server.simulation.loop import VirtualClock, determined, run
from server.simulation.player import Player

HANDS = {"bot": 60, "automatic": 60, "silent": 6}
PAUSE = (0.8, 2.4)
SETTINGS = Settings(bot_pause=PAUSE, opened=NO_LIMIT, bundle=None, play=20, grace=1.5)


async def delays(folder: Path, follower: str, kind: str) -> list[tuple[float, str]]:
    """Lead an ace again and again; tells how long the next seat took to answer each time, and how it answered.

    kind: who sits there: a bot, somebody played automatically, or one who lets his time run out.
    """

    def dealer(variant: dizhu.Variant, _seed: bytes, _first: int | None, _entropy: Sequence[bytes]) -> dizhu.Deal:
        return dizhu.position(variant, ["34567A", follower, "3456"])

    app = create_app(
        SETTINGS, database=f"sqlite:///{folder / 'dizhu.sqlite3'}", rooms={}, clock=VirtualClock(), dealer=dealer
    )
    found: list[tuple[float, str]] = []
    async with app.router.lifespan_context(app):
        lobby = app.state.lobby
        leader, other = Player(app, "192.0.2.1"), Player(app, "192.0.2.2")
        for player in (leader, other):
            await player.connect()
        known = {account.id: account for account in lobby.connections}
        people = [known[leader.account]] + ([] if kind == "bot" else [known[other.account]])
        for _ in range(HANDS[kind]):
            leader.frames.clear()
            actor = lobby.tables.open(free_terms(dizhu.variant("classic"), SETTINGS), people, "rule")
            for account in people:
                actor.put(Enter(account, lobby.connections[account]))
            while not leader.events("deal") and not leader.heard("table"):
                await leader.pause()
            if kind == "automatic":
                await other.tell("auto", on=True)
            for action in ("bid 3", "play A"):
                await leader.tell("act", seq=actor.table.teller.seq, action=action)
            while len(leader.events("play", "pass")) < 2:
                await leader.pause()
            (led, _), (answered, event) = leader.events("play", "pass")[:2]
            found.append((round(answered - led, 6), event["event"]["kind"]))
            await actor.stop("idle")
            await leader.pause()
        for player in (leader, other):
            await player.end()
    return found


@pytest.mark.slow
@pytest.mark.parametrize("kind", HANDS)
def test_a_pause_is_the_same_whether_the_seat_could_beat_or_not(kind: str, tmp_path: Path):
    measured: list[list[tuple[float, str]]] = []
    for follower in ("2BR8", "3489"):
        folder = tmp_path / follower
        folder.mkdir()
        with determined(5):
            measured.append(run(delays(folder, follower, kind)))
    could, could_not = measured
    assert [pause for pause, _ in could] == [pause for pause, _ in could_not]
    assert {answer for _, answer in could_not} == {"pass"}
    pauses = [pause for pause, _ in could]
    if kind == "silent":
        assert pauses == pytest.approx([SETTINGS.play + SETTINGS.grace] * len(pauses), abs=1e-4)
    else:
        assert {answer for _, answer in could} == {"play"}
        assert PAUSE[0] <= min(pauses) < PAUSE[0] + 0.2
        assert PAUSE[1] - 0.2 < max(pauses) <= PAUSE[1]
