"""What an import brings with it: little, and the rest on demand."""

from __future__ import annotations

import subprocess
import sys

import pytest

import dizhu


def loaded_by(statement: str) -> set[str]:
    """The modules of a fresh interpreter after one statement."""
    script = f"import sys; before = set(sys.modules); {statement}; print(*(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_the_package_alone_loads_no_game():
    loaded = loaded_by("import dizhu")
    assert {name for name in loaded if name.startswith("dizhu")} == {"dizhu", "dizhu.errors", "dizhu.variants"}
    assert not loaded & {"dataclasses", "inspect", "pathlib"}


def test_a_game_loads_what_it_needs_to_be_asked_and_no_other_game():
    loaded = loaded_by("import dizhu; dizhu.variant('classic').moves('3334', against='4')")
    dear = {"asyncio", "gymnasium", "hashlib", "importlib.metadata", "json", "msgspec", "numpy", "pathlib", "random"}
    assert not loaded & dear
    assert not loaded & {"dizhu.game.engine", "dizhu.game.deal", "dizhu.game.record", "dizhu.sim", "dizhu.server"}
    assert {name for name in loaded if name.startswith("dizhu.variants.")} == {"dizhu.variants.classic"}


def test_every_public_name_is_there_in_a_fresh_interpreter():
    script = "import dizhu, dizhu.variants.happy; print(*(getattr(dizhu, name).__name__ for name in dizhu.__all__))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == dizhu.__all__
    assert set(dizhu.__all__) <= set(dir(dizhu))


def test_all_names_at_once():
    names: dict[str, object] = {}
    exec("from dizhu import *", names)
    assert set(dizhu.__all__) <= set(names)


def test_a_name_that_is_not_there_is_told():
    with pytest.raises(AttributeError, match="module 'dizhu' has no attribute 'Gmae'"):
        _ = dizhu.Gmae  # type: ignore[attr-defined]
