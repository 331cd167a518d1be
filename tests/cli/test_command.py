"""The command as a process: what it says when its arguments, its output or the person before it will not have it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from dizhu.cli import main

# Whoever starts the tests in the background has them ignore interrupts.
START = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from dizhu.cli import main
sys.exit(main())
"""
DIZHU = [sys.executable, "-c", START]
BUFFERED = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "dizhu: the following arguments are required: COMMAND (see dizhu --help)"),
        (["check"], "dizhu check: the following arguments are required: FILE (see dizhu check --help)"),
        (["serve", "--port", "99999"], "dizhu serve: argument --port: '99999' is no port"),
        (["arena", "rule"], "dizhu arena: the following arguments are required: BOT, --variant"),
    ],
)
def test_wrong_arguments_are_refused_in_one_line(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
):
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    out, err = capsys.readouterr()
    assert stop.value.code == 2
    assert out == ""
    assert err.startswith(sentence)
    assert err.count("\n") == 1


@pytest.fixture
def cases(tmp_path: Path) -> str:
    """Make a file of one case that fails, with a name that no terminal can show."""
    file = tmp_path / "cases.jsonl"
    case = {"kind": "classify", "variant": "classic", "cards": "33", "expect": None, "id": "\ud800"}
    file.write_text(json.dumps(case))
    return str(file)


def test_what_has_no_letters_is_spelt_out(cases: str):
    ended = subprocess.run([*DIZHU, "check", cases], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (1, "")
    assert ended.stdout.startswith(f"{cases}:1 \\ud800: expected None")


@pytest.mark.parametrize("arguments", [["--help"], ["check"]])
def test_a_reader_who_has_seen_enough_is_no_error(arguments: list[str], cases: str):
    reading, writing = os.pipe()
    os.close(reading)
    files = [cases] if arguments == ["check"] else []
    with os.fdopen(writing, "w") as pipe:
        ended = subprocess.run(
            [*DIZHU, *arguments, *files], stdout=pipe, stderr=subprocess.PIPE, text=True, env=BUFFERED, check=False
        )
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_full_disk_is_said_in_one_line(cases: str):
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(
            [*DIZHU, "check", cases], stdout=full, stderr=subprocess.PIPE, text=True, env=BUFFERED, check=False
        )
    assert (ended.returncode, ended.stderr) == (2, "dizhu: No space left on device\n")


@pytest.mark.skipif(os.name == "nt", reason="an output is closed otherwise there")
def test_a_closed_output_is_no_error(cases: str):
    ended = subprocess.run(
        ["sh", "-c", '"$0" "$@" >&-', *DIZHU, "check", cases], stderr=subprocess.PIPE, text=True, check=False
    )
    assert (ended.returncode, ended.stderr) == (1, "")


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise there")
@pytest.mark.parametrize("everybody", [True, False], ids=["all processes", "the first process"])
def test_an_interrupt_ends_an_arena_of_several_processes(everybody: bool):
    match = ["arena", "random", "random", "--variant", "two_player", "--deals", "3000", "--processes", "2"]
    with subprocess.Popen(
        [*DIZHU, *match], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as arena:
        try:
            assert arena.stderr
            assert arena.stderr.readline() == "300 of 3,000 deals\n"
            (os.killpg if everybody else os.kill)(arena.pid, signal.SIGINT)
            out, err = arena.communicate(timeout=10)
        finally:
            arena.kill()
    assert (arena.returncode, out, err) == (130, "", "")


def test_a_closed_standard_input_is_said_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(sys, "stdin", None)
    assert main(["replay", "-"]) == 2
    assert capsys.readouterr().err == "dizhu: -: standard input is closed\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ["arena", "random", "rule", "--variant", "classic", "--seed", "9" * 5000],
        ["serve", "--port", "9" * 5000],
        ["arena", "random", "rule", "--variant", "x" * 5000],
        ["bench", "y" * 5000],
        ["solve", "3" * 5000, "4"],
    ],
)
def test_what_was_typed_is_not_repeated_without_end(arguments: list[str], capsys: pytest.CaptureFixture[str]):
    try:
        status = main(arguments)
    except SystemExit as ended:
        status = ended.code
    assert status == 2
    said = capsys.readouterr().err
    assert "…" in said
    assert len(said) < 300
