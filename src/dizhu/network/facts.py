"""What a seat knows in the play, as facts: the rows that a network sums. The readable form of `_core/facts.h`.

A fact has a number. A set of cards is a fact for each rank in it: so many of that rank. The blocks are, in this order:

    hand        own cards, without those of the move
    unseen      all cards that the seat does not see, and has not seen played
    table       the combination to beat
    shown       what all know that the first landlord holds: what he took before their eyes (the bottom, the marked
                card) and surely still has, or his open hand
    last        of each other seat, from the next one round: its last turn
    played      of each other seat: all it has played
    left        of each other seat: its number of cards
    bombs       how often the multiplier was doubled by a combination, 0 to 14
    landlords   of each seat, from the own one round: known to the own seat as landlord
    alone       the open landlord holds the twin of the marked card too
    marked      the rank of the marked card
    let         cards left at which a farmer wins, 0 to 4
    leader      who played last, counted from the own seat (0 on a lead)
    move        the cards of the move
    kind        its row in the grammar
    pass        the move is a pass
    out         it is the last one
    turns       about how many turns the rest of the hand takes, 0 to 15
    tops        how many of the rest's cards no unseen card is higher than, 0 to 7
    beaten      what unseen cards may answer to the move: nothing, only a stronger kind, the same kind
    asked       the row in the grammar of the combination to beat
    weak        how many of the turns that the rest takes unseen cards may beat with their like, 0 to 9
    solos       how many of those turns are single cards, 0 to 7
    pairs       and how many are pairs, 0 to 7
    higher      how many of the move's kind lie above it in unseen cards, kickers left aside, 0 to 7
    holding     each other seat that holds at least as many cards as the move
    highest     the highest unseen rank; the highest of which two are unseen, and three
    fours       of how many ranks four or more are unseen, 0 to 7
    rocket      both jokers are unseen
    refused     of each other seat: the lowest single card of the landlord that it passed on, and the lowest pair; of
                the landlord, anybody's
    fought      with a marked card, of each other seat: how often it beat the landlord that all know, and how often
                the own seat, 0 to 4
    ally        with a marked card, once both landlords are known: what the other one holds, for a landlord
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

from dizhu.game.physical import rank_word
from dizhu.game.variant import Variant
from dizhu.network.plans import best_plan, solo_kickers, starts_above
from dizhu.network.scenes import Scene
from dizhu.rules import cards as c
from dizhu.rules.cards import Cards
from dizhu.rules.combos import Combo, row_of
from dizhu.variants import variant

MOST_BOMBS = 14
MOST_LET = 4
MOST_TURNS = 15
MOST_TOPS = 7
MOST_WEAK = 9
MOST_LOOSE = 7
MOST_HIGHER = 7
MOST_FOURS = 7
MOST_FOUGHT = 4
_KINDS = 32
_SUITED = 13


@dataclass(frozen=True)
class Layout:
    """Where the blocks of a game's facts begin. `copies`: the most cards of a rank; `size`: all facts."""

    seats: int
    copies: int
    largest: int
    starts: dict[str, int]
    size: int

    def cards(self, block: str, cards: Cards, step: int = 0) -> list[int]:
        """List the facts that a set of cards is in a block, or in the `step`-th of several alike."""
        start = self.starts[block] + step * self.width
        facts: list[int] = []
        for rank in range(len(c.RANKS)):
            if count := cards >> 4 * rank & 15:
                joker = max(0, rank - _SUITED)
                facts.append(start + (rank - joker) * self.copies + joker * (self.copies // 4) + count - 1)
        return facts

    @property
    def width(self) -> int:
        """The number of facts of a set of cards."""
        return _SUITED * self.copies + 2 * (self.copies // 4)


@lru_cache
def layout(game: Variant) -> Layout:
    """Lay the facts of a game out."""
    copies = 4 * game.deck.decks
    width, others, largest = 54 * game.deck.decks, game.seats - 1, game.deal + game.bottom
    sizes = {
        "hand": width,
        "unseen": width,
        "table": width,
        "shown": width,
        "last": width * others,
        "played": width * others,
        "left": largest * others,
        "bombs": MOST_BOMBS + 1,
        "landlords": game.seats,
        "alone": 1,
        "marked": _SUITED,
        "let": MOST_LET + 1,
        "leader": game.seats,
        "move": width,
        "kind": _KINDS,
        "pass": 1,
        "out": 1,
        "turns": MOST_TURNS + 1,
        "tops": MOST_TOPS + 1,
        "beaten": 3,
        "asked": _KINDS,
        "weak": MOST_WEAK + 1,
        "solos": MOST_LOOSE + 1,
        "pairs": MOST_LOOSE + 1,
        "higher": MOST_HIGHER + 1,
        "holding": others,
        "highest": 3 * len(c.RANKS),
        "fours": MOST_FOURS + 1,
        "rocket": 1,
        "refused": 2 * len(c.RANKS) * others,
        "fought": 2 * (MOST_FOUGHT + 1) * others if game.marked else 0,
        "ally": width if game.marked else 0,
    }
    ends = list(accumulate(sizes.values()))
    starts = {name: end - size for (name, size), end in zip(sizes.items(), ends, strict=True)}
    return Layout(game.seats, copies, largest, starts, ends[-1])


def position(scene: Scene) -> list[int]:
    """List the facts of a scene that do not depend on the move."""
    view, seat = scene.view, scene.seat
    game = variant(view.variant)
    blocks = layout(game)
    at, table = blocks.starts, view.table
    facts = blocks.cards("table", rank_word(table.cards) if table else 0) + blocks.cards("shown", scene.shown)
    if view.marked:
        facts += blocks.cards("ally", scene.ally)
    facts += _unseen(blocks, scene.unseen)
    for step in range(game.seats - 1):
        facts += _other(blocks, scene, step)
    facts.append(at["bombs"] + min(scene.doublings, MOST_BOMBS))
    facts += [at["landlords"] + (other - seat) % game.seats for other in view.landlords]
    if scene.alone:
        facts.append(at["alone"])
    if view.marked:
        facts.append(at["marked"] + c.RANKS.index(view.marked[0]))
    facts.append(at["let"] + min(view.let, MOST_LET))
    facts.append(at["leader"] + ((table.seat - seat) % game.seats if table else 0))
    if table and (asked := game.grammar.classify(rank_word(table.cards))):
        facts.append(at["asked"] + row_of(asked.key))
    return facts


def _unseen(blocks: Layout, unseen: Cards) -> list[int]:
    """List what is known of the others' cards all together."""
    at, facts = blocks.starts, blocks.cards("unseen", unseen)
    for place, copies in enumerate((1, 2, 3)):
        if ranks := c.at_least(unseen, copies):
            facts.append(at["highest"] + place * len(c.RANKS) + (ranks.bit_length() - 1) // 4)
    facts.append(at["fours"] + min(c.at_least(unseen, 4).bit_count(), MOST_FOURS))
    if c.at_least(unseen, 1) & c.JOKERS == c.JOKERS:
        facts.append(at["rocket"])
    return facts


def _other(blocks: Layout, scene: Scene, step: int) -> list[int]:
    """List what is known of the seat that comes so many turns after the next one."""
    at, marked = blocks.starts, scene.view.marked is not None
    seat = (scene.seat + 1 + step) % blocks.seats
    facts = blocks.cards("last", scene.last[seat], step) + blocks.cards("played", scene.played[seat], step)
    facts.append(at["left"] + step * blocks.largest + scene.view.counts[seat] - 1)
    for row, rank in enumerate(scene.refused[seat]):
        if rank < len(c.RANKS):
            facts.append(at["refused"] + (2 * step + row) * len(c.RANKS) + rank)
    for which, victim in enumerate((scene.landlord, scene.seat) if marked else ()):
        times = min(scene.beat[seat][victim], MOST_FOUGHT)
        facts.append(at["fought"] + (2 * step + which) * (MOST_FOUGHT + 1) + times)
    return facts


def answer(game: Variant, unseen: Cards, left: Sequence[int], hand: Cards, move: Cards) -> list[int]:
    """List the facts of a move from a hand (0: a pass), the rest of the hand included. left: see `Scene`."""
    blocks = layout(game)
    at, rest = blocks.starts, hand - move
    facts = blocks.cards("hand", rest) + blocks.cards("move", move)
    if not rest:
        facts.append(at["out"])
    plan = best_plan(rest, unseen, singles=solo_kickers(game))
    facts.append(at["turns"] + min(plan.turns, MOST_TURNS))
    highest = max(0, unseen.bit_length() - 1) // 4 * 4
    facts.append(at["tops"] + min(c.size(rest >> highest), MOST_TOPS))
    facts.append(at["weak"] + min(plan.weak, MOST_WEAK))
    facts.append(at["solos"] + min(plan.solos, MOST_LOOSE))
    facts.append(at["pairs"] + min(plan.pairs, MOST_LOOSE))
    combo = game.grammar.classify(move) if move else None
    if combo is None:
        return [*facts, at["pass"]]
    facts += [at["holding"] + step for step, count in enumerate(left) if count >= c.size(move)]
    facts.append(at["higher"] + min(_higher(game, unseen, combo), MOST_HIGHER))
    return [*facts, at["kind"] + row_of(combo.key), at["beaten"] + _beaten_by(game, unseen, combo.key)]


def _beaten_by(game: Variant, unseen: Cards, key: int) -> int:
    """Tell what kind of answer unseen cards may hold: 0 none, 1 only a stronger kind, 2 the same kind."""
    answers = game.grammar.words(unseen, key)
    if not answers:
        return 0
    # Those of the same kind come first.
    lowest = game.grammar.classify(answers[0])
    return 2 if lowest is not None and row_of(lowest.key) == row_of(key) else 1


def _higher(game: Variant, unseen: Cards, combo: Combo) -> int:
    """Count where in unseen cards a core of a combination's kind lies above it."""
    shape = game.grammar.shapes[row_of(combo.key)]
    if not shape.copies:
        return 0
    ranks = c.at_least(unseen, shape.copies)
    if shape.run > 1:
        ranks &= c.CHAIN
    elif shape.copies > 1:
        ranks &= ~c.JOKERS
    return starts_above(ranks, combo.length, c.RANKS.index(combo.rank)).bit_count()
