"""The scripts that make a machine ready: what they do, and what they say where they cannot."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

NEEDED = ("bash", "dirname", "env", "mktemp", "rm", "tail")


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """A folder that is the whole PATH: a shell with its helpers, and a dpkg that has no package but `present`."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in NEEDED:
        (folder / name).symlink_to(shutil.which(name) or name)
    add(folder, "dpkg-query", 'for last; do :; done; [ "$last" = present ] && printf installed')
    add(folder, "id", "echo 0")
    return folder


def add(folder: Path, name: str, script: str) -> None:
    (folder / name).write_text(f"#!{shutil.which('bash')}\n{script}\n")
    (folder / name).chmod(0o755)


def run(project: Path, programs: Path, script: str, *words: str, python: str = "") -> subprocess.CompletedProcess[str]:
    environment = {"PATH": str(programs), "HOME": str(programs)} | ({"PYTHON": python} if python else {})
    return subprocess.run(
        [project / "scripts" / script, *words], env=environment, capture_output=True, text=True, check=False
    )


def test_what_is_installed_is_left_alone(project: Path, programs: Path) -> None:
    done = run(project, programs, "apt-install", "present")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_root_installs_what_is_missing(project: Path, programs: Path, tmp_path: Path) -> None:
    add(programs, "apt-get", f'echo "$DEBIAN_FRONTEND ${{@: -1}}" >> {tmp_path}/asked')
    done = run(project, programs, "apt-install", "present", "absent")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "asked").read_text() == "noninteractive update\nnoninteractive absent\n"


def test_a_failure_of_apt_is_told(project: Path, programs: Path) -> None:
    add(programs, "apt-get", 'echo "E: no network"; exit 100')
    done = run(project, programs, "apt-install", "absent")
    assert done.returncode == 1
    assert done.stderr == "E: no network\nNot installed: absent (apt-get failed, see above).\n"


def test_without_apt_the_packages_are_named(project: Path, programs: Path) -> None:
    done = run(project, programs, "system-packages")
    assert done.returncode == 1
    assert done.stderr.startswith(
        "Not installed: chromium fonts-noto-cjk fonts-noto-core postgresql (there is no apt-get here"
    )


def test_who_is_not_root_and_has_no_sudo_is_told_what_to_ask_for(project: Path, programs: Path) -> None:
    add(programs, "apt-get", "exit 1")
    add(programs, "id", "echo 1000")
    add(programs, "sudo", "exit 1")
    done = run(project, programs, "apt-install", "absent")
    assert done.returncode == 1
    assert "Install them with: sudo apt-get install absent" in done.stderr


@pytest.mark.parametrize("python", ["old", "none"])
def test_without_a_new_enough_python_no_environment_is_made(
    project: Path, programs: Path, tmp_path: Path, python: str
) -> None:
    add(programs, "old", "exit 1")  # what `python -c 'sys.exit(too old)'` does
    done = run(project, programs, "make-venv", str(tmp_path / "venv"), python=python)
    assert done.returncode == 1
    assert done.stderr == f"dizhu needs Python 3.11 or newer; none was found as: {python}.\n"
    assert not (tmp_path / "venv").exists()


@pytest.fixture
def bare_python(programs: Path, tmp_path: Path) -> Path:
    """A Python as Debian has it without further packages, which apt-get can bring; making an environment fails.

    The file that is returned lists what was installed.
    """
    log = tmp_path / "installed"
    log.touch()
    (programs / "real").symlink_to(sys.executable)
    (programs / "grep").symlink_to(shutil.which("grep") or "grep")
    add(
        programs,
        "python3",
        f"""case "$*" in
            *ensurepip*) grep -q venv {log};;
            *Python.h*) grep -q dev {log};;
            *"-m venv"*) exit 1;;
            *) exec real "$@";;
        esac""",
    )
    add(programs, "gcc", "")
    add(programs, "apt-get", f'[ "${{@: -1}}" = update ] || echo "${{@: -1}}" >> {log}')
    return log


def test_what_python_lacks_is_installed_for_its_version(
    project: Path, programs: Path, bare_python: Path, tmp_path: Path
) -> None:
    done = run(project, programs, "make-venv", str(tmp_path / "venv"), python="python3")
    version = f"python3.{sys.version_info.minor}"
    assert bare_python.read_text().split() == [f"{version}-venv", f"{version}-dev"], done.stderr
    assert "Creating" in done.stdout
    assert done.returncode != 0
    assert not (tmp_path / "venv").exists(), "half an environment was left"


def test_without_headers_it_goes_on_and_says_so(
    project: Path, programs: Path, bare_python: Path, tmp_path: Path
) -> None:
    bare_python.write_text("venv")
    (programs / "apt-get").unlink()
    done = run(project, programs, "make-venv", str(tmp_path / "venv"), python="python3")
    assert "Going on without the compiled core" in done.stderr
    assert "Creating" in done.stdout
