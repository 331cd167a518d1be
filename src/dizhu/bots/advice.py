"""What to answer, by the judgement of the best bot that there is for the game: the hints that players ask for."""

from __future__ import annotations

from dizhu.bots import stakes
from dizhu.bots.network import action
from dizhu.bots.rule import RuleBot
from dizhu.bots.search import SearchBot
from dizhu.errors import DizhuError
from dizhu.game.physical import rank_word
from dizhu.game.view import View
from dizhu.rules import cards as c
from dizhu.rules.cards import Cards
from dizhu.rules.combos import Grammar
from dizhu.variants import variant

MOST = 8
"""So many answers are told."""

_BOMBS = ("bomb", "rocket")
_SEED = 0
"""Asked the same again, the adviser says the same."""


def advice(view: View) -> tuple[str, ...]:
    """List legal answers to the question that is put to `view.seat` now, the best first; at most `MOST`.

    Behind the best one, bombs come after all others, and what would break one is left out. It may take a tenth of a
    second: ask in a thread.
    """
    try:
        ranked = _judged(view)
    except DizhuError as error:
        if error.code != "no_networks":
            raise
        ranked = [RuleBot(_SEED).act(view), *view.legal]
    best, *others = (answer for answer in dict.fromkeys(ranked) if answer in view.legal)
    hand = rank_word(view.hands[view.seat] or ()) if view.seat is not None else 0
    bombs = _bombs(variant(view.variant).grammar, hand) if view.phase == "play" else []
    cheap = (one for one in others if all(c.contains(hand - _cards(one), bomb) for bomb in bombs))
    return (best, *cheap, *(one for one in others if _cards(one) in bombs))[:MOST]


def _judged(view: View) -> list[str]:
    """Rank by the networks. Raises DizhuError `no_networks` where there are none."""
    if len(view.legal) == 1:
        return [*view.legal]
    if view.phase == "play":
        return [action(move) for move in SearchBot(_SEED).ranked(view)]
    worths = stakes.worths(view)
    return [stakes.answer(view), *sorted(worths, key=lambda answer: -worths[answer])]


def _bombs(grammar: Grammar, hand: Cards) -> list[Cards]:
    """List the combinations in a hand that beat those of every other kind."""
    return [word for word in grammar.words(hand) if (combo := grammar.classify(word)) and combo.kind in _BOMBS]


def _cards(answer: str) -> Cards:
    return c.parse(answer.removeprefix("play ")) if answer.startswith("play ") else 0
