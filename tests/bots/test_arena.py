"""The arena: what it prints, that it is fair, and that it measures what it says."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.util import find_spec
from itertools import combinations, permutations
from pathlib import Path

import pytest

import dizhu
from dizhu import Game
from dizhu.bots import create
from dizhu.bots.arena import Hand, Match, Outcome, Report, play_deal, run, run_all
from dizhu.bots.arena.match import start
from dizhu.cli import main


def test_json_has_the_figures(capsys: pytest.CaptureFixture[str]):
    status = main(["arena", "rule", "random", "--variant", "classic", "--deals", "4", "--json", "--processes", "1"])
    out, err = capsys.readouterr()
    figures = json.loads(out)
    assert status == 0
    assert list(figures)[:5] == ["wp", "wp_ci", "adp", "adp_ci", "deals"]
    assert figures["deals"] == 4
    assert figures["games"] == 24
    assert figures["wp_ci"][0] <= figures["wp"] <= figures["wp_ci"][1]
    assert figures["adp_ci"][0] <= figures["adp"] <= figures["adp_ci"][1]
    assert err.splitlines()[-1] == "4 of 4 deals"


def test_text_tells_roles(capsys: pytest.CaptureFixture[str]):
    main(["arena", "rule", "random", "--variant", "two_player", "--deals", "4", "--processes", "1"])
    out = capsys.readouterr().out
    assert out.startswith("rule against random at two_player: 4 deals, 8 games\nwon ")
    assert "\nas landlord " in out
    assert "\nas farmer " in out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["rule", "nobody", "--variant", "classic"], "there is no bot 'nobody'; there are random, "),
        (["nobody", "rule", "--variant", "classic"], "there is no bot 'nobody'; there are random, "),
        (["rule", "rule", "--variant", "chess"], "there is no variant 'chess'; there are "),
        (["rule", "rule", "--variant", "classic", "--deals", "0"], "the number of deals must be at least 1, not 0"),
    ],
)
def test_wrong_input_is_refused_in_one_line(arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]):
    assert main(["arena", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"dizhu: {sentence}")
    assert err.count("\n") == 1


@pytest.mark.slow
def test_result_does_not_depend_on_the_number_of_processes():
    match = Match("rule", "random", "classic", seed=3)
    assert run(match, 6, processes=2) == run(match, 6, processes=1)
    assert run(match, 6, processes=1) != run(Match("rule", "random", "classic", seed=4), 6, processes=1)


@pytest.mark.parametrize("name", dizhu.variants())
def test_equal_bots_come_out_even(name: str):
    report = run(Match("random", "random", name), 12, processes=1)
    for mean, even in ((report.won, 0.5), (report.points, 0.0)):
        assert mean.interval
        assert mean.interval[0] <= even <= mean.interval[1]


def test_a_bot_that_draws_no_lots_comes_out_exactly_even_with_itself():
    report = run(Match("rule", "rule", "classic"), 3, processes=1)
    assert (report.won.value, report.points.value) == (0.5, 0)


def test_every_seat_is_held_alone_by_each_bot():
    games = play_deal(Match("random", "random", "classic"), 1)
    assert [len(game.hands) for game in games] == [1, 1, 1, 2, 2, 2]
    assert [len(game.hands) for game in play_deal(Match("random", "random", "two_player"), 1)] == [1, 1]


def test_sides_that_the_cards_decide_are_swapped_whole():
    for number in range(6):
        landlords, farmers = play_deal(Match("random", "random", "five_player"), number)
        assert all(hand.landlord for hand in landlords.hands)
        assert not any(hand.landlord for hand in farmers.hands)
        assert len(landlords.hands) + len(farmers.hands) == 5


def test_means_are_over_deals():
    def game(won: float, points: int) -> Outcome:
        return Outcome(won, points, (Hand(landlord=True, won=won > 0.5, points=points),))

    report = Report(Match("a", "b", "classic"), ((game(1, 6), game(0, 0)), (game(1, 2), game(1, 2))))
    assert (report.won.value, report.points.value) == (0.75, 2.5)
    assert report.won.interval == pytest.approx((0.75 - 1.96 * 0.25, 0.75 + 1.96 * 0.25))
    assert Report(report.match, report.deals[:1]).as_json()["wp_ci"] == (None, None)


@pytest.mark.slow
@pytest.mark.parametrize("name", dizhu.variants())
def test_rule_beats_random_in_both_roles(name: str):
    report = run(Match("rule", "random", name), 60 if name == "two_player" else 20, processes=1)
    assert report.won.interval
    assert report.points.interval
    assert report.won.interval[0] > 0.7
    assert report.points.interval[0] > 0
    for landlord in (True, False):
        hands = report.hands(landlord=landlord)
        assert len(hands) >= 10
        assert sum(hand.won for hand in hands) / len(hands) > 0.7
        assert sum(hand.points for hand in hands) > 0


@pytest.mark.parametrize("name", dizhu.variants())
def test_a_fixed_landlord_leads_and_nobody_is_asked_before(name: str):
    match = Match("random", "random", name, fixed_landlord=True)
    lets: set[int] = set()
    for number in range(30):
        game = start(match, number)
        lets.add(game.state.let)
        (leader,) = game.turn
        view = game.view(leader)
        assert (view.phase, view.answers, view.multiplier, view.table) == ("play", (), 1, None)
        assert view.counts[leader] == game.variant.deal + game.variant.bottom
        assert leader in view.landlords
        assert leader == game.deal.first if name == "five_player" else view.landlords == (0,)
        assert view.hands.count(None) == game.variant.seats - 1
    assert lets == (set(range(5)) if name == "two_player" else {0})


def test_cards_of_a_fixed_landlord_are_those_of_the_deal():
    fixed = start(Match("random", "random", "classic", fixed_landlord=True), 4)
    assert fixed.deal.hands == start(Match("random", "random", "classic"), 4).deal.hands


def doubled_by_bombs(game: Game) -> int:
    kinds = [game.variant.classify("".join(card[0] for card in move.cards)) for move in game.state.history]
    return 2 ** sum(combo is not None and combo.kind in {"bomb", "rocket"} for combo in kinds)


@pytest.mark.parametrize(
    ("name", "won", "lost"),
    [
        ("landlord_war", (2, -1, -1), (-2, 1, 1)),
        ("auction", (2, -1, -1), (-2, 1, 1)),
        ("two_player", (1, -1), (-1, 1)),
    ],
)
def test_points_with_a_fixed_landlord_are_base_and_bombs_alone(name: str, won: Sequence[int], lost: Sequence[int]):
    bot = create("random", seed=3)
    seen: set[tuple[bool, bool]] = set()
    springs = 0
    for number in range(60):
        game = start(Match("random", "random", name, fixed_landlord=True), number)
        while game.turn:
            view = game.view(game.turn[0])
            # Every third hand the farmers never play, which is a spring in all these games.
            game.act(game.turn[0], view.legal[0] if number % 3 == 0 and game.turn[0] else bot.act(view))
        assert game.result
        times = doubled_by_bombs(game)
        by_landlord = 0 in game.result.winners
        assert game.result.points == tuple(points * times for points in (won if by_landlord else lost))
        seen.add((by_landlord, times > 1))
        springs += by_landlord and number % 3 == 0
    assert len(seen) == 4
    assert springs > 10


@pytest.mark.parametrize("name", dizhu.variants())
def test_with_a_fixed_landlord_each_bot_plays_each_side_once(name: str):
    first, second = play_deal(Match("random", "random", name, fixed_landlord=True), 2)
    assert all(hand.landlord for hand in first.hands)
    assert not any(hand.landlord for hand in second.hands)
    report = run(Match("random", "random", name, fixed_landlord=True), 12, processes=1)
    assert report.won.interval
    assert report.won.interval[0] <= 0.5 <= report.won.interval[1]


def test_the_figures_of_a_fixed_landlord_are_those_of_any_match(capsys: pytest.CaptureFixture[str]):
    arguments = ["arena", "rule", "random", "--variant", "classic", "--deals", "5", "--processes", "1"]
    assert main([*arguments, "--fixed-landlord", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert list(figures) == ["wp", "wp_ci", "adp", "adp_ci", "deals", "games", "landlord", "farmer"]
    assert (figures["games"], figures["landlord"]["hands"], figures["farmer"]["hands"]) == (10, 5, 10)
    assert main([*arguments, "--fixed-landlord"]) == 0
    assert capsys.readouterr().out.startswith("rule against random at classic, landlord fixed: 5 deals, 10 games\n")


def test_a_round_robin_is_all_its_matches(capsys: pytest.CaptureFixture[str]):
    bots = ["random", "rule", "random"]
    arguments = ["arena", *bots, "--variant", "two_player", "--deals", "3", "--seed", "5", "--processes", "1"]
    assert main([*arguments, "--json"]) == 0
    out, err = capsys.readouterr()
    figures = json.loads(out)
    assert err.splitlines()[-1] == "9 of 9 deals"
    assert (figures["bots"], figures["deals"]) == (bots, 3)
    assert [(pair["first"], pair["second"]) for pair in figures["pairs"]] == list(combinations(bots, 2))
    for row, column in permutations(range(3), 2):
        report = run(Match(bots[row], bots[column], "two_player", seed=5), 3, processes=1)
        for name, mean in (("wp", report.won), ("adp", report.points)):
            assert figures[name][row][column] == pytest.approx(mean.value)
            assert figures[f"{name}_ci"][row][column] == pytest.approx(mean.interval)
    assert [figures["wp"][place][place] for place in range(3)] == [None] * 3


def test_a_round_robin_is_told_as_tables(capsys: pytest.CaptureFixture[str]):
    main(["arena", "rule", "random", "random", "--variant", "two_player", "--deals", "2", "--processes", "1"])
    out = capsys.readouterr().out
    assert out.startswith("3 bots at two_player: each pair on the same 2 deals, 12 games in all\n\nwon ")
    assert out.count("\n1 rule ") == out.count("\n3 random ") == 2
    assert "±" in out
    main(["arena", "rule", "random", "random", "--variant", "two_player", "--deals", "1", "--processes", "1"])
    assert capsys.readouterr().out.count("±") == 1  # one deal has no interval; the last line explains the sign


def test_a_plot_is_drawn_or_refused_before_anything_is_played(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    plot = tmp_path / "plot.png"
    arguments = ["arena", "rule", "random", "random", "--variant", "two_player", "--deals", "2", "--processes", "1"]
    assert main([*arguments, "--plot", str(tmp_path / "none" / "plot.png")]) == 2
    assert "there is no folder" in capsys.readouterr().err
    if find_spec("matplotlib") is None:
        assert main([*arguments, "--plot", str(plot)]) == 2
        assert capsys.readouterr().err.startswith("dizhu: --plot needs matplotlib: pip install ")
    else:
        assert main([*arguments, "--plot", str(plot)]) == 0
        assert plot.read_bytes().startswith(b"\x89PNG")


@pytest.mark.slow
def test_a_round_robin_does_not_depend_on_the_number_of_processes():
    matches = [Match(*pair, "classic", fixed_landlord=True) for pair in combinations(["rule", "random", "random"], 2)]
    assert run_all(matches, 5, processes=2) == run_all(matches, 5, processes=1)
