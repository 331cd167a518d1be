"""Positions that show what the page can show, full enough to be crowded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import dizhu
from browser.table_page import TablePage
from dizhu.server.hand import Dealer


def filled(wanted: list[str], first: int = 0, marked: str | None = None) -> Dealer:
    """Make a dealer that gives the seats these cards, and fills hands, bottom and aside with the rest of the deck."""

    def deal(variant: dizhu.Variant, _: bytes, __: int | None, _entropy: Sequence[bytes]) -> dizhu.Deal:
        start = dizhu.position(variant, wanted, first=first, marked=marked)
        rest = list((Counter(variant.deck.cards) - Counter(card for hand in start.hands for card in hand)).elements())
        order = [rest[index] for step in range(7) for index in range(step, len(rest), 7)]
        hands = []
        for hand in start.hands:
            missing = variant.deal - len(hand)
            hands.append(" ".join([*hand, *order[:missing]]))
            del order[:missing]
        bottom, aside = order[: variant.bottom], order[variant.bottom :]
        return dizhu.position(variant, hands, " ".join(bottom), first, marked, " ".join(aside))

    return deal


@dataclass(frozen=True)
class Scene:
    """A game, its cards, and what everybody does.

    own: what this page answers and plays, each as soon as it is allowed; else it declines, or plays a hint.
    """

    variant: str
    dealer: Dealer
    bots: dict[int, list[str]]
    own: list[str]


SCENES = {
    "classic": Scene(
        "classic",
        filled(["3456789TJQA2", "456789TJQ", "KKKK"], first=1),
        {1: ["bid 1", "play 456789TJ"], 2: ["play KKKK"]},
        ["bid 3", "play 3456789T"],
    ),
    "classic-farmer": Scene(
        "classic",
        filled(["5555777899TJQKKA2", "333444666JJTT88", "QQQ"], first=1),
        {1: ["bid 3", "play 333444JJTT", "play 6668"]},
        ["play 5555", "play 789TJQK"],
    ),
    "auction": Scene(
        "auction",
        filled(["34567789TJQK222AA", "33445566778899", "JJQQKKAA"], first=1),
        {1: ["bid 1", "play 5566778899"], 2: ["bid 2"]},
        ["bid 3", "play 789TJQKA"],
    ),
    "landlord_war": Scene(
        "landlord_war",
        filled(["34567789TJQK222AA", "333444555666", "89TJQKA"], first=1),
        {1: ["call", "double", "play 6666"], 2: ["rob", "double", "play 9TJQKA2"]},
        ["rob", "double", "play 3456789"],
    ),
    "happy": Scene(
        "happy",
        filled(["3456789TJQK222AA", "44455566689TJQK", "777TTJJQQKKA"]),
        {1: ["open", "rob", "double", "play 44455566689T"], 2: ["no", "open", "double"]},
        ["no", "no", "open", "call", "rob", "double", "play 3456789"],
    ),
    "two_player": Scene(
        "two_player",
        filled(["56789TJQKA2B", "5566778899TT"]),
        {1: ["rob", "rob", "play 9TJQKA"]},
        ["call", "rob", "no", "play 56789T"],
    ),
    "five_player": Scene(
        "five_player",
        filled(
            ["7h 3 4 5 6 7 8 9 T J Q K A 4 4 4", "7h 4 5 6 7 8 9 T J Q K", "33344455566", "999TTTJJJ", "8888"],
            marked="7h",
        ),
        {1: ["declare", "double", "play 456789TJQK"], 3: ["double"], 4: ["double", "play 8888"]},
        ["declare", "double", "play 3456789TJQ"],
    ),
}

PLAYS = 2
"""How often this page stops at a turn of the play, before the computer ends the hand for it."""


def stops(table: TablePage, scene: Scene) -> Iterator[str]:
    """Play a scene; stop and yield a name at each thing worth a look. Bots answer when this goes on."""
    own = list(scene.own)
    seen: list[str] = []
    while True:
        shown, view = table.current()
        place = f"{view.phase}-{view.moment}" if view.moment else view.phase
        place += "" if shown.turn or view.phase == "over" else "-waiting"
        if view.phase == "over":
            table.sheet()
            yield f"{len(seen) + 1:02}-over"
            return
        if shown.auto:
            table.site.step()
            continue
        if shown.turn and view.phase == "play":
            raise_some(table, own.pop(0) if own and own[0] in view.legal else "")
        if seen.count(place) < (PLAYS if view.phase == "play" else 1):
            seen.append(place)
            yield f"{len(seen):02}-{place}"
        if not shown.turn:
            table.site.step()
        elif view.phase != "play":
            table.answer(own.pop(0) if own and own[0] in view.legal else "no")
        elif seen.count(place) >= PLAYS:
            table.press("auto")
        else:
            table.press("play" if table.read().live else "pass")


def raise_some(table: TablePage, play: str) -> None:
    """Raise the cards of a play, or those of a hint."""
    if play:
        table.type_cards(play.removeprefix("play "))
    elif "hint" in table.read().buttons:
        table.handle("hint").click()
