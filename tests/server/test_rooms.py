"""The rooms that come with the server, and how a host's own file is read: strictly."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from dizhu import DizhuError, variant, variants
from dizhu.server.players import usual
from dizhu.server.rooms import LEVELS, lowest_need, read_rooms

GOOD = """
[tea-house]
variant = "happy"
kind = "beans"
level = "middle"
name = "茶馆 Tea House"
coefficient = 30
fee = 7
need = 400
threshold = 900
play = 12.5
question = 8
offer = 6
redeal = "first"
fill = 0
bot = "random"
options = { cap = 16, open_cut = 9 }

[plain]
variant = "five_player"
kind = "points"
"""


def read(tmp_path: Path, text: str):
    file = tmp_path / "rooms.toml"
    file.write_text(text, encoding="utf-8")
    return read_rooms(file)


def problem(tmp_path: Path, text: str) -> str:
    with pytest.raises(DizhuError) as caught:
        read(tmp_path, text)
    assert caught.value.code == "bad_rooms"
    message = str(caught.value)
    assert message.startswith(f"{tmp_path / 'rooms.toml'}: ")
    assert "\n" not in message
    assert len(message) < 400
    return message.removeprefix(f"{tmp_path / 'rooms.toml'}: ")


def test_every_game_has_a_room_for_points_one_for_beginners_and_higher_ones():
    rooms = read_rooms()
    for name in variants():
        mine = [room for room in rooms.values() if room.game.name == name]
        assert [(room.kind, room.level) for room in mine] == [
            ("points", None),
            *(("beans", level) for level in LEVELS),
        ]
        assert mine[0].game == variant(name)
        beans = mine[1:]
        for lower, higher in pairwise(beans):
            assert lower.need < higher.need
            assert lower.coefficient < higher.coefficient
            assert lower.fee < higher.fee
    assert lowest_need(rooms) == 200


def test_a_file_is_read_key_by_key_in_its_order(tmp_path: Path):
    rooms = read(tmp_path, GOOD)
    assert list(rooms) == ["tea-house", "plain"]
    room = rooms["tea-house"]
    assert room.game == variant("happy", cap=16, open_cut=9)
    assert (room.id, room.kind, room.level, room.name) == ("tea-house", "beans", "middle", "茶馆 Tea House")
    assert (room.coefficient, room.fee, room.need, room.threshold) == (30, 7, 400, 900)
    assert (room.play, room.question, room.offer) == (12.5, 8, 6)
    assert (room.redeal, room.fill, room.bot) == ("first", 0, "random")
    plain = rooms["plain"]
    assert (plain.game, plain.kind, plain.level, plain.name) == (variant("five_player"), "points", None, None)
    assert (plain.coefficient, plain.fee, plain.need, plain.threshold) == (0, 0, 0, 0)
    assert (plain.play, plain.question, plain.offer, plain.fill) == (20, 15, 10, 5)
    assert (plain.redeal, plain.bot) == ("deal", usual(variant("five_player")))
    assert lowest_need(rooms) == 400
    assert lowest_need({"plain": plain}) == 0


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("variant = 5", "'variant' is 5; it must be the name of a game"),
        ('variant = "chess"', "there is no variant 'chess'; there are auction, classic,"),
        ('kind = "gold"', "'kind' is 'gold'; it must be 'points' or 'beans'"),
        ("kind = []", "'kind' is []; it must be 'points' or 'beans'"),
        ('level = "hard"', "'level' is 'hard'; it must be 'beginner' or 'middle' or 'high'"),
        ("name = 5", "'name' is 5; it must be text of 1 to 40 characters"),
        ('name = " "', "'name' is ' '; it must be text of 1 to 40 characters"),
        ('name = "a\\u0007b"', "it must be text of 1 to 40 characters"),
        ("coefficient = 0", "'coefficient' is 0; it must be a whole number from 1 to 1000000"),
        ("coefficient = 2.0", "'coefficient' is 2.0; it must be a whole number"),
        ("coefficient = true", "'coefficient' is True; it must be a whole number"),
        ("fee = -1", "'fee' is -1; it must be a whole number from 0 to 1000000000"),
        ("fee = 401", "'need' is 400; it must be at least the fee, 401"),
        ("need = 0", "'need' is 0; it must be a whole number from 1 to"),
        ('threshold = "9"', "'threshold' is '9'; it must be a whole number from 0 to"),
        ("play = 0", "'play' is 0; it must be seconds, from 1 to 600"),
        ("play = nan", "'play' is nan; it must be seconds, from 1 to 600"),
        ("question = inf", "'question' is inf; it must be seconds, from 1 to 600"),
        ("offer = false", "'offer' is False; it must be seconds, from 1 to 600"),
        ("fill = -1", "'fill' is -1; it must be seconds, from 0 to 3600"),
        ('redeal = "redeal"', "'redeal' is 'redeal'; it must be 'deal' or 'first'"),
        ('bot = "hal"', "'bot' is 'hal'; it must be 'random' or 'rule'"),
        ("options = 5", "'options' is 5; it must be a table"),
        ("options = { cap = 0 }", "the option 'cap' of happy is 0; it must be a whole number from 1 to 1000000"),
        ("options = { max_robs = 2 }", "happy has no option 'max_robs'; it has cap, open_cut, nobody, spring"),
        ("clock = 5", "there is no key 'clock'; the keys are variant, name, options, kind, level,"),
    ],
)
def test_a_mistake_is_one_line_with_file_room_key_and_what_is_allowed(tmp_path: Path, line: str, expected: str):
    key = line.partition(" ")[0]
    lines = [line if old.startswith(f"{key} =") else old for old in GOOD.splitlines()[:-3]]
    text = "\n".join(lines if line in lines else [*lines, line])
    message = problem(tmp_path, text)
    assert message.startswith("room 'tea-house': ")
    assert expected in message


@pytest.mark.parametrize("key", ["variant", "kind", "level"])
def test_what_must_be_there(tmp_path: Path, key: str):
    text = "\n".join(line for line in GOOD.splitlines()[:-3] if not line.startswith(f"{key} ="))
    assert problem(tmp_path, text) == f"room 'tea-house': {key!r} is missing"


@pytest.mark.parametrize("key", ["level", "coefficient", "fee", "need", "threshold"])
def test_beans_in_a_room_for_points_are_a_mistake(tmp_path: Path, key: str):
    text = f'[a]\nvariant = "classic"\nkind = "points"\n{key} = 1'
    assert problem(tmp_path, text) == f"room 'a': {key!r} is for rooms with kind = 'beans'"


def test_what_means_nothing_in_a_game_is_a_mistake(tmp_path: Path):
    beans = 'kind = "beans"\nlevel = "high"\n'
    message = problem(tmp_path, f'[a]\nvariant = "landlord_war"\n{beans}threshold = 5')
    assert message == "room 'a': 'threshold' means nothing in landlord_war, where everybody may double or nobody"
    message = problem(tmp_path, f'[a]\nvariant = "five_player"\n{beans}redeal = "first"')
    assert message == "room 'a': 'redeal' must be 'deal': in five_player there is always a landlord"


@pytest.mark.parametrize("name", ["Tea", "a b", "-a", "a-", "a--b", "é", "x" * 41])
def test_an_id_is_letters_digits_and_hyphens(tmp_path: Path, name: str):
    message = problem(tmp_path, f'["{name}"]\nvariant = "classic"\nkind = "points"')
    assert "its id must be small letters, digits and hyphens" in message


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "there is no room in it; a room is a table, as [classic-beginner]"),
        ("[a", "is not TOML: "),
        ("x = 1", "'x' belongs to no room; a room is a table, as [classic-points]"),
        ("[[a]]", "'a' belongs to no room; a room is a table, as [classic-points]"),
        ("[a]\n[a]", "is not TOML: "),
    ],
)
def test_files_that_hold_no_rooms(tmp_path: Path, text: str, expected: str):
    assert problem(tmp_path, text).startswith(expected)


def test_files_that_cannot_be_read(tmp_path: Path):
    (tmp_path / "rooms.toml").write_bytes(b"\xff")
    for path, expected in (
        (tmp_path / "rooms.toml", "is not UTF-8 text"),
        (tmp_path / "none", "No such file or directory"),
        (tmp_path, "Is a directory"),
    ):
        with pytest.raises(DizhuError) as caught:
            read_rooms(path)
        assert str(caught.value) == f"{path}: {expected}"
