"""The commands on files of cases and records: check, replay, analyse, verify."""

from __future__ import annotations

import argparse
from pathlib import Path

from dizhu.cli.values import Add
from dizhu.errors import DizhuError, ParseError


def add_commands(add: Add) -> None:
    """Declare them."""
    check = add("check", help="run case files against the rules")
    check.add_argument("files", nargs="+", type=Path, metavar="FILE", help="JSON lines, one case each")
    check.set_defaults(run=_check)

    replay = add("replay", help="tell the hands of a record file in plain text")
    replay.add_argument("file", type=Path, metavar="FILE", help="records, one JSON object a hand; - for standard input")
    replay.set_defaults(run=_replay)

    analyse = add("analyse", help="tell the chances of every move of a recorded hand, and mistakes")
    analyse.add_argument(
        "file", type=Path, metavar="RECORD", help="records, one JSON object a hand; - is standard input"
    )
    analyse.add_argument("--json", action="store_true", help="print one JSON array a hand")
    analyse.set_defaults(run=_analyse)

    verify = add("verify", help="check finished hands: the deal, every action, the result")
    verify.add_argument("files", nargs="+", type=Path, metavar="FILE", help="records, one JSON object a hand")
    verify.set_defaults(run=_verify)


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
