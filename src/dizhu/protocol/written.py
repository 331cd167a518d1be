"""Files that are written from the structs, and that have to be current."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path


def write_or_check(
    module: str, description: str, write: Callable[[Path], str], target: Path, arguments: Sequence[str] | None = None
) -> int:
    """Write a file, or with `--check` see whether it is current; the exit status."""
    parser = argparse.ArgumentParser(prog=f"python -m {module}", description=description)
    parser.add_argument("--check", action="store_true", help="change nothing; fail if the file is not current")
    parser.add_argument("file", type=Path, nargs="?", default=target)
    options = parser.parse_args(arguments)
    text = write(options.file)
    if not options.check:
        options.file.write_text(text, encoding="utf-8")
        return 0
    if options.file.is_file() and options.file.read_text(encoding="utf-8") == text:
        return 0
    print(f"{options.file} is not current: run python -m {module}", file=sys.stderr)
    return 1
