"""The spaces of Gymnasium and PettingZoo environments."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete

from dizhu.envs.hand import Numbers


def observation_space(numbers: Numbers) -> Dict:
    """Make the space of observations: the row of `observation.py`, and the mask of the legal ids."""
    return Dict(
        {
            "observation": Box(0, 1, (numbers.cells,), np.int8),
            "action_mask": Box(0, 1, (numbers.actions,), np.int8),
        }
    )


def action_space(numbers: Numbers) -> Discrete[Any]:
    """Make the space of action ids."""
    return Discrete(numbers.actions)
