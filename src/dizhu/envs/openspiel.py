"""The games as OpenSpiel games in Python, so that its algorithms run on these rules. Needs `pyspiel` (open-spiel).

After this module is imported, `pyspiel.load_game("python_dizhu(variant=happy,bidding=False,reward=win)")` gives a game;
`openspiel_game("happy", bidding=False, reward="win")` is the same. Chance deals card by card: first who is asked first
(in `five_player` the marked card, then the seat that gets it), then each hand, then the bottom cards. So states are
known by their history, and can be written and read as OpenSpiel's own.

Actions have the ids of `actions.py`; questions to several seats at once are put to one after the other. The observation
tensor is the row of `observation.py`, the information state that of `information.py`; the text is the same for both.
`resample_from_infostate` deals what a seat does not know anew, so that search over information sets (ISMCTS) works.

Differs from games in C++: OpenSpiel calls `resample_from_infostate` of a game in Python from Python only. So its ISMCTS
in Python works (`open_spiel.python.algorithms.ismcts`), that in C++ (`pyspiel.ISMCTSBot`) does not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from random import Random
from typing import Any

import numpy as np

from dizhu.envs.hand import Hand, Numbers, numbers
from dizhu.envs.information import Hands, early_hands, information_layout, information_row, information_text
from dizhu.envs.observation import MOST_ANSWERS
from dizhu.envs.rewards import Scale, check_scale, scaled
from dizhu.game.deal import Deal
from dizhu.game.physical import Card
from dizhu.game.state import Seat
from dizhu.game.variant import Variant
from dizhu.testing.worlds import other_world

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
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_DEFAULTS,
    )


class DizhuGame(pyspiel.Game):
    """One of the games; `numbers` are its ids and cells."""

    def __init__(self, params: Mapping[str, Any] | None = None, variant: Variant | None = None) -> None:
        """Read `variant`, `bidding` and `reward`; raises UnknownName or ValueError.

        A `variant` that is given as such is taken instead of the one that is named.
        """
        given = _DEFAULTS | dict(params or {})
        check_scale(given["reward"])
        self.reward: Scale = given["reward"]
        self.numbers = numbers(variant or given["variant"], bool(given["bidding"]))
        pyspiel.Game.__init__(self, _game_type(self.reward), _info(self.numbers, self.reward), given)

    def new_initial_state(self) -> DizhuState:
        """Begin before the deal."""
        return DizhuState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:  # noqa: ANN401
        """Make what writes observations, or with perfect recall information states.

        Raises ValueError for what shows anything else than what one seat knows, and for parameters.
        """
        if params:
            raise ValueError(f"observations of {NAME} have no parameters, but there are {params!r}")
        # Without a type, OpenSpiel hands the parameters over in its place.
        if not isinstance(iig_obs_type, pyspiel.IIGObservationType):
            return Observer(self.numbers, recall=False)
        if not iig_obs_type.public_info or iig_obs_type.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            raise ValueError(f"observations of {NAME} show all that one player knows, not {iig_obs_type}")
        return Observer(self.numbers, recall=iig_obs_type.perfect_recall)


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

    def draw(self, outcome: int) -> None:
        """Take an outcome; raises ValueError, and nothing has changed, for one that cannot come."""
        if all(outcome != possible for possible, _ in self.outcomes()):
            raise ValueError(f"chance cannot draw {outcome} now")
        self.drawn.append(outcome)

    def draws(self, deal: Deal) -> list[int]:
        """List the outcomes that come to a deal of all cards."""
        place = {card: index for index, card in enumerate(self.distinct)}
        hands = [list(cards) for cards in deal.hands]
        if deal.marked:
            hands[deal.first].remove(deal.marked)
        marked = [place[deal.marked]] if deal.marked else []
        cards = [place[card] for group in (*hands, deal.bottom) for card in group]
        return [*marked, deal.first, *cards]

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
        self.early: dict[Seat, Hands] = {}

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
            self._answer(self.hand, action)
            return
        self.dealing.draw(action)
        if self.dealing.done:
            self.hand = Hand(self.numbers, self.numbers.setting.start(self.dealing.deal()))

    def _answer(self, hand: Hand, action: int) -> None:
        seat = hand.seat
        early = None if seat is None else early_hands(hand, seat)
        hand.act(action)
        if seat is not None and early:
            self.early[seat] = early

    def resample_from_infostate(self, player: Seat, sampler: Callable[[], float]) -> DizhuState:
        """Deal what a seat cannot know anew, each way as likely as another; `sampler` draws from 0 to 1.

        Answers that others gave and that are held back are drawn too. Raises ValueError while chance deals and, since
        then nothing is hidden, after the end.
        """
        if self.hand is None or self.is_terminal():
            raise ValueError("there is something to resample from the first question to the end of the hand only")
        world = other_world(self.hand.game, player, Random(int(sampler() * 2**53)))
        state: DizhuState = self.get_game().new_initial_state()
        for draw in self.dealing.draws(world.deal):
            state.apply_action(draw)
        for _, answer in world.actions:
            state.apply_action(self.numbers.ids.encode(answer))
        # Ids know no suits, but others may have seen them: the cards that were put down are the same.
        state.hand = Hand(self.numbers, world)
        return state

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
    """Writes what a seat sees, or with `recall` all that it has seen; `set_from` writes over `tensor` and `dict`."""

    def __init__(self, numbers: Numbers, *, recall: bool) -> None:
        """Lay the tensor out."""
        setting = numbers.setting
        layout = information_layout(setting.game, bidding=setting.bidding) if recall else numbers.layout
        self._recall = recall
        self.tensor = np.zeros(layout.size, np.float32)
        self.dict = {name: self.tensor[part] for name, part in layout.sections.items()}

    def set_from(self, state: DizhuState, player: Seat) -> None:
        """Write the row of a seat; zeros while chance deals."""
        if state.hand is None:
            self.tensor[:] = 0
        elif self._recall:
            self.tensor[:] = information_row(state.hand, player, state.early.get(player))
        else:
            self.tensor[:] = state.hand.observe(player)["observation"]

    def string_from(self, state: DizhuState, player: Seat) -> str:
        """Write all that a seat has seen; before the first question, nothing."""
        if state.hand is None:
            return f"seat {player} before the deal"
        return information_text(state.hand, player, state.early.get(player))


def openspiel_game(variant: str | Variant = "classic", *, bidding: bool = True, reward: Scale = "points") -> DizhuGame:
    """Make an OpenSpiel game. Raises UnknownName or ValueError.

    A game can also be given by its declaration: a small one of your own can be solved. It cannot be loaded by name.
    """
    name, declared = (variant, None) if isinstance(variant, str) else (variant.name, variant)
    return DizhuGame({"variant": name, "bidding": bidding, "reward": reward}, declared)


if NAME not in pyspiel.registered_names():
    pyspiel.register_game(_game_type("points"), DizhuGame)
