"""Bots that are programs of their own, in any language: JSON lines over their standard input and output.

`program:COMMAND ARGUMENTS` names one; docs/bots.md says how to write one. A program is started once in a process, plays
any number of seats and hands, and is ended with all that it has started.
"""

from __future__ import annotations

import atexit
import os
import select
import shlex
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from functools import lru_cache
from time import monotonic

import msgspec

from dizhu.bots.bot import Seed
from dizhu.errors import DizhuError, UnknownName
from dizhu.game.physical import rank_word
from dizhu.game.view import Result, View
from dizhu.rules import cards as c
from dizhu.rules.cards import Cards
from dizhu.variants import variant

PROTOCOL = 1
PREFIX = "program:"
_TO_START = 60.0
_TO_END = 1.0
_CHUNK = 1 << 16
_SHOWN = 200
_SEED_BYTES = 6


class Ranks(msgspec.Struct, frozen=True):
    """What a simple bot needs of a view, cards as ranks from low to high (T: ten, B and R: jokers).

    hand: own cards. others: all cards that are neither in the own hand nor played. table: what has to be beaten, empty
    on a lead. bottom: null while this seat may not know it. played: by seat. history: seat and cards of each turn of
    the play, no cards for a pass.
    """

    hand: str
    others: str
    table: str
    bottom: str | None
    played: tuple[str, ...]
    history: tuple[tuple[int, str], ...]


class Hello(msgspec.Struct, frozen=True, tag="hello"):
    """The first line: the version of the protocol, and the seconds that an answer may take."""

    protocol: int
    seconds: float


class Act(msgspec.Struct, frozen=True, tag="act"):
    """A question to a seat. hand: counts the hands, from 0. seed: the same each time for the same seat and deal."""

    hand: int
    seat: int
    seed: int
    ranks: Ranks
    view: View


class Over(msgspec.Struct, frozen=True, tag="over"):
    """The end of a hand; result is null if nobody wanted to be landlord."""

    hand: int
    result: Result | None


class _Greeting(msgspec.Struct):
    protocol: int


class _Answer(msgspec.Struct):
    action: str


_encode = msgspec.json.Encoder().encode
_greeting = msgspec.json.Decoder(_Greeting)
_answer = msgspec.json.Decoder(_Answer)


def is_program(name: str) -> bool:
    """Tell whether the name of a bot is that of a program."""
    return name.startswith(PREFIX)


def check_program(name: str) -> list[str]:
    """Give a program and its arguments; raises UnknownName `unknown_bot` if it cannot be started."""
    try:
        arguments = shlex.split(name.removeprefix(PREFIX))
    except ValueError as error:
        raise UnknownName("unknown_bot", f"{name}: {error}") from error
    if not arguments:
        raise UnknownName("unknown_bot", f"{name!r} names no program: write {PREFIX}COMMAND ARGUMENTS")
    if shutil.which(arguments[0]) is None:
        raise UnknownName("unknown_bot", f"{name!r}: there is no program {arguments[0]!r} that can be started")
    if sys.platform == "win32":
        raise UnknownName("unknown_bot", f"{name!r}: on Windows programs cannot be bots")
    return arguments


class Program:
    """A running program. An error of its ends it: DizhuError `bad_program` says what it did and what was expected."""

    def __init__(self, name: str, time_limit: float) -> None:
        """Start it; raises UnknownName."""
        self.name = name
        self._time_limit = time_limit
        self._hand = 0
        self._unsent = b""
        self._unread = b""
        try:
            self._process = subprocess.Popen(  # noqa: S603 - the user names the program
                check_program(name), bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
            )
        except OSError as error:
            raise UnknownName("unknown_bot", f"{name!r} cannot be started: {error.strerror}") from error
        assert self._process.stdin
        assert self._process.stdout
        self._input, self._output = self._process.stdin.fileno(), self._process.stdout.fileno()
        os.set_blocking(self._input, False)
        os.set_blocking(self._output, False)

    def greet(self) -> None:
        """Agree on the protocol."""
        asked = _encode(Hello(PROTOCOL, self._time_limit))
        expected = f'{{"protocol": {PROTOCOL}}}'
        line = self._exchange(asked, max(self._time_limit, _TO_START), expected)
        try:
            spoken = _greeting.decode(line).protocol
        except (msgspec.MsgspecError, UnicodeError):
            spoken = None
        if spoken != PROTOCOL:
            raise self._failed(f"answered {_shown(line)}", asked, expected)

    def act(self, view: View, seed: int) -> str:
        """Ask for an action; the answer is one of `view.legal`."""
        assert view.seat is not None
        asked = _encode(Act(self._hand, view.seat, seed, ranks(view), view))
        expected = f'{{"action": "{view.legal[0]}"}} or another of view.legal'
        line = self._exchange(asked, self._time_limit, expected)
        try:
            action = _answer.decode(line).action
        except (msgspec.MsgspecError, UnicodeError):
            action = None
        if action not in view.legal:
            raise self._failed(f"answered {_shown(line)}", asked, expected)
        return action

    def end_hand(self, result: Result | None) -> None:
        """Tell how a hand ended; there is no answer to that."""
        self._unsent += _encode(Over(self._hand, result)) + b"\n"
        self._hand += 1
        self._send()

    def _exchange(self, asked: bytes, seconds: float, expected: str) -> bytes:
        """Send a line and return the one that answers it."""
        if self._unread or self._receive():
            raise self._failed(f"wrote {_shown(self._unread)} without being asked", asked, expected)
        self._unsent += asked + b"\n"
        deadline = monotonic() + seconds
        while True:
            self._send()
            writing = [self._input] if self._unsent else []
            if not any(select.select([self._output], writing, [], max(0.0, deadline - monotonic()))):
                raise self._failed(f"gave no whole line within {seconds:g} seconds", asked, expected)
            if self._receive() is None:
                raise self._failed(f"{self._ended()} instead of answering", asked, expected)
            line, end, rest = self._unread.partition(b"\n")
            if end:
                self._unread = rest
                return line
            if len(line) > _CHUNK:
                raise self._failed(f"wrote a line without end, {_shown(line)}", asked, expected)

    def _send(self) -> None:
        """Write as much as the program takes now."""
        with suppress(BlockingIOError, BrokenPipeError):
            while self._unsent:
                self._unsent = self._unsent[os.write(self._input, self._unsent) :]

    def _receive(self) -> bool | None:
        """Read what the program has written; None if it has closed its output, and nothing is left to read."""
        try:
            chunk = os.read(self._output, _CHUNK)
        except BlockingIOError:
            return False
        self._unread += chunk
        return True if chunk else None

    def _ended(self) -> str:
        """Say how the program ended, once it has closed its output."""
        with suppress(subprocess.TimeoutExpired):
            status = self._process.wait(_TO_END)
            return f"ended with status {status}" if status >= 0 else f"was ended by signal {-status}"
        return "closed its output"

    def _failed(self, what: str, asked: bytes, expected: str) -> DizhuError:
        self.kill()
        message = f"the program {self.name.removeprefix(PREFIX)!r} {what}; expected was the line {expected}"
        question = asked.decode()
        return DizhuError("bad_program", f"{message}, for it was asked {_shown(asked)}", asked=question)

    def stop(self) -> None:
        """Let the program end by itself, for its input is over; if it does not, end it."""
        assert self._process.stdin
        assert self._process.stdout
        self._send()
        self._process.stdin.close()
        try:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_TO_END)
        finally:
            self.kill()
        self._process.wait()
        self._process.stdout.close()

    def kill(self) -> None:
        """End the program and what it has started, at once."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)


class ProgramBot:
    """A seat that a program plays."""

    def __init__(self, program: Program, seed: Seed) -> None:
        """Take a running program; it is told a number made from the seed."""
        self.program = program
        number = seed if isinstance(seed, int) else int.from_bytes(seed[:_SEED_BYTES], "big")
        self._seed = number % (1 << 8 * _SEED_BYTES)

    def act(self, view: View) -> str:
        """Answer a question; raises DizhuError `bad_program`."""
        return self.program.act(view, self._seed)


_programs: dict[str, Program] = {}


def running(name: str, time_limit: float) -> Program:
    """Give the program of a name, started if it is not running in this process. Raises UnknownName or DizhuError."""
    if name not in _programs:
        _programs[name] = Program(name, time_limit)
        _programs[name].greet()
    return _programs[name]


@atexit.register
def stop_all() -> None:
    """End all programs that this process has started."""
    while _programs:
        _programs.popitem()[1].stop()


def kill_all() -> None:
    """End them at once; for a process that is about to end itself."""
    for program in list(_programs.values()):
        program.kill()


def ranks(view: View) -> Ranks:
    """Describe a view by ranks."""
    assert view.seat is not None
    own = rank_word(view.hands[view.seat] or ())
    played = [0] * len(view.counts)
    for move in view.history:
        played[move.seat] += _word(move.cards)
    return Ranks(
        hand=c.format_cards(own),
        others=c.format_cards(variant(view.variant).deck.word - own - sum(played)),
        table="" if view.table is None else _text(view.table.cards),
        bottom=None if view.bottom is None else _text(view.bottom),
        played=tuple(map(c.format_cards, played)),
        history=tuple([(move.seat, _text(move.cards)) for move in view.history]),
    )


@lru_cache(1 << 12)
def _word(cards: tuple[str, ...]) -> Cards:
    return rank_word(cards)


@lru_cache(1 << 12)
def _text(cards: tuple[str, ...]) -> str:
    return "".join([card[0] for card in cards])


def _shown(line: bytes) -> str:
    """Show the beginning of a line."""
    text = line.decode(errors="backslashreplace")
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")
