"""How fast are the combinations of a hand listed from Python, beside RLCard on the same positions?

Positions are those of whole random hands, as they come, and, harder, what a fair shuffle deals: leads of a landlord's
20 cards, and follows of a farmer's 17 to one of the landlord's combinations. The contestants take turns, round after
round, and every round has positions of its own; the median round counts. Both have to list the same sets of cards.

Differs: RLCard gets its cards as it likes them (sorted text, `Card` objects), made before the clock runs.
"""

from __future__ import annotations

import gc
import random
import time
from collections.abc import Callable
from dataclasses import replace
from statistics import median

import dizhu
from dizhu import sim
from dizhu.rules.cards import format_cards
from dizhu.rules.combos import Grammar

POSITIONS = 100
ROUNDS = 7
RANKS = "3456789TJQKA2BR"
OURS, PLAIN, RLCARD = "dizhu", "dizhu in Python", "RLCard"

Position = tuple[str, str]
"""A hand, and what it has to beat ('' on a lead)."""

Lister = Callable[[Position], Callable[[], list[str]]]
"""Takes a position and returns what lists its combinations."""


def positions(seed: int, number: int = POSITIONS) -> dict[str, list[Position]]:
    """Return as many leads as follows."""
    game = dizhu.variant("classic")
    generator = random.Random(seed)
    leads: list[Position] = []
    follows: list[Position] = []
    for _ in range(number):
        deal = dizhu.shuffled(game, generator.randbytes(32))
        landlord, farmer = ranks(deal.hands[0] + deal.bottom), ranks(deal.hands[1])
        leads.append((landlord, ""))
        follows.append((farmer, generator.choice(game.moves(landlord))))
    return {
        "whole random hands": hands(generator, number // 10),
        "leads, 20 cards": leads,
        "follows, 17 cards": follows,
    }


def hands(generator: random.Random, number: int) -> list[Position]:
    """Return every position of random hands, leads and follows as they come."""
    found: list[Position] = []
    for _ in range(number):
        table, against = sim.deal(dizhu.variant("classic"), generator.getrandbits(64)), ""
        while moves := table.moves():
            found.append((format_cards(table.hands[table.turn]), against if table.key else ""))
            cards = generator.choice(moves)
            against = format_cards(cards) if cards else against
            table.play(cards)
    return found


def ranks(cards: tuple[str, ...]) -> str:
    """Return the ranks of a hand, from low to high."""
    return "".join(sorted((card[0] for card in cards), key=RANKS.index))


def ours(game: dizhu.Variant) -> Lister:
    """Return a contestant that asks a game for its moves."""
    return lambda position: lambda: game.moves(*position)


def plain() -> dizhu.Variant:
    """Return a game that never asks the C core."""
    game = replace(dizhu.variant("classic"))
    vars(game)["grammar"] = Grammar(game.shapes, game.deck.word, game.deal + game.bottom)
    return game


def rlcard(position: Position) -> Callable[[], list[str]]:
    """Return what lists a position's combinations in RLCard: its judge on a lead, else its search of greater cards."""
    from rlcard.games.base import Card
    from rlcard.games.doudizhu.judger import DoudizhuJudger
    from rlcard.games.doudizhu.player import DoudizhuPlayer
    from rlcard.games.doudizhu.utils import get_gt_cards

    hand, against = position
    if not against:
        return lambda: list(DoudizhuJudger.playable_cards_from_hand(hand))
    me, other = DoudizhuPlayer(0, None), DoudizhuPlayer(1, None)
    me.set_current_hand([Card(rank + "J", "") if rank in "BR" else Card("S", rank) for rank in hand])
    other.played_cards = against
    return lambda: get_gt_cards(me, other)[1:]  # without the pass


def agree(answers: list[list[str]]) -> bool:
    """Tell whether all listed the same sets of cards, each once."""
    sets = [sorted("".join(sorted(text, key=RANKS.index)) for text in answer) for answer in answers]
    return all(one == sets[0] for one in sets)


def measure(contestants: dict[str, Lister], rounds: int = ROUNDS) -> dict[str, dict[str, float]]:
    """Return microseconds a position of each contestant, by kind of position; raises ValueError if they disagree."""
    times: dict[str, dict[str, list[float]]] = {}
    for number in range(rounds):
        for kind, places in positions(number).items():
            # RLCard's tables are large, and whoever meets the collector then would pay for all.
            gc.collect()
            gc.freeze()
            questions = {name: [lister(place) for place in places] for name, lister in contestants.items()}
            answers: list[list[list[str]]] = []
            for name, asked in questions.items():
                begin = time.perf_counter()
                answers.append([question() for question in asked])
                spent = (time.perf_counter() - begin) / len(places) * 1e6
                times.setdefault(kind, {}).setdefault(name, []).append(spent)
            for place, *listed in zip(places, *answers, strict=True):
                if not agree(listed):
                    message = f"not everybody lists the same for {place}"
                    raise ValueError(message)
    return {kind: {name: median(spent) for name, spent in by_name.items()} for kind, by_name in times.items()}


def report() -> None:
    """Measure and print a table with the ratio to RLCard."""
    contestants = {OURS: ours(dizhu.variant("classic")), PLAIN: ours(plain()), RLCARD: rlcard}
    for kind, found in measure(contestants).items():
        print(f"{kind:24}{'µs':>10}{'x RLCard':>12}")
        for name, spent in found.items():
            print(f"  {name:22}{spent:10.1f}{found[RLCARD] / spent:12.1f}")


if __name__ == "__main__":
    report()
