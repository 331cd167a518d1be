"""The client in Python against a real server: whole hands, and all that can happen to a connection."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs
from websockets.asyncio.server import ServerConnection, serve
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

import dizhu
from dizhu import bots, sdk
from dizhu.bots.advice import advice
from dizhu.protocol import EventMessage, SaidMessage, SyncCommand, TableMessage
from dizhu.sdk.http import base
from dizhu.sdk.state import advance
from dizhu.server.settings import Rate
from sdk.relay import relayed
from server.harness import QUICK, HandClock, Running, dealing, eventually, serving

LONG = 60.0


def run(story: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(story, LONG))


@asynccontextmanager
async def client_of(server: Running, **who: Any) -> AsyncGenerator[sdk.Client]:
    async with sdk.connect(f"http://{server.address}", **who) as client:
        yield client


async def play(client: sdk.Client, hands: int = 1, seed: int = 0) -> list[sdk.Hand]:
    """Play hands as the bot `rule` does."""
    bot, played = bots.create("rule", seed), list[sdk.Hand]()
    async for hand in client.hands(hands):
        async for turn in hand:
            await turn.act(bot.act(turn.view))
        played.append(hand)
    return played


@pytest.mark.parametrize("variant", dizhu.variants())
def test_whole_hands_are_played_and_the_table_is_always_as_the_server_has_it(variant: str):
    async def story():
        async with serving() as server, client_of(server) as client:
            await client.sit(variant, "random")
            compared = asyncio.create_task(compare(client))
            async for hand in client.hands(2):
                assert hand.result is None
                async for turn in hand:
                    await client._request(lambda id: SyncCommand(id, 2**53 - 1))
                    assert await turn.act(turn.view.legal[-1])
                assert hand.result is not None
                assert sum(hand.result.points) + hand.result.house == 0
                assert hand.settled is not None
                assert hand.seed is not None
            await client.close()
            assert await compared >= 4

    run(story())


async def compare(client: sdk.Client) -> int:
    """Move a table on by events, and compare it with each whole one that comes; returns how many were compared."""
    table, compared = client.table, 0
    async for message in client.messages():
        if isinstance(message, EventMessage) and table is not None:
            table = advance(table, message)
            assert table is not None
        elif isinstance(message, TableMessage) and table is not None:
            assert structs.replace(message, clock=None) == structs.replace(table, clock=None)
            table, compared = message, compared + 1
    return compared


def test_people_meet_at_a_private_table_and_talk():
    async def story():
        async with serving() as server, client_of(server) as host, client_of(server) as guest:
            code = await host.open_private("two_player", {"cap": 16})
            assert host.table is not None
            assert host.table.setting.options == {"cap": 16}
            heard = asyncio.create_task(first_said(guest))
            await guest.join(code.lower())
            await host.until(lambda: host.table and all(seat.connected for seat in host.table.seats))
            await host.chat("good luck")
            assert await heard == SaidMessage(0, None, "good luck")
            played = await asyncio.gather(play(host, 2, seed=1), play(guest, 2, seed=2))
            assert [hand.result for hand in played[0]] == [hand.result for hand in played[1]]
            await host.leave()
            assert host.table is None
            await guest.until(lambda: guest.table and guest.table.host == 1)
            with pytest.raises(sdk.Refused) as refused:
                await host.act("pass")
            assert refused.value.code == "not_seated"

    run(story())


def test_a_spectator_sees_what_is_public():
    async def story():
        async with serving() as server, client_of(server) as player:
            await player.sit("classic", "random")
            assert player.table is not None
            with pytest.raises(sdk.Refused) as refused:
                async with client_of(server) as same_place:
                    await same_place.watch(player.table.table)
            assert refused.value.code == "may_not_watch"
            async with relayed(server.address, "127.0.0.2") as relay, sdk.connect(relay.address) as spectator:
                await spectator.watch(player.table.table)
                (hand,) = await play(player)
                await spectator.until(lambda: spectator.table and spectator.table.settled)
                assert spectator.table is not None
                assert spectator.table.seat is None
                assert not spectator.asked
                assert spectator.table.settled == hand.settled
                with pytest.raises(sdk.Refused) as refused:
                    await spectator.act("pass")
                assert refused.value.code == "not_seated"
                await spectator.leave()
                assert spectator.table is None

    run(story())


async def first_said(client: sdk.Client) -> SaidMessage | None:
    async for message in client.messages():
        if isinstance(message, SaidMessage):
            return message
    return None


def test_a_room_brings_people_together_and_a_search_can_be_given_up():
    async def story():
        async with serving(clock=(clock := HandClock())) as server, client_of(server) as one, client_of(server) as two:
            search = asyncio.create_task(one.quick("classic-points"))
            await one.until(lambda: one.queue)
            await one.cancel()
            with pytest.raises(sdk.Refused) as refused:
                await search
            assert refused.value.code == "not_waiting"
            searches = [asyncio.create_task(client.quick("classic-points")) for client in (one, two)]
            await one.until(lambda: one.queue and one.queue.waiting == 2)
            clock.advance(60)
            await asyncio.gather(*searches)
            assert one.table is not None
            assert two.table is not None
            assert one.table.table == two.table.table
            assert {one.table.seat, two.table.seat} == {0, 1}

    run(story())


def test_a_search_outlives_the_loss_of_the_connection():
    async def story():
        async with serving(clock=(clock := HandClock())) as server, relayed(server.address) as relay:
            async with sdk.connect(relay.address) as client:
                search = asyncio.create_task(client.quick("classic-points"))
                await client.until(lambda: client.queue)
                await relay.cut()
                await client.until(lambda: client.times == 2 and client.queue)
                clock.advance(60)
                await search
                assert client.table is not None

    run(story())


def test_an_illegal_action_is_refused_with_its_code_and_one_may_act_again():
    async def story():
        async with serving(dealer=dealing("35", "66", "77")) as server, client_of(server) as client:
            await client.sit("classic", "random")
            async for hand in client.hands(1):
                async for turn in hand:
                    with pytest.raises(sdk.Refused) as refused:
                        await turn.act("play 9")
                    assert refused.value.code in ("not_allowed", "cards_not_held")
                    assert refused.value.code in str(refused.value)
                    assert await turn.act(turn.view.legal[-1])

    run(story())


def test_the_best_bot_advises_whoever_is_asked():
    async def story():
        deal = dealing("34567T", "BR89", "5566")
        async with serving(dealer=deal, clock=HandClock()) as server, client_of(server) as one:
            await one.sit("classic", "random")
            view = one.seated().view
            assert view is not None
            assert await one.hint() == advice(view)

    run(story())


def test_who_is_too_fast_takes_a_breath():
    async def story():
        async with serving(replace(QUICK, commands=Rate(burst=6, per_second=20))) as server:
            async with client_of(server) as client:
                await client.sit("classic", "random")
                for phrase in range(8):
                    with suppress(sdk.Refused):
                        await client.say(phrase)
                (hand,) = await play(client)
                assert hand.result is not None

    run(story())


def test_an_answer_that_comes_too_late_is_told():
    async def story():
        clock = HandClock()

        def gone_on(turn: sdk.Turn) -> bool:
            # Bots take a moment, and nobody tells when they begin to.
            clock.advance(0.05)
            table = client.seated()
            over = table.view is not None and table.view.result is not None
            return over or (client.asked and table.seq > turn.seq)

        async with serving(clock=clock, dealer=dealing("35", "66", "77")) as server, client_of(server) as client:
            await client.sit("classic", "random")
            async for hand in client.hands(1):
                async for turn in hand:
                    if hand.result is None and turn.view.phase == "bid":
                        clock.advance(1000)
                        await eventually(lambda turn=turn: client.table and client.table.seq > turn.seq)
                        assert not await turn.act(turn.view.legal[-1])
                    else:
                        assert await turn.act(turn.view.legal[-1])
                    await eventually(lambda turn=turn: gone_on(turn))
                break

    run(story())


def test_a_client_comes_back_after_a_loss_and_goes_on():
    async def story():
        async with serving() as server, relayed(server.address) as relay, sdk.connect(relay.address) as client:
            await client.sit("classic", "random")
            turns = 0
            async for hand in client.hands(3):
                async for turn in hand:
                    turns += 1
                    if turns in (2, 5, 9):
                        await relay.cut()
                    await turn.act(turn.view.legal[-1])
                assert hand.result is not None
            assert client.times == 4

    run(story())


def test_an_answer_of_which_nobody_knows_is_given_again_and_counts_once():
    async def story():
        async with serving(dealer=dealing("345", "66", "77")) as server, relayed(server.address) as relay:
            async with sdk.connect(relay.address) as client:
                await client.sit("classic", "random")
                async for hand in client.hands(1):
                    async for turn in hand:
                        if turn.view.phase == "bid":
                            # The command arrives, its answer does not, and the line breaks.
                            relay.lost = lambda message: '"type":"done"' in str(message)
                            answer = asyncio.create_task(turn.act("bid 3"))
                            await client.until(lambda turn=turn: client.table and client.table.seq > turn.seq)
                            relay.lost = lambda _: False
                            await relay.cut()
                            assert not await answer
                            assert client.table is not None
                            assert client.table.view is not None
                            assert client.table.view.landlords == (0,)
                        else:
                            await turn.act(turn.view.legal[-1])
                    assert hand.result is not None
                    assert hand.result.base == 3

    run(story())


def test_lost_events_are_asked_for_again():
    async def story():
        async with serving() as server, relayed(server.address) as relay, sdk.connect(relay.address) as client:
            lost = 0

            def lose(message: str | bytes) -> bool:
                # After these another event comes soon, for a bot is asked; so the gap is seen.
                nonlocal lost
                loses = '"type":"event"' in str(message) and '"turn":[1]' in str(message)
                lost += loses
                return loses and lost % 3 == 1

            await client.sit("classic", "random")
            relay.lost = lose
            (hand,) = await play(client)
            assert lost
            assert hand.result is not None
            assert client.times == 1

    run(story())


def test_the_newest_connection_takes_the_place_of_the_one_before():
    async def story():
        async with serving() as server, client_of(server) as first:
            await first.sit("classic", "random")
            async with client_of(server, token=first.token) as second:
                assert second.token == first.token
                await second.until(lambda: second.table)
                with pytest.raises(sdk.Ended) as ended:
                    await first.until(lambda: False)
                assert ended.value.code == "replaced"
                with pytest.raises(sdk.Ended):
                    await first.say(0)
                (hand,) = await play(second)
                assert hand.result is not None

    run(story())


def test_whoever_loses_his_seat_is_told_why():
    async def story():
        async with serving() as server, client_of(server) as client:
            await client.sit("classic", "random")
            actor = server.lobby.tables.at(next(iter(server.lobby.connections)))
            assert actor is not None
            hand = await anext(client.hands())
            turns = aiter(hand)
            await anext(turns)
            await actor.stop("failed")
            with pytest.raises(sdk.Ended) as ended:
                await anext(turns)
            assert ended.value.code == "failed"
            await client.sit("classic", "random")
            (hand,) = await play(client)
            assert hand.result is not None

    run(story())


def test_a_restart_of_the_server_is_outlived(tmp_path: Path):
    async def story():
        database, settings = f"sqlite:///{tmp_path}/dizhu.sqlite3", replace(QUICK, back=0.1)
        async with AsyncExitStack() as stack:
            async with serving(settings, database=database) as server:
                relay = await stack.enter_async_context(relayed(server.address))
                client = await stack.enter_async_context(sdk.connect(relay.address))
                await client.sit("classic", "random")
                playing = client.hands(1)
                hand = await anext(playing)
                turns = aiter(hand)
                turn = await anext(turns)
                relay.up = False
            answer = asyncio.create_task(turn.act(turn.view.legal[-1]))
            async with serving(settings, database=database) as server:
                relay.server, relay.up = server.address, True
                # The number of the question is another one now, so it is put again.
                assert not await answer
                async for turn in turns:
                    await turn.act(turn.view.legal[-1])
                assert hand.result is not None
                assert client.times == 2
                await playing.aclose()
                await client.close()

    run(story())


def test_who_cannot_come_in_is_told_why():
    async def story():
        async with serving() as server:
            with pytest.raises(sdk.Refused) as refused:
                async with client_of(server, token="forged"):
                    pass
            assert refused.value.code == "unknown_token"
        with pytest.raises(sdk.Unreachable) as unreachable:
            async with client_of(server):
                pass
        assert unreachable.value.code == "unreachable"
        assert server.address in str(unreachable.value)
        with pytest.raises(sdk.Unreachable) as unreachable:
            await sdk.log_in(f"http://{server.address}", "name", "password")
        assert unreachable.value.code == "unreachable"

    run(story())


def test_another_program_at_the_address_is_noticed():
    def answer(_connection: ServerConnection, _request: Request) -> Response:
        return Response(200, "OK", Headers({"content-length": "5"}), b"<html")

    async def say_nonsense(socket: ServerConnection) -> None:
        await socket.recv()
        await socket.send("hello")

    async def story():
        async with serve(say_nonsense, "127.0.0.1", 0, process_request=answer) as other:
            address = "http://{}:{}".format(*other.sockets[0].getsockname())
            with pytest.raises(sdk.Unreachable) as error:
                await sdk.replay(address, "x")
            assert error.value.code == "no_dizhu"
            with pytest.raises(sdk.Unreachable):
                async with sdk.connect(address):
                    pass
        async with serve(say_nonsense, "127.0.0.1", 0) as other:
            with pytest.raises(sdk.Unreachable) as error:
                async with sdk.connect("http://{}:{}".format(*other.sockets[0].getsockname())):
                    pass
            assert error.value.code == "no_dizhu"

    run(story())


def test_a_name_and_a_password_open_the_door():
    async def story():
        async with serving() as server:
            async with client_of(server) as guest:
                claimed = await guest.api("POST", "/api/account/claim", name="Iron Ox", password="three little pigs")
                assert claimed["me"]["name"] == "Iron Ox"
            async with client_of(server, name="Iron Ox", password="three little pigs") as client:
                assert client.welcome is not None
                assert client.welcome.name == "Iron Ox"
                assert await client.api("GET", "/api/me") == claimed["me"]
            with pytest.raises(sdk.Refused) as refused:
                async with client_of(server, name="Iron Ox", password="three little wolves"):
                    pass
            assert refused.value.code == "wrong_login"

    run(story())


def test_patience_ends():
    async def story():
        async with serving() as server, relayed(server.address) as relay:
            async with sdk.connect(relay.address, patience=0.2) as client:
                relay.up = False
                await relay.cut()
                with pytest.raises(sdk.Unreachable):
                    await client.until(lambda: False)
                with pytest.raises(sdk.Unreachable):
                    await client.quick("classic-points")

    run(story())


@pytest.mark.parametrize(
    "address", ["", "127.0.0.1:8000", "ftp://x", "http://", "http://a:b", "http://a/b", "http://u@a"]
)
def test_a_wrong_address_is_said_in_one_sentence(address: str):
    with pytest.raises(dizhu.ParseError) as error:
        base(address)
    assert error.value.code == "bad_address"
    assert base("https://dizhu.example/") == "https://dizhu.example"
