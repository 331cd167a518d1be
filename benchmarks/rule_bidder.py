"""What is a good bidding worth? A program for the arena: networks play, `rule` answers all that is asked before.

dizhu arena hard "program:python benchmarks/rule_bidder.py" --variant landlord_war --deals 1000
"""

from __future__ import annotations

import json
import sys

import msgspec

from dizhu import View
from dizhu.bots.network import NetworkBot
from dizhu.bots.rule import RuleBot


def main() -> None:
    """Answer question after question."""
    rule, network = RuleBot(0), NetworkBot(0)
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            answer: dict[str, object] = {"protocol": 1}
        elif message["type"] == "act":
            view = msgspec.convert(message["view"], View)
            answer = {"action": (network if view.phase == "play" else rule).act(view)}
        else:
            continue
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
