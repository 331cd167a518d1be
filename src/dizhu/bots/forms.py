"""Groups of cards as the planner handles them, and the rows of a game's grammar found by what they are made of."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from dizhu.rules import cards as c
from dizhu.rules.cards import Cards
from dizhu.rules.combos import Combo, Grammar


class Group(NamedTuple):
    """A combination: its row in the grammar, number of core ranks, index of the highest, and its cards."""

    row: int
    length: int
    top: int
    cards: Cards


class Bomb(NamedTuple):
    """A row of bombs: equal cards (`copies`), or literal sets of jokers."""

    row: int
    power: int
    copies: int
    literals: tuple[Cards, ...]


class Forms:
    """A grammar's rows: `plain[copies, kicker]` is a row of single cores, `chain[copies, kicker]` one of chains."""

    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar
        self.names = tuple(shape.name for shape in grammar.shapes)
        self.plain: dict[tuple[int, int], int] = {}
        self.chain: dict[tuple[int, int], int] = {}
        bombs: list[Bomb] = []
        for row, shape in enumerate(grammar.shapes):
            if shape.power:
                literals = tuple(c.parse(text) for text in shape.cards)
                bombs.append(Bomb(row, shape.power, shape.copies, literals))
            else:
                rows = self.chain if shape.run > 1 else self.plain
                rows[shape.copies, shape.kicker if shape.kickers else 0] = row
        self.bombs = tuple(bombs)
        self.bomb_of = {bomb.copies: bomb.row for bomb in bombs if bomb.copies}
        self.literal_of = {cards: (bomb.row, order) for bomb in bombs for order, cards in enumerate(bomb.literals)}

    def group(self, combo: Combo) -> Group:
        """Read a combination of the grammar as a group."""
        if combo.cards in self.literal_of:
            row, order = self.literal_of[combo.cards]
            return Group(row, 1, order, combo.cards)
        top = c.RANKS.index(combo.rank)
        if combo.kind == "bomb":
            return Group(self.bomb_of[c.size(combo.cards)], 1, top, combo.cards)
        return Group(self.names.index(combo.kind), combo.length, top, combo.cards)


@lru_cache
def forms_of(grammar: Grammar) -> Forms:
    """The forms of a grammar, worked out once."""
    return Forms(grammar)
