"""The record of a hand: one JSON object, from which the hand can be played again.

    format      1
    variant     the game's name; version: the version of its behaviour
    options     {name: value} of the options that are not the game's own; left out where there are none
    deal        {first, hands, bottom, aside, marked}: physical cards parted by spaces, in dealing order
    seed        64 hex digits, or null for a position that was set up; entropy: what players added, as hex
    commitment  SHA-256 of the seed, or null
    stakes      null, or {beans, threshold}
    actions     ["0 bid 3", "0 play 33344456", ...]: seat and action
    result      null before the end; else the fields of `Result`

The format never loses a field or changes the meaning of one; what comes later is added.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, cast

from dizhu.errors import ParseError
from dizhu.game.deal import Deal, position, shuffled
from dizhu.game.state import Seat, Stakes, State
from dizhu.game.variant import Variant
from dizhu.game.view import Result

Record = dict[str, Any]
FORMAT = 1


def write(state: State, actions: tuple[tuple[Seat, str], ...]) -> Record:
    """Write a hand, finished or not, as a record."""
    deal = state.deal
    changed = state.variant.changed
    return {
        "format": FORMAT,
        "variant": state.variant.name,
        "version": state.variant.version,
        **({"options": changed} if changed else {}),
        "deal": {
            "first": deal.first,
            "hands": [" ".join(hand) for hand in deal.hands],
            "bottom": " ".join(deal.bottom),
            "aside": " ".join(deal.aside),
            "marked": deal.marked,
        },
        "seed": None if deal.seed is None else deal.seed.hex(),
        "entropy": [part.hex() for part in deal.entropy],
        "commitment": deal.commitment,
        "stakes": None if state.stakes is None else _stakes_record(state.stakes),
        "actions": [f"{seat} {action}" for seat, action in actions],
        "result": None if state.result is None else result_record(state.result),
    }


def _stakes_record(stakes: Stakes) -> Record:
    return {"beans": list(stakes.beans), "threshold": stakes.threshold}


def result_record(result: Result) -> Record:
    """Write a result as plain JSON values."""
    return {name: _plain(value) for name, value in asdict(result).items()}


def _plain(value: object) -> object:
    """Turn tuples into lists, as JSON reads them back."""
    if isinstance(value, tuple):
        return [_plain(item) for item in cast("tuple[object, ...]", value)]
    return value


def read_options(record: Record) -> dict[str, object]:
    """Read the options that are not the game's own; raises ParseError `bad_record`."""
    return _field(record, "options", dict) if "options" in record else {}


def read_deal(variant: Variant, record: Record) -> Deal:
    """Read the deal of a record; if it names a seed, the cards must be what the seed deals.

    Raises ParseError `bad_record` or InvalidDeal.
    """
    fields = _field(record, "deal", dict)
    first = _field(fields, "first", int)
    marked = fields.get("marked")
    if marked is not None and not isinstance(marked, str):
        raise bad_record("'marked' must be a card or null")
    hands = [_text(hand, "hands") for hand in _field(fields, "hands", list)]
    deal = position(
        variant, hands, _field(fields, "bottom", str), first, marked, _text(fields.get("aside", ""), "aside")
    )
    if record.get("seed") is None:
        return deal
    seed = _bytes(record["seed"], "seed")
    entropy = tuple(_bytes(part, "entropy") for part in _field(record, "entropy", list))
    dealt = shuffled(variant, seed, first, entropy)
    if (dealt.first, dealt.hands, dealt.bottom, dealt.aside, dealt.marked) != (
        deal.first,
        deal.hands,
        deal.bottom,
        deal.aside,
        deal.marked,
    ):
        raise bad_record("the seed deals other cards than the record says")
    if record.get("commitment") != dealt.commitment:
        raise bad_record("the commitment is not the SHA-256 of the seed")
    return dealt


def read_stakes(variant: Variant, record: Record) -> Stakes | None:
    """Read the beans at stake; raises ParseError `bad_record`."""
    if record.get("stakes") is None:
        return None
    fields = _field(record, "stakes", dict)
    beans = _field(fields, "beans", list)
    if len(beans) != variant.seats or not all(_is_number(count) for count in beans):
        raise bad_record(f"'beans' must be {variant.seats} whole numbers")
    return Stakes(tuple(beans), _field(fields, "threshold", int))


def read_actions(record: Record) -> list[tuple[Seat, str]]:
    """Read the actions; raises ParseError `bad_record`."""
    actions: list[tuple[Seat, str]] = []
    for index, item in enumerate(_field(record, "actions", list)):
        seat, _, action = _text(item, "actions").partition(" ")
        if not (seat.isascii() and seat.isdigit() and len(seat) == 1 and action):
            raise bad_record(f"action {index} is {item!r}; it must be SEAT ACTION, as in '0 pass'")
        actions.append((int(seat), action))
    return actions


def bad_record(problem: str) -> ParseError:
    """Make the error for a record that cannot be played again."""
    return ParseError("bad_record", f"damaged record: {problem}")


_NAMES = {dict: "an object", list: "a list", int: "a whole number", str: "text"}


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _field(fields: Record, name: str, kind: type) -> Any:
    value = fields.get(name)
    if not isinstance(value, kind) or (kind is int and not _is_number(value)):
        raise bad_record(f"{name!r} must be {_NAMES[kind]}")
    return value


def _text(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise bad_record(f"{name!r} must hold text only")
    return value


def _bytes(value: object, name: str) -> bytes:
    try:
        return bytes.fromhex(_text(value, name))
    except ValueError as error:
        raise bad_record(f"{name!r} must be hex digits") from error
