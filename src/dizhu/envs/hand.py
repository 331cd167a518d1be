"""One hand in numbers: what the single-hand environments and adapters share."""

from __future__ import annotations

from copy import copy
from functools import lru_cache
from typing import cast

import numpy as np
from numpy.typing import NDArray

from dizhu.envs.actions import Actions, action_ids
from dizhu.envs.observation import observation_layout, observe
from dizhu.envs.rewards import Scale, scaled
from dizhu.envs.setting import Options, Setting
from dizhu.errors import IllegalAction, UnknownName
from dizhu.game.deal import Deal
from dizhu.game.engine import Game
from dizhu.game.narrate import narrate
from dizhu.game.options import OptionValue
from dizhu.game.state import Seat, State
from dizhu.game.variant import Variant
from dizhu.variants import variant as find

Moment = tuple[State, tuple[tuple[Seat, str], ...]]
"""All there is to know of a hand at one moment, as values: keep it to come back to it."""


class Numbers:
    """The numbers of a setting: ids of actions, cells of observations."""

    def __init__(self, setting: Setting) -> None:
        """Take the whole numbering with bidding, else plays and pass alone."""
        self.setting = setting
        self.ids: Actions = action_ids(setting.game)
        self.actions = len(self.ids) if setting.bidding else self.ids.playing
        self.layout = observation_layout(setting.game, bidding=setting.bidding)
        self.cells = self.layout.size

    def __deepcopy__(self, _memo: dict[int, object]) -> Numbers:
        """Share what never changes."""
        return self

    def __reduce__(self) -> tuple[object, ...]:
        """Travel to another process as the game's name and options; raises UnknownName where these do not make it."""
        game, options = self.game, self.game.changed
        if find(game.name, **options) != game:
            raise UnknownName("unknown_variant", f"this {game.name} is not the game that is found by its name")
        return _found_again, (game.name, options, self.setting.bidding)

    @property
    def game(self) -> Variant:
        """The game, with all its phases."""
        return self.setting.game

    def begin(self, draws: np.random.Generator, options: Options | None = None) -> Hand:
        """Begin a hand; see `setting.py`."""
        return Hand(self, self.setting.begin(draws, options))


class Hand:
    """A hand that is being played; `game` is the `dizhu.Game` behind it."""

    def __init__(self, numbers: Numbers, game: Game) -> None:
        """Take a hand at any moment."""
        self.numbers = numbers
        self.game = game

    def __deepcopy__(self, _memo: dict[int, object]) -> Hand:
        """Copy the hand: what happens to one does not happen to the other. All else is shared, for it never changes."""
        return Hand(self.numbers, copy(self.game))

    def __reduce__(self) -> tuple[object, ...]:
        """Travel to another process as deal and actions, which say all."""
        return _played_again, (self.numbers, self.game.state.let, self.game.deal, self.game.actions)

    @property
    def seat(self) -> Seat | None:
        """The seat that is asked now: of several asked at once the lowest that has not answered; None at the end."""
        return self.game.turn[0] if self.game.turn else None

    def legal(self) -> list[int]:
        """List the ids of all that the asked seat may answer, ascending."""
        if self.seat is None:
            return []
        encode = self.numbers.ids.encode
        return sorted(encode(action) for action in self.game.legal(self.seat))

    def mask(self, seat: Seat) -> NDArray[np.int8]:
        """Mark the ids that a seat may answer now: none while it is not asked."""
        mask = np.zeros(self.numbers.actions, np.int8)
        if seat == self.seat:
            mask[self.legal()] = 1
        return mask

    def observe(self, seat: Seat) -> dict[str, NDArray[np.int8]]:
        """Show a seat what it may know, and what it may answer."""
        setting = self.numbers.setting
        row = observe(setting.game, self.game.view(seat), bidding=setting.bidding)
        return {"observation": row, "action_mask": self.mask(seat)}

    def act(self, number: object) -> None:
        """Carry out an answer of the asked seat; raises IllegalAction, and then nothing has changed."""
        seat = self.seat
        if seat is None:
            raise IllegalAction("hand_over", "the hand is over")
        self.game.act(seat, self.text(number))

    def text(self, number: object) -> str:
        """Read an id as the action that it stands for; raises IllegalAction."""
        index = int(cast("int", number)) if isinstance(number, int | np.integer) else -1
        if not 0 <= index < self.numbers.actions:
            most = self.numbers.actions - 1
            raise IllegalAction("malformed_action", f"{number!r} is no action id; they go from 0 to {most}")
        return self.numbers.ids.text(index)

    def rewards(self, scale: Scale) -> list[float]:
        """Tell what the hand is worth to each seat, once it is over; nothing before, and nothing if nobody called."""
        result = self.game.result
        points = result.points if result else (0,) * self.numbers.game.seats
        return [scaled(each, scale) for each in points]

    def told(self) -> str:
        """Tell the hand so far in plain text, all cards open."""
        return "\n".join(narrate(self.game.record(), lambda _: self.game.variant))

    @property
    def moment(self) -> Moment:
        """Where the hand stands; assign an earlier one to go back."""
        return self.game.state, self.game.actions

    @moment.setter
    def moment(self, moment: Moment) -> None:
        self.game.state, self.game.actions = moment


@lru_cache
def numbers(variant: str | Variant, bidding: bool) -> Numbers:  # noqa: FBT001 - pickle gives arguments by position
    """Give the numbers of a setting; made once. Raises UnknownName."""
    return Numbers(Setting.of(variant, bidding=bidding))


def _found_again(name: str, options: dict[str, OptionValue], bidding: bool) -> Numbers:  # noqa: FBT001 - as above
    return numbers(find(name, **options) if options else name, bidding)


def _played_again(numbers: Numbers, let: int, deal: Deal, actions: tuple[tuple[Seat, str], ...]) -> Hand:
    hand = Hand(numbers, numbers.setting.start(deal, 0 if numbers.setting.bidding else let))
    for seat, action in actions:
        hand.game.act(seat, action)
    return hand
