"""An environment with the interface of RLCard's: its agents and training loops run on the rules of this package.

RLCard itself is not needed. As there, a hand is the play alone, seat 0 is landlord, and ids are RLCard's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from dizhu.envs.hand import Hand, Moment, numbers
from dizhu.envs.rewards import Scale
from dizhu.envs.rlcard_state import RawState, action_row, extracted_state, perfect_information
from dizhu.envs.setting import Options
from dizhu.errors import IllegalAction, ParseError
from dizhu.game.state import Seat
from dizhu.game.variant import Variant

Payoffs = Literal["flags"] | Scale


class Agent(Protocol):
    """What RLCard calls an agent; `use_raw`: it answers with text, not with ids."""

    use_raw: bool

    def step(self, state: RawState) -> Any:  # noqa: ANN401 - an id or a text
        """Answer while learning."""
        ...

    def eval_step(self, state: RawState) -> tuple[Any, Any]:
        """Answer for good, and tell what the answer was chosen from."""
        ...


class RLCardEnv:
    """One hand after the other, for three seats and one deck.

    >>> env = RLCardEnv(seed=1)
    >>> state, player = env.reset()
    >>> player, len(state["obs"]), env.num_actions
    (0, 790, 27472)

    payoffs: `flags` (1 for winners, 0 for losers, as in RLCard), or a scale of `rewards.py`.
    exact: write the rows with RLCard's slips, see `rlcard_state.py`.
    """

    name = "doudizhu"
    num_players = 3

    def __init__(
        self,
        variant: str | Variant = "classic",
        *,
        seed: int | None = None,
        allow_step_back: bool = True,
        payoffs: Payoffs = "flags",
        exact: bool = False,
    ) -> None:
        """Take a game of three with one deck; raises ValueError for another."""
        self.numbers = numbers(variant, False)
        game = self.numbers.game
        if (game.seats, game.deck.decks) != (self.num_players, 1):
            raise ValueError(f"RLCard's interface is for three seats and one deck, not for {game.name}")
        self.num_actions = self.numbers.actions
        self.state_shape = [[790], [901], [901]]
        self.action_shape = [[54]] * self.num_players
        self.allow_step_back = allow_step_back
        self.agents: Sequence[Agent] = ()
        self.timestep = 0
        self._payoffs: Payoffs = payoffs
        self._exact = exact
        self.seed(seed)
        self.reset()

    def seed(self, seed: int | None = None) -> int | None:
        """Start the generator of deals anew."""
        self.np_random = np.random.default_rng(seed)
        return seed

    def set_agents(self, agents: Sequence[Agent]) -> None:
        """Say who plays in `run`, by seat."""
        self.agents = list(agents)

    def reset(self, options: Options | None = None) -> tuple[RawState, Seat]:
        """Begin a hand; returns the state of the seat that is asked, and the seat. For options see `setting.py`."""
        self.hand: Hand = self.numbers.begin(self.np_random, {"landlord": 0} | dict(options or {}))
        self.action_recorder: list[tuple[Seat, str]] = []
        self._before: list[Moment] = []
        self._asked = self.hand.game.turn[0]
        return self.get_state(self._asked), self._asked

    def step(self, action: Any, raw_action: bool = False) -> tuple[RawState, Seat]:  # noqa: ANN401, FBT001, FBT002
        """Answer by id, or with `raw_action` by cards: text or DouZero's numbers, in any order.

        Raises IllegalAction, and then nothing has changed.
        """
        text = self._read(action) if raw_action else self.hand.text(action)
        before = self.hand.moment
        self.hand.game.act(self._asked, text)
        self._before.append(before)
        self.action_recorder.append((self._asked, text.removeprefix("play ")))
        self.timestep += 1
        self._asked = (self._asked + 1) % self.num_players
        return self.get_state(self._asked), self._asked

    def _read(self, action: Any) -> str:  # noqa: ANN401
        try:
            return self.numbers.ids.text(self.numbers.ids.encode(action))
        except ParseError as error:
            raise IllegalAction(error.code, str(error)) from error

    def step_back(self) -> tuple[RawState, Seat] | Literal[False]:
        """Take the last answer back; False at the beginning of the hand."""
        if not self.allow_step_back:
            raise IllegalAction("not_allowed", "this environment was made with allow_step_back=False")
        if not self._before:
            return False
        self.hand.moment = self._before.pop()
        self.action_recorder.pop()
        self._asked = self.hand.game.turn[0]
        return self.get_state(self._asked), self._asked

    def run(self, is_training: bool = False) -> tuple[list[list[Any]], NDArray[Any]]:  # noqa: FBT001, FBT002
        """Play a hand with the agents; returns for each seat its states and answers in turn, and the payoffs."""
        trajectories: list[list[Any]] = [[] for _ in range(self.num_players)]
        state, seat = self.reset()
        trajectories[seat].append(state)
        while not self.is_over():
            agent = self.agents[seat]
            action = agent.step(state) if is_training else agent.eval_step(state)[0]
            trajectories[seat].append(action)
            state, seat = self.step(action, agent.use_raw)
            if not self.is_over():
                trajectories[seat].append(state)
        for seat, steps in enumerate(trajectories):
            steps.append(self.get_state(seat))
        return trajectories, self.get_payoffs()

    def is_over(self) -> bool:
        """Tell whether the hand is over."""
        return self.hand.seat is None

    def get_player_id(self) -> Seat:
        """Name the seat that is asked (after the end: the one that would be)."""
        return self._asked

    def get_state(self, player_id: Seat) -> RawState:
        """Show a seat what it knows; `legal_actions` are empty unless it is asked."""
        return extracted_state(self.hand, player_id, self.action_recorder, exact=self._exact)

    def get_payoffs(self) -> NDArray[Any]:
        """Tell what the hand was worth to each seat; zeros before the end."""
        if self._payoffs == "flags":
            return np.array([int(reward > 0) for reward in self.hand.rewards("win")])
        return np.array(self.hand.rewards(self._payoffs))

    def get_perfect_information(self) -> RawState:
        """Tell everything about the hand, all cards open."""
        return perfect_information(self.hand)

    def get_action_feature(self, action: int) -> NDArray[np.int8]:
        """Write the cards of an id in 54 cells."""
        return action_row(self.numbers.ids.decode(action))
