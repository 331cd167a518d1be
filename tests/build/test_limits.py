"""Files and functions stay small enough to be read at once, and the page small enough for a slow line."""

from __future__ import annotations

import ast
import gzip
from pathlib import Path

import pytest

from dizhu.server.settings import Settings

LONGEST_FUNCTION = 50
LONGEST_FILE = 500
LARGEST_PAGE = 60 * 1024
FOLDERS = ("src", "tests", "buildtools", "benchmarks")


def python_files(project: Path) -> list[Path]:
    files = (file for folder in FOLDERS for file in (project / folder).rglob("*.py"))
    # A step of the database lists tables, as long as they are, and is never changed.
    return [file for file in files if file.parent.name != "versions"]


def lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    assert function.end_lineno is not None
    return function.end_lineno - function.lineno + 1


def test_files(project: Path) -> None:
    files = python_files(project)
    assert files
    length = {str(file): len(file.read_text(encoding="utf-8").splitlines()) for file in files}
    assert {file: count for file, count in length.items() if count > LONGEST_FILE} == {}


def test_functions(project: Path) -> None:
    long = {
        f"{file}:{node.lineno} {node.name}": lines(node)
        for file in python_files(project)
        for node in ast.walk(ast.parse(file.read_bytes()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and lines(node) > LONGEST_FUNCTION
    }
    assert long == {}


def test_a_long_function_would_be_found(tmp_path: Path) -> None:
    body = "def long():\n" + "    pass\n" * LONGEST_FUNCTION
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "long.py").write_text(body)
    with pytest.raises(AssertionError, match=r"long\.py:1 long"):
        test_functions(tmp_path)


def test_scripts_and_styles_of_the_page() -> None:
    folder = Settings().bundle
    assert folder is not None
    files = [file for file in (folder / "assets").iterdir() if file.suffix in (".js", ".css")]
    assert files
    assert sum(len(gzip.compress(file.read_bytes())) for file in files) <= LARGEST_PAGE
