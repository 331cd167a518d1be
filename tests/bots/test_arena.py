"""The arena: what it prints, that it is fair, and that it measures what it says."""

from __future__ import annotations

import json

import pytest

import dizhu
from dizhu.bots.arena import Hand, Match, Outcome, Report, play_deal, run
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
        (["rule", "nobody", "--variant", "classic"], "there is no bot 'nobody'; there are random, rule"),
        (["nobody", "rule", "--variant", "classic"], "there is no bot 'nobody'; there are random, rule"),
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
