"""What is the networks' bidding worth? Many deals of whole games, where `rule` answers the other seats' questions.

    python benchmarks/bidding.py auction classic --deals 10000

All seats' hands are played by the networks, once for each landlord that a deal gets, in the C core. That is
some ten times as fast as an arena where `benchmarks/rule_bidder.py` is a program and the same bots play whole games.
Points are those of a seat that bids by the networks, averaged over all line-ups with rule bidders at the other seats.
"""

from __future__ import annotations

import argparse
import sys
from statistics import mean, stdev

from dizhu.bots import stakes
from dizhu.bots.arena.match import Match, start
from dizhu.bots.rule import RuleBot
from dizhu.game.engine import Game
from dizhu.game.physical import rank_word
from dizhu.network import judge
from dizhu.network.judges import Searcher
from dizhu.network.scenes import shown_at_first
from dizhu.training.prospects import played_out
from dizhu.variants import variant

_GAMES = ["auction", "classic", "landlord_war", "two_player"]
_SHUFFLES = 1000
_RULE = RuleBot(0)
_EVERY = 500


def main() -> None:
    """Measure some games."""
    parser = argparse.ArgumentParser(description="Measure what the networks' bidding is worth against rule's.")
    parser.add_argument("games", nargs="+", choices=_GAMES, metavar="GAME", help=", ".join(_GAMES))
    parser.add_argument("--deals", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    for name in options.games:
        match = Match("hard", "rule", name, options.seed)
        points: list[float] = []
        for number in range(options.deals):
            points.append(points_of(match, number))
            if len(points) % _EVERY == 0:
                sys.stderr.write(f"{name}: {len(points):,} of {options.deals:,} deals\n")
        width = 1.96 * stdev(points) / len(points) ** 0.5
        print(f"{name}: {mean(points):+.3f} ± {width:.3f} points a game and seat, {len(points):,} deals")


def points_of(match: Match, number: int) -> float:
    """Bid on a deal in all line-ups; tell what a seat that bids by the networks gets on average."""
    seats = range(variant(match.variant).seats)
    alone = [{seat} for seat in seats]
    line_ups = alone + [set(seats) - one for one in alone] if len(seats) > 2 else alone
    played: dict[tuple[int, ...], float] = {}
    return mean(mean(_bid(match, number, own, played)[seat] for seat in own) for own in line_ups)


def _bid(match: Match, number: int, own: set[int], played: dict[tuple[int, ...], float]) -> list[float]:
    """Bid with new shuffles until somebody is landlord; tell what each seat gets."""
    for attempt in range(_SHUFFLES):
        game = start(match, number, attempt)
        while game.turn and game.phase != "play":
            view = game.view(game.turn[0])
            assert view.seat is not None
            one = len(view.legal) == 1
            game.act(
                view.seat,
                view.legal[0] if one else stakes.answer(view) if view.seat in own else _RULE.act(view),
            )
        if game.turn:
            return _settled(game, attempt, played)
    sys.exit(f"all declined {_SHUFFLES} shuffles in a row")


def _settled(game: Game, attempt: int, played: dict[tuple[int, ...], float]) -> list[float]:
    landlord, seats = game.state.landlords[0], game.variant.seats
    view = game.view(landlord)
    known = attempt, landlord, view.let
    if known not in played:
        played[known] = _played_out(game) / (seats - 1)
    points = [0.0] * seats
    for farmer in set(range(seats)) - {landlord}:
        times = view.base * view.multiplier << (farmer in view.doubled) + (landlord in view.doubled)
        points[farmer] = -played[known] * times
        points[landlord] -= points[farmer]
    return points


def _played_out(game: Game) -> int:
    """Let the networks play; returns what the landlord gets at multiplier 1."""
    variant, landlord = game.variant, game.state.landlords[0]
    seats, judges, view = variant.seats, judge(variant), game.view(landlord)
    if not isinstance(judges, Searcher):
        sys.exit("this needs the C core")
    hands = [rank_word(game.state.hands[(landlord + step) % seats]) for step in range(seats)]
    state = 0, 0, 1, 0, view.let, -1, 0, 0
    return played_out(variant, judges, hands, shown_at_first(variant, view), state)[1]


if __name__ == "__main__":
    main()
