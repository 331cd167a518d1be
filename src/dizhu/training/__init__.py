"""Networks that learn to play from their own play: the command `dizhu train`."""

from __future__ import annotations

from dizhu.training.command import train
from dizhu.training.learner import learner
from dizhu.training.run import Measured, Run, Setup
from dizhu.training.schedule import Schedule

__all__ = ["Measured", "Run", "Schedule", "Setup", "learner", "train"]
