"""The games as OpenSpiel games in Python, so that its algorithms run on these rules. Needs `pyspiel` (open-spiel).

After this module is imported, `pyspiel.load_game("python_dizhu(variant=happy,bidding=False,reward=win)")` gives a game;
`openspiel_game("happy", bidding=False, reward="win")` is the same. Chance deals card by card: first who is asked first
(in `five_player` the marked card, then the seat that gets it), then each hand, then the bottom cards. So states are
known by their history, and can be written and read as OpenSpiel's own.

Actions have the ids of `actions.py`; questions to several seats at once are put to one after the other. The observation
is the row of `observation.py`. An information state is text: all that a seat has seen so far.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import numpy as np

from dizhu.envs.hand import Hand, Numbers, numbers
from dizhu.envs.observation import MOST_ANSWERS
from dizhu.envs.rewards import Scale, check_scale, scaled
from dizhu.game.deal import Deal
from dizhu.game.physical import Card
from dizhu.game.state import Seat

pyspiel: Any = import_module("pyspiel")

NAME = "python_dizhu"
_DEFAULTS: dict[str, Any] = {"variant": "classic", "bidding": True, "reward": "points"}

_MOST_ADVANCE = 3 * 5 * 2**4 * 2**2 * 2**5
"""More than what comes before the play can multiply by: bid, open hand, robs, doublings by pairs and of the table."""


def _game_type(scale: str) -> Any:  # noqa: ANN401 - pyspiel has no types
    return pyspiel.GameType(
        short_name=NAME,
        long_name="Dou Dizhu, six games",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM if scale == "points" else pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=5,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_DEFAULTS,
    )


class DizhuGame(pyspiel.Game):
    """One of the games; `numbers` are its ids and cells."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        """Read `variant`, `bidding` and `reward`; raises UnknownName or ValueError."""
        given = _DEFAULTS | dict(params or {})
        check_scale(given["reward"])
        self.reward: Scale = given["reward"]
        self.numbers = numbers(given["variant"], bool(given["bidding"]))
        pyspiel.Game.__init__(self, _game_type(self.reward), _info(self.numbers, self.reward), given)

    def new_initial_state(self) -> DizhuState:
        """Begin before the deal."""
        return DizhuState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:  # noqa: ANN401
        """Make what writes observations."""
        return Observer(self.numbers, params)


def _info(of: Numbers, scale: Scale) -> Any:  # noqa: ANN401
    game = of.game
    cards = len(game.deck.cards)
    # Hardly a bound to aim at, but none of the factors can be more: doublings by at most cards / 4 + 1 combinations.
    most = game.base * 2 ** (cards // 4 + 2) * (game.seats - 1) * (_MOST_ADVANCE if of.setting.bidding else 1)
    return pyspiel.GameInfo(
        num_distinct_actions=of.actions,
        max_chance_outcomes=cards,
        num_players=game.seats,
        min_utility=-float(scaled(most, scale)),
        max_utility=float(scaled(most, scale)),
        **({"utility_sum": 0.0} if scale == "points" else {}),
        max_game_length=MOST_ANSWERS + cards * game.seats,
    )


class _Dealing:
    """The deal so far: `drawn` are chance's outcomes, indexes into the distinct cards or seats."""

    def __init__(self, numbers: Numbers) -> None:
        self._numbers = numbers
        self.game = numbers.game
        self.distinct = tuple(dict.fromkeys(self.game.deck.cards))
        self.drawn: list[int] = []

    def __reduce__(self) -> tuple[object, ...]:
        """Copy the draws, and share what never changes."""
        return _Dealing, (self._numbers,), {"drawn": self.drawn.copy()}

    @property
    def _before(self) -> int:
        """Draws that come before the cards: who is first, and which card is marked."""
        return 2 if self.game.marked else 1

    @property
    def done(self) -> bool:
        """Whether all cards but those set aside are dealt."""
        cards = self.game.seats * self.game.deal + self.game.bottom
        return len(self.drawn) == cards + 1

    def outcomes(self) -> list[tuple[int, float]]:
        """List what may come next, with its chance."""
        if len(self.drawn) == self._before - 1:
            return [(seat, 1 / self.game.seats) for seat in range(self.game.seats)]
        if self.game.marked and not self.drawn:
            plain = [index for index, card in enumerate(self.distinct) if len(card) > 1]
            return [(index, 1 / len(plain)) for index in plain]
        left = self._left()
        total = sum(left)
        return [(index, count / total) for index, count in enumerate(left) if count]

    def _left(self) -> list[int]:
        left = [self.game.deck.decks] * len(self.distinct)
        for index in self._cards():
            left[index] -= 1
        return left

    def _cards(self) -> list[int]:
        """List the cards drawn, the marked one first."""
        marked = self.drawn[:1] if self.game.marked else []
        return marked + self.drawn[self._before :]

    def deal(self) -> Deal:
        """Put the draws together to a deal."""
        game, first = self.game, self.drawn[self._before - 1]
        left = self._left()
        marked = self.distinct[self.drawn[0]] if game.marked else None
        cards = iter([self.distinct[index] for index in self.drawn[self._before :]])
        hands: list[tuple[Card, ...]] = []
        for seat in range(game.seats):
            own = [marked] if marked and seat == first else []
            hands.append((*own, *(next(cards) for _ in range(game.deal - len(own)))))
        aside = tuple(card for card, count in zip(self.distinct, left, strict=True) for _ in range(count))
        return Deal(first, tuple(hands), tuple(cards), aside, marked)

    def told(self, draw: int, place: int) -> str:
        """Say what an outcome of the draw of that place means."""
        if place == self._before - 1:
            return f"first seat {draw}"
        return f"mark {self.distinct[draw]}" if place < self._before else f"deal {self.distinct[draw]}"


class DizhuState(pyspiel.State):
    """A moment of a hand; `hand` is None while chance deals."""

    def __init__(self, game: DizhuGame) -> None:
        """Begin before the deal."""
        pyspiel.State.__init__(self, game)
        self.numbers = game.numbers
        self.scale: Scale = game.reward
        self.dealing = _Dealing(game.numbers)
        self.hand: Hand | None = None

    def current_player(self) -> int:
        """Name who is to act: a seat, chance, or nobody."""
        if self.hand is None:
            return pyspiel.PlayerId.CHANCE
        return pyspiel.PlayerId.TERMINAL if self.hand.seat is None else self.hand.seat

    def _legal_actions(self, player: Seat) -> list[int]:
        assert self.hand is not None
        return self.hand.legal() if player == self.hand.seat else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """List the cards (at first: the seats, or cards to mark) that may come next."""
        return self.dealing.outcomes()

    def _apply_action(self, action: int) -> None:
        if self.hand is not None:
            self.hand.act(action)
            return
        self.dealing.drawn.append(action)
        if self.dealing.done:
            self.hand = Hand(self.numbers, self.numbers.setting.start(self.dealing.deal()))

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return self.dealing.told(action, len(self.dealing.drawn))
        return self.numbers.ids.decode(action)

    def is_terminal(self) -> bool:
        """Tell whether the hand is over."""
        return self.hand is not None and self.hand.seat is None

    def returns(self) -> list[float]:
        """Tell what the hand was worth to each seat; zeros before the end."""
        if self.hand is None:
            return [0.0] * self.numbers.game.seats
        return [float(reward) for reward in self.hand.rewards(self.scale)]

    def __str__(self) -> str:
        if self.hand is None:
            drawn = enumerate(self.dealing.drawn)
            return ", ".join(self.dealing.told(draw, place) for place, draw in drawn) or "before the deal"
        return self.hand.told()


class Observer:
    """Writes what a seat sees: `tensor` and `dict` are overwritten by each `set_from`."""

    def __init__(self, numbers: Numbers, params: object) -> None:
        """Take no parameters."""
        if params:
            raise ValueError(f"observations of {NAME} have no parameters, but there are {params!r}")
        self._numbers = numbers
        self.tensor = np.zeros(numbers.cells, np.float32)
        self.dict = {name: self.tensor[part] for name, part in numbers.layout.sections.items()}

    def set_from(self, state: DizhuState, player: Seat) -> None:
        """Write the row of a seat; zeros while chance deals."""
        self.tensor[:] = 0 if state.hand is None else state.hand.observe(player)["observation"]

    def string_from(self, state: DizhuState, player: Seat) -> str:
        """Write all that a seat has seen; before the first question, nothing."""
        if state.hand is None:
            return f"seat {player} before the deal"
        return repr(state.hand.game.view(player))


def openspiel_game(variant: str = "classic", *, bidding: bool = True, reward: Scale = "points") -> DizhuGame:
    """Make an OpenSpiel game. Raises UnknownName or ValueError."""
    return DizhuGame({"variant": variant, "bidding": bidding, "reward": reward})


if NAME not in pyspiel.registered_names():
    pyspiel.register_game(_game_type("points"), DizhuGame)
