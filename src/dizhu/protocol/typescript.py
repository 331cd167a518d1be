"""Write web/src/protocol.ts, the protocol as TypeScript, from the JSON Schema of the structs.

python -m dizhu.protocol.typescript           # write the file
python -m dizhu.protocol.typescript --check   # exit status 1 if the file is not current
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from dizhu.protocol import PROTOCOL, Command, ServerMessage
from dizhu.protocol.written import write_or_check

_HEADER = "// Written by `python -m dizhu.protocol.typescript` from src/dizhu/protocol; do not edit.\n"
_TARGET = Path("web/src/protocol.ts")
_SCALARS = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}

Schema = Mapping[str, Any]


def typescript() -> str:
    """The whole file: an interface for each struct, a type for each list of codes, and the two unions."""
    unions, structs = msgspec.json.schema_components([Command, ServerMessage], ref_template="{name}")
    parts = [_HEADER, f"export const PROTOCOL = {PROTOCOL};\n"]
    parts += [_alias(name, map(json.dumps, codes)) for name, codes in _named_enums(structs.values())]
    parts += [_interface(struct) for struct in structs.values()]
    for name, union in zip(("Command", "ServerMessage"), unions, strict=True):
        parts.append(_alias(name, map(type_text, union["anyOf"])))
    return "\n".join(parts)


def _interface(struct: Schema) -> str:
    always = set(struct.get("required", ()))
    command = struct["title"].endswith("Command")
    lines = [*_comment(struct.get("description", "")), f"export interface {struct['title']} {{"]
    for name, schema in struct["properties"].items():
        # The server always writes a field with a default, and leaves out only UNSET ones; a client need not write it.
        written = name in always or ("default" in schema and not command)
        mark = "" if written else "?"
        lines.append(f"  {name}{mark}: {type_text(schema)};")
    return "\n".join([*lines, "}", ""])


def type_text(schema: Schema) -> str:
    """Write the type that a schema describes."""
    if "$ref" in schema:
        return schema["$ref"]
    if "enum" in schema:
        return schema.get("title") or _literals(schema["enum"])
    if "anyOf" in schema:
        return " | ".join(type_text(choice) for choice in schema["anyOf"])
    match schema["type"]:
        case "array":
            item = type_text(schema["items"])
            return f"({item})[]" if " | " in item else f"{item}[]"
        case "object":
            return f"Record<string, {type_text(schema['additionalProperties'])}>"
        case scalar:
            return _SCALARS[scalar]


def _alias(name: str, choices: Iterable[str]) -> str:
    return "\n".join([f"export type {name} =", *(f"  | {choice}" for choice in choices)]) + ";\n"


def _literals(values: Sequence[str]) -> str:
    return " | ".join(json.dumps(value) for value in values)


def _named_enums(schemas: Iterable[Schema]) -> Iterator[tuple[str, Sequence[str]]]:
    for struct in schemas:
        for schema in struct["properties"].values():
            if "enum" in schema and "title" in schema:
                yield schema["title"], schema["enum"]


def _comment(text: str) -> Iterator[str]:
    lines = text.splitlines()
    if len(lines) == 1:
        yield f"/** {lines[0]} */"
    elif lines:
        yield "/**"
        yield from (f" * {line}".rstrip() for line in lines)
        yield " */"


def main(arguments: Sequence[str] | None = None) -> int:
    """Write or check the file; the exit status."""
    description = "The protocol as TypeScript."
    return write_or_check("dizhu.protocol.typescript", description, lambda _: typescript(), _TARGET, arguments)


if __name__ == "__main__":
    sys.exit(main())
