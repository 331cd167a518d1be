"""The browser's types are written from the structs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dizhu.protocol import CLOSED_CODES, REFUSAL_CODES
from dizhu.protocol.typescript import main, typescript


def test_the_file_of_the_browser_client_is_current(project: Path):
    assert main(["--check", str(project / "web/src/protocol.ts")]) == 0


def test_an_old_file_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "protocol.ts"
    assert main(["--check", str(file)]) == 1
    assert main([str(file)]) == 0
    assert main(["--check", str(file)]) == 0
    file.write_text(file.read_text() + "\n")
    assert main(["--check", str(file)]) == 1
    assert capsys.readouterr().err.count("is not current") == 2


def test_what_the_types_say():
    text = typescript()
    code = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    assert not re.search(r"\b(any|unknown)\b", code)
    for line in (
        'type: "act";',
        "hands: (string[] | null)[];",
        "hands?: (string[] | null)[];",
        "table: Table | null;",
        "  | WelcomeMessage",
        "export interface Event {",
        "  seat: number | null;",
    ):
        assert line in text
    assert all(f'  | "{code}"' in text for code in (*REFUSAL_CODES, *CLOSED_CODES))
    assert "history?" not in text
