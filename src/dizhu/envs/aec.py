"""One hand as a PettingZoo environment: the agents are the seats, `player_0`, `player_1`, …, asked one at a time.

An episode is one hand. Where nobody wants to be landlord it ends, and is worth nothing to anybody. Questions that the
game puts to several seats at once are put to one after the other, and nobody sees an answer before all are given.
"""

from __future__ import annotations

from typing import Any

from gymnasium.spaces import Space
from gymnasium.utils import seeding
from pettingzoo import AECEnv  # pyright: ignore[reportMissingTypeStubs]
from pettingzoo.utils.wrappers import OrderEnforcingWrapper  # pyright: ignore[reportMissingTypeStubs]

from dizhu.envs.hand import numbers
from dizhu.envs.rewards import Scale, check_scale
from dizhu.envs.setting import Options
from dizhu.envs.spaces import action_space, observation_space
from dizhu.game.variant import Variant


def env(
    variant: str | Variant = "classic",
    *,
    bidding: bool = True,
    reward: Scale = "points",
    render_mode: str | None = None,
) -> OrderEnforcingWrapper[str, Any, int | None]:
    """Make the environment, wrapped so that calls in a wrong order are reported.

    See `setting.py` for `bidding` and the options of `reset`, `rewards.py` for `reward`.
    """
    return OrderEnforcingWrapper(raw_env(variant, bidding=bidding, reward=reward, render_mode=render_mode))


class raw_env(AECEnv[str, Any, int | None]):  # noqa: N801 - the name that PettingZoo's environments have
    """The environment without wrappers.

    Illegal actions raise IllegalAction, and nothing has changed. `hand.game` is the `dizhu.Game` behind it.
    """

    def __init__(
        self,
        variant: str | Variant = "classic",
        *,
        bidding: bool = True,
        reward: Scale = "points",
        render_mode: str | None = None,
    ) -> None:
        """Take what `env` takes; raises UnknownName or ValueError."""
        super().__init__()
        check_scale(reward)
        self.numbers = numbers(variant, bidding)
        self.reward: Scale = reward
        self.render_mode = render_mode
        name = self.numbers.game.name
        self.metadata = {"name": f"dizhu_{name}_v0", "render_modes": ["ansi"], "is_parallelizable": False}
        self.possible_agents = [f"player_{seat}" for seat in range(self.numbers.game.seats)]
        self.observation_spaces = {agent: observation_space(self.numbers) for agent in self.possible_agents}
        self.action_spaces = {agent: action_space(self.numbers) for agent in self.possible_agents}
        self._draws, _ = seeding.np_random()

    def observation_space(self, agent: str) -> Space[Any]:
        """Give the space of `observe`: a row and the mask of legal ids."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        """Give the space of action ids."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Options | None = None) -> None:
        """Begin a hand; without a seed, the generator goes on. See `setting.py` for the options."""
        if seed is not None:
            self._draws, _ = seeding.np_random(seed)
        self.hand = self.numbers.begin(self._draws, options)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self._go_on()

    def _go_on(self) -> None:
        """Turn to the seat that is asked; at the end tell everybody what the hand was worth."""
        seat = self.hand.seat
        if seat is not None:
            self.agent_selection = self.possible_agents[seat]
            return
        self.rewards = dict(zip(self.possible_agents, self.hand.rewards(self.reward), strict=True))
        self.terminations = dict.fromkeys(self.agents, True)

    def observe(self, agent: str) -> dict[str, Any]:
        """Show an agent what its seat may know; the mask is empty unless it is asked."""
        return self.hand.observe(self.possible_agents.index(agent))

    def step(self, action: int | None) -> None:
        """Answer for the agent that is asked; raises IllegalAction, and then nothing has changed."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self.hand.act(action)
        self._clear_rewards()
        self._cumulative_rewards[agent] = 0
        self._go_on()
        self._accumulate_rewards()

    def render(self) -> str | None:
        """Tell the hand so far in plain text, all cards open, if the render mode is `ansi`."""
        return self.hand.told() if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is held open."""
