"""What the bot `rule` believes, as numbers; found by playing versions of it against each other on the same deals."""

from __future__ import annotations

from dataclasses import dataclass, field

Kinds = dict[str, float]


def _kinds(**values: float) -> Kinds:
    return field(default_factory=lambda: values)


@dataclass(frozen=True)
class Weights:
    """The beliefs.

    willing: by kind, how likely somebody who could beat a play does; willing_other: other kinds. willing_dear: if
        he could only with cards from A up. willing_bomb: if he could only with a bomb.
    follow, discard: by kind, how likely a strong combination gets to take a trick that another leads, and how much of
        the burden of an ace-high one is gone because it can be put on another's. Costs are in leads, see `Plan`.
    bomb, rocket: what these are worth above taking one trick, in leads.
    gift: by kind, the chance of winning that a low lead of it gives away, since others get rid of cards on it.
    retake, retake_together: how likely we take a trick back that an enemy has taken; the latter with partners.
    limits: the chance of winning from which a question before the play (of one game, if named) is answered with yes, or
        with that bid.
    """

    willing: Kinds = _kinds(solo=0.8, pair=0.8, trio=0.8, trio_solo=0.85, trio_pair=0.85)
    willing_other: float = 0.85
    willing_dear: float = 0.6
    willing_bomb: float = 0.3
    follow: Kinds = _kinds(solo=0.9, pair=0.7, trio=0.2, trio_solo=0.35, trio_pair=0.35)
    follow_other: float = 0.1
    discard: Kinds = _kinds(solo=0.45, pair=0.35, trio_solo=0.2, trio_pair=0.2)
    bomb: float = 0.4
    rocket: float = 1.0
    gift: Kinds = _kinds(solo=0.02, pair=0.01)
    retake: float = 0.25
    retake_together: float = 0.8
    spent: float = 0.4
    limits: Kinds = field(
        default_factory=lambda: {
            "bid 1": 0.4,
            "bid 2": 0.45,
            "bid 3": 0.5,
            "call": 0.45,
            "call, two_player": 0.55,
            "rob": 0.55,
            "rob, two_player": 0.7,
            "declare": 0.6,
            "double": 0.6,
            "double as farmer": 0.7,
            "open late": 0.95,
            "open landlord": 0.95,
        }
    )
