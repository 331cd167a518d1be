"""The optional C core: the loop of `dizhu.rules.combos` for compilers, with the same results.

`Rules` and `Batch` are its classes, or None where it was not built or the environment says `DIZHU_PURE=1`. Everything
but training works without them, slower.
"""

from __future__ import annotations

import os
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dizhu._core import _judge, _learn, _native

__all__ = ["Batch", "Rules", "judge_type", "learner_type"]


def _compiled(name: str) -> ModuleType | None:
    if os.environ.get("DIZHU_PURE", "0") not in {"", "0"}:
        return None
    try:
        return import_module(f"dizhu._core.{name}")
    except ImportError:
        return None


_module = _compiled("_native")
Rules: type[_native.Rules] | None = getattr(_module, "Rules", None)
Batch: type[_native.Batch] | None = getattr(_module, "Batch", None)


def judge_type() -> type[_judge.Judge] | None:
    """Find the class of networks that play; loaded only here, when the first of them is asked for."""
    return getattr(_compiled("_judge"), "Judge", None)


def learner_type() -> type[_learn.Learner] | None:
    """Find the class of networks that learn; loaded only here, for few programs train any."""
    return getattr(_compiled("_learn"), "Learner", None)
