"""The optional C core: the loop of `dizhu.rules.combos` for compilers, with the same results.

`Rules` is the compiled class, or None where it was not built or the environment says `DIZHU_PURE=1`; everything
works without it, slower.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dizhu._core import _native

__all__ = ["Rules"]


def _compiled() -> type[_native.Rules] | None:
    if os.environ.get("DIZHU_PURE", "0") not in {"", "0"}:
        return None
    try:
        rules: type[_native.Rules] = import_module("dizhu._core._native").Rules
    except ImportError:
        return None
    return rules


Rules = _compiled()
