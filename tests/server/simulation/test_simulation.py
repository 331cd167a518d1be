"""The whole server in virtual time, with people who do right and wrong things: each seed is a world of its own.

A world that fails is run alone, and tells its course, by `DIZHU_SIM_SEED=17 pytest tests/server/simulation`. More of
them are run by `DIZHU_SIM_SEEDS=5000`.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from dizhu.protocol import REFUSAL_CODES
from server.databases import MEMORY
from server.simulation.loop import determined, run
from server.simulation.world import SLOWEST, Place, World, place_in

SEEDS = int(os.environ.get("DIZHU_SIM_SEEDS", "500"))
ALONE = os.environ.get("DIZHU_SIM_SEED")
LINES = 30 if ALONE is None else 1000
WIDTH = 240

_EVENTS = "answered bid bottom call deal declare double landlord leave no open over pass play redeal reveal rob seats"
_MESSAGES = "welcome table done queue said purse"
_ENDS = "left idle replaced slow logged_out shutdown poor"
COME_UP = frozenset(f"{_EVENTS} {_MESSAGES} {_ENDS}".split()) | REFUSAL_CODES.keys()
SELDOM = frozenset(
    # What needs many people, much time, a fault of the server or a database that fails has tests of its own.
    {
        "internal",
        "malformed_cards",
        "may_not_leave",
        "server_full",
        "stopping",
        "store_failed",
        "suspended",
        "too_many_guests",
        "too_many_tables",
        "too_poor",
        "unknown_option",
    }
)


@pytest.fixture(scope="module")
def place() -> Iterator[Place]:
    memory = MEMORY if MEMORY.is_dir() else None
    with TemporaryDirectory(prefix="dizhu-test-", dir=memory) as folder:
        yield place_in(Path(folder))


def world_of(seed: int, place: Place) -> World:
    """Make a world and let it take its course."""
    place.clear()
    with determined(seed, SLOWEST) as choices:
        world = World(choices, place)
        try:
            run(world.run())
        except BaseException as error:
            course = "\n".join(line[:WIDTH] for line in world.trace[-LINES:])
            error.add_note(f"{course}\nIn the world of seed {seed}. Alone: DIZHU_SIM_SEED={seed} pytest {__file__}")
            raise
    return world


@pytest.mark.slow
def test_every_world_is_in_order(place: Place, caplog: pytest.LogCaptureFixture):
    heard: Counter[str] = Counter()
    for seed in range(SEEDS) if ALONE is None else [int(ALONE)]:
        heard += world_of(seed, place).heard
        faults = [record.getMessage() for record in caplog.records if record.levelname in ("ERROR", "CRITICAL")]
        assert not faults, f"in the world of seed {seed}"
    if ALONE is None and SEEDS >= 500:
        assert not COME_UP - SELDOM - heard.keys(), "this never comes up"


@pytest.mark.slow
def test_a_world_follows_from_its_seed(place: Place):
    """Also in another process, where sets are in another order."""
    code = f"""
from pathlib import Path
from server.simulation.test_simulation import course_of
from server.simulation.world import place_in
print(course_of(3, place_in(Path({str(place.folder)!r}))))
"""
    environment = {**os.environ, "PYTHONHASHSEED": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    other = subprocess.run(
        [sys.executable, "-c", code], env=environment, check=True, capture_output=True, text=True, timeout=60
    )
    assert other.stdout.strip() == course_of(3, place) == course_of(3, place)
    assert course_of(4, place) != course_of(3, place)


def course_of(seed: int, place: Place) -> str:
    """Hash all that is said in a world, and when."""
    return hashlib.sha256("\n".join(world_of(seed, place).trace).encode()).hexdigest()
