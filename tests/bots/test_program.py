"""Bots that are programs: what they are told, what becomes of those that go wrong, and that none is left behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

import dizhu
from dizhu import bots
from dizhu.bots.arena import Match, run
from dizhu.bots.arena.match import start
from dizhu.bots.program import ProgramBot, check_program, ranks, running, stop_all
from dizhu.cli import main
from dizhu.errors import DizhuError, UnknownName

PROJECT = Path(__file__).resolve().parents[2]
EXAMPLE = f"program:{sys.executable} {PROJECT / 'examples' / 'program_bot.py'}"

Write = Callable[[str], str]

LOOP = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"protocol": 1}), flush=True)
    elif message["type"] == "act":
"""
RULE = """
import json, sys
import msgspec
from dizhu import View, bots
rule = bots.create("rule", seed=0)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"protocol": 1}), flush=True)
    elif message["type"] == "act":
        print(json.dumps({"action": rule.act(msgspec.convert(message["view"], View))}), flush=True)
"""


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Write]:
    """Write a program in Python, and give its name as a bot; none of them runs on after the test."""

    def write(code: str) -> str:
        file = tmp_path / "a bot.py"
        file.write_text(textwrap.dedent(code), encoding="utf-8")
        return f"program:{sys.executable} '{file}'"

    yield write
    stop_all()


def view() -> dizhu.View:
    """A question of the play."""
    return start(Match("rule", "rule", "classic", fixed_landlord=True), 0).view(0)


def alive(pid: int) -> bool:
    """Whether a process is there and is no zombie that only waits for init."""
    with suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")")[-1].split()[0] != "Z"
    return False


def until_dead(pids: list[int]) -> bool:
    """Wait until none of these processes is alive, but not for ever."""
    deadline = time.monotonic() + 20
    while any(map(alive, pids)) and time.monotonic() < deadline:
        time.sleep(0.05)
    return not any(map(alive, pids))


def written(file: Path, count: int) -> list[int]:
    """Wait until so many pids stand in a file."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        if file.exists() and len(pids := file.read_text(encoding="utf-8").split()) >= count:
            return [int(pid) for pid in pids]
        time.sleep(0.05)
    raise AssertionError(f"there are no {count} pids in {file}")


def test_the_example_plays(capsys: pytest.CaptureFixture[str]):
    arguments = ["arena", EXAMPLE, "random", "--variant", "happy", "--deals", "2", "--processes", "1", "--json"]
    assert main(arguments) == 0
    assert json.loads(capsys.readouterr().out)["games"] == 12


@pytest.mark.slow
@pytest.mark.parametrize(("name", "fixed"), [("happy", False), ("two_player", True), ("five_player", False)])
def test_a_program_that_is_told_what_rule_sees_plays_as_rule_does(program: Write, name: str, fixed: bool):
    inside = run(Match("rule", "random", name, fixed_landlord=fixed), 2, processes=1)
    outside = run(Match(program(RULE), "random", name, fixed_landlord=fixed), 2, processes=1)
    assert outside.deals == inside.deals


@pytest.mark.slow
def test_a_program_that_draws_lots_from_its_seed_comes_out_the_same_on_any_number_of_processes(program: Write):
    draws = """
        from random import Random
        random = Random(f'{message["seed"]} {message["ranks"]["history"]} {message["view"]["answers"]}')
        print(json.dumps({"action": random.choice(message["view"]["legal"])}), flush=True)
    """
    match = Match(program(LOOP + textwrap.indent(textwrap.dedent(draws), " " * 8)), "random", "classic")
    assert run(match, 6, processes=2) == run(match, 6, processes=1)


@pytest.mark.parametrize("name", dizhu.variants())
def test_ranks_tell_the_cards_of_the_view(name: str):
    game = start(Match("rule", "random", name), 3)
    bot = bots.create("random", seed=1)
    while game.turn:
        seen = game.view(game.turn[0])
        told = ranks(seen)
        assert seen.seat is not None
        own = seen.hands[seen.seat]
        assert own is not None
        assert told.hand == "".join(card[0] for card in own)
        assert told.table == ("" if seen.table is None else "".join(card[0] for card in seen.table.cards))
        assert told.bottom == (None if seen.bottom is None else "".join(card[0] for card in seen.bottom))
        assert [seat for seat, _ in told.history] == [move.seat for move in seen.history]
        played = ["".join(cards for by, cards in told.history if by == seat) for seat in range(len(seen.counts))]
        assert [sorted(cards) for cards in told.played] == [sorted(cards) for cards in played]
        everything = told.hand + told.others + "".join(told.played)
        assert sorted(everything) == sorted(card[0] for card in game.variant.deck.cards)
        game.act(seen.seat, bot.act(seen))


def test_a_program_is_told_of_hands_one_after_the_other(program: Write, tmp_path: Path):
    log = tmp_path / "log"
    code = LOOP + '        print(json.dumps({"action": message["view"]["legal"][-1]}), flush=True)\n'
    code = code.replace("    message =", f"    open({str(log)!r}, 'a').write(line)\n    message =")
    name = program(code)
    run(Match(name, name, "landlord_war", fixed_landlord=True), 2, processes=1)
    hello, *messages = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    assert hello == {"type": "hello", "protocol": 1, "seconds": 10.0}
    hands = [[message for message in messages if message["hand"] == hand] for hand in range(4)]
    assert [message for hand in hands for message in hand] == messages  # one after the other
    for hand in hands:
        *acts, over = hand
        assert {act["type"] for act in acts} == {"act"}
        assert [act["seat"] for act in acts[:3]] == [0, 1, 2]
        assert len({(act["seat"], act["seed"]) for act in acts}) == 3
        assert all(act["view"]["hands"].count(None) == 2 for act in acts)
        assert over["type"] == "over"
        assert sum(over["result"]["points"]) == 0


def act(name: str, seconds: float = 30.0) -> str:
    """Ask a program one question."""
    return ProgramBot(running(name, seconds), b"seed" * 8).act(view())


@pytest.mark.parametrize(
    ("does", "sentence"),
    [
        ('print("play 3")', 'answered \'play 3\'; expected was the line {"action": "play 3"} or another of view.legal'),
        ('print(json.dumps({"action": "play 22223"}))', 'answered \'{"action": "play 22223"}\'; expected was the line'),
        ('print(json.dumps({"action": ["play 3"]}))', 'answered \'{"action": ["play 3"]}\'; expected was the line'),
        ("sys.stdout.buffer.write(bytes([255, 10]))", r"answered '\\xff'; expected was the line"),
        ("sys.exit(3)", "ended with status 3 instead of answering"),
        ("import os; os.kill(os.getpid(), 9)", "was ended by signal 9 instead of answering"),
        ("import os, time; os.close(1); time.sleep(60)", "closed its output instead of answering"),
        ('print("3" * 100_000, end="")', "wrote a line without end, '3333"),
    ],
)
def test_a_wrong_answer_is_told_with_its_question(program: Write, does: str, sentence: str):
    name = program(f"{LOOP}        {does}\n        sys.stdout.flush()\n")
    with pytest.raises(DizhuError) as error:
        act(name)
    assert error.value.code == "bad_program"
    assert sentence in str(error.value)
    assert "a bot.py" in str(error.value)
    assert 'it was asked \'{"type":"act","hand":0,"seat":0,' in str(error.value)
    assert json.loads(str(error.value.detail["asked"]))["ranks"]["hand"] == ranks(view()).hand
    assert until_dead([running(name, 30.0)._process.pid])


@pytest.mark.parametrize("does", ["import time; time.sleep(60)", 'print("{", end="", flush=True)'])
def test_a_program_that_does_not_answer_is_not_waited_for(program: Write, does: str):
    name = program(f"{LOOP}        {does}\n")
    with pytest.raises(DizhuError, match=r"gave no whole line within 0\.2 seconds"):
        act(name, seconds=0.2)
    assert until_dead([running(name, 30.0)._process.pid])


def test_a_program_that_does_not_read_is_not_waited_for(program: Write):
    name = program("import time\nprint('{\"protocol\": 1}', flush=True)\ntime.sleep(60)")
    playing = running(name, 0.2)
    for _ in range(100):
        playing.end_hand(None)
    playing._unsent += b" " * 1_000_000  # more than fits into any pipe
    with pytest.raises(DizhuError, match=r"gave no whole line within 0\.2 seconds"):
        playing.act(view(), 0)


def test_a_program_that_talks_without_being_asked_is_refused(program: Write):
    both = """json.dumps({"action": message["view"]["legal"][0]}).encode() + b"\\nHi!\\n\""""
    name = program(f"{LOOP}        import os; os.write(1, {both})\n")
    assert act(name) == view().legal[0]
    with pytest.raises(DizhuError, match=r"wrote 'Hi!\\n' without being asked"):
        act(name)


@pytest.mark.parametrize("answer", ["", "Hello!", '{"protocol": 2}', '{"protocol": "1"}'])
def test_a_program_must_speak_this_protocol(program: Write, answer: str):
    name = program(f"print({answer!r}, flush=True)\ninput()\n")
    with pytest.raises(DizhuError) as error:
        act(name)
    assert f'answered {answer!r}; expected was the line {{"protocol": 1}}, for it was asked' in str(error.value)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("program:", "'program:' names no program: write program:COMMAND ARGUMENTS"),
        ("program:no-such-thing --fast", "there is no program 'no-such-thing' that can be started"),
        ("program:'python", "No closing quotation"),
    ],
)
def test_a_name_that_cannot_be_started_is_refused_in_one_line(
    name: str, sentence: str, capsys: pytest.CaptureFixture[str]
):
    assert main(["arena", "rule", name, "--variant", "classic"]) == 2
    said = capsys.readouterr().err
    assert sentence in said
    assert said.count("\n") == 1


def test_names_are_quoted_as_in_a_shell():
    name = f"program:{sys.executable} 'my bot.py' --level \"very hard\""
    assert check_program(name) == [sys.executable, "my bot.py", "--level", "very hard"]


def test_nobody_but_the_arena_starts_programs():
    with pytest.raises(UnknownName):
        bots.create(EXAMPLE, seed=0)


def test_the_time_limit_can_be_set(program: Write, capsys: pytest.CaptureFixture[str]):
    name = program(LOOP + "        import time; time.sleep(60)\n")
    arguments = ["arena", name, "rule", "--variant", "classic", "--processes", "1", "--time-limit", "0.2"]
    assert main(arguments) == 2
    said = capsys.readouterr().err
    assert "gave no whole line within 0.2 seconds" in said
    assert said.count("\n") == 1


STUBBORN = """
import os, signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
signal.signal(signal.SIGINT, signal.SIG_IGN)
child = subprocess.Popen(["sleep", "1000"])
with open(sys.argv[1], "a") as file:
    file.write(f"{os.getpid()} {child.pid} ")
print('{"protocol": 1}', flush=True)
sys.stdin.readline()
while True:
    time.sleep(1)
"""


def test_a_program_that_does_not_end_is_ended_with_what_it_has_started(program: Write, pids_file: Path):
    running(f"{program(STUBBORN)} {pids_file}", 30.0)
    pids = written(pids_file, 2)
    assert all(map(alive, pids))
    stop_all()
    assert until_dead(pids)


def test_a_program_may_put_its_things_away_when_its_input_ends(program: Write, tmp_path: Path):
    file = tmp_path / "done"
    running(program(f"{LOOP}        pass\nopen({str(file)!r}, 'w').write('done')\n"), 30.0)
    stop_all()
    assert file.read_text(encoding="utf-8") == "done"


@pytest.fixture
def pids_file(tmp_path: Path) -> Iterator[Path]:
    """Where stubborn programs write their pids; whatever the test finds, they are ended after it."""
    file = tmp_path / "pids"
    yield file
    for pid in file.read_text(encoding="utf-8").split():
        with suppress(ProcessLookupError):
            os.kill(int(pid), signal.SIGKILL)


def arena_process(bot: str, processes: int) -> subprocess.Popen[str]:
    """Start an arena as a command that listens to Ctrl+C, also where the tests themselves do not."""
    listen = "signal.signal(signal.SIGINT, signal.default_int_handler)"
    code = f"import signal, sys; from dizhu.cli import main; {listen}; sys.exit(main(sys.argv[1:]))"
    arguments = ["arena", "random", bot, "--variant", "classic", "--processes", str(processes)]
    return subprocess.Popen([sys.executable, "-c", code, *arguments], stderr=subprocess.PIPE, text=True)


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_no_program_outlives_an_arena_of_several_processes(program: Write, pids_file: Path, how: signal.Signals):
    bot = f"{program(STUBBORN)} {pids_file}"
    with arena_process(bot, 2) as arena:
        pids = written(pids_file, 4)
        workers = [pid for pid in map(int, children(arena.pid)) if alive(pid)]
        os.kill(arena.pid, how)
        _, said = arena.communicate(timeout=30)
    # Python itself has something to say about those that are killed.
    assert said == "" or how == signal.SIGKILL
    assert until_dead(pids + workers)


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_no_program_outlives_an_arena_of_one_process(program: Write, pids_file: Path, how: signal.Signals):
    bot = f"{program(STUBBORN)} {pids_file}"
    with arena_process(bot, 1) as arena:
        pids = written(pids_file, 2)
        time.sleep(0.2)  # until it waits for an answer
        os.kill(arena.pid, how)
        _, said = arena.communicate(timeout=30)
    assert (arena.returncode, said) == (128 + how, "")
    assert until_dead(pids)


def children(pid: int) -> list[str]:
    """List the processes that a process has started."""
    return Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="utf-8").split()
