"""What to answer, by the judgement of the best bot that there is for the game: the hints that players ask for."""

from __future__ import annotations

from dizhu.bots import stakes
from dizhu.bots.network import action
from dizhu.bots.rule import RuleBot
from dizhu.bots.search import SearchBot
from dizhu.errors import DizhuError
from dizhu.game.view import View
from dizhu.rules import cards as c
from dizhu.rules.combos import Grammar
from dizhu.variants import variant

MOST = 8
"""So many answers are told."""

_SEED = 0
"""Asked the same again, the adviser says the same."""


def advice(view: View) -> tuple[str, ...]:
    """List legal answers to the question that is put to `view.seat` now, the best first; at most `MOST`.

    Behind the best one, bombs come after all other plays. It may take a tenth of a second: ask in a thread.
    """
    try:
        ranked = _judged(view)
    except DizhuError as error:
        if error.code != "no_networks":
            raise
        ranked = [RuleBot(_SEED).act(view), *view.legal]
    best, *others = (answer for answer in dict.fromkeys(ranked) if answer in view.legal)
    grammar = variant(view.variant).grammar
    return (best, *sorted(others, key=lambda answer: _is_bomb(grammar, answer)))[:MOST]


def _judged(view: View) -> list[str]:
    """Rank by the networks. Raises DizhuError `no_networks` where there are none."""
    if len(view.legal) == 1:
        return [*view.legal]
    if view.phase == "play":
        return [action(move) for move in SearchBot(_SEED).ranked(view)]
    worths = stakes.worths(view)
    return [stakes.answer(view), *sorted(worths, key=lambda answer: -worths[answer])]


def _is_bomb(grammar: Grammar, answer: str) -> bool:
    """Tell whether an answer is a play that doubles what is played for."""
    if not answer.startswith("play "):
        return False
    combo = grammar.classify(c.parse(answer.removeprefix("play ")))
    return combo is not None and grammar.times(combo) > 1
