"""`dizhu verify`: a record of a finished hand is believed only if seed and rules give all that it says."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dizhu import DizhuError, Game, Stakes, bots, shuffled, variant, variants
from dizhu.cli import main
from dizhu.game.verify import verify

Record = dict[str, Any]


def hand_of(name: str, seed: int = 1, **options: Any) -> Record:
    """Play a hand of bots to its end, with an addition to the shuffle."""
    game = variant(name, **options)
    bot = bots.create("rule", seed)
    for number in range(100):
        key = seed.to_bytes(16, "big") + number.to_bytes(16, "big")
        hand = Game(game, shuffled(game, key, entropy=(b"ours", b"")), Stakes((900,) * game.seats, 500))
        while hand.turn:
            hand.act(hand.turn[0], bot.act(hand.view(hand.turn[0])))
        if hand.result is not None:
            return json.loads(json.dumps(hand.record()))
    raise AssertionError


HANDS = {name: hand_of(name) for name in variants()}
CLASSIC = HANDS["classic"]


@pytest.mark.parametrize("name", variants())
def test_what_was_played_is_verified(name: str):
    hand = verify(HANDS[name], variant)
    assert hand.record()["actions"] == HANDS[name]["actions"]
    assert hand.result is not None


def test_other_options_and_a_deal_that_nobody_wanted_are_verified():
    assert verify(hand_of("classic", cap=2), variant).variant.cap == 2
    game = variant("classic")
    hand = Game(game, shuffled(game, bytes(32)))
    while hand.turn:
        hand.act(hand.turn[0], "no")
    assert verify(hand.record(), variant).phase == "redeal"


def swapped(cards: str) -> str:
    first, second, *rest = cards.split()
    return " ".join([second, first, *rest])


def without_last(record: Record) -> None:
    record["actions"].pop()


def another_play(record: Record) -> None:
    """Some play of one card becomes one of another card that the seat holds."""
    index = next(at for at, action in enumerate(record["actions"]) if " play " in action)
    seat, _, cards = record["actions"][index].split(" ")
    held = record["deal"]["hands"][int(seat)].replace("10", "T").split()
    other = next(card for card in held if card[0] not in cards)
    record["actions"][index] = f"{seat} play {other[0]}"


def change(path: str, to: Callable[[Any], Any] | Any) -> Callable[[Record], None]:
    def tamper(record: Record) -> None:
        *way, last = path.split(".")
        place: Any = record
        for step in way:
            place = place[int(step) if step.isdigit() else step]
        key: Any = int(last) if last.isdigit() else last
        place[key] = to(place[key]) if callable(to) else to

    return tamper


TAMPERED: dict[str, Callable[[Record], None]] = {
    "format": change("format", 2),
    "variant": change("variant", "happy"),
    "version": change("version", 99),
    "options": lambda record: record.update(options={"cap": 1}),
    "deal.first": change("deal.first", lambda first: (first + 1) % 3),
    "deal.hands": change("deal.hands.0", swapped),
    "deal.hands.all": change("deal.hands", lambda hands: hands[1:] + hands[:1]),
    "deal.bottom": change("deal.bottom", swapped),
    "deal.aside": change("deal.aside", "3h"),
    "deal.marked": change("deal.marked", "3h"),
    "seed": change("seed", lambda seed: ("0" if seed[0] != "0" else "1") + seed[1:]),
    "no seed": change("seed", None),
    "entropy": change("entropy.0", "00"),
    "entropy left out": change("entropy", []),
    "entropy order": change("entropy", lambda parts: parts[::-1]),
    "commitment": change("commitment", lambda hashed: hashed[::-1]),
    "no commitment": change("commitment", None),
    "stakes": change("stakes.beans", [1]),
    "an action": another_play,
    "the last action": without_last,
    "one action more": lambda record: record["actions"].append("0 pass"),
    "no end": lambda record: record.update(actions=[], result=None),
    "result": change("result", None),
    "result.reason": change("result.reason", "leave"),
    "result.landlords": change("result.landlords", lambda who: [(who[0] + 1) % 3]),
    "result.winners": change("result.winners", [0, 1, 2]),
    "result.base": change("result.base", lambda base: base + 1),
    "result.multiplier": change("result.multiplier", lambda times: times * 2),
    "result.factors": change("result.factors", lambda factors: [*factors, {"name": "bomb", "times": 2}]),
    "result.doubled": change("result.doubled", [0]),
    "result.points": change("result.points", lambda points: [-won for won in points]),
    "result.house": change("result.house", 1),
}


def test_every_field_is_tampered_with():
    fields = {name.partition(".")[0] for name in TAMPERED}
    assert set(CLASSIC) - {"actions"} <= fields
    assert {f"deal.{name}" for name in CLASSIC["deal"]} | {f"result.{name}" for name in CLASSIC["result"]} <= set(
        TAMPERED
    )


@pytest.mark.parametrize("tampering", TAMPERED)
def test_a_record_that_was_tampered_with_is_not_verified(tampering: str):
    record = copy.deepcopy(CLASSIC)
    TAMPERED[tampering](record)
    assert record != CLASSIC
    with pytest.raises(DizhuError) as error:
        verify(record, variant)
    assert str(error.value)
    assert "\n" not in str(error.value)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4) | st.sampled_from(["0 pass", "3h", "ff", 10**30]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=4,
)


def places(value: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [way, *(place for key, part in inner for place in places(part, (*way, key)))]


@settings(max_examples=300)
@given(data=st.data())
def test_no_record_does_more_than_fail(data: st.DataObject):
    record = copy.deepcopy(data.draw(st.sampled_from(list(HANDS.values()))))
    *way, last = data.draw(st.sampled_from(places(record)[1:]))
    place: Any = record
    for step in way:
        place = place[step]
    place[last] = data.draw(JSON)
    try:
        verify(record, variant)
    except DizhuError:
        return


def test_the_command_gives_a_verdict_for_each_hand(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    good, bad = tmp_path / "good.json", tmp_path / "bad.jsonl"
    good.write_text(json.dumps({**CLASSIC, "names": ["A", "B", "C"], "room": None}))
    damaged = copy.deepcopy(CLASSIC)
    TAMPERED["result.points"](damaged)
    bad.write_text("\n".join(map(json.dumps, (CLASSIC, damaged, HANDS["happy"], {}))) + "\n")
    assert main(["verify", str(good)]) == 0
    points = " ".join(f"{won:+}" for won in CLASSIC["result"]["points"])
    assert (
        capsys.readouterr().out == f"{good}:1: verified: classic, commitment {CLASSIC['commitment']}, points {points}\n"
    )
    assert main(["verify", str(good), str(bad)]) == 1
    verdicts = [line.split(": ")[1] for line in capsys.readouterr().out.splitlines()]
    assert verdicts == ["verified", "verified", "NOT VERIFIED", "verified", "NOT VERIFIED"]


@pytest.mark.parametrize("text", [None, "", "\n", "{", "[]", '{"format": 1', "\xff"])
def test_what_cannot_be_read_is_said_in_one_line(text: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "record.json"
    if text is not None:
        file.write_text(text, encoding="latin-1")
    assert main(["verify", str(file)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"dizhu: {file}")
    assert err.count("\n") == 1
