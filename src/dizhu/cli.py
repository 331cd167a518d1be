"""The command `dizhu`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from dizhu import __version__
from dizhu.errors import DizhuError

USAGE_ERROR = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit status: 0, 1 (a check failed) or 2 (the input was wrong, said in one line)."""
    options = _parser().parse_args(arguments)
    try:
        status: int = options.run(options)
    except DizhuError as error:
        print(f"dizhu: {error}", file=sys.stderr)
        return USAGE_ERROR
    except BrokenPipeError:
        # The reader (`head`, a pager) has seen enough; keep the interpreter from complaining at exit.
        sys.stdout = None
        return 0
    except KeyboardInterrupt:
        return 130
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="dizhu", description="Dou Dizhu: play, serve, check, measure.", allow_abbrev=False
    )
    parser.add_argument("--version", action="version", version=f"dizhu {__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    check = commands.add_parser("check", help="run case files against the rules")
    check.add_argument("files", nargs="+", type=Path, metavar="FILE", help="JSON lines, one case each")
    check.set_defaults(run=_check)
    return parser


def _check(options: argparse.Namespace) -> int:
    from dizhu.testing.cases import run_file

    passed = failed = 0
    for file in options.files:
        for outcome in run_file(file):
            if outcome.problem is None:
                passed += 1
            else:
                failed += 1
                print(f"{outcome.where}: {outcome.problem}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0
