"""The runner of case files: it passes the handed ones, fails on every wrong expectation, and says what no case is."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from dizhu.cli import main
from dizhu.testing.cases import run_file

FILES = sorted((Path(__file__).parent.parent / "cases").glob("*.jsonl"))
GAME = {
    "kind": "game",
    "variant": "classic",
    "first": 0,
    "hands": ["35", "66", "77"],
    "bottom": "",
    "script": ["0 bid 3", "0 play 3", "1 play 6", "2 pass", "0 pass", "1 play 6"],
}
ENDED = {
    "phase": "over",
    "landlords": [0],
    "winners": [1, 2],
    "base": 3,
    "multiplier": 2,
    "points": [-12, 6, 6],
    "house": 0,
    "let": 0,
    "open": [],
    "revealed": True,
}
LEGAL = {"kind": "legal", "variant": "classic", "hand": "3344", "against": ""}
COUNT = {"kind": "count", "variant": "two_player", "expect": 4941}
CLASSIFY = {"kind": "classify", "variant": "classic", "cards": "64536"}
BEATS = {"kind": "beats", "variant": "classic", "cards": "4", "against": "3"}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_handed_cases_pass(file: Path):
    outcomes = list(run_file(file))
    assert len(outcomes) == sum(1 for line in file.read_text(encoding="utf-8").splitlines() if line.strip())
    assert [f"{outcome.where}: {outcome.problem}" for outcome in outcomes if outcome.problem] == []


def test_there_are_as_many_handed_cases_as_were_handed():
    assert {file.stem: sum(1 for _ in run_file(file)) for file in FILES} == {
        "beats": 120,
        "classify": 300,
        "counts": 6,
        "game": 44,
        "legal": 120,
        "reported": 106,
    }


def test_the_command_passes_them_too():
    done = subprocess.run(
        [Path(sys.executable).with_name("dizhu"), "check", *FILES], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "696 passed, 0 failed\n", "")


def check(tmp_path: Path, capsys: pytest.CaptureFixture[str], *lines: str | bytes | dict[str, Any]):
    """Run the command on a file of these lines; returns its status, output and errors."""
    file = tmp_path / "cases.jsonl"
    encoded = [
        line if isinstance(line, bytes) else (line if isinstance(line, str) else json.dumps(line)).encode()
        for line in lines
    ]
    file.write_bytes(b"\n".join(encoded) + b"\n")
    status = main(["check", str(file)])
    out, err = capsys.readouterr()
    return status, out.replace(str(file), "FILE"), err.replace(str(file), "FILE")


RIGHT = [
    *(GAME | {"expect": {field: value}} for field, value in ENDED.items()),
    GAME | {"expect": ENDED},
    GAME | {"script": ["0 bid 3"], "expect": {"turn": 0, "winners": None, "points": None, "phase": "play"}},
    GAME | {"script": ["0 bid 3", "0 play 3", "1 play 5"], "expect": {"refused": 2}},
    GAME | {"hands": ["35", "66"], "expect": {"refused": "deal"}},
    GAME | {"hands": ["33333", "66", "77"], "expect": {"refused": "deal"}},
    {**GAME, "variant": "landlord_war", "script": ["0 call", "1 no", "2 no", "skip"], "expect": {"phase": "play"}},
    LEGAL | {"expect": ["44", "3", "33", "4"]},
    LEGAL | {"count": 4},
    LEGAL | {"against": "K", "count": 0, "expect": []},
    COUNT,
    COUNT | {"by_kind": {"rocket": 1, "bomb": 11}},
    CLASSIFY | {"expect": None},
    CLASSIFY | {"cards": "54376", "expect": {"kind": "solo_chain", "length": 5, "rank": "7"}},
    CLASSIFY | {"cards": "54376", "expect": {"kind": "solo_chain"}},
    BEATS | {"expect": True},
    BEATS | {"cards": "34", "expect": False},
]


@pytest.mark.parametrize("case", RIGHT, ids=[str(number) for number in range(len(RIGHT))])
def test_right_expectations_pass(case: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert check(tmp_path, capsys, case) == (0, "1 passed, 0 failed\n", "")


WRONG = [
    (COUNT | {"expect": 4940}, "expected 4940 combinations, found 4941"),
    (COUNT | {"by_kind": {"bomb": 12}}, "bomb: expected 12, found 11"),
    (COUNT | {"by_kind": {"bombs": 11}}, "bombs: expected 11, found None"),
    (CLASSIFY | {"expect": {"kind": "solo_chain"}}, "found None"),
    (CLASSIFY | {"cards": "34567", "expect": None}, "found solo_chain"),
    (
        CLASSIFY | {"cards": "34567", "expect": {"kind": "pair_chain"}},
        "kind: expected 'pair_chain', found 'solo_chain'",
    ),
    (CLASSIFY | {"cards": "34567", "expect": {"length": 6}}, "length: expected 6, found 5"),
    (CLASSIFY | {"cards": "34567", "expect": {"rank": "3"}}, "rank: expected '3', found '7'"),
    (CLASSIFY | {"cards": "3", "expect": {"kind": "solo", "length": True}}, "length: expected True, found 1"),
    (BEATS | {"expect": False}, "expected False, found True"),
    (BEATS | {"cards": "3", "expect": True}, "expected True, found False"),
    (LEGAL | {"count": 5}, "expected 5 combinations, found 4: 3 33 4 44"),
    (LEGAL | {"expect": ["3", "33", "4"]}, "missing: [], not expected: ['44']"),
    (LEGAL | {"expect": ["3", "33", "4", "44", "5"]}, "missing: ['5'], not expected: []"),
    (LEGAL | {"count": 4, "expect": ["3", "33", "4", "pass"]}, "missing: ['pass'], not expected: ['44']"),
    (GAME | {"expect": ENDED | {"phase": "play"}}, "phase: expected 'play', found 'over'"),
    (GAME | {"expect": ENDED | {"points": [-6, 3, 3]}}, "points: expected [-6, 3, 3], found [-12, 6, 6]"),
    (GAME | {"expect": ENDED | {"landlords": [1]}}, "landlords: expected [1], found [0]"),
    (GAME | {"expect": ENDED | {"winners": [0]}}, "winners: expected [0], found [1, 2]"),
    (GAME | {"expect": ENDED | {"base": 1}}, "base: expected 1, found 3"),
    (GAME | {"expect": ENDED | {"multiplier": 1}}, "multiplier: expected 1, found 2"),
    (GAME | {"expect": ENDED | {"house": 3}}, "house: expected 3, found 0"),
    (GAME | {"expect": ENDED | {"let": 1}}, "let: expected 1, found 0"),
    (GAME | {"expect": ENDED | {"open": [0]}}, "open: expected [0], found []"),
    (GAME | {"expect": ENDED | {"revealed": False}}, "revealed: expected False, found True"),
    (GAME | {"expect": ENDED | {"turn": 1}}, "turn: expected 1, found None"),
    (GAME | {"expect": ENDED | {"colour": "red"}}, "colour: expected 'red', found None"),
    (GAME | {"expect": {"refused": 5}}, "expected that 5 is refused; nothing was"),
    (GAME | {"expect": {"refused": "deal"}}, "expected that deal is refused; nothing was"),
    (GAME | {"script": ["0 bid 3", "0 pass"], "expect": {"refused": 0}}, "item 1 (0 pass) was refused"),
    (GAME | {"script": ["0 bid 3", "0 pass"], "expect": {"phase": "play"}}, "item 1 (0 pass) was refused"),
    (GAME | {"script": ["0 bid 3", "0 pass"], "expect": {"refused": True}}, "item 1 (0 pass) was refused"),
    (GAME | {"script": ["9 bid 3"], "expect": {"phase": "play"}}, "item 0 (9 bid 3) was refused"),
    (GAME | {"script": ["0 fly"], "expect": {"phase": "play"}}, "item 0 (0 fly) was refused"),
    (GAME | {"hands": ["35", "66"], "expect": {"phase": "over"}}, "the deal was refused"),
    (GAME | {"hands": ["35", "66"], "expect": {"refused": 0}}, "the deal was refused"),
    (GAME | {"first": 3, "expect": {"phase": "over"}}, "the deal was refused"),
    (GAME | {"first": 10**40, "expect": {"phase": "over"}}, "the deal was refused"),
    (GAME | {"marked": "7h", "expect": {"phase": "over"}}, "the deal was refused"),
]


@pytest.mark.parametrize(("case", "problem"), WRONG, ids=[problem for _, problem in WRONG])
def test_wrong_expectations_fail_with_what_differs(
    case: dict[str, Any], problem: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    status, out, err = check(tmp_path, capsys, COUNT, case | {"id": "this-one"})
    assert (status, err) == (1, "")
    found, summary = out.splitlines()
    assert found.startswith("FILE:2 this-one: ")
    assert problem in found
    assert summary == "1 passed, 1 failed"


MALFORMED = [
    ("{", "FILE:2: this is not JSON"),
    ("", None),
    ("[]", "no object"),
    ("null", "no object"),
    ('"text"', "no object"),
    ("NaN", "no object"),
    (b"\xff\xfe\x00", "is not UTF-8 text"),
    (b"\x00\x01\x02", "this is not JSON"),
    ("[" * 100_000, "nested too deeply"),
    ('{"kind":' * 50_000, "nested too deeply"),
    ('{"kind": ' + "9" * 5_000 + "}", "this is not JSON"),
    ({}, "kind is None"),
    ({"kind": "mood", "variant": "classic"}, "kind is 'mood'"),
    ({"kind": ["count"], "variant": "classic"}, "kind is ['count']"),
    (COUNT | {"variant": "chess"}, "there is no variant 'chess'"),
    (COUNT | {"variant": None}, "'variant' as text"),
    ({"kind": "count", "variant": "classic"}, "'expect' as a number"),
    (COUNT | {"expect": True}, "'expect' as a number"),
    (COUNT | {"expect": 4941.0}, "'expect' as a number"),
    (COUNT | {"by_kind": []}, "'by_kind' as an object"),
    ({"kind": "classify", "variant": "classic", "expect": None}, "'cards' as text"),
    (CLASSIFY, "'expect'"),
    (CLASSIFY | {"expect": {}}, "'expect'"),
    (CLASSIFY | {"cards": "1", "expect": None}, "'1' in '1' is not a rank"),
    (CLASSIFY | {"cards": "11", "expect": None}, "is not a rank"),
    (CLASSIFY | {"cards": "10", "expect": None}, "is not a rank"),
    (CLASSIFY | {"cards": "34t", "expect": None}, "did you mean T?"),
    (CLASSIFY | {"cards": "br", "expect": None}, "did you mean B?"),
    (CLASSIFY | {"cards": "3 4", "expect": None}, "is not a rank"),
    (CLASSIFY | {"cards": "3\n4", "expect": None}, "is not a rank"),
    (CLASSIFY | {"cards": "\ud800", "expect": None}, "is not a rank"),
    (CLASSIFY | {"cards": "3" * 9, "expect": None}, "more than 8 cards of rank 3"),
    (CLASSIFY | {"cards": "3" * 100_000, "expect": None}, "more than 8 cards of rank 3"),
    (BEATS, "'expect' as true or false"),
    (BEATS | {"expect": 1}, "'expect' as true or false"),
    (BEATS | {"against": "34", "expect": False}, "'34' is no combination"),
    (BEATS | {"against": "", "expect": False}, "'' is no combination"),
    (BEATS | {"cards": "33333", "expect": False}, "the deck of classic has 4"),
    (LEGAL, "'count' or 'expect'"),
    (LEGAL | {"expect": "3"}, "'expect' as a list of texts"),
    (LEGAL | {"expect": [3]}, "'expect' as a list of texts"),
    (LEGAL | {"hand": "33333", "count": 1}, "5 cards of rank 3; the deck of classic has 4"),
    (LEGAL | {"against": "34", "count": 1}, "'34' is no combination"),
    (GAME, "'expect' as an object"),
    (GAME | {"expect": {}}, "'expect'"),
    (GAME | {"expect": ENDED, "script": "0 bid 3"}, "'script' as a list of texts"),
    (GAME | {"expect": ENDED, "script": ["bid 3"]}, "'bid 3' is no item of a script"),
    (GAME | {"expect": ENDED, "script": [""]}, "'' is no item of a script"),
    (GAME | {"expect": ENDED, "script": ["9" * 5_000 + " bid 3"]}, "is no item of a script"),
    (GAME | {"expect": ENDED, "script": ["0"]}, "'0' is no item of a script"),
    (GAME | {"expect": ENDED, "first": "0"}, "'first' as a number"),
    (GAME | {"expect": ENDED, "hands": None}, "'hands' as a list of texts"),
]


@pytest.mark.parametrize(("line", "problem"), MALFORMED, ids=[str(number) for number in range(len(MALFORMED))])
def test_what_is_no_case_is_told_in_one_line(
    line: Any, problem: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    status, out, err = check(tmp_path, capsys, COUNT, line)
    if problem is None:
        assert (status, out, err) == (0, "1 passed, 0 failed\n", "")
        return
    assert (status, out) == (2, "")
    assert err.startswith("dizhu: FILE")
    assert problem in err
    assert err.count("\n") == 1


def test_errors_of_one_line_keep_their_number(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    status, _, err = check(tmp_path, capsys, COUNT, "", "  ", CLASSIFY | {"cards": "1", "expect": None})
    assert (status, err.split(" ")[1]) == (2, "FILE:4:")


def test_only_line_feeds_part_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    case = json.dumps(COUNT | {"id": "a\u2028b\u0085c"}, ensure_ascii=False)
    assert check(tmp_path, capsys, case + "\r", case) == (0, "2 passed, 0 failed\n", "")


@pytest.mark.parametrize("what", ["missing", "folder", "unreadable name"])
def test_files_that_cannot_be_read(what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = {"missing": tmp_path / "none.jsonl", "folder": tmp_path, "unreadable name": tmp_path / ("x" * 300)}[what]
    assert main(["check", str(path)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"dizhu: {path}: ")
    assert err.count("\n") == 1


def test_an_empty_file_has_no_cases(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "empty").write_bytes(b"")
    assert main(["check", str(tmp_path / "empty")]) == 0
    assert capsys.readouterr().out == "0 passed, 0 failed\n"


def test_several_files_are_added_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    for name in "ab":
        (tmp_path / name).write_text(json.dumps(COUNT) + "\n" + json.dumps(COUNT | {"expect": 1}), encoding="utf-8")
    assert main(["check", str(tmp_path / "a"), str(tmp_path / "b")]) == 1
    assert capsys.readouterr().out.endswith("2 passed, 2 failed\n")
