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
from collections import deque
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dizhu.errors import DizhuError
from dizhu.network import shipped
from dizhu.network.stored import quantised, write
from dizhu.training.learner import begin_with, learner, mean_of, weights_of
from dizhu.training.schedule import Schedule
from dizhu.variants import variant

if TYPE_CHECKING:
    from dizhu._core._learn import Learner

_STEP = 100_000
"""Decisions between two looks at the clock."""

_GAUGE_SEED = 20_230_917
_GAUGE_DEALS = 2_000
_AVERAGED = 4
"""Of how many measurements the weights are averaged at the end."""


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
    measurement. losses: by role. random, rule, earlier, shipped: the share of deals won, sides exchanged, against
    random play, the bot `rule`, the best weights before (None: this is the first) and the networks that bots use now
    (None: there are none). points: a deal, against random play.
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
    rule: float | None = None


class Run:
    """A run in its folder; new, or taken up where it was stopped."""

    def __init__(self, folder: Path, setup: Setup) -> None:
        """Raises DizhuError `other_run` if another run is in the folder, `damaged_run`, `no_core`, `no_networks`."""
        self.folder = folder
        self.setup = setup
        self._learner = learner(variant(setup.variant), setup.seed, setup.threads)
        self._decisions = 0
        self._seconds = 0.0
        self._frozen: bytes | None = None
        self._frozen_rule = 0.0
        self._newest: deque[bytes] = deque(maxlen=_AVERAGED)
        self._shipped = self._shipped_weights()
        folder.mkdir(parents=True, exist_ok=True)
        described = folder / "run.json"
        if not (described.exists() and self._take_up(described)):
            if setup.start is not None:
                begin_with(self._learner, weights_of(self._learner, Path(setup.start)))
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
                how = rate, schedule.explore, schedule.score, schedule.trust, schedule.rivalry
                played, dealt, landlord_won, losses = self._learner.run(_STEP, *how)
                self._decisions, hands, won = self._decisions + played, hands + dealt, won + landlord_won
                seconds = time.monotonic() - begun
                if seconds >= pause or self._decisions >= schedule.decisions:
                    break
            self._seconds += seconds
            yield self._measure((self._decisions - before) / seconds, won / hands, losses)
            if self._decisions >= schedule.decisions:
                self._try_mean()

    def _measure(self, rate: float, landlord_won: float, losses: tuple[float, ...]) -> Measured:
        weights, score = self._learner.weights(), self.setup.schedule.score
        self._newest.append(weights)
        as_landlord, as_farmer, points = self._learner.match(None, _GAUGE_DEALS, _GAUGE_SEED, score)
        rule, earlier = self._share_of("rule"), None
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
            rule=rule,
        )
        # What beats the best so far is the best; what it is measured against changes only then.
        if self._is_best(earlier, rule):
            self._keep(weights, rule)
        _write(self.folder / "state.bin", self._learner.state())
        with (self.folder / "progress.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(measured)) + "\n")
        return measured

    def _try_mean(self) -> None:
        """At the end the mean of the newest weights may be better than any of them: less of it is chance."""
        mean = learner(variant(self.setup.variant), self.setup.seed, self.setup.threads)
        begin_with(mean, mean_of(self._newest))
        rule = _share(self._match(mean, "rule"))
        if self._frozen is not None and self._is_best(_share(self._match(mean, self._frozen)), rule):
            self._keep(mean.weights(), rule)

    def _keep(self, weights: bytes, rule: float) -> None:
        """Keep weights as the best, which won so many of the hands against `rule`."""
        self._frozen, self._frozen_rule = weights, rule
        _write(self.folder / "best.bin", weights)
        facts, roles = self._learner.facts, self._learner.roles
        write(self.folder / "best.nets", quantised(self.setup.variant, facts, roles, weights))

    def _is_best(self, earlier: float | None, rule: float) -> bool:
        """Tell from what networks won against the best before, and against `rule`, whether they are the best now."""
        return earlier is None or earlier - 1 / 2 + self.setup.schedule.rivalry * (rule - self._frozen_rule) > 0

    def _share_of(self, whom: bytes | str) -> float:
        """Tell the share of deals that the networks win against other weights, or a bot."""
        return _share(self._match(self._learner, whom))

    def _match(self, who: Learner, whom: bytes | str) -> tuple[int, int, int]:
        return who.match(whom, _GAUGE_DEALS, _GAUGE_SEED + 1, self.setup.schedule.score)

    def _shipped_weights(self) -> bytes | None:
        """Take the networks that bots use now; None if there are none, or of another layout."""
        try:
            return weights_of(self._learner, shipped(variant(self.setup.variant)))
        except DizhuError:
            return None

    def _take_up(self, described: Path) -> bool:
        """Go on with the run that is in the folder; False if it had measured nothing yet."""
        try:
            fields = json.loads(described.read_text(encoding="utf-8"))
            schedule = Schedule(**fields.pop("schedule"))
            known = Setup(**fields, schedule=schedule)
        except (ValueError, TypeError) as error:
            raise DizhuError("damaged_run", f"{described} does not describe a run: {error}") from None
        if replace(known, threads=self.setup.threads) != self.setup:
            raise DizhuError("other_run", f"{self.folder} holds another run, of {known.variant}; name another folder")
        measured = _progress(self.folder / "progress.jsonl")
        if not measured:
            return False
        try:
            self._learner.restore((self.folder / "state.bin").read_bytes())
            self._frozen = (self.folder / "best.bin").read_bytes()
            for before in measured:
                rule = float(before.get("rule") or 0.0)
                if self._is_best(before["earlier"], rule):
                    self._frozen_rule = rule
            self._decisions, self._seconds = int(measured[-1]["decisions"]), float(measured[-1]["seconds"])
        except (ValueError, KeyError, OSError) as error:
            raise DizhuError("damaged_run", f"{self.folder} cannot be taken up: {error}") from None
        return True


def _progress(file: Path) -> list[dict[str, Any]]:
    """Read what was measured so far."""
    if not file.exists():
        return []
    try:
        return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    except ValueError as error:
        raise DizhuError("damaged_run", f"{file} is damaged: {error}") from None


def _share(match: tuple[int, int, int]) -> float:
    return (match[0] + match[1]) / (2 * _GAUGE_DEALS)


def _write(file: Path, data: bytes) -> None:
    """Write a file as a whole, so that a stop in the middle leaves the old one."""
    beside = file.with_suffix(".new")
    beside.write_bytes(data)
    beside.replace(file)
