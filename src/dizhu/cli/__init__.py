"""The command `dizhu`."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Sequence
from typing import NoReturn

from dizhu import __version__
from dizhu.cli import hosting, records, strength
from dizhu.errors import DizhuError

USAGE_ERROR = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit status: 0, 1 (a check failed) or 2 (the input was wrong, said in one line)."""
    # Files may hold what a terminal has no letters for.
    if reconfigure := getattr(sys.stdout, "reconfigure", None):
        reconfigure(errors="backslashreplace")
    try:
        return _run(arguments)
    except DizhuError as error:
        print(f"dizhu: {_short(str(error))}", file=sys.stderr)
        return USAGE_ERROR
    except BrokenPipeError:
        # The reader (`head`, a pager) has seen enough.
        _drop_output()
        return 0
    except OSError as error:
        print(f"dizhu: {error.strerror}", file=sys.stderr)
        _drop_output()
        return USAGE_ERROR
    except KeyboardInterrupt:
        return 130


def _run(arguments: Sequence[str] | None) -> int:
    """Carry out the command; when this is over all that it said is written, or it is known why not."""
    try:
        options = _parser().parse_args(arguments)
        status: int = options.run(options)
    finally:
        # Not `sys.stdout.flush()`: there is no such object where the output is closed.
        print(end="", flush=True)
    return status


def _drop_output() -> None:
    """Let what is still buffered go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class _Parser(argparse.ArgumentParser):
    """Says in one line what is wrong with the arguments."""

    def error(self, message: str) -> NoReturn:
        """End the program."""
        self.exit(USAGE_ERROR, f"{self.prog}: {_short(message)} (see {self.prog} --help)\n")


def _short(message: str) -> str:
    """Cut what is endless in a message: it repeats what was typed, or what stands in a file. Paths are shorter."""
    return re.sub(r"(\S{60})\S{440,}", r"\1…", message)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="dizhu", description="Dou Dizhu: play, serve, check, measure.", allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"dizhu {__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    for group in (records, hosting, strength):
        group.add_commands(commands.add_parser)
    return parser
