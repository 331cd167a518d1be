"""A tournament of simple agents on the PettingZoo environment. Needs `dizhu[rl]`.

    python examples/tournament.py --deals 100 --agents random lowest lowest

Every deal is played once for each way round the table, so that nobody owes his place to his cards.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from math import sqrt

import numpy as np

from dizhu import variant, variants
from dizhu.envs import env

Agent = Callable[[np.ndarray, np.random.Generator], int]


def uniform(mask: np.ndarray, draws: np.random.Generator) -> int:
    """Any legal answer."""
    return int(draws.choice(np.flatnonzero(mask)))


def lowest(mask: np.ndarray, _draws: np.random.Generator) -> int:
    """The legal answer with the lowest id: a low single card where it may be one, no bid, no doubling."""
    return int(mask.argmax())


AGENTS: dict[str, Agent] = {"random": uniform, "lowest": lowest}


def tournament(
    game: str, agents: list[Agent], deals: int, seed: int, *, bidding: bool = True
) -> tuple[np.ndarray, np.ndarray]:
    """Play every deal in all rotations; returns each agent's mean points a hand, and the standard error."""
    table, draws = env(game, bidding=bidding), np.random.default_rng(seed)
    means: list[list[float]] = []
    for deal in range(deals):
        points = [0.0] * len(agents)
        for turned in range(len(agents)):
            table.reset(seed=seed + deal)
            seated = {
                name: (seat + turned) % len(agents)  # whose seat it is
                for seat, name in enumerate(table.possible_agents)
            }
            for name in table.agent_iter():
                seen, reward, ended, _, _ = table.last()
                if ended:
                    points[seated[name]] += reward / len(agents)
                table.step(None if ended else agents[seated[name]](seen["action_mask"], draws))
        means.append(points)
    each = np.array(means)
    return each.mean(0), each.std(0) / sqrt(deals)


def main() -> None:
    """Read the command line, play, and print the table."""
    parser = argparse.ArgumentParser(description="Let simple agents play against each other.")
    parser.add_argument("--variant", choices=variants(), default="classic")
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--agents", nargs="+", choices=AGENTS)
    parser.add_argument("--no-bidding", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    seats = variant(options.variant).seats
    names = options.agents or ["random"] * (seats - 1) + ["lowest"]
    if len(names) != seats:
        parser.error(f"{options.variant} needs {seats} agents, not {len(names)}")
    mean, error = tournament(
        options.variant, [AGENTS[name] for name in names], options.deals, options.seed, bidding=not options.no_bidding
    )
    for place, name in enumerate(names):
        print(f"{place}  {name:<8} {mean[place]:+8.2f} ± {error[place]:.2f} points a hand")


if __name__ == "__main__":
    main()
