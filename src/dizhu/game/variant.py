"""A game as one record: its deck, its combinations, and the phases of a hand in the order they come."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Literal

from dizhu.errors import ParseError, UnknownName
from dizhu.game.change import replace
from dizhu.game.options import Option, OptionValue
from dizhu.game.physical import Deck
from dizhu.rules import cards as c
from dizhu.rules.cards import Cards
from dizhu.rules.combos import Combo, Grammar, beats
from dizhu.rules.native import grammar
from dizhu.rules.search import REMEMBERED
from dizhu.rules.shapes import Shape

if TYPE_CHECKING:
    from dizhu.game.phases.phase import Phase


@dataclass(frozen=True)
class Variant:
    """One of the games.

    deal, bottom: cards for each seat and for the landlord; what is left of the deck is set aside unseen.
    first: how a table finds the seat that is asked first: `rotates` one seat each hand, or `drawn` anew.
    base: the base score where no bid sets it. marked: a card is marked, and who is dealt it is landlord.
    ladder: the ladder of titles its points count for. version: raised when the behaviour changes.
    cap: the most that the base is multiplied by between two players, their doublings included; None: no limit.
    options: what a host may change; they are read from, and written to, the phases and the fields above.
    """

    name: str
    title: str
    seats: int
    deck: Deck
    deal: int
    bottom: int
    shapes: tuple[Shape, ...]
    phases: tuple[Phase, ...]
    source: str
    first: Literal["rotates", "drawn"] = "drawn"
    base: int = 1
    marked: bool = False
    ladder: Literal["three_player", "five_player"] = "three_player"
    version: int = 1
    cap: int | None = None
    options: tuple[Option, ...] = ()

    @cached_property
    def grammar(self) -> Grammar:
        """The combinations of this game."""
        return grammar(self.shapes, self.deck.word, self.deal + self.bottom)

    @property
    def aside(self) -> int:
        """Cards set aside unseen until the hand is over."""
        return len(self.deck.cards) - self.seats * self.deal - self.bottom

    @property
    def changed(self) -> dict[str, OptionValue]:
        """The options that are not as the game has them by itself."""
        values = {option.name: getattr(self._place(option), option.field) for option in self.options}
        return {option.name: values[option.name] for option in self.options if values[option.name] != option.default}

    def with_options(self, values: Mapping[str, object]) -> Variant:
        """Make the game with some options changed and the others as they are.

        Raises UnknownName `unknown_option`, or ParseError `bad_option`.

        >>> from dizhu import variant
        >>> variant("two_player").with_options({"max_robs": 2, "cap": 16}).changed
        {'cap': 16, 'max_robs': 2}
        """
        game = self
        known = {option.name: option for option in self.options}
        for name, value in values.items():
            if name not in known:
                there = ", ".join(known) or "none"
                raise UnknownName("unknown_option", f"{self.name} has no option {name!r:.60}; it has {there}")
            option = known[name]
            if not option.accepts(value):
                message = f"the option {name!r} of {self.name} is {value!r:.60}; it must be {option.allowed}"
                raise ParseError("bad_option", message)
            if option.phase is None:
                game = replace(game, **{option.field: value})
            else:
                phases = list(game.phases)
                phases[option.phase] = replace(phases[option.phase], **{option.field: value})
                game = replace(game, phases=tuple(phases))
        return game

    def _place(self, option: Option) -> Phase | Variant:
        return self if option.phase is None else self.phases[option.phase]

    def parse(self, text: str) -> Cards:
        """Read ranks; raises ParseError `malformed_cards`, or `not_in_deck` if the deck cannot hold them."""
        cards = c.parse(text)
        if not c.contains(self.deck.word, cards):
            worst = next(r for r in c.RANKS if text.count(r) > self.deck.word // c.UNIT[r] & 0xF)
            held = self.deck.word // c.UNIT[worst] & 0xF
            raise ParseError(
                "not_in_deck",
                f"{text!r} has {text.count(worst)} cards of rank {worst}; the deck of {self.name} has {held}",
                cards=text,
            )
        return cards

    def classify(self, cards: str) -> Combo | None:
        """Read a set of cards, in any order, as a combination; None if it is none. Raises ParseError."""
        return self._read(cards)

    @cached_property
    def _read(self) -> Callable[[str], Combo | None]:
        """Readings are remembered by text."""

        @lru_cache(REMEMBERED)
        def read(cards: str) -> Combo | None:
            return self.grammar.classify(self.parse(cards))

        return read

    def moves(self, hand: str, against: str = "") -> list[str]:
        """List the legal combinations in a hand, from low to high; `against` is what has to be beaten ('' on a lead).

        Raises ParseError, also (`not_a_combination`) if `against` is none. Pass is not in the list.
        """
        to_beat = self._combo(against) if against else None
        return self.grammar.texts(self.parse(hand), to_beat)

    def beats(self, cards: str, against: str) -> bool:
        """Tell whether `cards` may be played on `against`. Raises ParseError; no combination beats nothing."""
        combo = self.classify(cards)
        return combo is not None and beats(combo, self._combo(against))

    def _combo(self, text: str) -> Combo:
        combo = self.classify(text)
        if combo is None:
            raise ParseError("not_a_combination", f"{text!r} is no combination in {self.name}", cards=text)
        return combo
