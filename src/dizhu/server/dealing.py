"""The beginning of a hand."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from dizhu.game.engine import Game
from dizhu.game.shuffle import SEED_BYTES
from dizhu.game.state import Stakes
from dizhu.game.view import Event
from dizhu.server.feed import News
from dizhu.server.hand import Hand
from dizhu.server.seating import unseat
from dizhu.server.store.log import Deal, Seed

if TYPE_CHECKING:
    from dizhu.server.table import Table


async def deal(table: Table) -> None:
    """Deal the next hand, unless nobody is left to play it. Raises StoreFailed, and then nothing has changed."""
    stakes = await _stakes(table)
    if not any(table.players()):
        await table.close("idle")
        return
    before = table.hand
    number, first, refused = 1, None, 0
    if before is not None:
        number, first = before.number + 1, before.following_first()
        refused = before.refused + 1 if before.game.phase == "redeal" else 0
    entropy = tuple(place.entropy for place in table.places if place.entropy is not None)
    variant = table.terms.variant_after(refused)
    dealt = table.house.dealer(variant, table.next_seed, first, entropy)
    hand = Hand(Game(variant, dealt, stakes), number, table.next_seed, refused)
    following = secrets.token_bytes(SEED_BYTES)
    entry = Deal(
        hand=number,
        seed=hand.seed.hex(),
        entropy=tuple(part.hex() for part in entropy),
        first=dealt.first,
        beans=None if stakes is None else stakes.beans,
        refused=refused,
        told=table.teller.seq + 1,
    )
    await table.journal.write(table.sittings(), entry, Seed(number + 1, following.hex()))
    table.next_seed = following
    table.take_up(hand)
    news = News(hand=number, commitment=hand.commitment, next_commitment=table.next_commitment)
    table.tell((Event("deal"),), news)


async def _stakes(table: Table) -> Stakes | None:
    """What each seat can lose, where beans are played for; who has not enough for another hand stands up first."""
    room = table.terms.stakes
    if room is None:
        return None
    beans = await table.house.books.beans(table.places)
    for seat, _ in list(table.players()):
        if beans[seat] < room.need:
            await unseat(table, seat, "poor")
    return Stakes(await table.house.books.beans(table.places), room.threshold)
