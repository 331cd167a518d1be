"""The core's C under AddressSanitizer and UndefinedBehaviorSanitizer, over random and extreme hands."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
WARNINGS = ["-Wall", "-Wextra", "-Wno-missing-field-initializers", "-Werror"]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no gcc"),
]


def compile_c(source: Path, program: Path, *options: str) -> subprocess.CompletedProcess[str]:
    headers = f"-I{ROOT / 'src' / 'dizhu' / '_core'}"
    command = ["gcc", "-O1", "-g", *options, headers, str(source), "-o", str(program), "-lm"]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("source", ["fuzz.c", "fuzz_networks.c"])
def test_nothing_is_overrun_leaked_or_undefined(source: str, tmp_path: Path):
    empty = tmp_path / "empty.c"
    empty.write_text("int main(void) { return 0; }")
    if compile_c(empty, tmp_path / "empty", *SANITIZERS).returncode:
        pytest.skip("gcc's sanitizers are not installed")
    program = tmp_path / "fuzz"
    # One version of each function: which one fits the processor is asked before the sanitizers are ready.
    options = (*SANITIZERS, *WARNINGS, "-DFOR_EACH_PROCESSOR=")
    built = compile_c(Path(__file__).with_name(source), program, *options)
    assert built.returncode == 0, built.stderr
    ran = subprocess.run([program], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout == "all held\n"
