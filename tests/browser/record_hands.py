"""Writes finished hands and deals for the tests of the client's replay viewer: `python -m browser.record_hands`.

`records/<game>.json`: records as `/api/replay/` gives them, and beside each what the rules make of it: for each action
the question that it answered, the cards it put down, and the number of cards of each seat after it; and the hands that
are left in the end. `records/deals.json`: what seeds deal.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dizhu
from dizhu import bots
from dizhu.game.replay import start
from dizhu.variants import variants

FOLDER = Path(__file__).resolve().parents[2] / "web" / "tests" / "records"
SEEDS = (3, 8, 21)
HANDS = 3
ENDED_AT = 1_700_000_000_000
ENTROPY = ((), (b"salt",), (b"", b"\x00\xff", b"salt"))


def hands(name: str) -> Iterator[dict[str, Any]]:
    """Play hands to their ends. Before the play everything is answered that can be: at random."""
    game, chance, found = dizhu.variant(name), random.Random(5), 0
    while found < HANDS:
        hand = dizhu.Game(game, dizhu.shuffled(game, chance.randbytes(32), 1, ENTROPY[found]))
        players = [bots.create("rule", seed=seat) for seat in range(game.seats)]
        while hand.turn:
            seat = hand.turn[0]
            view = hand.view(seat)
            hand.act(seat, players[seat].act(view) if view.phase == "play" else chance.choice(view.legal))
        if hand.result is not None:
            found += 1
            yield hand.record()


def told(record: dict[str, Any]) -> dict[str, Any]:
    """Put a record beside what the rules make of it."""
    game, steps = start(record, dizhu.variant)
    phases, laid, counts = [game.phase], [], [_counts(game)]
    for _, _, events in steps:
        phases.append(game.phase)
        laid.append(" ".join(card for event in events if event.kind == "play" for card in event.cards))
        counts.append(_counts(game))
    extra = {"names": [f"Guest {seat}" for seat in range(game.variant.seats)], "room": None, "ended_at": ENDED_AT}
    left = [" ".join(sorted(cards)) for cards in game.state.hands]
    return {"record": {**record, **extra}, "phases": phases, "laid": laid, "counts": counts, "left": left}


def _counts(game: dizhu.Game) -> list[int]:
    return [len(cards) for cards in game.state.hands]


def deals() -> list[dict[str, Any]]:
    """Deal every game from a few seeds, with and without what players add."""
    found = []
    for name in variants():
        game = dizhu.variant(name)
        info = {"name": name, "seats": game.seats, "cards_each": game.deal, "bottom": game.bottom}
        info |= {"decks": game.deck.decks, "ranks": game.deck.ranks}
        for seed, entropy in zip(SEEDS, ENTROPY, strict=True):
            start = dizhu.Game(game, dizhu.shuffled(game, seed.to_bytes(32, "big"), None, entropy)).record()
            found.append({"info": info, **{key: start[key] for key in ("deal", "seed", "entropy", "commitment")}})
    return found


def main() -> None:
    """Write all of it anew."""
    FOLDER.mkdir(exist_ok=True)
    for name, value in {**{name: [*map(told, hands(name))] for name in variants()}, "deals": deals()}.items():
        (FOLDER / f"{name}.json").write_text(json.dumps(value, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
