"""RLCard's rule model (DouDizhuRuleAgentV1) as a program for the arena. Needs RLCard: pip install rlcard.

dizhu arena rule "program:python examples/rlcard_rule_bot.py" --variant landlord_war --fixed-landlord

It plays games of three seats and one deck. RLCard knows no bidding: before the play it declines whatever it is asked.
"""

from __future__ import annotations

import json
import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
from rlcard.games.base import Card
from rlcard.games.doudizhu.utils import get_gt_cards
from rlcard.models.doudizhu_rule_models import DouDizhuRuleAgentV1

AGENT = DouDizhuRuleAgentV1()
JOKERS = {"B": Card("BJ", ""), "R": Card("RJ", "")}


def state(message: dict[str, Any]) -> dict[str, Any]:
    """Describe a question of the play as RLCard does, as far as the model looks at it."""
    view, ranks = message["view"], message["ranks"]
    return {
        "self": message["seat"],
        "landlord": view["landlords"][0],
        "trace": [(seat, cards or "pass") for seat, cards in ranks["history"]],
        "current_hand": ranks["hand"],
        "actions": answers(ranks["hand"], ranks["table"]) if ranks["table"] else leads(view["legal"]),
    }


def answers(hand: str, table: str) -> list[str]:
    """List what beats the table in RLCard's own order: of equally good answers the model takes the first."""
    cards = [JOKERS.get(rank) or Card("S", rank) for rank in hand]
    return get_gt_cards(SimpleNamespace(current_hand=cards), SimpleNamespace(played_cards=table))


def leads(legal: list[str]) -> list[str]:
    """List what may be led."""
    return [action.removeprefix("play ") for action in legal]


def choose(message: dict[str, Any]) -> str:
    """Answer a question."""
    legal = message["view"]["legal"]
    if message["view"]["phase"] != "play":
        return "no" if "no" in legal else legal[0]
    # Where it has no answer of the same kind, the model draws one from NumPy's own generator.
    np.random.seed((message["seed"] + len(message["ranks"]["history"])) % (1 << 32))
    chosen = str(AGENT.step({"raw_obs": state(message)}))
    action = chosen if chosen == "pass" else f"play {chosen}"
    return action if action in legal else legal[0]  # a house rule that RLCard does not know


def main() -> None:
    """Answer line by line."""
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            print(json.dumps({"protocol": 1}), flush=True)
        elif message["type"] == "act":
            if len(message["view"]["counts"]) != 3:
                sys.exit("RLCard's rule model plays games of three seats only")
            print(json.dumps({"action": choose(message)}), flush=True)


if __name__ == "__main__":
    main()
