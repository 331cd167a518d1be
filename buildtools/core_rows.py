"""Write src/dizhu/_core/rows.h, the C core's copy of the rows in dizhu.rules.shapes; `--check` only compares."""

from __future__ import annotations

import sys
from pathlib import Path

from dizhu.rules import shapes
from dizhu.rules.cards import parse

HEADER = Path(__file__).parent.parent / "src" / "dizhu" / "_core" / "rows.h"
FAMILIES = {"standard": shapes.STANDARD, "distinct": shapes.DISTINCT, "pairs_only": shapes.PAIRS_ONLY}


def header() -> str:
    """Write every family of rows as one X-macro: row, then the fields of shape_t in order."""
    lines = [
        "/* Written by buildtools/core_rows.py from dizhu.rules.shapes; change the rows there. */",
        "#ifndef DIZHU_ROWS_H",
        "#define DIZHU_ROWS_H",
    ]
    for name, rows in FAMILIES.items():
        lines += ["", f"#define ROWS_{name.upper()}(X) \\"]
        lines += [f"    X{_fields(row, shape)} /* {shape.name} */ \\" for row, shape in enumerate(rows)]
        lines[-1] = lines[-1].removesuffix(" \\")
    families = " ".join(f"X({name}, {name.upper()})" for name in FAMILIES)
    return "\n".join([*lines, "", f"#define FAMILIES(X) {families}", "", "#endif", ""])


def _fields(row: int, shape: shapes.Shape) -> str:
    sets = [parse(text) for text in shape.cards] + [0, 0]
    numbers = [
        row,
        shape.copies,
        shape.run,
        shape.kickers,
        shape.kicker,
        shape.most,
        int(shape.beside),
        int(shape.jokers),
        shape.power,
        shape.times,
        len(shape.cards),
    ]
    words = ", ".join(f"{word:#x}ULL" for word in sets[:2])
    return f"({', '.join(map(str, numbers))}, {words})"


def main() -> int:
    """Write the header, or with `--check` tell whether it is current."""
    if sys.argv[1:] == ["--check"]:
        if HEADER.read_text(encoding="utf-8") == header():
            return 0
        print(f"{HEADER.name} is not what dizhu.rules.shapes says: run python buildtools/core_rows.py", file=sys.stderr)
        return 1
    HEADER.write_text(header(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
