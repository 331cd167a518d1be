"""Records what the real server tells at a table, for the tests of the reducer: `python -m browser.record_logs`.

One file for each game and listener, as lines of JSON. The last line is the whole table as the server shows it at the
end; whoever has followed the lines before it has the same.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from websockets.asyncio.client import connect

from browser.site import shuffling
from dizhu.variants import variants
from server.harness import Client, Running, serving

FOLDER = Path(__file__).resolve().parents[2] / "web" / "tests" / "logs"
ELSEWHERE = ("127.0.0.2", 0)
"""Where the spectator is connected from: not from where a player is."""
NEVER = 2**53 - 1
"""The number of an event that will never be: whoever asks for what came after it gets the whole table."""
SEED = 5
TOLD = ("welcome", "table", "event", "said", "purse", "queue", "closed")


async def record(variant: str) -> dict[str, list[dict[str, Any]]]:
    """Play a hand at a private table, with a spectator; return what player and spectator heard."""
    async with AsyncExitStack() as stack:
        running = await stack.enter_async_context(serving(dealer=shuffling(SEED)))
        player = await _visit(stack, running)
        await player.answer("open", variant=variant)
        await player.until(lambda: player.table)
        watcher = await _visit(stack, running, local_addr=ELSEWHERE)
        await watcher.answer("watch", table=player.table["code"])
        await player.answer("fill", bot="rule")
        await player.answer("say", phrase=1)
        await player.answer("chat", text="你好")
        await player.answer("next")
        await player.until(lambda: player.table["hand"] > 0)
        await player.answer("auto", on=True)
        await player.until(lambda: player.view["phase"] == "over")
        heard: dict[str, list[dict[str, Any]]] = {}
        for name, client in {variant: player, f"{variant}-watching": watcher}.items():
            await client.fresh_table()
            messages = [json.loads(frame) for frame in client.frames]
            heard[name] = [message for message in messages if message["type"] in TOLD]
        return heard


async def _visit(stack: AsyncExitStack, running: Running, **options: Any) -> Client:
    client = Client(await stack.enter_async_context(connect(running.url, **options)))
    await client.hello()
    return client


def main() -> None:
    """Record all games anew."""
    FOLDER.mkdir(exist_ok=True)
    for variant in variants():
        for name, messages in asyncio.run(record(variant)).items():
            lines = [json.dumps(message, ensure_ascii=False, separators=(",", ":")) for message in messages]
            (FOLDER / f"{name}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
