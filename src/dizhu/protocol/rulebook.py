"""Write web/src/rules.json, the rules of all games as the client shows them, from the declarations of the games.

python -m dizhu.protocol.rulebook           # write the file
python -m dizhu.protocol.rulebook --check   # exit status 1 if the file is not current

The sentences themselves are in `dizhu/locales`; the file says which of them hold for a game, and with which numbers.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from dizhu.game.options import Option
from dizhu.game.phases.bid import Bid
from dizhu.game.phases.bottom import MarkedCard, TakeBottom
from dizhu.game.phases.call_rob import CallRob
from dizhu.game.phases.declare import Declare
from dizhu.game.phases.double import Double
from dizhu.game.phases.open_hand import OpenHand
from dizhu.game.phases.phase import Phase
from dizhu.game.phases.settle import Settle
from dizhu.game.phases.tricks import Tricks
from dizhu.game.variant import Variant
from dizhu.rules.shapes import Shape
from dizhu.variants import variant, variants

_TARGET = Path("web/src/rules.json")

Sentence = tuple[str, dict[str, int]]
"""The key of a sentence, after `rules.`, and the numbers in it."""


def rulebook() -> dict[str, Any]:
    """Tell the rules of all games, by name."""
    return {name: _rules(variant(name)) for name in variants()}


def _rules(game: Variant) -> dict[str, Any]:
    return {
        "ranks": game.deck.ranks,
        "facts": list(_facts(game)),
        "course": [sentence for phase in game.phases for sentence in _sentences(game, phase)],
        "rows": _rows(game),
        "options": [_option(option) for option in game.options],
    }


def _facts(game: Variant) -> Iterator[Sentence]:
    yield "facts", {"seats": game.seats, "decks": game.deck.decks, "cards": game.deal, "bottom": game.bottom}
    if game.aside:
        yield "aside", {"count": game.aside}


def _rows(game: Variant) -> list[dict[str, Any]]:
    """Give each row of the grammar an example, the shortest with the most ranks, and the number of its combinations."""
    combos = game.grammar.moves(game.deck.word)
    rows: list[dict[str, Any]] = []
    for shape in game.shapes:
        own = [combo.text for combo in combos if combo.kind == shape.name and _is_of(shape, combo.text)]
        example = min(own, key=lambda text: (len(text), -len(set(text))))
        row: dict[str, Any] = {"kind": shape.name, "example": example, "count": len(own), "times": shape.times}
        if shape.kickers and shape.kicker == 1 and (shape.kickers > 1 or shape.run > 1):
            row["note"] = (
                ("differ", {})
                if shape.most == 1
                else ("alike", {"most": min(shape.most, shape.kickers) if shape.run == 1 else shape.most})
            )
        rows.append(row)
    return rows


def _is_of(shape: Shape, text: str) -> bool:
    """Tell rows of the same name apart: bombs by their number of cards, or as the sets that they are."""
    return text in shape.cards if shape.cards else shape.name != "bomb" or text == text[0] * shape.copies


def _sentences(game: Variant, phase: Phase) -> list[Sentence]:
    return _TOLD[type(phase)](game, phase)


def _bid(_: Variant, phase: Bid) -> list[Sentence]:
    again = "again" if phase.again else "out"
    bidding = "bid.once" if phase.rounds == 1 else f"bid.{again}"
    return [(bidding, {"most": phase.highest}), (f"nobody.{phase.nobody}", {})]


def _call(_: Variant, phase: CallRob) -> list[Sentence]:
    calling: Sentence = ("call.let", {"count": phase.max_robs or 0}) if phase.let else ("call", {})
    return [calling, (f"nobody.{phase.nobody}", {})]


def _open(game: Variant, phase: OpenHand) -> list[Sentence]:
    cards = game.deal if phase.dealt is None else phase.dealt
    return [(f"open.{phase.at}", {"times": phase.times, "cards": cards})]


def _bottom(game: Variant, phase: TakeBottom) -> list[Sentence]:
    return [("bottom.shown" if phase.show else "bottom.hidden", {"count": game.bottom})]


def _double(_: Variant, phase: Double) -> list[Sentence]:
    doubling: list[Sentence] = [("double.pairs" if phase.pairwise else "double.table", {})]
    return doubling + [("double.beans", {})] * phase.for_beans


def _settle(game: Variant, phase: Settle) -> list[Sentence]:
    told: list[Sentence] = [("pay.many" if game.marked else "pay", {"base": game.base})]
    told += [("spring", {})] * phase.spring + [("spring.anti", {})] * (phase.spring and phase.anti_spring)
    return told + ([] if phase.escape is None else [("leave", {"times": phase.escape})])


_TOLD: dict[type[Phase], Callable[[Variant, Any], list[Sentence]]] = {
    MarkedCard: lambda _, __: [("marked", {})],
    Bid: _bid,
    CallRob: _call,
    OpenHand: _open,
    TakeBottom: _bottom,
    Declare: lambda _, phase: [("declare", {"times": phase.times})],
    Double: _double,
    Tricks: lambda _, __: [("play", {})],
    Settle: _settle,
}


def _option(option: Option) -> dict[str, Any]:
    values = [option.values[0], option.values[-1]] if isinstance(option.values, range) else list(option.values)
    return {"name": option.name, "default": option.default, "range": isinstance(option.values, range), "values": values}


def main(arguments: Sequence[str] | None = None) -> int:
    """Write or check the file; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m dizhu.protocol.rulebook", description="The rules as JSON.")
    parser.add_argument("--check", action="store_true", help="change nothing; fail if the file is not current")
    parser.add_argument("file", type=Path, nargs="?", default=_TARGET)
    options = parser.parse_args(arguments)
    text = json.dumps(rulebook(), separators=(",", ":")) + "\n"
    if not options.check:
        options.file.write_text(text, encoding="utf-8")
        return 0
    if options.file.is_file() and options.file.read_text(encoding="utf-8") == text:
        return 0
    sys.stderr.write(f"{options.file} is not current: run python -m dizhu.protocol.rulebook\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
