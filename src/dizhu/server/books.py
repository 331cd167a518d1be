"""What tables ask of the economy: what players own, and what the end of a hand brings them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from dizhu.game.engine import Game
from dizhu.game.titles import step
from dizhu.protocol import PurseMessage, Settled
from dizhu.server.accounts import Account
from dizhu.server.clock import Clock
from dizhu.server.economy.grants import welcome
from dizhu.server.economy.hands import FinishedHand, HandOutcome, Player, finish
from dizhu.server.economy.ledger import Purse, purse, purses
from dizhu.server.places import Place
from dizhu.server.store import schema
from dizhu.server.store.database import Database
from dizhu.server.store.log import Finish
from dizhu.server.terms import Terms

_AT_ONCE = 500
BOTTOMLESS = 2**53 - 1
"""The beans of a bot, for the house stands behind it."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the end of a hand brought: to all, and to each seat its player's title and all that he owns."""

    settled: Settled
    purses: tuple[PurseMessage | None, ...]
    titles: tuple[int | None, ...]


class Books:
    """Reads and writes what players own. Raises StoreFailed where that fails."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def purse(self, account: Account) -> Purse:
        """Tell what a player owns; who comes for the first time is given something to begin with."""
        return await welcome(self._database, account.id, self._clock.wall())

    async def purses(self, accounts: Sequence[int]) -> dict[int, Purse]:
        """Tell what some players own."""
        owned: dict[int, Purse] = {}
        async with self._database.reading() as connection:
            for start in range(0, len(accounts), _AT_ONCE):
                owned |= await purses(connection, accounts[start : start + _AT_ONCE])
        return owned

    async def beans(self, places: Sequence[Place]) -> tuple[int, ...]:
        """Tell what each seat could lose."""
        owned = [BOTTOMLESS if place.account is None else (await self.purse(place.account)).beans for place in places]
        return tuple(owned)

    def finish(self, table: str, terms: Terms, number: int, game: Game, places: Sequence[Place]) -> Finish[Outcome]:
        """Make the work that keeps a hand and settles it, for the transaction of its last event."""
        players = tuple(
            Player(place.name, None) if place.owner is None else Player(place.owner.name, place.owner.id)
            for place in places
        )
        hand = FinishedHand(table, number, game, terms.room, players, self._clock.wall())

        async def job(connection: AsyncConnection) -> Outcome:
            outcome = await finish(connection, hand)
            purses = [
                None if player.account is None or outcome.currency is None else await purse(connection, player.account)
                for player in players
            ]
            return _outcome(outcome, purses)

        return job

    async def settled(self, table: str, terms: Terms, number: int) -> Settled | None:
        """Tell again what the end of a hand brought to all; None if it has not ended."""
        hand, seat = schema.hand.c, schema.hand_seat.c
        query = (
            select(hand.share, seat.points, seat.beans)
            .join_from(schema.hand, schema.hand_seat)
            .where(hand.table_id == table, hand.number == number)
            .order_by(seat.seat)
        )
        async with self._database.reading() as connection:
            rows = (await connection.execute(query)).all()
        if not rows:
            return None
        beans = tuple(row.beans for row in rows) if terms.stakes is not None else None
        points = tuple(row.points for row in rows) if terms.room is not None and beans is None else None
        return Settled(rows[0].share, points, beans)


def title(terms: Terms, owned: Purse) -> int:
    """Tell the step of the ladder on which the games of a table count."""
    ladder = terms.variant.ladder
    return step(owned.three_player if ladder == "three_player" else owned.five_player, ladder)


def _outcome(outcome: HandOutcome, purses: Sequence[Purse | None]) -> Outcome:
    changes = tuple(seat.change for seat in outcome.seats)
    beans = outcome.currency == "beans"
    return Outcome(
        settled=Settled(
            share=outcome.share,
            points=None if beans or outcome.currency is None else changes,
            beans=changes if beans else None,
        ),
        purses=tuple(None if owned is None else message(owned) for owned in purses),
        titles=tuple(seat.title_after for seat in outcome.seats),
    )


def message(owned: Purse) -> PurseMessage:
    """Tell a player what he owns."""
    return PurseMessage(owned.beans, owned.three_player, owned.five_player)
