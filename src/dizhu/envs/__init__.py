"""Environments for research (extra `rl`): many hands at once, PettingZoo, Gymnasium, RLCard and OpenSpiel adapters.

What is listed here is imported when it is first asked for, and with it what it needs: NumPy, PettingZoo or Gymnasium.
`action_ids` needs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dizhu.envs.actions import Actions, action_ids
    from dizhu.envs.aec import env, raw_env
    from dizhu.envs.observation import observation_layout
    from dizhu.envs.openspiel import openspiel_game
    from dizhu.envs.rlcard_env import RLCardEnv
    from dizhu.envs.seat import SeatEnv, single
    from dizhu.envs.vector import VectorEnv

__all__ = [
    "Actions",
    "RLCardEnv",
    "SeatEnv",
    "VectorEnv",
    "action_ids",
    "env",
    "observation_layout",
    "openspiel_game",
    "raw_env",
    "single",
]

_MODULES = {
    "Actions": "actions",
    "RLCardEnv": "rlcard_env",
    "SeatEnv": "seat",
    "VectorEnv": "vector",
    "action_ids": "actions",
    "env": "aec",
    "observation_layout": "observation",
    "openspiel_game": "openspiel",
    "raw_env": "aec",
    "single": "seat",
}


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    except ModuleNotFoundError as error:
        raise ImportError(f"dizhu.envs.{name} needs {error.name}: pip install 'dizhu[rl]'") from error
