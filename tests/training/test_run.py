"""Training runs: kept in a folder, taken up again, and told of."""

from __future__ import annotations

import json
from array import array
from dataclasses import asdict, replace
from pathlib import Path

import pytest

import dizhu
from dizhu.cli import main
from dizhu.errors import DizhuError
from dizhu.network import shipped
from dizhu.training import Run, Schedule, Setup
from dizhu.training.learner import mean_of, weights_of

SETUP = Setup("two_player", seed=1, threads=1, schedule=Schedule(decisions=250_000))


@pytest.mark.slow
def test_a_run_is_taken_up_where_it_stopped(tmp_path: Path):
    run = Run(tmp_path, SETUP)
    first = next(run.go_on(0))
    assert first.earlier is None
    assert run.done == first.decisions < 250_000
    again = Run(tmp_path, replace(SETUP, threads=2))
    assert again.done == run.done
    assert again.learner.weights() == run.learner.weights()
    *_, last = again.go_on(0)
    assert last.decisions >= 250_000
    assert last.earlier is not None
    lines = [json.loads(line) for line in (tmp_path / "progress.jsonl").read_text().splitlines()]
    assert [line["decisions"] for line in lines] == sorted(line["decisions"] for line in lines)
    assert not list(Run(tmp_path, SETUP).go_on(0))


def test_a_run_that_stopped_before_it_measured_begins_with_its_networks_again(tmp_path: Path):
    setup = replace(SETUP, start=str(shipped(dizhu.variant("two_player"))))
    first, again = (Run(tmp_path, setup).learner.weights() for _ in range(2))
    assert first == again


@pytest.mark.slow
def test_what_is_the_best_is_told_by_the_best_before_and_not_by_the_newest(tmp_path: Path):
    setup = replace(SETUP, schedule=replace(SETUP.schedule, rivalry=0.1))
    first = next(Run(tmp_path, setup).go_on(0))
    best = (tmp_path / "best.bin").read_bytes()
    weaker_but_good_against_rule = replace(first, earlier=-1.0, rule=1.0)
    with (tmp_path / "progress.jsonl").open("a") as file:
        file.write(json.dumps(asdict(weaker_but_good_against_rule)) + "\n")
    measured = next(Run(tmp_path, setup).go_on(0))
    assert measured.earlier is not None
    assert measured.earlier > 0.5
    assert (tmp_path / "best.bin").read_bytes() != best


@pytest.mark.slow
def test_the_mean_of_the_newest_weights_is_kept_if_it_is_better(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    run = Run(tmp_path, replace(SETUP, schedule=Schedule(decisions=150_000)))
    strong = weights_of(run.learner, shipped(dizhu.variant("two_player")))
    monkeypatch.setattr("dizhu.training.run.mean_of", lambda many: strong if len(many) > 1 else b"")
    assert len(list(run.go_on(0))) > 1
    assert (tmp_path / "best.bin").read_bytes() == strong


def test_weights_are_averaged_number_by_number():
    numbers = [array("f", each).tobytes() for each in ([1.0, 2.0, -4.0], [3.0, 2.0, 4.5])]
    assert mean_of(numbers) == array("f", [2.0, 2.0, 0.25]).tobytes()


def test_another_run_is_not_overwritten(tmp_path: Path):
    Run(tmp_path, SETUP)
    with pytest.raises(DizhuError) as error:
        Run(tmp_path, replace(SETUP, variant="classic"))
    assert error.value.code == "other_run"


@pytest.mark.parametrize(("file", "text"), [("run.json", "{"), ("run.json", '{"schedule": {}}'), ("state.bin", "x")])
def test_a_damaged_run_is_refused(tmp_path: Path, file: str, text: str):
    next(Run(tmp_path, SETUP).go_on(0))
    (tmp_path / file).write_text(text)
    with pytest.raises(DizhuError) as error:
        Run(tmp_path, SETUP)
    assert error.value.code == "damaged_run"


def test_the_rate_falls_by_a_constant_factor():
    schedule = Schedule(decisions=100)
    assert schedule.rate(0) == schedule.first_rate
    assert schedule.rate(100) == pytest.approx(schedule.last_rate)
    assert schedule.rate(1000) == schedule.rate(100)
    assert schedule.rate(50) ** 2 == pytest.approx(schedule.first_rate * schedule.last_rate)


@pytest.mark.slow
def test_the_command_tells_how_it_goes(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["train", str(tmp_path / "run"), "--variant", "nothing"]) == 2
    assert "there is no variant 'nothing'" in capsys.readouterr().err
    assert main(["train", str(tmp_path / "run"), "--variant", "two_player", "--decisions", "1", "--threads", "2"]) == 0
    told = capsys.readouterr().out
    assert "Training two_player for 1.0 M decisions" in told
    assert "against random 0." in told
    assert (tmp_path / "run" / "best.bin").stat().st_size > 1_000_000
