"""The commands that measure and learn: arena, solve, train, bench."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from dizhu.cli.values import Add, number, part, positive, seconds


def add_commands(add: Add) -> None:
    """Declare them."""
    _add_arena(add("arena", help="measure bots against each other on the same deals, seats swapped"))

    solve = add("solve", help="solve a puzzle with open hands")
    solve.add_argument("hands", nargs="+", metavar="HAND", help="ranks, as 33445; the first leads and plays alone")
    solve.add_argument("--variant", default="classic", metavar="V", help="whose combinations (default: %(default)s)")
    solve.add_argument(
        "--positions",
        type=positive,
        default=50,
        metavar="MILLIONS",
        help="when to give up (default: %(default)s)",
    )
    solve.set_defaults(run=_solve)

    _add_training(add("train", help="let networks learn a game from their own play"))

    bench = add("bench", help="measure speed beside RLCard and OpenSpiel")
    bench.add_argument("rows", nargs="*", metavar="ROW", help="what to measure, by name (default: everything)")
    bench.add_argument("--rounds", type=positive, default=5, help="turns of each contestant (default: %(default)s)")
    bench.add_argument("--seconds", type=seconds, default=1.0, help="length of a turn (default: %(default)s)")
    bench.add_argument("--json", action="store_true", help="print one JSON object, a member for each row")
    bench.add_argument("--plot", type=Path, metavar="FILE.png", help="draw the ratios as well")
    bench.set_defaults(run=_bench)


def _add_arena(arena: argparse.ArgumentParser) -> None:
    arena.add_argument("first", metavar="BOT", help="the bot whose share of wins (wp) and points (adp) is told")
    arena.add_argument("second", metavar="BOT", help="its opponent; equal bots come to wp 0.5 and adp 0")
    arena.add_argument("others", nargs="*", default=[], metavar="BOT", help="more bots: each plays each other")
    arena.add_argument("--variant", required=True, metavar="V", help="the game")
    arena.add_argument("--deals", type=number, default=1000, metavar="N", help="how many deals (default: %(default)s)")
    arena.add_argument("--seed", type=number, default=0, help="seed of all cards and bots (default: %(default)s)")
    arena.add_argument("--fixed-landlord", action="store_true", help="the play alone, seat 0 as landlord")
    arena.add_argument("--processes", type=positive, help="how many to use (default: one for each processor)")
    arena.add_argument(
        "--time-limit",
        type=seconds,
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
        type=positive,
        default=500,
        metavar="MILLIONS",
        help="how long, in millions (default: %(default)s)",
    )
    train.add_argument(
        "--from", dest="start", metavar="FILE.nets", help="begin with these networks, not with random ones"
    )
    train.add_argument(
        "--rivalry",
        type=part,
        default=0.0,
        metavar="PART",
        help="of the hands, from 0 to 1, in which the bot rule plays one side (default: %(default)s)",
    )
    train.add_argument(
        "--rate", type=float, default=1e-3, help="of learning at first; it falls to 0.00003 (default: %(default)s)"
    )
    train.add_argument("--threads", type=positive, help="how many to use (default: one for each processor)")
    train.add_argument("--seed", type=number, default=0, help="of all cards and first weights (default: %(default)s)")
    train.add_argument(
        "--every",
        type=positive,
        default=120,
        metavar="SECONDS",
        help="how often it is measured and kept (%(default)s)",
    )
    train.add_argument("--plot", type=Path, metavar="FILE.png", help="draw the curves, anew with every measurement")
    train.set_defaults(run=_train)


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
    schedule = Schedule(options.decisions * 1_000_000, first_rate=options.rate, rivalry=options.rivalry)
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
