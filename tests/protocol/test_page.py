"""The page of the protocol and its description for programs are written from the structs."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from dizhu.protocol import CLOSED_CODES, PROTOCOL, REFUSAL_CODES, Command, ServerMessage
from dizhu.protocol.asyncapi import document, tag
from dizhu.protocol.page import main, reference

STRUCTS: tuple[type[msgspec.Struct], ...] = (*get_args(Command), *get_args(ServerMessage))
DESCRIBED: dict[str, Any] = json.loads(json.dumps(document()))


def test_the_page_is_current(project: Path):
    page = project / "docs/protocol.md"
    assert main(["--check", str(page)]) == 0
    assert f"This is protocol {PROTOCOL}." in page.read_text(encoding="utf-8")


def test_what_people_have_written_stays(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "protocol.md"
    assert main(["--check", str(file)]) == 1
    file.write_text("# Ours\n\n")
    assert main([str(file)]) == 0
    assert main(["--check", str(file)]) == 0
    assert file.read_text(encoding="utf-8").startswith("# Ours\n\n<!-- From here on written")
    file.write_text(file.read_text(encoding="utf-8") + "more\n", encoding="utf-8")
    assert main(["--check", str(file)]) == 1
    assert capsys.readouterr().err.count("is not current") == 2


def test_the_page_names_every_message_field_and_code():
    text = reference()
    for struct in STRUCTS:
        section = re.search(rf"^### `{tag(struct)}`\n(.*?)(?=^##)", text, re.DOTALL | re.MULTILINE)
        assert section is not None
        named = re.findall(r"^\| `(\w+)` \|", section.group(1), re.MULTILINE)
        assert named == [field.name for field in msgspec.structs.fields(struct)]
    for code in (*REFUSAL_CODES, *CLOSED_CODES):
        assert f"\n| `{code}` | " in text


def test_every_message_is_described():
    messages = DESCRIBED["components"]["messages"]
    assert {message["name"] for message in messages.values()} == {tag(struct) for struct in STRUCTS}
    assert set(DESCRIBED["channels"]["game"]["messages"]) == set(messages) == {struct.__name__ for struct in STRUCTS}
    told = [used["$ref"] for operation in DESCRIBED["operations"].values() for used in operation["messages"]]
    answers = {
        used["$ref"]
        for operation in DESCRIBED["operations"].values()
        for used in operation.get("reply", {}).get("messages", ())
    }
    assert len(told) == len(set(told))
    assert {reference.rpartition("/")[2] for reference in {*told, *answers}} == set(messages)


def test_all_that_is_referred_to_is_there():
    for way in set(re.findall(r'"\$ref": "#/([^"]+)"', json.dumps(DESCRIBED))):
        place: Any = DESCRIBED
        for step in way.split("/"):
            place = place[step]
        assert place
