"""Records told in plain text, by the library and by `dizhu replay`."""

from __future__ import annotations

import io
import json
from pathlib import Path
from random import Random

import pytest

from dizhu import Game, shuffled, variant, variants
from dizhu.cli import main
from dizhu.game.narrate import narrate
from game.table import start

LEFT = """\
Classic, first asked: seat 0
  seat 0  3s B R
  seat 1  6s 6h 6c 6d 7s
  seat 2  8s
  bottom  9s
Bidding
  seat 0 bids 1
  seat 1 declines
  seat 2 declines
  seat 0 is landlord
  seat 0 takes the bottom cards
Play
  seat 0  3                         3 left
  seat 1  6666                      1 left  ×2
  seat 2  pass
  seat 0 leaves the hand
Winners: 1, 2 (landlord: 0)
  1 base × 2 (bomb 2)
  points: seat 0 -6  seat 1 +2  seat 2 +2  house +2
"""
LET = """\
Two Players, first asked: seat 0
  seat 0  5s 6s 8s
  seat 1  6h 6c 7s 7h
Calling
  seat 0 calls
  seat 1 robs  ×2
  seat 0 robs  ×2
  seat 1 declines
  seat 0 is landlord
  seat 0 takes the bottom cards
Play
  seat 0  5                         2 left
"""


def left() -> Game:
    script = ["0 bid 1; 1 no; 2 no; 0 play 3; 1 play 6666; 2 pass; 0 leave"]
    return start("classic", ["3BR", "66667", "8"], script, bottom="9")


def unfinished() -> Game:
    return start("two_player", ["568", "6677"], ["0 call; 1 rob; 0 rob; 1 no; 0 play 5"])


def test_a_hand_is_told_from_the_deal_to_the_points():
    assert "\n".join(narrate(left().record(), variant)) + "\n" == LEFT


def test_an_unfinished_hand_says_who_is_to_answer():
    assert "\n".join(narrate(unfinished().record(), variant)) == LET + "Unfinished: seat 1 to answer"


@pytest.mark.parametrize("name", variants())
def test_every_answer_and_play_of_a_random_hand_is_told(name: str):
    generator = Random(5)
    for _ in range(10):
        hand = Game(variant(name), shuffled(variant(name), generator.randbytes(32)))
        while hand.turn:
            hand.act(hand.turn[0], generator.choice(hand.legal(hand.turn[0])))
        lines = list(narrate(json.loads(json.dumps(hand.record())), variant))
        told = [line for line in lines if line.startswith("  seat ")]
        for seat in range(hand.variant.seats):
            acted = [line for line in told if line.startswith(f"  seat {seat}") and "landlord" not in line]
            own = [action for who, action in hand.actions if who == seat]
            takes = sum(f"seat {seat} takes" in line for line in lines)
            assert len(acted) == len(own) + 1 + takes  # the hand it was dealt, and the bottom cards
        if hand.result:
            assert any(f"{hand.result.points[0]:+}" in line for line in lines[-1:])


def replayed(path: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    status = main(["replay", str(path)])
    out, err = capsys.readouterr()
    return status, out, err.replace(str(path), "FILE")


def test_replay_tells_all_hands_of_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "hands.jsonl"
    file.write_text("\n".join(json.dumps(hand.record()) for hand in (left(), unfinished())) + "\n", encoding="utf-8")
    status, out, err = replayed(file, capsys)
    assert (status, out, err) == (0, LEFT + "\n" + LET + "Unfinished: seat 1 to answer\n", "")


def test_replay_reads_standard_input(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(json.dumps(left().record()).encode())))
    assert replayed(Path("-"), capsys)[:2] == (0, LEFT)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (b"{", "FILE:1: this is not JSON"),
        (b"[]", "FILE:1: this is JSON, but no object"),
        (b"{}", "FILE:1: damaged record: 'format' must be 1"),
        (b"\xff", "FILE: is not UTF-8 text"),
        (json.dumps(left().record() | {"variant": "chess"}).encode(), "FILE:1: there is no variant 'chess'"),
        (json.dumps(left().record() | {"actions": ["0 bid 9"]}).encode(), "FILE:1: damaged record: action 0 (0 bid 9)"),
        (json.dumps(left().record() | {"result": None}).encode(), "FILE:1: damaged record: the result"),
        (json.dumps(left().record()).encode() + b"\n\n{}", "FILE:3: damaged record"),
    ],
    ids=[str(number) for number in range(8)],
)
def test_replay_says_in_one_line_what_is_wrong(
    text: bytes, problem: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    file = tmp_path / "hands.jsonl"
    file.write_bytes(text)
    status, _, err = replayed(file, capsys)
    assert status == 2
    assert err.startswith(f"dizhu: {problem}")
    assert err.count("\n") == 1


def test_replay_of_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    status, out, err = replayed(tmp_path / "none", capsys)
    assert (status, out) == (2, "")
    assert err.startswith("dizhu: FILE: ")
