"""What the browser client repeats of the game is as it is there."""

from __future__ import annotations

import json
from pathlib import Path

import dizhu
from dizhu.game.titles import TITLES
from dizhu.variants import variants


def read(project: Path, name: str) -> dict[str, list[object]]:
    return json.loads((project / "web" / "src" / "lib" / name).read_text(encoding="utf-8"))


def test_titles_are_held_from_the_same_points_on(project: Path):
    ladders = read(project, "titles.json")
    assert ladders["three_player"] == [title.three_player for title in TITLES]
    assert ladders["five_player"] == [title.five_player for title in TITLES]


def test_every_title_has_a_name_in_every_language(project: Path):
    for file in (project / "src" / "dizhu" / "locales").glob("*.json"):
        words = json.loads(file.read_text(encoding="utf-8"))
        assert all(f"title.{step}" in words for step in range(len(TITLES)))
        assert f"title.{len(TITLES)}" not in words


def test_every_option_has_a_name_in_every_language(project: Path):
    names = {option.name for name in variants() for option in dizhu.variant(name).options}
    for file in (project / "src" / "dizhu" / "locales").glob("*.json"):
        words = json.loads(file.read_text(encoding="utf-8"))
        assert {f"option.{name}" for name in names} <= set(words)
