"""The optional C core: the loop of `dizhu.rules.combos` for compilers, with the same results.

`Rules` and `Batch` are its classes, or None where it was not built or the environment says `DIZHU_PURE=1`; everything
works without them, slower.
"""

from __future__ import annotations

import os
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dizhu._core import _native

__all__ = ["Batch", "Rules"]


def _compiled() -> ModuleType | None:
    if os.environ.get("DIZHU_PURE", "0") not in {"", "0"}:
        return None
    try:
        return import_module("dizhu._core._native")
    except ImportError:
        return None


_module = _compiled()
Rules: type[_native.Rules] | None = getattr(_module, "Rules", None)
Batch: type[_native.Batch] | None = getattr(_module, "Batch", None)
