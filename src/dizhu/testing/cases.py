"""Case files: one JSON object a line, each a question to the rules and the expected answer.

Kinds are `count`, `classify`, `beats`, `legal` and `game`. A case passes when every expected field is what the rules
give. A line that is no case at all (broken JSON, unknown variant or kind, malformed cards) is an error of the file, not
a failed case. In a `game` case, hands that cannot be dealt and actions that cannot be read are outcomes: `refused`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from dizhu.errors import IllegalAction, InvalidDeal, ParseError
from dizhu.game.deal import position
from dizhu.game.engine import Game
from dizhu.game.variant import Variant
from dizhu.lines import located, read_objects
from dizhu.variants import variant

Case = dict[str, Any]


@dataclass(frozen=True)
class Outcome:
    """What became of one case: `problem` is None if it passed, else says what differed."""

    where: str
    problem: str | None


def run_file(path: Path) -> Iterator[Outcome]:
    """Run every case of a file, in order; raises UnknownName or ParseError for a file that cannot be read as cases."""
    for where, case in read_objects(path):
        with located(where):
            check_case(case)
            problem = run_case(case)
        yield Outcome(f"{where} {case.get('id', case['kind'])}", problem)


def check_case(case: Case) -> None:
    """Raise ParseError unless the object has the fields of its kind."""
    kind = case.get("kind")
    if not isinstance(kind, str) or kind not in _KINDS:
        raise ParseError("bad_case", f"kind is {kind!r}; it must be one of {', '.join(_KINDS)}")
    for field, form in (_FIELDS["any"] | _FIELDS[kind]).items():
        if not _has_form(case.get(field), form):
            raise ParseError("bad_case", f"a {kind} case needs {field!r} as {form}")
    # An expectation that nothing could fail is a slip.
    if kind == "legal" and case.get("count") is None and case.get("expect") is None:
        raise ParseError("bad_case", "a legal case needs 'count' or 'expect'")
    if case.get("expect") == {} or (kind == "classify" and "expect" not in case):
        raise ParseError("bad_case", f"a {kind} case needs something in 'expect'")


def run_case(case: Case) -> str | None:
    """Run a case that `check_case` accepted: None if it passes, else what differed."""
    return _KINDS[case["kind"]](variant(case["variant"]), case)


def _count(game: Variant, case: Case) -> str | None:
    by_kind = game.grammar.count()
    total = by_kind.total()
    if total != case["expect"]:
        return f"expected {case['expect']} combinations, found {total}"
    return _different(case.get("by_kind") or {}, dict(by_kind))


def _classify(game: Variant, case: Case) -> str | None:
    try:
        combo = game.classify(case["cards"])
    except ParseError as error:
        if error.code != "not_in_deck":
            raise
        combo = None
    expect = case["expect"]
    if combo is None or expect is None:
        return None if combo is expect else f"expected {expect}, found {combo and combo.kind}"
    return _different(expect, {"kind": combo.kind, "length": combo.length, "rank": combo.rank})


def _beats(game: Variant, case: Case) -> str | None:
    found = game.beats(case["cards"], case["against"])
    return None if found is case["expect"] else f"expected {case['expect']}, found {found}"


def _legal(game: Variant, case: Case) -> str | None:
    found = game.moves(case["hand"], case["against"])
    if case.get("count") is not None and len(found) != case["count"]:
        return f"expected {case['count']} combinations, found {len(found)}: {' '.join(sorted(found))}"
    if case.get("expect") is None:
        return None
    missing = sorted(set(case["expect"]) - set(found))
    extra = sorted(set(found) - set(case["expect"]))
    return f"missing: {missing}, not expected: {extra}" if missing or extra else None


def _game(game: Variant, case: Case) -> str | None:
    expect = case["expect"]
    try:
        deal = position(game, case["hands"], case["bottom"], case["first"], case.get("marked"))
        hand = Game(game, deal)
    except (InvalidDeal, ParseError) as error:
        return None if expect.get("refused") == "deal" else f"the deal was refused: {error}"
    for index, item in enumerate(case["script"]):
        try:
            _play_item(hand, item)
        except IllegalAction as error:
            return None if _same(expect.get("refused"), index) else f"item {index} ({item}) was refused: {error}"
    if "refused" in expect:
        return f"expected that {expect['refused']} is refused; nothing was"
    return _different(expect, _fields(hand))


def _play_item(hand: Game, item: str) -> None:
    if item == "skip":
        while hand.simultaneous:
            hand.act(hand.turn[0], "no")
        return
    seat, _, action = item.partition(" ")
    if not (seat.isascii() and seat.isdigit() and len(seat) < 10 and action):
        raise ParseError("bad_case", f"{item!r} is no item of a script: write SEAT ACTION, or skip")
    hand.act(int(seat), action)


def _fields(hand: Game) -> Case:
    """The fields of a hand that a case may name; those of the result stand for the running hand before the end."""
    state, result, spectator = hand.state, hand.result, hand.view(None)
    return {
        "phase": hand.phase,
        "turn": hand.turn[0] if len(hand.turn) == 1 else None,
        "landlords": list(spectator.landlords),
        "winners": list(result.winners) if result else None,
        "base": state.base,
        "multiplier": state.multiplier,
        "points": list(result.points) if result else None,
        "house": result.house if result else 0,
        "let": state.let,
        "open": list(spectator.opened),
        "revealed": spectator.revealed,
    }


def _different(expect: Case, found: Case) -> str | None:
    wrong = [
        f"{name}: expected {value!r}, found {found.get(name)!r}"
        for name, value in expect.items()
        if name not in found or not _same(found[name], value)
    ]
    return "; ".join(wrong) or None


def _same(one: object, other: object) -> bool:
    """Compare JSON values, to which true is no 1."""
    return one == other and isinstance(one, bool) == isinstance(other, bool)


_KINDS: dict[str, Callable[[Variant, Case], str | None]] = {
    "count": _count,
    "classify": _classify,
    "beats": _beats,
    "legal": _legal,
    "game": _game,
}
_FIELDS: dict[str, dict[str, str]] = {
    "any": {"variant": "text"},
    "count": {"expect": "a number", "by_kind": "an object or nothing"},
    "classify": {"cards": "text", "expect": "an object or nothing"},
    "beats": {"cards": "text", "against": "text", "expect": "true or false"},
    "legal": {
        "hand": "text",
        "against": "text",
        "count": "a number or nothing",
        "expect": "a list of texts or nothing",
    },
    "game": {
        "first": "a number",
        "hands": "a list of texts",
        "bottom": "text",
        "marked": "text or nothing",
        "script": "a list of texts",
        "expect": "an object",
    },
}


def _has_form(value: object, form: str) -> bool:
    """Tell whether a JSON value is what `_FIELDS` says; `or nothing` allows null and a missing field."""
    if form.endswith(" or nothing"):
        return value is None or _has_form(value, form.removesuffix(" or nothing"))
    if form == "a list of texts":
        return isinstance(value, list) and all(isinstance(item, str) for item in cast("list[object]", value))
    types = {"text": str, "a number": int, "an object": dict, "true or false": bool}
    return isinstance(value, types[form]) and isinstance(value, bool) == (form == "true or false")
