"""A bot for the arena as a program of its own, in any language; this one needs nothing but Python.

dizhu arena rule "program:python examples/program_bot.py" --variant classic
"""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        answer = {"protocol": 1}
    elif message["type"] == "act":
        legal = message["view"]["legal"]  # from low to high; a pass comes first
        lead = message["view"]["phase"] == "play" and not message["ranks"]["table"]
        answer = {"action": max(legal, key=len) if lead else legal[:2][-1]}
    else:
        continue  # a hand is over
    print(json.dumps(answer), flush=True)
