"""The ladder of titles: what a player's points make of him (rules.md §4.3)."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import Literal

Ladder = Literal["three_player", "five_player"]


@dataclass(frozen=True, slots=True)
class Title:
    """A step of the ladder: its names, and the points from which it is held on either ladder."""

    chinese: str
    pinyin: str
    english: str
    three_player: int
    five_player: int

    def reached_at(self, ladder: Ladder) -> int:
        """The points from which the title is held on that ladder."""
        return self.three_player if ladder == "three_player" else self.five_player


TITLES = (
    # Whoever has less than the second title needs holds the first, below zero too.
    Title("包身工", "baoshengong", "bonded labourer", 0, 0),
    Title("短工", "duangong", "day labourer", 10, 30),
    Title("长工", "changgong", "farmhand", 25, 60),
    Title("佃户", "dianhu", "tenant", 40, 90),
    Title("贫农", "pinnong", "poor peasant", 80, 180),
    Title("渔夫", "yufu", "fisherman", 140, 320),
    Title("猎人", "lieren", "hunter", 230, 530),
    Title("中农", "zhongnong", "middle peasant", 365, 840),
    Title("富农", "funong", "rich peasant", 500, 1_150),
    Title("掌柜", "zhanggui", "shopkeeper", 700, 1_600),
    Title("商人", "shangren", "merchant", 1_000, 2_300),
    Title("衙役", "yayi", "bailiff", 1_500, 3_450),
    Title("小财主", "xiaocaizhu", "small magnate", 2_200, 5_000),
    Title("大财主", "dacaizhu", "great magnate", 3_000, 6_900),
    Title("小地主", "xiaodizhu", "small landlord", 4_000, 9_200),
    Title("大地主", "dadizhu", "great landlord", 5_500, 12_600),
    Title("知县", "zhixian", "county magistrate", 7_700, 17_700),
    Title("通判", "tongpan", "assistant prefect", 10_000, 23_000),
    Title("知府", "zhifu", "prefect", 14_000, 32_200),
    Title("总督", "zongdu", "viceroy", 20_000, 46_000),
    Title("巡抚", "xunfu", "governor", 30_000, 69_000),
    Title("丞相", "chengxiang", "chancellor", 45_000, 103_000),
    Title("皇帝", "huangdi", "emperor", 70_000, 161_000),
)


def step(points: int, ladder: Ladder = "three_player") -> int:
    """Find the place in TITLES of the title that a number of points gives on a ladder, from 0."""
    return max(bisect_right(TITLES, points, key=lambda one: one.reached_at(ladder)) - 1, 0)


def title(points: int, ladder: Ladder = "three_player") -> Title:
    """Find the title that a number of points gives on a ladder.

    >>> title(39).english, title(40).english, title(-5, "five_player").english
    ('farmhand', 'tenant', 'bonded labourer')
    """
    return TITLES[step(points, ladder)]
