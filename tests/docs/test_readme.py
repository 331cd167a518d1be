"""The README says what is true: its examples run, and the commands that it names are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dizhu.cli import main

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
COMMENTED = re.findall(r"^(classic\..*?)\s+# ('[a-z_]+'|\[.*?\]|True|False)", README, re.MULTILINE)


def test_there_are_examples():
    assert len(EXAMPLES) == 2
    assert len(COMMENTED) == 4


@pytest.mark.parametrize("example", EXAMPLES)
def test_examples_run(example: str):
    exec(example, {})


@pytest.mark.parametrize(("expression", "value"), COMMENTED)
def test_comments_say_what_comes_out(expression: str, value: str):
    names: dict[str, object] = {}
    exec('import dizhu\nclassic = dizhu.variant("classic")', names)
    assert eval(expression, names) == eval(value)


@pytest.mark.parametrize("command", sorted(set(re.findall(r"^    dizhu (\w+)", README, re.MULTILINE))))
def test_commands_are_there(command: str, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as stop:
        main([command, "--help"])
    assert stop.value.code == 0
    assert command in capsys.readouterr().out


@pytest.mark.parametrize(
    "page", sorted(ROOT.glob("*.md")) + sorted((ROOT / "docs").glob("*.md")), ids=lambda page: page.name
)
def test_links_lead_somewhere(page: Path):
    for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target
