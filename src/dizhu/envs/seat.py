"""One seat of a hand as a Gymnasium environment: bots have the other seats.

An episode is one hand; the reward comes with its end. Legal ids are marked in the `action_mask` of the observation
(`env.action_space.sample(seen["action_mask"])` draws one).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
from gymnasium.utils import seeding

from dizhu.bots import Bot, create
from dizhu.envs.hand import Numbers, numbers
from dizhu.envs.rewards import Scale, check_scale
from dizhu.envs.setting import Options
from dizhu.envs.spaces import action_space, observation_space
from dizhu.errors import IllegalAction
from dizhu.game.state import Seat
from dizhu.game.variant import Variant

Observation = dict[str, Any]
_TRIES = 1000
_BOT_SEED_BYTES = 16


class SeatEnv(gymnasium.Env[Observation, int]):
    """Play one seat; see `single`."""

    def __init__(
        self,
        numbers: Numbers,
        bots: Sequence[str | Bot],
        seat: Seat | None,
        reward: Scale,
        illegal: float | None,
        render_mode: str | None,
    ) -> None:
        """Take what `single` has read."""
        self.numbers = numbers
        self.observation_space = observation_space(numbers)
        self.action_space = action_space(numbers)
        self.metadata = {"render_modes": ["ansi"]}
        self.render_mode = render_mode
        self._given_bots = bots
        self._given_seat = seat
        self._reward: Scale = reward
        self._illegal = illegal

    def reset(self, *, seed: int | None = None, options: Options | None = None) -> tuple[Observation, dict[str, Any]]:
        """Begin a hand and let the bots play until this seat is asked.

        The options are those of `setting.py`, and `seat`. Raises ValueError if a given hand ends before that.
        """
        if seed is not None or self._np_random is None:
            self.np_random, _ = seeding.np_random(seed)
        given = dict(options or {})
        seat = given.pop("seat", self._given_seat)
        seats = self.numbers.game.seats
        self.seat: Seat = int(self.np_random.integers(seats)) if seat is None else seat
        if self.seat not in range(seats):
            raise ValueError(f"there is no seat {seat!r}: seats are 0 to {seats - 1}")
        self._bots = [self._made(bot) for bot in self._given_bots]
        for _ in range(_TRIES):
            self.hand = self.numbers.begin(self.np_random, given)
            self._play_on()
            if not self._over:
                return self._seen(), {}
        raise ValueError(f"the hand ends before seat {self.seat} is asked")

    def _made(self, bot: str | Bot) -> Bot:
        return create(bot, self.np_random.bytes(_BOT_SEED_BYTES)) if isinstance(bot, str) else bot

    @property
    def _over(self) -> bool:
        return not self.hand.game.turn

    def _play_on(self) -> None:
        """Let the bots answer until this seat is asked, or the hand is over."""
        game = self.hand.game
        while game.turn and self.hand.seat != self.seat:
            asked = game.turn[0]
            # The bots have the seats after this one, in playing order.
            bot = self._bots[(asked - self.seat) % self.numbers.game.seats - 1]
            game.act(asked, bot.act(game.view(asked)))

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Answer for this seat, and let the bots play on."""
        try:
            self.hand.act(action)
        except IllegalAction as error:
            if self._illegal is None:
                raise
            return self._seen(), self._illegal, False, False, {"refused": error.code}
        self._play_on()
        return self._seen(), float(self.hand.rewards(self._reward)[self.seat]), self._over, False, {}

    def _seen(self) -> Observation:
        return self.hand.observe(self.seat)

    def render(self) -> Any:  # noqa: ANN401 - as Gymnasium has it
        """Tell the hand so far in plain text, all cards open, if the render mode is `ansi`."""
        return self.hand.told() if self.render_mode == "ansi" else None


def single(  # noqa: PLR0913 - choices that do not hang together, each with a default
    variant: str | Variant = "classic",
    *,
    bots: str | Bot | Sequence[str | Bot] = "random",
    seat: Seat | None = None,
    bidding: bool = True,
    reward: Scale = "points",
    illegal: float | None = 0.0,
    render_mode: str | None = None,
) -> SeatEnv:
    """Make the environment of one seat.

    bots: a bot for all other seats, or one for each of them, from the next seat round; names of `dizhu.bots` or bots.
    seat: this environment's seat; None: drawn anew for every hand. bidding: see `setting.py`. reward: see `rewards.py`.
    illegal: the reward for an illegal action, which changes nothing (`info["refused"]` says why); None: it raises
    IllegalAction. Raises UnknownName or ValueError for what there is not.
    """
    check_scale(reward)
    ids = numbers(variant, bidding)
    others = ids.game.seats - 1
    each = list(bots) if isinstance(bots, Sequence) and not isinstance(bots, str) else [bots] * others
    if len(each) != others:
        raise ValueError(f"{ids.game.name} has {others} other seats, not {len(each)}")
    for bot in each:
        if isinstance(bot, str):
            create(bot, 0)
    return SeatEnv(ids, each, seat, reward, illegal, render_mode)
