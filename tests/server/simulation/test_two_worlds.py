"""Two worlds that are alike to one observer are told alike to him: frames, answers over HTTP, refusals, logs, times.

Each pair of worlds is one hand with two deals, played by the same public actions on a server each. What is hidden from
the observer differs: the cards of the others, the bottom, answers that are held back. Both servers have the same seed,
so that every byte and every moment can be compared. `DIZHU_WORLDS=20000` makes more pairs.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest

import dizhu
from dizhu.errors import DizhuError
from dizhu.game.engine import Game
from dizhu.game.shuffle import SEED_BYTES
from dizhu.game.view import Event, View
from dizhu.server import Settings, create_app
from dizhu.server.actor import Actor, Enter
from dizhu.server.lobby import Lobby
from dizhu.server.terms import free_terms
from dizhu.testing.worlds import other_world
from server.databases import MEMORY
from server.harness import NO_LIMIT
from server.simulation.loop import VirtualClock, determined, run
from server.simulation.person import NO_ACTIONS, WORDS
from server.simulation.player import Player
from server.simulation.wire import ask
from server.simulation.world import cut

PAIRS = int(os.environ.get("DIZHU_WORLDS", "1000"))
WHOLE = 0.06
"""How many hands have all their cards."""
PROBES = 5
ASKED = (
    "/api/me", "/api/profile", "/api/profile/{other}", "/api/history", "/api/leaderboard",
    "/api/leaderboard?ladder=beans", "/api/tables",
)  # fmt: skip
LANES = 4
"""Tables of each game at which pairs are played at the same time."""
SLOWEST = 0.02
"""So that what all tables have to save is saved together."""
ASKED_EVERY = 8
"""Over HTTP something is asked in one pair of so many."""
SETTINGS = Settings(
    play=3600, question=3600, offer=3600, sessions=10**6, bundle=None,
    commands=NO_LIMIT, address_commands=NO_LIMIT, address_connects=NO_LIMIT, guests=NO_LIMIT, reads=NO_LIMIT,
)  # fmt: skip


# --- pairs -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Pair:
    """A hand in two worlds. observer: the seat that cannot tell them apart, None: spectators. probes: its attempts."""

    worlds: tuple[Game, Game]
    observer: int | None
    probes: tuple[str, ...]

    def course(self, world: int) -> Iterator[tuple[int, str]]:
        """List what is done, plays with their suits: a rank may be another card in the other world."""
        game = self.worlds[world]
        moves = iter(game.state.history)
        for seat, action in game.actions:
            if action.startswith("play "):
                yield seat, "play " + " ".join(next(moves).cards)
            else:
                if action == "pass":
                    next(moves)
                yield seat, action


def make_pair(variant: dizhu.Variant, choices: Random) -> Pair:
    """Play a hand for a while, and think of another world."""
    deal = replace(dizhu.shuffled(variant, choices.randbytes(SEED_BYTES)), seed=None)
    game = Game(variant, deal if choices.random() < WHOLE else cut(deal, choices.randint(2, 5)))
    stages: list[Game] = []
    while game.turn:
        stages.append(copy(game))
        seat = choices.choice(game.turn)
        game.act(seat, choices.choice(game.legal(seat)))
    hand = choices.choice(stages)
    observer = choices.choice([None, *range(variant.seats)])
    world = other_world(hand, observer, choices)
    return Pair((hand, world), observer, tuple(probes(hand, world, observer, choices)))


def probes(hand: Game, world: Game, observer: int | None, choices: Random) -> Iterator[str]:
    """Choose what the observer tries: what is refused in both worlds, and at last, if he is asked, a legal answer."""
    if observer is None:
        return
    held = list(hand.state.hands[observer])
    for _ in range(PROBES):
        cards = choices.choice([held, list(hand.variant.deck.cards)])
        chosen = choices.sample(cards, choices.randint(1, min(3, len(cards))))
        action = choices.choice([*WORDS, *NO_ACTIONS, *["play " + "".join(card[0] for card in chosen)] * 12])
        if outcome(hand, observer, action) is None:
            assert outcome(world, observer, action) is None
            yield action
    for action in choices.sample(hand.legal(observer), min(1, len(hand.legal(observer)))):
        # Not one by which he learns what he did not know: who becomes landlord sees the bottom, who ends a hand all.
        if outcome(hand, observer, action) == outcome(world, observer, action):
            yield action


def outcome(game: Game, seat: int, action: str) -> tuple[View, tuple[Event, ...]] | None:
    """Tell what a seat sees after an action of its own; None: it is refused."""
    before = game.state, game.actions
    try:
        events = game.act(seat, action)
        return game.view(seat), events
    except DizhuError:
        return None
    finally:
        game.state, game.actions = before


# --- a server --------------------------------------------------------------------------------------------------------


@dataclass
class Observed:
    """What the observer and a spectator came to know in one pair of worlds."""

    frames: list[list[tuple[float, str]]]
    answers: list[tuple[int, bytes]]


class Server:
    """A server in one of the two worlds. deal: what is dealt next."""

    def __init__(self, world: int, folder: Path) -> None:
        self.world = world
        self.deal: dizhu.Deal | None = None
        self.one_by_one = asyncio.Lock()
        file = folder / f"{world}.sqlite3"
        self.app = create_app(
            SETTINGS, database=f"sqlite:///{file}", rooms={}, clock=VirtualClock(),
            dealer=lambda *_: self.dealt(),
        )  # fmt: skip

    @property
    def lobby(self) -> Lobby:
        return self.app.state.lobby

    def dealt(self) -> dizhu.Deal:
        assert self.deal is not None
        return self.deal

    async def run(self, pairs: list[list[Pair]]) -> list[list[Observed]]:
        """Play lists of pairs, each list with people of its own, at the same time."""
        async with self.app.router.lifespan_context(self.app):
            return await asyncio.gather(*(self.play(several) for several in pairs))

    async def play(self, pairs: list[Pair]) -> list[Observed]:
        seats = pairs[0].worlds[0].variant.seats
        players = [Player(self.app, f"192.0.2.{seat}") for seat in range(seats)]
        watcher = Player(self.app, "198.51.100.1")
        for player in (*players, watcher):
            await player.connect()
        observed = [await self.play_pair(pair, players, watcher, number) for number, pair in enumerate(pairs)]
        for player in (*players, watcher):
            await player.end()
        return observed

    async def play_pair(self, pair: Pair, players: list[Player], watcher: Player, number: int) -> Observed:
        game = pair.worlds[self.world]
        known = {account.id: account for account in self.lobby.connections}
        accounts = [known[player.account] for player in players]
        async with self.one_by_one:
            self.deal = game.deal
            actor = self.lobby.tables.open(free_terms(game.variant, SETTINGS), accounts, "random")
            while actor.table.hand is None:
                await asyncio.sleep(0.01)
        for account in accounts:
            actor.put(Enter(account, self.lobby.connections[account]))
        assert (await watcher.tell("watch", table=actor.table.id))["type"] == "done"
        for seat, action in pair.course(self.world):
            answer = await players[seat].tell("act", seq=actor.table.teller.seq, action=action)
            assert answer["type"] == "done", (answer, action)
        observer = watcher if pair.observer is None else players[pair.observer]
        answers: list[tuple[int, bytes]] = []
        if number % ASKED_EVERY == 0:
            other = players[0].account
            asked = [path.format(other=other) for path in ASKED]
            answers = [await ask(self.app, "GET", path, token=observer.token) for path in asked]
        for action in pair.probes:
            await observer.tell("act", seq=actor.table.teller.seq, action=action)
        await asyncio.sleep(1)
        await self.close(actor)
        frames = [observer.frames[:], watcher.frames[:]]
        for player in (*players, watcher):
            player.frames.clear()
        return Observed(frames, answers)

    async def close(self, actor: Actor) -> None:
        await actor.stop("idle")
        await asyncio.sleep(1)


# --- the comparison --------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_what_an_observer_cannot_know_makes_no_difference_to_him(caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.DEBUG, "dizhu")
    choices = Random("two worlds")
    names = dizhu.variants()
    share = -(-PAIRS // (len(names) * LANES))
    pairs = [[make_pair(dizhu.variant(name), choices) for _ in range(share)] for name in names for _ in range(LANES)]
    everything = [pair for several in pairs for pair in several]
    differing = [pair for pair in everything if pair.worlds[0].deal != pair.worlds[1].deal]
    assert len(differing) > 0.8 * len(everything), "the worlds hardly differ"
    assert {pair.observer is None for pair in differing} == {True, False}
    observed: list[list[Observed]] = []
    logs: list[list[tuple[str, str]]] = []
    with TemporaryDirectory(prefix="dizhu-test-", dir=MEMORY if MEMORY.is_dir() else None) as folder:
        for world in (0, 1):
            caplog.clear()
            with determined(7, SLOWEST):
                played = run(Server(world, Path(folder)).run(pairs))
            observed.append([one for several in played for one in several])
            logs.append([(record.levelname, record.getMessage()) for record in caplog.records])
    for pair, one, other in zip(everything, *observed, strict=True):
        where = (
            f"{pair.worlds[0].variant.name}, {list(pair.course(0))}, {list(pair.course(1))}, seen by {pair.observer}"
        )
        assert one.frames[0], where
        assert one.frames[0] == other.frames[0], where
        assert one.frames[1] == other.frames[1], f"{where}: a spectator"
        assert one.answers == other.answers, where
    assert logs[0] == logs[1]
