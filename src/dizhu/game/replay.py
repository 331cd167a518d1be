"""Playing a record again: the same variant, deal and actions always give the same hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from dizhu.errors import IllegalAction, ParseError, UnknownName
from dizhu.game.engine import Game
from dizhu.game.record import (
    FORMAT,
    Record,
    bad_record,
    read_actions,
    read_deal,
    read_options,
    read_stakes,
    result_record,
)
from dizhu.game.state import Seat
from dizhu.game.variant import Variant
from dizhu.game.view import Event


def replay(record: Record, find: Callable[[str], Variant]) -> Game:
    """Play a record to its end; `find` looks a variant up by name.

    Raises ParseError `bad_record`, InvalidDeal or UnknownName if it cannot be played, or if it comes to another result.
    """
    hand, steps = start(record, find)
    for _ in steps:
        pass
    return hand


def start(record: Record, find: Callable[[str], Variant]) -> tuple[Game, Iterator[tuple[Seat, str, tuple[Event, ...]]]]:
    """Set up the hand of a record, and hand out its actions one by one as they are carried out."""
    if record.get("format") != FORMAT:
        raise bad_record(f"'format' must be {FORMAT}, the only one there is")
    name = record.get("variant")
    if not isinstance(name, str):
        raise bad_record("'variant' must be text")
    variant = find(name)
    if record.get("version") != variant.version:
        raise bad_record(f"it is of version {record.get('version')} of {name}; this is version {variant.version}")
    options = read_options(record)
    try:
        variant = variant.with_options(options)
    except (ParseError, UnknownName) as error:
        raise bad_record(str(error)) from error
    hand = Game(variant, read_deal(variant, record), read_stakes(variant, record))
    return hand, _steps(hand, record)


def _steps(hand: Game, record: Record) -> Iterator[tuple[Seat, str, tuple[Event, ...]]]:
    for index, (seat, action) in enumerate(read_actions(record)):
        try:
            events = hand.act(seat, action)
        except IllegalAction as error:
            raise bad_record(f"action {index} ({seat} {action}) is illegal: {error}") from error
        yield seat, action, events
    result = None if hand.result is None else result_record(hand.result)
    if record.get("result") != result:
        raise bad_record("the result is not what the actions come to")
