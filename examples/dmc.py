"""Deep Monte-Carlo on one page: learn the value of every move from how hands end. Needs `dizhu[rl]` and PyTorch.

    python examples/dmc.py --updates 2000

One network values the moves of all seats: what a seat knows says whether it is landlord. 64 hands are played side by
side, mostly by the best move that the network finds; when a hand ends, all its moves are worth what it brought their
seats. DouZero learns the same way, with larger networks and for longer.
"""

from __future__ import annotations

import argparse

import numpy as np
import torch
from torch import nn

from dizhu.envs import VectorEnv


class Value(nn.Module):
    """Values moves. What is known is read once a hand, however many moves there are to be valued in it."""

    def __init__(self, known: int, width: int, hidden: int = 256) -> None:
        super().__init__()
        self.known = nn.Linear(known, hidden)
        self.move = nn.Linear(width, hidden, bias=False)
        self.deep = nn.Sequential(nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, 1))

    def forward(self, known: torch.Tensor, moves: torch.Tensor, hands: torch.Tensor) -> torch.Tensor:
        """Value each of `moves`, which is a move of the hand in that row of `known`."""
        return self.deep(self.known(known)[hands] + self.move(moves)).squeeze(-1)


def known(env: VectorEnv) -> np.ndarray:
    """What the seats in turn know: their states and the last 15 turns."""
    return np.concatenate([env.arrays.states, env.arrays.histories.reshape(env.count, -1)], axis=1, dtype=np.float32)


@torch.no_grad()
def best(value: Value, env: VectorEnv) -> np.ndarray:
    """The best move of each hand, by its place among the hand's moves."""
    seen, counts = env.arrays, np.diff(env.arrays.starts)
    hands = np.repeat(np.arange(env.count), counts)
    moves = torch.from_numpy(seen.moves.astype(np.float32))
    values = value(torch.from_numpy(known(env)), moves, torch.from_numpy(hands)).numpy()
    # Sorted by hand, then value, the best of a hand is the last of its rows.
    return np.lexsort((values, hands))[seen.starts[1:] - 1] - seen.starts[:-1]


def learn(value: Value, env: VectorEnv, updates: int, draws: np.random.Generator, batch: int = 512) -> list[float]:
    """Play and learn; returns the loss of each update."""
    optimizer = torch.optim.Adam(value.parameters(), lr=1e-3)
    courses: list[list[tuple[int, np.ndarray, np.ndarray]]] = [[] for _ in range(env.count)]
    samples: list[tuple[np.ndarray, np.ndarray, float]] = []
    losses: list[float] = []
    while len(losses) < updates:
        explored = (draws.random(env.count) * np.diff(env.arrays.starts)).astype(np.int32)
        actions = np.where(draws.random(env.count) < 0.05, explored, best(value, env))
        for hand, row in enumerate(known(env)):
            move = env.arrays.moves[env.arrays.starts[hand] + actions[hand]]
            courses[hand].append((int(env.arrays.turns[hand]), row, move.astype(np.float32)))
        env.step(actions)
        rewards = env.rewards("log")
        for hand in np.flatnonzero(env.arrays.done):
            samples += [(row, move, rewards[hand, seat]) for seat, row, move in courses[hand]]
            courses[hand] = []
        if len(samples) >= batch:
            rows, moves, worth = (torch.from_numpy(np.array(part, np.float32)) for part in zip(*samples, strict=True))
            loss = nn.functional.mse_loss(value(rows, moves, torch.arange(len(rows))), worth)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
            samples.clear()
    return losses


def landlord_wins(value: Value, variant: str, hands: int, seed: int) -> float:
    """How often the network as landlord wins against farmers that play at random."""
    env, draws, won, ended = VectorEnv(variant, min(hands, 64), seed=seed), np.random.default_rng(seed), 0, 0
    while ended < hands:
        at_random = (draws.random(env.count) * np.diff(env.arrays.starts)).astype(np.int32)
        env.step(np.where(env.arrays.turns == 0, best(value, env), at_random))
        ended += int(env.arrays.done.sum())
        won += int((env.rewards("win")[:, 0] > 0).sum())
    return won / ended


def main() -> None:
    """Learn, and tell from time to time how well it plays."""
    parser = argparse.ArgumentParser(description="Learn Dou Dizhu by deep Monte-Carlo.")
    parser.add_argument("--variant", default="classic")
    parser.add_argument("--updates", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    draws, env = np.random.default_rng(options.seed), VectorEnv(options.variant, 64, seed=options.seed)
    value = Value(known(env).shape[1], env.arrays.moves.shape[1])
    for done in range(0, options.updates, 100):
        wins = landlord_wins(value, options.variant, 400, options.seed)
        losses = learn(value, env, min(100, options.updates - done), draws)
        print(f"{done:6} updates: landlord wins {wins:.0%} against random farmers, loss {np.mean(losses):.2f}")


if __name__ == "__main__":
    main()
