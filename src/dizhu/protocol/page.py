"""Write the second part of docs/protocol.md, the protocol for people, from the structs and the codes.

python -m dizhu.protocol.page           # write the page
python -m dizhu.protocol.page --check   # exit status 1 if the page is not current
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from dizhu.protocol import CLOSED_CODES, REFUSAL_CODES
from dizhu.protocol.asyncapi import COMMANDS, MESSAGES, tag
from dizhu.protocol.typescript import type_text
from dizhu.protocol.written import write_or_check

_TARGET = Path("docs/protocol.md")
_MARK = "<!-- From here on written by `python -m dizhu.protocol.page` from src/dizhu/protocol; do not edit. -->"
_MOST = 2**53 - 1

Schema = Mapping[str, Any]


def page(file: Path) -> str:
    """The whole page: what people have written in the file, and what is written from the structs."""
    own = file.read_text(encoding="utf-8").partition(_MARK)[0] if file.is_file() else ""
    return f"{own}{_MARK}\n\n{reference()}"


def reference() -> str:
    """All messages, what they are made of, and all codes."""
    structs = (*COMMANDS, *MESSAGES)
    _, schemas = msgspec.json.schema_components(structs, ref_template="{name}")
    spoken = {struct.__name__ for struct in structs}
    parts = [
        "## What a client says\n",
        *(_section(f"`{tag(struct)}`", schemas[struct.__name__]) for struct in COMMANDS),
        "## What the server says\n",
        *(_section(f"`{tag(struct)}`", schemas[struct.__name__]) for struct in MESSAGES),
        "## What messages are made of\n",
        *(_section(name, schema) for name, schema in schemas.items() if name not in spoken),
        "## Why a command is refused\n",
        "The `code` of `refused`; `detail` says more where it is named here.\n",
        _table(("code", "meaning"), ((f"`{code}`", meaning) for code, meaning in REFUSAL_CODES.items())),
        "## Why a table or a connection ends\n",
        "The `code` of `closed`.\n",
        _table(("code", "meaning"), ((f"`{code}`", meaning) for code, meaning in CLOSED_CODES.items())),
    ]
    return "\n".join(parts)


def _section(title: str, schema: Schema) -> str:
    lines = [f"### {title}\n"]
    if description := schema.get("description"):
        lines.append(inspect.cleandoc(description) + "\n")
    if fields := list(_fields(schema)):
        lines.append(_table(("field", "type", ""), fields))
    return "\n".join(lines)


def _fields(schema: Schema) -> Iterator[tuple[str, str, str]]:
    for name, field in schema["properties"].items():
        if name != "type":
            kind = type_text(field).replace("|", "\\|")
            left_out = () if name in schema.get("required", ()) else ("may be left out",)
            yield f"`{name}`", f"`{kind}`", ", ".join((*_bounds(field), *left_out))


def _bounds(field: Schema) -> Iterator[str]:
    for choice in field.get("anyOf", (field,)):
        if "maxLength" in choice:
            yield f"{choice.get('minLength', 0)} to {choice['maxLength']} characters"
        if "pattern" in choice:
            yield f"`{choice['pattern']}`"
        if "minimum" in choice:
            most = choice.get("maximum", choice.get("exclusiveMaximum", 0) - 1)
            yield f"from {choice['minimum']}" + ("" if most == _MOST else f" to {most}")


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = ["| " + " | ".join(heads) + " |", "|" + " --- |" * len(heads)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Write or check the page; the exit status."""
    return write_or_check("dizhu.protocol.page", "The protocol as a page.", page, _TARGET, arguments)


if __name__ == "__main__":
    sys.exit(main())
