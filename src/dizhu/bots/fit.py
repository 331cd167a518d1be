"""How the numbers in `fitted.py` were found: `python -m dizhu.bots.fit`, which prints it, plays `rule` against itself.

In each hand the seat asked first takes the landlord's part, whatever its cards. At the start of some tricks the lead is
given to a seat drawn at random and the hand played on from there: who really leads says something of the hidden cards,
and a model fitted to that would take the sign for the cause. What each seat's plan was worth then, and which side won,
make the samples.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from hashlib import sha256
from multiprocessing import get_context
from random import Random

from dizhu.bots.bidding import outset, role_of
from dizhu.bots.knowledge import conclude
from dizhu.bots.outlook import USUAL_SEATS, Features, features, logistic, situation
from dizhu.bots.play import Chooser
from dizhu.bots.rule import RuleBot
from dizhu.bots.weights import Weights
from dizhu.game.deal import shuffled
from dizhu.game.engine import Game
from dizhu.rules import cards as c
from dizhu.variants import variant

Sample = tuple[str, Features, bool]

HANDS = {"two_player": 700, "classic": 1000, "five_player": 150}
"""The game that stands for all of its number of seats, and how many hands of it to play."""

_TURNED = 0.5
_SURE = 0.9
_STEPS = 25
_RIDGE = 1e-3
_CHUNK = 10


def main() -> None:
    """Play, fit, and print the module."""
    write = sys.stdout.write
    outlooks: dict[int, dict[str, Features]] = {}
    prospects: dict[int, dict[str, Features]] = {}
    for name, hands in HANDS.items():
        found: dict[str, list[tuple[Features, bool]]] = {}
        for situation_name, values, won in _samples(name, hands):
            found.setdefault(situation_name, []).append((values, won))
        models = {key: fit(samples) for key, samples in sorted(found.items())}
        seats = variant(name).seats
        # Hands of five seats are slow to play and say little each: they only add what three seats have not.
        known = outlooks.get(USUAL_SEATS, {}) if seats > USUAL_SEATS else {}
        outlooks[seats] = {key: model for key, model in models.items() if "," in key and key not in known}
        prospects[seats] = {key: model for key, model in models.items() if "," not in key}
    write('"""The models of `outlook.py` and `bidding.py`, by number of seats. Made by `fit.py`; do not edit."""\n\n')
    write("from __future__ import annotations\n\nModels = dict[int, dict[str, tuple[float, ...]]]\n")
    for title, table in (("OUTLOOKS", outlooks), ("PROSPECTS", prospects)):
        write(f"\n{title}: Models = {{\n")
        for seats, models in table.items():
            lines = "".join(f'        "{key}": {model},\n' for key, model in models.items())
            write(f"    {seats}: {{\n{lines}    }},\n")
        write("}\n")


def _samples(name: str, hands: int) -> Iterable[Sample]:
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        chunks = [range(at, min(at + _CHUNK, hands)) for at in range(0, hands, _CHUNK)]
        for done, samples in enumerate(pool.map(_play, [name] * len(chunks), chunks), 1):
            sys.stderr.write(f"{name}: {done} of {len(chunks)}\n")
            yield from samples


def _play(name: str, numbers: Iterable[int]) -> list[Sample]:
    return [sample for number in numbers for sample in _play_hand(name, number)]


def _play_hand(name: str, number: int) -> list[Sample]:
    """Play one hand, with excursions from the start of some tricks."""
    random = Random(f"{name} {number}")
    game = Game(variant(name), shuffled(variant(name), sha256(f"fit {number}".encode()).digest()))
    bot = RuleBot(0)
    samples: list[Sample] = []
    at_first: list[tuple[str, Features, int]] = []
    if not game.variant.marked:
        at_first.append((*_outset(game, game.deal.first), game.deal.first))
    while game.turn:
        seat = game.turn[0]
        if game.phase != "play":
            game.act(seat, _take_part(game, seat))
            continue
        if not game.state.history:
            at_first += [(*_outset(game, seat), seat) for seat in range(game.variant.seats)]
        if game.state.trick is None and random.random() < _TURNED:
            samples += _excursion(game, bot, random.randrange(game.variant.seats))
        game.act(seat, bot.act(game.view(seat)))
    assert game.result
    return samples + [(role, values, seat in game.result.winners) for role, values, seat in at_first]


def _take_part(game: Game, seat: int) -> str:
    """Make the first seat landlord, and decline everything else."""
    wanted = {"bid": "bid 3", "call": "call"}.get(game.phase, "no")
    return wanted if seat == game.deal.first else "no"


def _outset(game: Game, seat: int) -> tuple[str, Features]:
    view = game.view(seat)
    return role_of(view), outset(view, Weights())


def _excursion(game: Game, bot: RuleBot, leader: int) -> list[Sample]:
    """Give the lead to a seat, note how all seats stand, and play to the end; the game itself stays where it is."""
    start, actions = game.state, game.actions
    game.state = replace(start, local=leader, last=(None,) * game.variant.seats)
    stands = [_stand(game, seat, leader) for seat in range(game.variant.seats)]
    while game.turn:
        game.act(game.turn[0], bot.act(game.view(game.turn[0])))
    assert game.result
    winners = game.result.winners
    game.state, game.actions = start, actions
    return [(*stand, seat in winners) for seat, stand in enumerate(stands) if stand is not None]


def _stand(game: Game, seat: int, leader: int) -> tuple[str, Features] | None:
    """Describe the start of a trick as a seat sees it; None if it has as good as won."""
    known = conclude(game.view(seat))
    chooser = Chooser(known, Weights())
    plan = chooser.plan(known.hand)
    other = next((other for other in known.others if other.seat == leader), None)
    if other is None and chooser.runs(plan) > _SURE:
        return None
    needs = max(c.size(known.hand) - known.let, 1)
    return situation(known, other), features(known, plan, needs, other, other.needs if other else 0)


def fit(samples: list[tuple[Features, bool]]) -> Features:
    """Fit a logistic model by Newton's method, with a little ridge."""
    size = len(samples[0][0])
    model = [0.0] * size
    for _ in range(_STEPS):
        slope = [_RIDGE * len(samples) * weight for weight in model]
        bend = [[_RIDGE * len(samples) * (row == column) for column in range(size)] for row in range(size)]
        for values, won in samples:
            chance = logistic(model, values)
            spread = chance * (1 - chance)
            for row, value in enumerate(values):
                slope[row] += (chance - won) * value
                for column in range(row + 1):
                    bend[row][column] += spread * value * values[column]
        step = _solve(bend, slope)
        model = [weight - change for weight, change in zip(model, step, strict=True)]
    return tuple(round(weight, 3) for weight in model)


def _solve(lower: list[list[float]], right: list[float]) -> list[float]:
    """Solve a symmetric positive system, given by its lower triangle (Cholesky)."""
    size = len(right)
    root = [[0.0] * size for _ in range(size)]
    for row in range(size):
        for column in range(row + 1):
            rest = lower[row][column] - sum(root[row][k] * root[column][k] for k in range(column))
            root[row][column] = rest**0.5 if row == column else rest / root[column][column]
    for row in range(size):
        right[row] = (right[row] - sum(root[row][k] * right[k] for k in range(row))) / root[row][row]
    for row in reversed(range(size)):
        right[row] = (right[row] - sum(root[k][row] * right[k] for k in range(row + 1, size))) / root[row][row]
    return right


if __name__ == "__main__":
    main()
