"""Actions as numbers: every play, pass and answer of a game has one id, dense from 0.

First come the plays in the order below, then `pass`, then the answers to the questions before the play (`ANSWERS`,
the same nine for every game). With standard kickers, ids 0 to 27,471 are those of RLCard, so that what was trained
there can be used here; the other games number their own plays by the same rule.

The order: by kind as in `_KINDS`; within a kind short chains first, then low ranks first; plays that differ in their
kickers only are in the order of the kickers' ranks read from low to high. Where RLCard goes another way, so does this:
see `_group`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from dizhu.errors import ParseError
from dizhu.game.physical import parse_cards, rank_word
from dizhu.game.variant import Variant
from dizhu.rules import cards as c
from dizhu.rules.cards import Cards
from dizhu.rules.combos import Combo, Grammar
from dizhu.rules.native import grammar
from dizhu.rules.shapes import Shape
from dizhu.variants import variant as find

PASS = "pass"
ANSWERS = ("no", "bid 1", "bid 2", "bid 3", "call", "rob", "open", "double", "declare")
"""The answers to questions before the play; their ids follow that of `pass` in this order."""

NUMBERS = {**{number: c.RANKS[number - 3] for number in range(3, 15)}, 17: "2", 20: "B", 30: "R"}
"""The ranks as DouZero writes them: 3 to 14 (the ace), 17 (the 2), 20 and 30 (the jokers)."""

_KINDS = (
    "solo",
    "pair",
    "trio",
    "trio_solo",
    "trio_pair",
    "solo_chain",
    "pair_chain",
    "trio_chain",
    "trio_solo_chain",
    "trio_pair_chain",
    "four_two_solo",
    "four_two_pair",
    "bomb",
    "rocket",
)
_PLAY = "play "
_LETTERS = str.maketrans(c.RANKS, "abcdefghijklmno")
"""Ranks as letters, whose order is that of the ranks."""


class Actions:
    """The numbering of one game's actions.

    >>> ids = action_ids("classic")
    >>> ids.encode("334455"), ids.decode(27_471), ids.decode(27_475)
    (415, 'pass', 'bid 3')
    >>> ids.encode([5, 4, 3, 3, 4, 5]) == ids.encode("5h 5d 4s 4h 3c 3d")
    True

    plays: every combination as its ranks from low to high; a play's id is its place here.
    """

    def __init__(self, combinations: Grammar) -> None:
        """Number the combinations that the deck and the largest hand allow."""
        shapes = {shape.name: shape for shape in combinations.shapes}
        found = zip(combinations.moves(combinations.deck), combinations.texts(combinations.deck), strict=True)
        ordered = sorted(found, key=lambda play: _order(*play, shapes[play[0].kind]))
        self.plays = tuple(text for _, text in ordered)
        self._cards = (*(combo.cards for combo, _ in ordered), 0)
        self._names = (*self.plays, PASS, *ANSWERS)
        self._ids = {name: number for number, name in enumerate(self._names)}
        self._ids_of_cards = {cards: number for number, cards in enumerate(self._cards)}

    def __len__(self) -> int:
        """Count all ids, those of answers included."""
        return len(self._names)

    @property
    def playing(self) -> int:
        """The number of ids that the play needs: all combinations, and pass, which is the last of them."""
        return len(self._cards)

    def encode(self, action: str | Iterable[int]) -> int:
        """Number an action; cards may come in any order, as ranks, as physical cards, or as DouZero's numbers.

        `334455`, `play 334455`, `pass`, `bid 2` and [3, 3, 4, 4, 5, 5] are understood; no cards are a pass.
        Raises ParseError `malformed_cards` or `not_a_combination`.
        """
        text = action.removeprefix(_PLAY) if isinstance(action, str) else _ranks(action)
        number = self._ids.get(text)
        return self.encode_cards(rank_word(parse_cards(text))) if number is None else number

    def encode_cards(self, cards: Cards) -> int:
        """Number a play given as a set of cards (`dizhu.rules.cards`); none are a pass. Raises ParseError."""
        number = self._ids_of_cards.get(cards)
        if number is None:
            raise ParseError("not_a_combination", f"{c.format_cards(cards)!r} is no combination of this game")
        return number

    def decode(self, number: int) -> str:
        """Name an action as RLCard does: the ranks of a play from low to high, `pass`, or an answer.

        Raises ParseError `malformed_action` for a number that is no id.
        """
        return self._names[self._checked(number)]

    def text(self, number: int) -> str:
        """Name an action as `dizhu.Game` takes it: `play 334455`, `pass`, or an answer. Raises ParseError."""
        name = self.decode(number)
        return _PLAY + name if number < self.playing - 1 else name

    def cards(self, number: int) -> Cards:
        """Give the cards that an action puts down as a set; none for a pass or an answer. Raises ParseError."""
        return self._cards[number] if self._checked(number) < self.playing else 0

    def _checked(self, number: int) -> int:
        if not 0 <= number < len(self):
            raise ParseError("malformed_action", f"{number} is no action id; they go from 0 to {len(self) - 1}")
        return number


def action_ids(variant: str | Variant) -> Actions:
    """Give the numbering of a game's actions; made once. Raises UnknownName."""
    game = find(variant) if isinstance(variant, str) else variant
    return _numbered(game.shapes, game.deck.word, game.deal + game.bottom)


@lru_cache
def _numbered(shapes: tuple[Shape, ...], deck: Cards, largest: int) -> Actions:
    return Actions(grammar(shapes, deck, largest))


def _ranks(numbers: Iterable[int]) -> str:
    try:
        return "".join(NUMBERS[number] for number in numbers) or PASS
    except KeyError as error:
        known = ", ".join(map(str, NUMBERS))
        raise ParseError("malformed_cards", f"{error} is no card; the numbers are {known}") from error


def _order(combo: Combo, text: str, shape: Shape) -> tuple[int, int, int, str]:
    kind = _KINDS.index(combo.kind)
    if not shape.kickers:
        return kind, combo.key, 0, ""
    top = c.RANKS.index(combo.rank)
    core = "".join(rank * shape.copies for rank in c.RANKS[top - combo.length + 1 : top + 1])
    kickers = text.replace(core, "", 1)
    return kind, combo.key, _group(combo, kickers), kickers.translate(_LETTERS)


def _group(combo: Combo, kickers: str) -> int:
    """Give the place of kickers where their ranks alone do not decide, in chains of three and more trios with solos.

    Three kickers: first all different, then all equal, then two equal, low pairs first. Four or five: those with a
    joker come first.
    """
    if combo.kind != "trio_solo_chain" or combo.length < 3:
        return 0
    if combo.length > 3:
        return 0 if kickers[-1] in "BR" else 1
    # The middle one of three sorted ranks is one of the two that are equal.
    return {3: 0, 1: 1, 2: 2 + c.RANKS.index(kickers[1])}[len(set(kickers))]
