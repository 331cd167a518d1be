"""The command `dizhu`."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from dizhu import __version__
from dizhu.errors import DizhuError, ParseError

USAGE_ERROR = 2
LOG_LEVELS = ("debug", "info", "warning", "error")
_LONGEST_TURN = 60
_USUAL_PORTS = {"http": 80, "https": 443}
_MOST_DAYS = 36_500


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

    check = commands.add_parser("check", help="run case files against the rules")
    check.add_argument("files", nargs="+", type=Path, metavar="FILE", help="JSON lines, one case each")
    check.set_defaults(run=_check)

    replay = commands.add_parser("replay", help="tell the hands of a record file in plain text")
    replay.add_argument("file", type=Path, metavar="FILE", help="records, one JSON object a hand; - for standard input")
    replay.set_defaults(run=_replay)

    analyse = commands.add_parser("analyse", help="tell the chances of every move of a recorded hand, and mistakes")
    analyse.add_argument(
        "file", type=Path, metavar="RECORD", help="records, one JSON object a hand; - is standard input"
    )
    analyse.add_argument("--json", action="store_true", help="print one JSON array a hand")
    analyse.set_defaults(run=_analyse)

    verify = commands.add_parser("verify", help="check finished hands: the deal, every action, the result")
    verify.add_argument("files", nargs="+", type=Path, metavar="FILE", help="records, one JSON object a hand")
    verify.set_defaults(run=_verify)

    _add_serving(commands.add_parser("serve", help="start the game server and its page"))
    _add_works(commands.add_parser("admin", help="look after the database of a server"))

    _add_arena(commands.add_parser("arena", help="measure bots against each other on the same deals, seats swapped"))

    solve = commands.add_parser("solve", help="solve a puzzle with open hands")
    solve.add_argument("hands", nargs="+", metavar="HAND", help="ranks, as 33445; the first leads and plays alone")
    solve.add_argument("--variant", default="classic", metavar="V", help="whose combinations (default: %(default)s)")
    solve.add_argument(
        "--positions", type=_positive, default=50, metavar="MILLIONS", help="when to give up (default: %(default)s)"
    )
    solve.set_defaults(run=_solve)

    _add_training(commands.add_parser("train", help="let networks learn a game from their own play"))

    bench = commands.add_parser("bench", help="measure speed beside RLCard and OpenSpiel")
    bench.add_argument("rows", nargs="*", metavar="ROW", help="what to measure, by name (default: everything)")
    bench.add_argument("--rounds", type=_positive, default=5, help="turns of each contestant (default: %(default)s)")
    bench.add_argument("--seconds", type=_seconds, default=1.0, help="length of a turn (default: %(default)s)")
    bench.add_argument("--json", action="store_true", help="print one JSON object, a member for each row")
    bench.add_argument("--plot", type=Path, metavar="FILE.png", help="draw the ratios as well")
    bench.set_defaults(run=_bench)
    return parser


def _add_serving(serve: argparse.ArgumentParser) -> None:
    serve.add_argument("--host", default="127.0.0.1", help="address to listen on (default: %(default)s)")
    serve.add_argument("--port", type=_port, default=8000, help="port to listen on, 0 for any (default: %(default)s)")
    serve.add_argument("--db", metavar="URL", help="sqlite:///PATH or postgresql://… (default: a file of the user's)")
    serve.add_argument("--rooms", type=Path, metavar="FILE", help="rooms, in TOML (default: dizhu's own)")
    _add_proxy_options(serve)
    serve.add_argument("--metrics-port", type=_port, metavar="PORT", help="tell metrics there (default: nowhere)")
    serve.add_argument("--log-level", choices=LOG_LEVELS, default="info", help="(default: %(default)s)")
    serve.set_defaults(run=_serve)


def _add_arena(arena: argparse.ArgumentParser) -> None:
    arena.add_argument("first", metavar="BOT", help="the bot whose share of wins (wp) and points (adp) is told")
    arena.add_argument("second", metavar="BOT", help="its opponent; equal bots come to wp 0.5 and adp 0")
    arena.add_argument("others", nargs="*", default=[], metavar="BOT", help="more bots: each plays each other")
    arena.add_argument("--variant", required=True, metavar="V", help="the game")
    arena.add_argument("--deals", type=_number, default=1000, metavar="N", help="how many deals (default: %(default)s)")
    arena.add_argument("--seed", type=_number, default=0, help="seed of all cards and bots (default: %(default)s)")
    arena.add_argument("--fixed-landlord", action="store_true", help="the play alone, seat 0 as landlord")
    arena.add_argument("--processes", type=_positive, help="how many to use (default: one for each processor)")
    arena.add_argument(
        "--time-limit",
        type=_seconds,
        default=10.0,
        metavar="SECONDS",
        help="for each answer of a bot that is a program, program:COMMAND (default: %(default)g)",
    )
    arena.add_argument("--json", action="store_true", help="print the figures as one JSON object")
    arena.add_argument("--plot", type=Path, metavar="FILE.png", help="draw who wins how much against whom")
    arena.set_defaults(run=_arena)


def _add_training(train: argparse.ArgumentParser) -> None:
    train.add_argument("folder", type=Path, metavar="FOLDER", help="where the run is kept; one that is there goes on")
    train.add_argument("--variant", required=True, metavar="V", help="the game")
    train.add_argument(
        "--decisions",
        type=_positive,
        default=500,
        metavar="MILLIONS",
        help="how long, in millions (default: %(default)s)",
    )
    train.add_argument(
        "--from", dest="start", metavar="FILE.nets", help="begin with these networks, not with random ones"
    )
    train.add_argument(
        "--rate", type=float, default=1e-3, help="of learning at first; it falls to 0.00003 (default: %(default)s)"
    )
    train.add_argument("--threads", type=_positive, help="how many to use (default: one for each processor)")
    train.add_argument("--seed", type=_number, default=0, help="of all cards and first weights (default: %(default)s)")
    train.add_argument(
        "--every",
        type=_positive,
        default=120,
        metavar="SECONDS",
        help="how often it is measured and kept (%(default)s)",
    )
    train.add_argument("--plot", type=Path, metavar="FILE.png", help="draw the curves, anew with every measurement")
    train.set_defaults(run=_train)


def _add_proxy_options(serve: argparse.ArgumentParser) -> None:
    serve.add_argument(
        "--origin",
        type=_origin,
        action="append",
        default=[],
        metavar="URL",
        help="where the page is, as https://dizhu.example; more than once for more (default: the host that is asked)",
    )
    serve.add_argument(
        "--trust-proxy",
        type=_network,
        action="append",
        default=[],
        metavar="ADDRESS",
        help="a proxy, or a network of them, that says in X-Forwarded-… who asks; more than once for more",
    )


def _origin(text: str) -> str:
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    if parts.scheme not in _USUAL_PORTS or not parts.hostname or parts.path not in ("", "/") or "@" in parts.netloc:
        raise argparse.ArgumentTypeError(f"{text!r} is no origin, as https://dizhu.example")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    # As browsers say it: small letters, and without the usual port.
    return f"{parts.scheme}://{host}" + ("" if port in (None, _USUAL_PORTS[parts.scheme]) else f":{port}")


def _network(text: str) -> str:
    from ipaddress import ip_network

    try:
        return str(ip_network(text)) if "/" in text else str(ip_network(text).network_address)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no address and no network, as 10.0.0.0/8") from None


def _add_works(admin: argparse.ArgumentParser) -> None:
    works = admin.add_subparsers(title="what to do", required=True, metavar="WORK", dest="work")

    def work(name: str, explained: str, *, account: bool = False) -> argparse.ArgumentParser:
        parser = works.add_parser(name, help=explained)
        parser.add_argument(
            "--db", metavar="URL", help="sqlite:///PATH or postgresql://… (default: a file of the user's)"
        )
        if account:
            parser.add_argument("account", metavar="ACCOUNT", help="its number, or its name if it has one of its own")
        parser.set_defaults(run=_admin)
        return parser

    work("check", "check the whole ledger")
    grant = work("grant", "give an account beans", account=True)
    grant.add_argument("beans", type=_number, metavar="BEANS", help="how many; below zero: take some")
    grant.add_argument("--why", required=True, help="the reason, kept in the ledger")
    suspend = work("suspend", "keep an account from playing", account=True)
    suspend.add_argument("--days", type=_days, required=True, metavar="N", help="for how long from now; 0: no longer")
    suspend.add_argument("--why", required=True, help="the reason, kept with the account")
    work("password", "give an account a new password, print it and end all sessions", account=True)
    work("export", "print all that is kept about an account, as JSON", account=True)
    work("delete", "delete an account", account=True)
    work("tables", "list the open tables")
    close = work("close", "close a table for good")
    close.add_argument("table", metavar="TABLE", help="its id, or the code of a private one")
    prune = work("prune", "forget how closed tables were played, and old sessions; hands and the ledger stay")
    prune.add_argument("--days", type=_days, default=30, metavar="N", help="how old (default: %(default)s)")
    rotate = work("rotate-secrets", "make new secrets, which ends all sessions")
    rotate.add_argument("--yes", action="store_true", help="it is meant")
    backup = work("backup", "copy a SQLite database while it is in use")
    backup.add_argument("file", type=Path, metavar="FILE", help="where to; there must be no such file yet")


def _days(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) <= _MOST_DAYS):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of days from 0 to {_MOST_DAYS}")
    return int(text)


def _number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number, or too long a one") from None


def _positive(text: str) -> int:
    if not (text.isascii() and text.isdigit() and _number(text)):
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1 up")
    return int(text)


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= _LONGEST_TURN:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds above 0, up to {_LONGEST_TURN}")
    return value


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and _number(text) < 1 << 16):
        raise argparse.ArgumentTypeError(f"{text!r} is no port: give a number from 0 to 65535")
    return int(text)


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


def _replay(options: argparse.Namespace) -> int:
    from dizhu.game.narrate import narrate
    from dizhu.lines import located, read_objects
    from dizhu.variants import variant

    for index, (where, record) in enumerate(read_objects(options.file)):
        with located(where):
            if index:
                print()
            for line in narrate(record, variant):
                print(line)
    return 0


def _analyse(options: argparse.Namespace) -> int:
    import json
    from dataclasses import asdict

    from dizhu.bots.analyse import analyse, told
    from dizhu.lines import located, read_objects
    from dizhu.variants import variant

    for index, (where, record) in enumerate(read_objects(options.file)):
        with located(where):
            found = analyse(record, variant)
            if options.json:
                print(json.dumps([{**asdict(judged), "mistake": judged.mistake} for judged in found]))
                continue
            if index:
                print()
            for judged in found:
                print(told(judged))
    return 0


def _verify(options: argparse.Namespace) -> int:
    from dizhu.game.verify import verify
    from dizhu.lines import read_objects
    from dizhu.variants import variant

    failed = False
    for file in options.files:
        found = False
        for where, record in read_objects(file):
            found = True
            try:
                hand = verify(record, variant)
            except DizhuError as error:
                failed = True
                print(f"{where}: NOT VERIFIED: {error}")
                continue
            points = " ".join(f"{won:+}" for won in hand.result.points) if hand.result else "none: dealt again"
            print(f"{where}: verified: {hand.variant.name}, commitment {hand.deal.commitment}, points {points}")
        if not found:
            raise ParseError("bad_line", f"{file}: there is no record in it")
    return 1 if failed else 0


def _serve(options: argparse.Namespace) -> int:
    from dizhu.server import Settings, run
    from dizhu.server.logs import configure
    from dizhu.server.rooms import read_rooms

    configure(options.log_level)
    settings = Settings(
        origins=frozenset(options.origin),
        proxies=frozenset(options.trust_proxy),
        metrics_port=options.metrics_port,
    )
    rooms = None if options.rooms is None else read_rooms(options.rooms)
    return run(options.host, options.port, settings, database=options.db, rooms=rooms)


def _admin(options: argparse.Namespace) -> int:
    from dizhu.server.admin import admin

    said = admin(options)
    for line in said.lines:
        print(line)
    return said.status


def _arena(options: argparse.Namespace) -> int:
    from functools import partial

    from dizhu.bots.arena import Match, command

    if options.plot:
        from dizhu.bench.report import check_plot

        check_plot(options.plot)
    pair = partial(
        Match,
        variant=options.variant,
        seed=options.seed,
        fixed_landlord=options.fixed_landlord,
        time_limit=options.time_limit,
    )
    bots = [options.first, options.second, *options.others]
    return command(bots, pair, options.deals, options.processes, as_json=options.json, plot_to=options.plot)


def _solve(options: argparse.Namespace) -> int:
    from dizhu.sim.puzzle import puzzle
    from dizhu.variants import variant

    return puzzle(variant(options.variant), options.hands, options.positions * 1_000_000)


def _train(options: argparse.Namespace) -> int:
    from dizhu.training import Schedule, Setup, train

    threads = options.threads or os.cpu_count() or 1
    schedule = Schedule(options.decisions * 1_000_000, first_rate=options.rate)
    setup = Setup(options.variant, options.seed, threads, schedule, options.start)
    return train(options.folder, setup, options.every, options.plot)


def _bench(options: argparse.Namespace) -> int:
    from dizhu.bench.command import bench

    return bench(
        options.rows,
        rounds=options.rounds,
        seconds=options.seconds,
        as_json_text=options.json,
        plot_to=options.plot,
    )
