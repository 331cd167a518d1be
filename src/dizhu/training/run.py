"""A training run: it learns, measures itself against earlier states, keeps what is needed to go on, and tells of it.

A run lives in a folder:

    run.json          the game, the seed, the schedule
    state.bin         the newest state; with `progress.jsonl` the run goes on from it
    best.bin          the weights that were strongest when they were measured
    best.nets         the same in whole numbers, as bots use them
    progress.jsonl    one object a measurement
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dizhu.errors import DizhuError, UnknownName
from dizhu.network import shipped
from dizhu.network.stored import floats, quantised, read, write
from dizhu.training.learner import learner
from dizhu.training.schedule import Schedule
from dizhu.variants import variant

if TYPE_CHECKING:
    from dizhu._core._learn import Learner

_STEP = 100_000
"""Decisions between two looks at the clock."""

_STEPS_SIZE = 8
"""Bytes of the number of steps at the end of a role's state."""

_GAUGE_SEED = 20_230_917
_GAUGE_DEALS = 2_000


@dataclass(frozen=True, slots=True)
class Setup:
    """What a run is: of which game, from which seed, on how many threads, for how long.

    start: a file of networks to begin with, of a game whose facts are the same (None: random weights).
    """

    variant: str
    seed: int
    threads: int
    schedule: Schedule
    start: str | None = None


@dataclass(frozen=True, slots=True)
class Measured:
    """How a run stood.

    decisions: so far. rate: of decisions a second. landlord_won: the share of hands that landlords won since the last
    measurement. losses: by role. random, earlier, shipped: the share of deals won, sides exchanged, against random
    play, against the best weights before (None: this is the first) and against the networks that bots use now (None:
    there are none). points: a deal, against random play.
    """

    decisions: int
    seconds: float
    rate: float
    landlord_won: float
    losses: tuple[float, ...]
    random: float
    points: float
    earlier: float | None
    shipped: float | None = None


class Run:
    """A run in its folder; new, or taken up where it was stopped."""

    def __init__(self, folder: Path, setup: Setup) -> None:
        """Raises DizhuError `other_run` if another run is in the folder, `damaged_run`, `no_core`."""
        self.folder = folder
        self.setup = setup
        self._learner = learner(variant(setup.variant), setup.seed, setup.threads)
        self._decisions = 0
        self._seconds = 0.0
        self._frozen: bytes | None = None
        self._shipped = self._weights_of(shipped(variant(setup.variant)))
        folder.mkdir(parents=True, exist_ok=True)
        described = folder / "run.json"
        if described.exists():
            self._take_up(described)
        else:
            if setup.start is not None:
                self._start_from(Path(setup.start))
            _write(described, json.dumps(asdict(setup), indent=2).encode())

    @property
    def learner(self) -> Learner:
        """The networks as they are now."""
        return self._learner

    @property
    def done(self) -> int:
        """Decisions so far."""
        return self._decisions

    def go_on(self, pause: float) -> Iterator[Measured]:
        """Learn to the end of the schedule; measure, and keep the state, every `pause` seconds."""
        schedule = self.setup.schedule
        while self._decisions < schedule.decisions:
            begun, before, hands, won = time.monotonic(), self._decisions, 0, 0
            while True:
                rate = schedule.rate(self._decisions)
                how = rate, schedule.explore, schedule.score, schedule.trust
                played, dealt, landlord_won, losses = self._learner.run(_STEP, *how)
                self._decisions, hands, won = self._decisions + played, hands + dealt, won + landlord_won
                seconds = time.monotonic() - begun
                if seconds >= pause or self._decisions >= schedule.decisions:
                    break
            self._seconds += seconds
            yield self._measure((self._decisions - before) / seconds, won / hands, losses)

    def _measure(self, rate: float, landlord_won: float, losses: tuple[float, ...]) -> Measured:
        weights, score = self._learner.weights(), self.setup.schedule.score
        as_landlord, as_farmer, points = self._learner.match(None, _GAUGE_DEALS, _GAUGE_SEED, score)
        earlier = None
        if self._frozen is not None:
            earlier = self._share_of(self._frozen)
        measured = Measured(
            decisions=self._decisions,
            seconds=round(self._seconds, 1),
            rate=round(rate),
            landlord_won=landlord_won,
            losses=losses,
            random=_share((as_landlord, as_farmer, points)),
            points=points / (2 * _GAUGE_DEALS),
            earlier=earlier,
            shipped=None if self._shipped is None else self._share_of(self._shipped),
        )
        # What beats the best so far is the best; what it is measured against changes only then.
        if earlier is None or earlier > 1 / 2:
            self._frozen = weights
            _write(self.folder / "best.bin", weights)
            write(
                self.folder / "best.nets",
                quantised(self.setup.variant, self._learner.facts, self._learner.roles, weights),
            )
        _write(self.folder / "state.bin", self._learner.state())
        with (self.folder / "progress.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(measured)) + "\n")
        return measured

    def _share_of(self, weights: bytes) -> float:
        """Tell the share of deals that the networks win against others."""
        return _share(self._learner.match(weights, _GAUGE_DEALS, _GAUGE_SEED + 1, self.setup.schedule.score))

    def _weights_of(self, file: Path) -> bytes | None:
        """Read the networks of a file; None if there is none, or it is of another layout."""
        if not file.exists():
            return None
        stored = read(file)
        fits = (stored.facts, stored.roles) == (self._learner.facts, self._learner.roles)
        return b"".join(floats(stored)) if fits else None

    def _start_from(self, file: Path) -> None:
        """Take the networks of a file; what else learning goes on with begins anew."""
        if not file.exists():
            raise UnknownName("no_file", f"there is no file {file}")
        weights = self._weights_of(file)
        if weights is None:
            raise DizhuError("no_networks", f"the networks in {file} do not fit {self.setup.variant}")
        size = len(weights) // self._learner.roles
        roles = (weights[at : at + size] for at in range(0, len(weights), size))
        self._learner.restore(b"".join(role + bytes(2 * size) + bytes(_STEPS_SIZE) for role in roles))

    def _take_up(self, described: Path) -> None:
        try:
            fields = json.loads(described.read_text(encoding="utf-8"))
            schedule = Schedule(**fields.pop("schedule"))
            known = Setup(**fields, schedule=schedule)
        except (ValueError, TypeError) as error:
            raise DizhuError("damaged_run", f"{described} does not describe a run: {error}") from None
        if replace(known, threads=self.setup.threads) != self.setup:
            raise DizhuError("other_run", f"{self.folder} holds another run, of {known.variant}; name another folder")
        newest = _newest(self.folder / "progress.jsonl")
        if newest is None:
            return
        try:
            self._learner.restore((self.folder / "state.bin").read_bytes())
            self._frozen = (self.folder / "best.bin").read_bytes()
            self._decisions, self._seconds = int(newest["decisions"]), float(newest["seconds"])
        except (ValueError, KeyError, OSError) as error:
            raise DizhuError("damaged_run", f"{self.folder} cannot be taken up: {error}") from None


def _newest(file: Path) -> dict[str, Any] | None:
    if not file.exists():
        return None
    lines = file.read_text(encoding="utf-8").splitlines()
    try:
        return json.loads(lines[-1]) if lines else None
    except ValueError as error:
        raise DizhuError("damaged_run", f"{file} is damaged: {error}") from None


def _share(match: tuple[int, int, int]) -> float:
    return (match[0] + match[1]) / (2 * _GAUGE_DEALS)


def _write(file: Path, data: bytes) -> None:
    """Write a file as a whole, so that a stop in the middle leaves the old one."""
    beside = file.with_suffix(".new")
    beside.write_bytes(data)
    beside.replace(file)
