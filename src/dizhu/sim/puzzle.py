"""The command `dizhu solve`: a puzzle with open hands, its verdict, and the moves that show it."""

from __future__ import annotations

import sys
import time
from concurrent.futures import ThreadPoolExecutor, wait

from dizhu.errors import InvalidDeal
from dizhu.game.change import replace
from dizhu.game.variant import Variant
from dizhu.rules import cards as c
from dizhu.sim import table
from dizhu.sim.solve import Solution, solve

_PLACES = (2, 3)
_NAMES = {2: ("first", "second"), 3: ("landlord", "farmer 1", "farmer 2")}


def puzzle(variant: Variant, hands: list[str], most: int) -> int:
    """Solve a puzzle and tell how it ends; returns the exit status, 1 if the search was given up.

    The first hand leads, and plays alone. Raises ParseError or InvalidDeal.
    """
    words = [variant.parse(hand) for hand in hands]
    if len(words) not in _PLACES:
        raise InvalidDeal("bad_puzzle", f"a puzzle has 2 or 3 hands, not {len(words)}")
    if not all(words):
        raise InvalidDeal("bad_puzzle", "every hand of a puzzle needs a card")
    game = replace(variant, seats=len(words))
    try:
        position = table(game, words)
    except ValueError as error:
        raise InvalidDeal("bad_puzzle", f"these hands make no position of {variant.name}: {error}") from None
    with ThreadPoolExecutor(1) as pool:
        searching = pool.submit(solve, position, most)
        begun = time.monotonic()
        while wait([searching], timeout=1).not_done:
            if sys.stderr.isatty():
                print(f"\rSearching for {time.monotonic() - begun:.0f} s …", end="", file=sys.stderr, flush=True)
        if sys.stderr.isatty():
            print("\r\x1b[K", end="", file=sys.stderr)
        found = searching.result()
    return _tell(found, len(words))


def _tell(found: Solution, seats: int) -> int:
    names = _NAMES[seats]
    if found.won is None:
        print(f"Not solved: more than {found.positions - 1:,} positions; --positions raises the limit.")
        return 1
    others = names[1] if seats == _PLACES[0] else "farmers"
    winner = names[0] if found.won else others
    print(f"{winner.capitalize()} {'win' if winner == 'farmers' else 'wins'} ({found.positions:,} positions).")
    for number, cards in enumerate(found.line):
        print(f"  {names[number % seats]:<9} {c.format_cards(cards) if cards else 'pass'}")
    return 0
