"""The replay of a hand: to be had by its name when the hand is over, and it passes every check."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from sqlalchemy import func, select

import dizhu
from dizhu import sdk
from dizhu.bots.analyse import Judged, analyse
from dizhu.cli import main
from dizhu.game.record import Record
from dizhu.game.replay import start
from dizhu.game.verify import verify
from dizhu.network import judge
from dizhu.server.api import replays
from dizhu.server.store import schema
from dizhu.server.store.database import opened
from server.harness import QUICK, serving


@pytest.mark.parametrize("variant", dizhu.variants())
def test_a_hand_can_be_fetched_verified_and_told(variant: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "hand.json"

    async def run():
        async with serving(QUICK) as server, sdk.connect(f"http://{server.address}") as client:
            await client.sit(variant, "random")
            async for hand in client.hands(1):
                async for turn in hand:
                    await turn.act(turn.view.legal[-1])
                assert hand.settled is not None
                assert client.table is not None
                assert client.welcome is not None
                record = await client.replay(hand.settled.share)
                verified = verify(record, dizhu.variant)
                assert verified.result == hand.result
                assert record["seed"] == hand.seed
                assert record["commitment"] == client.table.commitment
                assert record["names"] == [seat.name for seat in client.table.seats]
                assert record["room"] is None
                again, steps = start(record, dizhu.variant)
                assert record["phases"] == [again.phase, *(again.phase for _ in steps)][:-1]
                assert len(record["phases"]) == len(record["actions"])
                async with httpx.AsyncClient(base_url=f"http://{server.address}") as browser:
                    address = f"/api/replay/{hand.settled.share}"
                    saved = await browser.get(address, params={"download": "true"})
                    disposition = f'attachment; filename="dizhu-{hand.settled.share}.json"'
                    assert saved.headers["content-disposition"] == disposition
                    assert "content-disposition" not in (await browser.get(address)).headers
                    file.write_bytes(saved.content)

    asyncio.run(run())
    assert main(["verify", str(file)]) == 0
    assert main(["replay", str(file)]) == 0
    assert "Winners" in capsys.readouterr().out


def test_there_is_nothing_before_the_end(tmp_path: Path):
    database = f"sqlite:///{tmp_path}/dizhu.sqlite3"

    async def run():
        async with serving(QUICK, database=database) as server, sdk.connect(f"http://{server.address}") as client:
            await client.sit("classic", "random")
            async for hand in client.hands(1):
                async for turn in hand:
                    assert client.table is not None
                    assert client.table.settled is None
                    async with opened(database) as store, store.reading() as connection:
                        assert (await connection.execute(select(func.count()).select_from(schema.hand))).scalar() == 0
                    for share in (client.table.table, client.table.commitment or "", "x" * 22, "a/b", "x" * 65):
                        with pytest.raises(sdk.Refused) as refused:
                            await client.replay(share)
                        assert refused.value.code in ("unknown_hand", "not_found", "bad_request")
                    await turn.act(turn.view.legal[-1])

    asyncio.run(run())


def judged(name: str) -> bool:
    try:
        judge(dizhu.variant(name))
    except dizhu.DizhuError:
        return False
    return True


@pytest.mark.parametrize("name", dizhu.variants())
def test_a_finished_hand_is_judged_as_by_the_command_line(name: str, monkeypatch: pytest.MonkeyPatch):
    threads: list[threading.Thread] = []

    def watched(record: Record, find: Callable[[str], dizhu.Variant]) -> Iterator[Judged]:
        threads.append(threading.current_thread())
        return analyse(record, find)

    monkeypatch.setattr(replays, "analyse", watched)

    async def run():
        async with serving(QUICK) as server, sdk.connect(f"http://{server.address}") as client:
            await client.sit(name, "random")
            async for hand in client.hands(1):
                async for turn in hand:
                    await turn.act(turn.view.legal[-1])
                assert hand.settled is not None
                record = await client.replay(hand.settled.share)
                async with httpx.AsyncClient(base_url=f"http://{server.address}") as browser:
                    told = await browser.get(f"/api/replay/{hand.settled.share}/analysis")
                    unknown = await browser.get("/api/replay/nobody/analysis")
                assert (unknown.status_code, unknown.json()["code"]) == (404, "unknown_hand")
                if not judged(name):
                    assert (told.status_code, told.json()["code"]) == (409, "not_judged")
                    return
                expected, moves = list(analyse(record, dizhu.variant)), told.json()["moves"]
                fields = ("action", "chance", "landlord", "best", "best_chance", "mistake")
                assert moves == [{field: getattr(move, field) for field in fields} for move in expected]
                told_of = [record["actions"][move["action"]] for move in moves]
                assert told_of == [f"{move.seat} {move.move}" for move in expected]
                assert threading.main_thread() not in threads

    asyncio.run(run())
