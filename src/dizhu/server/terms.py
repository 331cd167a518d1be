"""What is played at a table, and how."""

from __future__ import annotations

from dataclasses import dataclass

from dizhu.game.variant import Variant
from dizhu.protocol import Setting
from dizhu.server.rooms import Room
from dizhu.server.settings import Settings

UNWANTED = 3
"""After so many deals in a row that nobody wanted, a room may make the first who is asked landlord."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The rules of a table: the game with its options, the times, and what its hands are worth.

    room: where it stands; None for practice and private tables, whose hands count for nothing.
    play, question, offer: seconds for a play, for a question put to one seat, and for one put to several at once.
    """

    variant: Variant
    room: Room | None
    play: float
    question: float
    offer: float

    @property
    def stakes(self) -> Room | None:
        """The room, if beans are at stake there."""
        return self.room if self.room is not None and self.room.kind == "beans" else None

    def setting(self) -> Setting:
        """Tell the players of it."""
        stakes = self.stakes
        return Setting(
            room=None if self.room is None else self.room.id,
            variant=self.variant.name,
            options={name: value for name, value in self.variant.changed.items() if value is not None},
            coefficient=0 if stakes is None else stakes.coefficient,
            fee=0 if stakes is None else stakes.fee,
        )

    def variant_after(self, unwanted: int) -> Variant:
        """The game of the next deal, after so many in a row that nobody wanted."""
        if self.room is None or self.room.redeal == "deal" or unwanted < UNWANTED:
            return self.variant
        return self.variant.with_options({"nobody": "first"})


def room_terms(room: Room) -> Terms:
    """Make the terms of a room's tables."""
    return Terms(room.game, room, room.play, room.question, room.offer)


def free_terms(variant: Variant, settings: Settings) -> Terms:
    """Make the terms of a table that stands in no room."""
    return Terms(variant, None, settings.play, settings.question, settings.offer)
