"""What went wrong on servers like this one, as short scenarios, each with the tests that see that it does not here.

A scenario is: what is given; what is done; what is expected. A test is a file under `tests`, or one of the client's,
and the name of the test in it.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

SCENARIOS: dict[str, tuple[str, ...]] = {
    # --- coming back --------------------------------------------------------------------------------------------------
    "a seat is asked in the play; its socket drops and comes back with its token; the whole scene is there, and the"
    " time that is really left": (
        "server/test_reconnect.py::test_the_scene_of_a_return_is_whole",
        "server/simulation/test_simulation.py::test_every_world_is_in_order",
    ),
    "any phase; drop and return; the question of that phase with its clock": (
        "server/test_reconnect.py::test_every_phase_is_found_as_it_was_left",
        "server/test_restart.py::test_every_phase_goes_on_after_a_restart",
    ),
    "events seen to 17 of 23; ask for those after 17; exactly 18 to 23 in order, or the whole table": (
        "server/test_reconnect.py::test_sync_gives_exactly_what_was_missed",
        "server/test_reconnect.py::test_sync_gives_the_table_when_events_are_gone",
    ),
    "a page is loaded again; the new socket opens before the old one is closed; he keeps his seat, also much later": (
        "server/test_reconnect.py::test_a_new_connection_takes_the_seat_and_the_old_one_harms_nobody",
        "server/test_races.py::test_a_page_that_is_loaded_again_keeps_its_seat",
    ),
    "somebody looks for a table; connects anew; he is not seated where he cannot see it": (
        "server/test_races.py::test_who_connects_anew_looks_for_a_table_no_more",
        "server/test_races.py::test_a_command_of_a_replaced_connection_seats_nobody",
    ),
    "thousands lost their connection; all come back at the same moment; the database serves one after another, nobody"
    " is refused": (
        "server/test_busy_database.py::test_all_who_come_back_at_once_are_served_however_long_that_takes",
        "server/test_line.py::test_a_line_that_moves_is_served_to_its_end_and_in_order",
    ),
    # --- secrets ------------------------------------------------------------------------------------------------------
    "the bidding goes on; a seat drops and returns; neither the bottom nor another hand is told": (
        "server/test_secrets.py::test_a_table_resumed_in_the_bidding_hides_the_bottom",
    ),
    "the landlord is not known; count cards; the bottom is not subtracted": (
        "web/tests/counter.test.ts::the whole deck less the own hand; unknown bottom cards still count",
        "server/test_secrets.py::test_a_table_resumed_in_the_bidding_hides_the_bottom",
    ),
    "players and a spectator; record every byte of a hand; no hidden card, and no seed before the end": (
        "server/test_secrets.py::test_nobody_is_sent_what_he_may_not_know",
        "server/simulation/test_simulation.py::test_every_world_is_in_order",
    ),
    "a room with a watcher; he joins in the middle of a hand; he sees what is public": (
        "server/test_lobby.py::test_a_spectator_sees_what_is_public",
    ),
    "one seat can beat the table, or cannot; compare what others are told; it is the same, byte for byte": (
        "server/test_secrets.py::test_two_worlds_alike_to_a_seat_are_told_alike",
        "server/simulation/test_two_worlds.py::test_what_an_observer_cannot_know_makes_no_difference_to_him",
    ),
    "a seat is played automatically; measure its pauses; they are the same whether it could beat or not": (
        "server/simulation/test_pauses.py::test_a_pause_is_the_same_whether_the_seat_could_beat_or_not",
        "server/test_timers.py::test_no_automatic_answer_comes_at_once",
    ),
    "a player opens a second account on the same address; watch; he sees nothing by it": (
        "server/test_lobby.py::test_nobody_watches_from_where_a_player_is_connected",
    ),
    # --- clocks -------------------------------------------------------------------------------------------------------
    "the landlord leads; the time runs out; the lowest lead is made, no pass": (
        "server/test_timers.py::test_out_of_time_the_lowest_lead_is_played",
    ),
    "a play comes just before the end of the time; the old timer fires; one action, and the next has all his time": (
        "server/test_timers.py::test_a_play_just_in_time_is_the_only_one",
    ),
    "a timer is started twice, or the server again; let it run out; it fires once": (
        "server/test_races.py::test_a_clock_that_is_set_again_and_again_runs_out_once",
        "server/test_restart.py::test_the_clock_is_given_back_five_seconds_at_least",
        "server/test_restart.py::test_the_clock_given_back_is_that_of_the_question",
    ),
    "two are away, each with a clock; one comes back; the clock of the other goes on": (
        "server/test_timers.py::test_clocks_of_those_who_are_away_run_on",
    ),
    "a player returns when no time is left; the default answer is given": (
        "server/test_timers.py::test_who_comes_back_too_late_finds_the_default_answer_given",
    ),
    "a seat is asked; the server is killed, and started when the time is long past; the hand goes on": (
        "server/durable/test_kills.py::test_whatever_was_told_outlives_every_kill",
        "server/test_restart.py::test_the_clock_is_given_back_five_seconds_at_least",
    ),
    "a seat is played automatically; its player takes it back; he is asked with a full clock": (
        "server/test_timers.py::test_twice_out_of_time_the_seat_is_automatic_until_it_is_taken_back",
    ),
    # --- twice, at once, too late -------------------------------------------------------------------------------------
    "a play is sent twice with one id, and with two; one play, the same answer; the second is refused": (
        "server/test_hostile.py::test_a_repeated_command_gets_its_first_answer_and_does_nothing",
    ),
    "all are ready but two; both press start at the same moment; one deal": (
        "server/test_races.py::test_two_who_press_start_at_the_same_moment_get_one_deal",
    ),
    "two of three are ready; the third is, and one of the others leaves; a deal, or two who wait": (
        "server/test_races.py::test_the_last_is_ready_and_another_leaves_at_the_same_moment",
    ),
    "A leaves before the deal and B takes the seat; a late message of A comes; it is refused": (
        "server/test_races.py::test_who_has_left_says_nothing_for_whoever_has_his_seat_now",
    ),
    "a hand ends by a new deal; an answer for it comes in the next one; it is dropped": (
        "server/test_races.py::test_an_answer_for_the_hand_before_is_not_taken_for_one_in_this",
        "server/test_hostile.py::test_an_answer_to_an_old_question_is_stale",
    ),
    # --- going --------------------------------------------------------------------------------------------------------
    "three wait, one process is killed; wait; the seat is shown as away, and is free before the deal": (
        "server/test_slow_readers.py::test_who_is_gone_without_a_word_is_noticed_and_leaves_no_traceback",
        "server/test_lobby.py::test_a_seat_whose_player_has_gone_is_free_again",
        "server/test_races.py::test_a_seat_that_is_freed_before_the_deal_is_seen_to_be_free",
    ),
    "a member leaves in the hand; the others play on; the host's rights move on": (
        "server/test_tables.py::test_leaving_another_game_lets_a_bot_play_on",
        "server/test_lobby.py::test_the_host_gives_empty_seats_to_bots_and_hands_his_right_on",
    ),
    "a spectator closes his window; nothing changes": (
        "server/test_lobby.py::test_a_spectator_who_goes_changes_nothing",
    ),
    "all players leave a hand that is watched; the spectators see it": (
        "server/test_races.py::test_spectators_see_that_the_last_player_has_left",
    ),
    "the settlement is shown; one drops, the others want another hand; no crash, and a free seat": (
        "server/test_races.py::test_who_drops_while_the_others_want_another_hand_makes_room_for_them",
        "server/test_tables.py::test_the_next_hand_waits_for_those_who_are_here",
    ),
    # --- what is sent -------------------------------------------------------------------------------------------------
    "there is no table 424242; join it; a code, and no table is made": (
        "server/test_races.py::test_joining_a_table_that_there_is_not_makes_none",
    ),
    "a question is open; send wrong types, wrong cards, 5 MB, broken JSON; each is refused, nothing changes": (
        "server/test_hostile.py::test_what_is_no_message_is_refused",
        "server/test_hostile.py::test_what_is_no_answer_is_refused",
        "server/test_hostile.py::test_a_connection_that_breaks_the_wire_is_closed",
        "server/test_storm.py::test_a_storm_changes_nothing",
        "server/test_storm.py::test_a_wire_that_is_broken_ends_and_harms_nobody",
        "server/test_codes.py::test_every_refusal_is_in_the_list",
    ),
    "forged, altered, old tokens, another's number in a message; refused: who one is says the session alone": (
        "server/test_identity.py::test_what_is_no_session_opens_nothing",
        "server/test_identity.py::test_no_page_from_elsewhere_opens_a_socket_with_the_session_of_a_player",
        "server/test_identity.py::test_after_the_secrets_are_rotated_old_tokens_are_nobodys_and_the_hand_goes_on",
    ),
    # --- meeting, owning, lasting -------------------------------------------------------------------------------------
    "two people and bots; both press quick match; they meet, a bot comes later": (
        "server/test_lobby.py::test_people_meet_each_other_before_bots_come",
        "server/simulation/test_lobby_machine.py::test_the_lobby_does_what_it_should",
    ),
    "a loser owes 500 beans and has 120; settle; he pays 120, which the winners share": (
        "server/economy/test_finish.py::test_who_owes_500_beans_and_has_120_pays_120_which_the_winners_share",
    ),
    "a cap of 16, bombs and doubles reach 64; settle; the cap holds, and was told before": (
        "server/economy/test_finish.py::test_the_multiplier_kept_is_what_the_cap_leaves",
    ),
    "1,000 quick visits; connections, tasks and sockets are what they were": (
        "server/test_tables.py::test_a_thousand_quick_visits_leave_nothing_behind",
    ),
    "a client stops reading; play on; nobody else waits, and he may come back": (
        "server/test_slow_readers.py::test_who_stops_reading_delays_nobody",
        "server/test_tables.py::test_a_client_that_does_not_read_is_closed_and_may_come_back",
    ),
    "a marked card is drawn; deal often; it is never in the bottom and never a joker": (
        "game/test_shuffle.py::test_marked_card_and_its_twin_lie_where_they_should",
    ),
}


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: re.sub(r"\W+", "_", scenario)[:60])
def test_the_scenario_has_its_tests(scenario: str, project: Path):
    for name in SCENARIOS[scenario]:
        file, _, test = name.partition("::")
        if file.startswith("web/"):
            assert test in (project / file).read_text(encoding="utf-8"), name
        else:
            module = ast.parse((project / "tests" / file).read_text(encoding="utf-8"))
            assert test in [node.name for node in module.body if isinstance(node, ast.FunctionDef)], name
