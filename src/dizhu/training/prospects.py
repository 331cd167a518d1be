"""How the `.prospects` files were made: `python -m dizhu.training.prospects GAME… [--plot FILE.png]`.

It needs NumPy and the C core, and Matplotlib for the plot of how often hands won of which it was foretold.

Random deals are played to their end by the shipped networks, all hands known to the dealer only. Who is landlord is
drawn at first; in the second round most often whoever the first round's network likes best, as in a real bidding, so
that a farmer's prospects are those against somebody who wanted to be landlord. The second round is what is fitted.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from dizhu import sim
from dizhu.errors import DizhuError
from dizhu.game.variant import Variant
from dizhu.network.facts import MOST_LET
from dizhu.network.judges import Searcher, judge
from dizhu.network.prospects import FACTS, SCALE, Prospects, facts, path_of, read
from dizhu.network.scenes import shows_bottom
from dizhu.network.spot import Spot, State
from dizhu.rules.cards import RANKS, Cards
from dizhu.variants import variant

HANDS = 300_000
_HIDDEN = 32
_MOST_TIMES = 16
_UNLIKED = 0.3
"""How often the landlord is drawn in the second round, too: some hands are played that nobody would bid on."""

_SCORE = 32
_STEPS = 9000
_EPOCHS = 20
"""Steps at most, and how often at most a hand is learnt from: more of it fits the luck of these hands."""

_BATCH = 512
_HELD_OUT = 10
_ENOUGH = 40


@dataclass(frozen=True)
class Sample:
    """A hand as one seat saw it before the play, and what came of it for its side."""

    role: str
    facts: list[int]
    won: bool
    points: float


@dataclass(frozen=True)
class Bin:
    """Of hands that were not learnt from: those of which a like chance was foretold, and what came of them."""

    role: str
    chance: float
    won: float
    points: float
    real_points: float
    hands: int


def main() -> None:
    """Make the files of some games."""
    parser = argparse.ArgumentParser(description="Fit what hands promise before the play.")
    parser.add_argument("games", nargs="+", metavar="GAME")
    parser.add_argument("--hands", type=int, default=HANDS, help="how many are learnt from (default: %(default)s)")
    parser.add_argument("--plot", type=Path, metavar="FILE.png")
    options = parser.parse_args()
    found: dict[str, list[Bin]] = {}
    for name in options.games:
        game = variant(name)
        made, _ = fit(list(_play(game, options.hands // 4, None)))
        made, found[name] = fit(list(_play(game, options.hands, read(made))))
        path_of(game).write_text(json.dumps(made, separators=(",", ":")) + "\n", encoding="utf-8")
    if options.plot:
        plot(found, options.plot)


def plot(found: dict[str, list[Bin]], file: Path) -> None:
    """Draw for each game what was foretold against what came."""
    figures: Any = import_module("matplotlib.figure")
    figure = figures.Figure(figsize=(4 * len(found), 4), layout="constrained")
    for place, (name, bins) in enumerate(found.items(), 1):
        axes = figure.add_subplot(1, len(found), place)
        axes.plot([0, 1], [0, 1], color="grey", linewidth=1)
        for role in dict.fromkeys(one.role for one in bins):
            own = [one for one in bins if one.role == role]
            axes.plot([one.chance for one in own], [one.won for one in own], marker="o", markersize=4, label=role)
        axes.set(title=name, xlabel="foretold chance to win", ylabel="won", xlim=(0, 1), ylim=(0, 1))
        axes.legend(frameon=False)
    figure.savefig(file, dpi=120)


def _play(game: Variant, hands: int, known: Prospects | None) -> Iterator[Sample]:
    judges = judge(game)
    if not isinstance(judges, Searcher):
        raise DizhuError("no_core", "this needs the C core")
    random = Random(f"prospects of {game.name}, {known is not None}")
    for number in range(hands):
        if number % 5000 == 0:
            sys.stderr.write(f"{game.name}: {number:,} of {hands:,} hands\n")
        yield from _hand(game, judges, random, known)


def _hand(game: Variant, judges: Searcher, random: Random, known: Prospects | None) -> Iterator[Sample]:
    table = sim.deal(game, random.getrandbits(64))
    if game.marked:
        hands, bottom, landlords, let = list(table.hands), 0, table.landlords, 0
    else:
        hands, bottom = _chosen(game, list(table.hands), random, known)
        landlords, let = 1, random.randrange(MOST_LET + 1) if game.seats == 2 else 0
    marked = _marked(hands, landlords, random) if game.marked else -1
    shown = 1 << 4 * marked if game.marked else bottom if shows_bottom(game) else 0
    whole = [hands[0] + bottom, *hands[1:]]
    state = 0, 0, landlords, 0, let, marked, 0, 0
    won, points = played_out(game, judges, whole, shown, state, random.getrandbits(64))
    many = landlords.bit_count()
    times = min(_MOST_TIMES, abs(points) / (game.seats - many) / (2 / many if game.marked else 1))
    seen = _seen_by_seat(game, hands, whole, shown, landlords, let)
    for role, known_facts, side in seen:
        yield Sample(role, known_facts, (won == 1) == side, times if (won == 1) == side else -times)


def played_out(
    game: Variant, judges: Searcher, whole: list[Cards], shown: Cards, state: State, seed: int = 0
) -> tuple[int, int]:
    """Let the networks play a hand that nobody has played of yet; tell whether the first landlord won, and his points.

    whole: all hands, his first. shown, state: see `dizhu.network.spot.Spot`.
    """
    pool = game.deck.word - sum(whole)
    none, refused, beat = (0,) * game.seats, (len(RANKS),) * 2 * game.seats, (0,) * game.seats**2
    spot = Spot(tuple(whole), none, none, none, none, pool, shown, state, shown, (), refused, beat)
    ((won, points),) = judges.look_ahead(spot.fields, ((), 1, 0, _SCORE, seed))
    return won, points


def _seen_by_seat(
    game: Variant, hands: list[Cards], whole: list[Cards], shown: Cards, landlords: int, let: int
) -> Iterator[tuple[str, list[int], bool]]:
    """Give for each seat its role, the facts of its hand, and whether it is a landlord's."""
    if game.marked:
        for seat, hand in enumerate(whole):
            side = bool(landlords >> seat & 1)
            role = "landlord" if seat == 0 else "hidden" if side else "farmer"
            yield role, facts(hand, shown, alone=landlords == 1 and seat == 0), side
        return
    yield "bidder", facts(hands[0], let=let), True
    yield "landlord", facts(whole[0], shown, let), True
    for role, hand in zip(("farmer",) if game.seats == 2 else ("next", "last"), hands[1:], strict=True):
        yield "other", facts(hand, let=let), False
        yield role, facts(hand, shown, let), False


def _chosen(game: Variant, hands: list[Cards], random: Random, known: Prospects | None) -> tuple[list[Cards], Cards]:
    """Take the bottom cards back, and let a seat be landlord: its hand comes first."""
    bottom = 0
    for card in random.sample(_cards(hands[0]), game.bottom):
        bottom += card
    hands[0] -= bottom
    first = random.randrange(game.seats)
    if known is not None and random.random() >= _UNLIKED:
        liked = [known.models["bidder"](facts(hand)).points for hand in hands]
        first = liked.index(max(liked))
    return hands[first:] + hands[:first], bottom


def _cards(hand: Cards) -> list[Cards]:
    return [1 << shift for shift in range(0, 60, 4) for _ in range(hand >> shift & 15)]


def _marked(hands: list[Cards], landlords: int, random: Random) -> int:
    """Draw the rank of the marked card, given its landlords' hands."""
    hidden = (landlords & ~1).bit_length() - 1
    ways = [
        (hands[0] >> shift & 15)
        * ((hands[hidden] >> shift & 15) if hidden > 0 else max(0, (hands[0] >> shift & 15) - 1))
        for shift in range(0, 52, 4)
    ]
    return random.choices(range(13), ways)[0] if any(ways) else 0


# --- fitting ---------------------------------------------------------------------------------------------------------


def fit(samples: list[Sample]) -> tuple[dict[str, Any], list[Bin]]:
    """Fit a network for each role; returns what the file holds, and how good they are on samples held out."""
    bins: list[Bin] = []
    made: dict[str, Any] = {"format": 1, "roles": {}, "keen": 0.0}
    for role in sorted({sample.role for sample in samples}):
        own = [sample for sample in samples if sample.role == role]
        made["roles"][role], own_bins = _fit(role, own)
        bins += own_bins
    if "bidder" in made["roles"]:
        models = read(made).models
        tried = [sample.facts for sample in samples if sample.role in ("bidder", "other")][:6000]
        keen = sum(models["bidder"](one).points > 0 for one in tried) / len(tried)
        made["keen"] = round(keen, 3)
    return made, bins


def _inputs(samples: list[Sample]) -> Any:  # noqa: ANN401 arrays
    most = max(len(sample.facts) for sample in samples)
    rows = np.full((len(samples), most), FACTS, dtype=np.int64)
    for row, sample in zip(rows, samples, strict=True):
        row[: len(sample.facts)] = sample.facts
    return rows


def _fit(role: str, samples: list[Sample]) -> tuple[dict[str, Any], list[Bin]]:
    draws = np.random.default_rng(1)
    held = len(samples) // _HELD_OUT
    inputs = _inputs(samples)
    targets = np.array([(sample.won, sample.points) for sample in samples], dtype=np.float64)
    # One row more, of zeros, fills short lists up.
    rows = np.vstack([draws.normal(0, 0.25, (FACTS, _HIDDEN)), np.zeros((1, _HIDDEN))])
    net = [rows, np.zeros(_HIDDEN), draws.normal(0, 0.1, (2, _HIDDEN)), np.zeros(2)]
    moments = [(np.zeros_like(part), np.zeros_like(part)) for part in net]
    steps = max(1, min(_STEPS, _EPOCHS * (len(samples) - held) // _BATCH))
    for step in range(1, steps + 1):
        batch = draws.integers(held, len(samples), _BATCH)
        rate = 3e-3 * 0.03 ** (step / steps)
        _adam(net, moments, _gradient(net, inputs[batch], targets[batch]), step, rate)
    win, points = _forward(net, inputs[:held])[2].T
    scaled = [np.round(part * SCALE).astype(int).tolist() for part in net]
    made = {"rows": scaled[0][:FACTS], "bias": scaled[1], "heads": scaled[2], "heads_bias": scaled[3]}
    return made, _bins(role, 1 / (1 + np.exp(-win)), points, targets[:held])


def _forward(net: list[Any], inputs: Any) -> tuple[Any, Any, Any]:  # noqa: ANN401
    sums = net[0][inputs].sum(axis=1) + net[1]
    active = np.maximum(sums, 0)
    return sums, active, active @ net[2].T + net[3]


def _gradient(net: list[Any], inputs: Any, targets: Any) -> list[Any]:  # noqa: ANN401
    sums, active, out = _forward(net, inputs)
    chance = 1 / (1 + np.exp(-out[:, 0]))
    # Cross entropy for winning; squared errors for points, which are larger.
    errors = np.stack([chance - targets[:, 0], 0.05 * (out[:, 1] - targets[:, 1])], axis=1) / len(inputs)
    back = (errors @ net[2]) * (sums > 0)
    rows = np.zeros_like(net[0])
    np.add.at(rows, inputs, back[:, None, :])
    rows[-1] = 0
    return [rows, back.sum(axis=0), errors.T @ active, errors.sum(axis=0)]


def _adam(net: list[Any], moments: list[tuple[Any, Any]], gradient: list[Any], step: int, rate: float) -> None:
    for part, moment, slope in zip(net, moments, gradient, strict=True):
        moment[0][...] += 0.1 * (slope - moment[0])
        moment[1][...] += 0.001 * (slope * slope - moment[1])
        part[...] -= rate * (moment[0] / (1 - 0.9**step)) / (np.sqrt(moment[1] / (1 - 0.999**step)) + 1e-8)


def _bins(role: str, chance: Any, points: Any, targets: Any) -> list[Bin]:  # noqa: ANN401
    """Compare, by tenths of what was foretold, and tell it."""
    bins: list[Bin] = []
    for tenth in range(10):
        inside = (chance >= tenth / 10) & (chance < (tenth + 1) / 10)
        if (hands := int(inside.sum())) >= _ENOUGH:
            real = targets[inside].mean(axis=0)
            foretold, foretold_points = float(chance[inside].mean()), float(points[inside].mean())
            one = Bin(role, foretold, float(real[0]), foretold_points, float(real[1]), hands)
            bins.append(one)
            sys.stderr.write(
                f"  {role:9} foretold {one.chance:.3f} won {one.won:.3f}  "
                f"points {one.points:+.2f} {one.real_points:+.2f}  {hands:,} hands\n"
            )
    return bins


if __name__ == "__main__":
    main()
