"""What a seat knows in the play, as facts: the rows that a network sums. The readable form of `_core/facts.h`.

A fact has a number. A set of cards is a fact for each rank in it: so many of that rank. The blocks are, in this order:

    hand        own cards, without those of the move
    unseen      all cards that are neither own nor played
    table       the combination to beat
    shown       what the first landlord took before all eyes (the bottom, the marked card) and surely still holds
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
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

from dizhu.game.phases.bottom import TakeBottom
from dizhu.game.physical import rank_word
from dizhu.game.variant import Variant
from dizhu.game.view import View
from dizhu.rules import cards as c
from dizhu.rules.cards import Cards
from dizhu.rules.combos import row_of
from dizhu.variants import variant

MOST_BOMBS = 14
MOST_LET = 4
MOST_TURNS = 15
MOST_TOPS = 7
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
    }
    ends = list(accumulate(sizes.values()))
    starts = {name: end - size for (name, size), end in zip(sizes.items(), ends, strict=True)}
    return Layout(game.seats, copies, largest, starts, ends[-1])


@lru_cache
def shows_bottom(game: Variant) -> bool:
    """Tell whether all see the cards that the landlord takes."""
    return any(isinstance(phase, TakeBottom) and phase.show for phase in game.phases)


@dataclass(frozen=True)
class Scene:
    """A view of the play, as sets of cards by seat. `last`: each seat's last turn; `shown`: see the module.

    role: whose network plays the seat: by its distance from the landlord; with a marked card the open landlord's, the
    hidden one's, the farmers'. alone: whether the seat knows itself as the only landlord of two.
    """

    view: View
    seat: int
    hand: Cards
    played: tuple[Cards, ...]
    last: tuple[Cards, ...]
    shown: Cards
    doublings: int
    alone: bool
    role: int

    @property
    def unseen(self) -> Cards:
        """The cards that the seat neither holds nor has seen played."""
        return variant(self.view.variant).deck.word - self.hand - sum(self.played)

    @property
    def landlord(self) -> int:
        """The seat of the first landlord."""
        return first_landlord(self.view)


def first_landlord(view: View) -> int:
    """Tell the seat of the landlord that all know: with a marked card, who was dealt it."""
    return view.first if view.marked else view.landlords[0]


def scene(view: View) -> Scene:
    """Work out a view of a seat that is asked for a move."""
    assert view.seat is not None
    seat = view.seat
    game = variant(view.variant)
    played, last = [0] * game.seats, [0] * game.seats
    doublings = 0
    for move in view.history:
        last[move.seat] = word = rank_word(move.cards)
        played[move.seat] += word
        combo = game.grammar.classify(word) if word else None
        doublings += combo is not None and game.grammar.times(combo) > 1
    landlord = first_landlord(view)
    own = [*(view.hands[seat] or ()), *(card for move in view.history if move.seat == seat for card in move.cards)]
    alone = view.marked is not None and seat == landlord and own.count(view.marked) > 1
    role = (seat - landlord) % game.seats
    if view.marked and role:
        role = 1 if seat in view.landlords else 2
    return Scene(
        view=view,
        seat=seat,
        hand=rank_word(view.hands[seat] or ()),
        played=tuple(played),
        last=tuple(last),
        shown=_left_of(shown_at_first(game, view), played[landlord]),
        doublings=doublings,
        alone=alone,
        role=role,
    )


def shown_at_first(game: Variant, view: View) -> Cards:
    """What all saw the first landlord get."""
    if view.marked:
        return rank_word((view.marked,))
    return rank_word(view.bottom or ()) if shows_bottom(game) else 0


def _left_of(cards: Cards, played: Cards) -> Cards:
    """Of known cards, those left when as many as can be were among the played ones."""
    left = 0
    for shift in range(0, 4 * len(c.RANKS), 4):
        left |= max(0, (cards >> shift & 15) - (played >> shift & 15)) << shift
    return left


def position(scene: Scene) -> list[int]:
    """List the facts of a scene that do not depend on the move."""
    view, seat = scene.view, scene.seat
    game = variant(view.variant)
    plan = layout(game)
    at = plan.starts
    table = view.table
    facts = plan.cards("unseen", scene.unseen)
    facts += plan.cards("table", rank_word(table.cards) if table else 0)
    facts += plan.cards("shown", scene.shown)
    for step in range(game.seats - 1):
        other = (seat + 1 + step) % game.seats
        facts += plan.cards("last", scene.last[other], step)
        facts += plan.cards("played", scene.played[other], step)
        facts.append(at["left"] + step * plan.largest + view.counts[other] - 1)
    facts.append(at["bombs"] + min(scene.doublings, MOST_BOMBS))
    facts += [at["landlords"] + (other - seat) % game.seats for other in view.landlords]
    if scene.alone:
        facts.append(at["alone"])
    if view.marked:
        facts.append(at["marked"] + c.RANKS.index(view.marked[0]))
    facts.append(at["let"] + min(view.let, MOST_LET))
    facts.append(at["leader"] + ((table.seat - seat) % game.seats if table else 0))
    return facts


def answer(game: Variant, unseen: Cards, hand: Cards, move: Cards) -> list[int]:
    """List the facts of a move from a hand (0: a pass), the rest of the hand included."""
    plan = layout(game)
    at, rest = plan.starts, hand - move
    facts = plan.cards("hand", rest) + plan.cards("move", move)
    if not rest:
        facts.append(at["out"])
    facts.append(at["turns"] + min(turns_left(rest), MOST_TURNS))
    highest = max(0, unseen.bit_length() - 1) // 4 * 4
    facts.append(at["tops"] + min(c.size(rest >> highest), MOST_TOPS))
    combo = game.grammar.classify(move) if move else None
    if combo is None:
        return [*facts, at["pass"]]
    return [*facts, at["kind"] + row_of(combo.key), at["beaten"] + _beaten_by(game, unseen, combo.key)]


def _beaten_by(game: Variant, unseen: Cards, key: int) -> int:
    """Tell what kind of answer unseen cards may hold: 0 none, 1 only a stronger kind, 2 the same kind."""
    answers = game.grammar.words(unseen, key)
    if not answers:
        return 0
    # Those of the same kind come first.
    lowest = game.grammar.classify(answers[0])
    return 2 if lowest is not None and row_of(lowest.key) == row_of(key) else 1


@lru_cache(1 << 16)
def turns_left(hand: Cards, chains: int = 2) -> int:
    """Tell about how many turns a hand takes if nobody else plays, where so many chains may go first as a whole."""
    best = _plain_turns(hand)
    if not chains:
        return best
    for copies, shortest in ((1, 5), (2, 3)):
        ranks = c.at_least(hand, copies) & c.CHAIN
        for start in c.bits(ranks & ~(ranks << 4)):
            run, bit = 0, start
            while ranks & bit:
                run, bit = run | bit, bit << 4
            if run.bit_count() >= shortest:
                best = min(best, 1 + turns_left(hand - run * copies, chains - 1))
    return best


def _plain_turns(hand: Cards) -> int:
    """Count fours, the rocket, runs of trios, and the kickers that do not go with trios."""
    fours = c.at_least(hand, 4)
    threes = c.at_least(hand, 3)
    trios = threes & ~fours
    twos = c.at_least(hand, 2)
    ones = c.at_least(hand, 1) & ~twos
    runs = trios & ~((trios & c.CHAIN) << 4)
    rocket = ones & c.JOKERS == c.JOKERS
    kickers = (twos & ~threes).bit_count() + ones.bit_count() - 2 * rocket
    return fours.bit_count() + rocket + runs.bit_count() + max(0, kickers - trios.bit_count())
