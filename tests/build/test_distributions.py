"""The distributions: what is in them, and that one is made from the other."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

VARIANTS = {"auction", "classic", "five_player", "happy", "landlord_war", "two_player"}


def build(hook: str, tree: Path, into: Path) -> Path:
    """Call a hook of the back-end as pip does, and return the file that it made."""
    script = f"import backend, sys; print(backend.{hook}(sys.argv[1]))"
    done = subprocess.run(
        [sys.executable, "-c", script, str(into)],
        cwd=tree,
        env={**os.environ, "PYTHONPATH": str(tree / "buildtools")},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return into / done.stdout.splitlines()[-1]


@pytest.fixture(scope="module")
def names(project: Path) -> set[str]:
    """The files of the tree that are under version control, or will be."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=True)
    return {name for name in done.stdout.split("\0") if (project / name).is_file()}


@pytest.fixture(scope="module")
def sdist(project: Path, names: set[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source distribution, made from a copy of the tree that has all that must stay out of it."""
    tree = tmp_path_factory.mktemp("tree") / "dizhu"
    for name in names:
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(project / name, tree / name)
    for name in ("web/node_modules/left/pad.js", "src/dizhu/server/static/index.html", "build/lib/dizhu/old.py"):
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).touch()
    return build("build_sdist", tree, tmp_path_factory.mktemp("sdist"))


@pytest.fixture(scope="module")
def wheel(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel built from the source distribution alone, where an older build left something."""
    folder = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(sdist) as archive:
        # Debian's Python 3.11.2 knows no filters; it ignores the attribute.
        archive.extraction_filter = getattr(tarfile, "data_filter", None)
        archive.extractall(folder)
    (tree,) = folder.iterdir()
    left_over = tree / "build" / "lib" / "dizhu" / "server" / "static" / "assets" / "old.js"
    left_over.parent.mkdir(parents=True)
    left_over.touch()
    return build("build_wheel", tree, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the wheel installs, and nothing else."""
    folder = tmp_path_factory.mktemp("installed")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def test_the_sdist_holds_the_sources_of_the_client_but_nothing_built(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    wanted = {"LICENSE", "web/package.json", "web/package-lock.json", "web/index.html", "buildtools/backend.py"}
    assert not wanted - names
    built = ("web/node_modules", "src/dizhu/server/static", "build/")
    assert not [name for name in names if name.startswith(built) or "__pycache__" in name]


def test_the_wheel_holds_the_client_and_nothing_of_an_older_one(installed: Path) -> None:
    static = installed / "dizhu" / "server" / "static"
    page = (static / "index.html").read_text(encoding="utf-8")
    wanted = re.findall(r'(?:src|href)="\.?/([^"]+)"', page)
    assert any(name.endswith(".js") for name in wanted)
    assert not [name for name in wanted if not (static / name).is_file()]
    assert not (static / "assets" / "old.js").exists()


def test_the_wheel_holds_all_that_the_tree_holds_but_what_is_compiled(names: set[str], installed: Path) -> None:
    compiled = {name for name in names if name.endswith((".c", ".h"))}
    source = {name.removeprefix("src/") for name in names - compiled if name.startswith("src/")}
    there = {file.relative_to(installed).as_posix() for file in (installed / "dizhu").rglob("*") if file.is_file()}
    built = {name for name in there if name.startswith("dizhu/server/static/") or Path(name).suffix in {".so", ".pyd"}}
    assert there - built == source


@pytest.mark.skipif(
    shutil.which("cc") is None or not Path(sysconfig.get_path("include"), "Python.h").is_file(),
    reason="there is no C compiler, or no Python.h",
)
def test_the_wheel_holds_the_compiled_core(installed: Path) -> None:
    """The core is optional, so that a source missing from the source distribution would not stop the build."""
    assert list((installed / "dizhu" / "_core").glob("_native*"))


def run(installed: Path, script: str) -> list[str]:
    """Run a script that sees the standard library and the installed folder alone; it prints JSON."""
    done = subprocess.run(
        [sys.executable, "-B", "-I", "-S", "-c", f"import sys; sys.path.insert(0, {str(installed)!r})\n{script}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_rules_need_nothing_but_the_standard_library(installed: Path) -> None:
    names = run(installed, "import dizhu, json; print(json.dumps(dizhu.variants()))")
    assert set(names) >= VARIANTS


def test_the_library_loads_no_network(installed: Path) -> None:
    script = "import dizhu, json; dizhu.variant('classic'); print(json.dumps(sorted(sys.modules)))"
    assert not {"asyncio", "socket", "ssl", "http", "dizhu.server"} & set(run(installed, script))
