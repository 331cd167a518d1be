"""How fast a run learns, and how often it tries something else than what it likes best."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Schedule:
    """Rates of a run of so many decisions, from first to last; the rate of learning falls by a constant factor.

    explore: how often a move is drawn instead of chosen. score: what points weigh beside winning when one is chosen.
    trust: how much the end of the hand counts in what is learnt, beside what the network says a decision later.
    rivalry: in what part of the hands the bot `rule` plays one side; only the other side learns from them.
    """

    decisions: int
    first_rate: float = 1e-3
    last_rate: float = 3e-5
    explore: float = 0.01
    score: float = 0.125
    trust: float = 0.5
    rivalry: float = 0.0

    def rate(self, done: int) -> float:
        """Tell the rate after so many decisions.

        >>> Schedule(100).rate(0), round(Schedule(100).rate(100), 7)
        (0.001, 3e-05)
        """
        part = min(1.0, done / self.decisions)
        return self.first_rate * (self.last_rate / self.first_rate) ** part
