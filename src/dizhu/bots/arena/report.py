"""The figures of one match."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev

from dizhu.bots.arena.match import Hand, Match, Outcome

_NORMAL_95 = 1.96


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean with its 95 % interval (None: a single deal says nothing about the spread)."""

    value: float
    interval: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class Report:
    """What a match came to. `deals` has the games of each deal, in order."""

    match: Match
    deals: tuple[tuple[Outcome, ...], ...]

    @property
    def won(self) -> Mean:
        """The share won by the first bot."""
        return _mean(fmean(game.won for game in games) for games in self.deals)

    @property
    def points(self) -> Mean:
        """The points a game that the first bot took from the second."""
        return _mean(fmean(game.points for game in games) for games in self.deals)

    @property
    def games(self) -> int:
        """How many games were played."""
        return sum(map(len, self.deals))

    def hands(self, *, landlord: bool) -> list[Hand]:
        """All hands that the first bot's seats played in a role."""
        hands = (hand for games in self.deals for game in games for hand in game.hands)
        return [hand for hand in hands if hand.landlord == landlord]

    def as_json(self) -> dict[str, object]:
        """Give the figures as the command prints them with `--json`."""
        return {
            "wp": self.won.value,
            "wp_ci": self.won.interval or (None, None),
            "adp": self.points.value,
            "adp_ci": self.points.interval or (None, None),
            "deals": len(self.deals),
            "games": self.games,
            "landlord": _role(self.hands(landlord=True)),
            "farmer": _role(self.hands(landlord=False)),
        }

    def as_text(self) -> str:
        """Give the figures as the command prints them for people."""
        match, won, points = self.match, self.won, self.points
        played = f"{len(self.deals):,} deals, {self.games:,} games"
        lines = [
            f"{match.first} against {match.second} at {match.game}: {played}",
            f"won          {won.value:6.3f}   {_interval(won, '.3f')}   (0.5: equal)",
            f"points       {points.value:+6.2f}   {_interval(points, '+.2f')}   a game",
        ]
        for name, landlord in (("as landlord", True), ("as farmer", False)):
            role = _role(self.hands(landlord=landlord))
            if role["hands"]:
                points_a_hand = f"{role['adp']:+.2f} points a hand, {role['hands']:,} hands"
                lines.append(f"{name:<12} {role['wp']:6.3f}   {points_a_hand}")
        return "\n".join(lines)


def _mean(values: Iterable[float]) -> Mean:
    values = list(values)
    mean = fmean(values)
    if len(values) < 2:
        return Mean(mean, None)
    half = _NORMAL_95 * stdev(values) / sqrt(len(values))
    return Mean(mean, (mean - half, mean + half))


def _role(hands: list[Hand]) -> dict[str, float | int | None]:
    return {
        "hands": len(hands),
        "wp": fmean(hand.won for hand in hands) if hands else None,
        "adp": fmean(hand.points for hand in hands) if hands else None,
    }


def _interval(mean: Mean, form: str) -> str:
    return f"[{mean.interval[0]:{form}}, {mean.interval[1]:{form}}]" if mean.interval else "[one deal: no interval]"
