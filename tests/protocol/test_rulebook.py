"""The rules that the client shows are those that the games declare, in every language."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest

import dizhu
from dizhu.protocol.rulebook import main, rulebook

ROOT = Path(__file__).resolve().parents[2]
RULES = rulebook()
LANGUAGES = {path.stem: json.loads(path.read_text("utf-8")) for path in (ROOT / "src/dizhu/locales").glob("*.json")}


def test_the_file_of_the_client_is_current():
    assert main(["--check", str(ROOT / "web/src/rules.json")]) == 0


def test_a_file_that_is_not_current_is_told_of(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "rules.json"
    assert main(["--check", str(file)]) == 1
    assert "is not current" in capsys.readouterr().err
    assert main([str(file)]) == 0
    assert main(["--check", str(file)]) == 0


@pytest.mark.parametrize("name", dizhu.variants())
def test_rows_are_those_of_the_grammar(name: str):
    game, rows = dizhu.variant(name), RULES[name]["rows"]
    assert sum(row["count"] for row in rows) == sum(game.grammar.count().values())
    for row in rows:
        combo = game.classify(row["example"])
        assert combo is not None
        assert combo.kind == row["kind"]
        assert game.grammar.times(combo) == row["times"]
    bombs = [row["example"] for row in rows if row["kind"] in ("bomb", "rocket")]
    assert all(game.beats(higher, lower) for lower, higher in pairwise(bombs))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", dizhu.variants())
def test_every_sentence_can_be_said(name: str, language: str):
    rules, words = RULES[name], LANGUAGES[language]
    told = [*rules["facts"], *rules["course"], *(row["note"] for row in rules["rows"] if "note" in row)]
    for key, values in [*told, *((f"kind.{row['kind']}", {}) for row in rules["rows"])]:
        sentence = words[f"rules.{key}"]
        forms = [sentence] if isinstance(sentence, str) else sentence.values()
        for form in forms:
            form.format(**values)
    for option in rules["options"]:
        assert f"option.{option['name']}" in words
