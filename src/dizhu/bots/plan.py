"""Plans: how to part a hand into combinations so that few leads are needed to get rid of it."""

from __future__ import annotations

from dataclasses import dataclass

from dizhu.bots.chances import Chances
from dizhu.bots.forms import Group
from dizhu.bots.knowledge import Knowledge
from dizhu.bots.weights import Weights
from dizhu.rules import cards as c
from dizhu.rules.cards import JOKERS, ONES, UNIT, Cards

_QUEEN = 9
_ACE = 11
_BREADTH = 3
_JOKER_BITS = (UNIT["B"], UNIT["R"])


@dataclass(frozen=True, slots=True)
class Plan:
    """A hand parted into groups. `cost`: the leads that others have to give us until it is played (may be negative)."""

    cost: float
    groups: tuple[Group, ...]


class Planner:
    """Finds good plans for one seat at one moment; remembers them, since hands after different moves share parts."""

    def __init__(self, knowledge: Knowledge, chances: Chances, weights: Weights) -> None:
        self._forms = chances.forms
        self._chances = chances
        self._weights = weights
        self._let = knowledge.let
        self._costs: dict[tuple[int, int, int], float] = {}
        self._flat: dict[Cards, Plan] = {}
        self._best: dict[Cards, Plan] = {}

    def best(self, hand: Cards) -> Plan:
        """The best plan found for these cards."""
        plan = self._best.get(hand)
        if plan is None:
            plan = self._best[hand] = self._search(hand)
        return plan

    def several(self, hand: Cards) -> list[Plan]:
        """A few good plans that begin with different chains, the best first."""
        plans = [self.best(hand), self._without_chains(hand)]
        plans += [self._with(chain, self.best(hand - chain.cards)) for chain in self._chains(hand)[: 2 * _BREADTH]]
        return sorted(plans, key=lambda plan: plan.cost)

    def cost(self, group: Group) -> float:
        """The leads that this group needs, less those that it is likely to win."""
        key = group[:3]
        cost = self._costs.get(key)
        if cost is None:
            cost = self._costs[key] = self._cost(group)
        return cost

    def _cost(self, group: Group) -> float:
        weights = self._weights
        hold = self._chances.odds(group.row, group.length, group.top).hold
        shape = self._forms.grammar.shapes[group.row]
        if shape.power:
            return 1 - 2 * hold - (weights.bomb if shape.copies else weights.rocket)
        follow = weights.follow.get(shape.name, weights.follow_other)
        discard = weights.discard.get(shape.name, 0.0) * min(group.top, _ACE) / _ACE
        return 1 - (1 + follow) * hold - discard * (1 - hold)

    def _search(self, hand: Cards) -> Plan:
        plan = self._without_chains(hand)
        if (combo := self._forms.grammar.classify(hand)) is not None:
            group = self._forms.group(combo)
            if plan.cost > self.cost(group):
                plan = Plan(self.cost(group), (group,))
        for chain in self._chains(hand)[:_BREADTH]:
            longer = self._with(chain, self.best(hand - chain.cards))
            if longer.cost < plan.cost:
                plan = longer
        return plan

    def _with(self, chain: Group, rest: Plan) -> Plan:
        return Plan(self.cost(chain) + rest.cost, (chain, *rest.groups))

    def _chains(self, hand: Cards) -> list[Group]:
        """List the chains of solos and pairs that may be worth playing, the most promising first."""
        found: list[tuple[float, Group]] = []
        for copies, fewest in ((1, 5), (2, 3)):
            row = self._forms.chain[copies, 0]
            for low, high in _spans(hand, copies, fewest):
                cards = copies * (ONES & ((1 << 4 * (high + 1)) - (1 << 4 * low)))
                chain = Group(row, high - low + 1, high, cards)
                found.append((self.cost(chain) + self._without_chains(hand - cards).cost, chain))
        found.sort()
        return [chain for _, chain in found]

    def _without_chains(self, hand: Cards) -> Plan:
        plan = self._flat.get(hand)
        if plan is None:
            plan = self._flat[hand] = self._part(hand)
        return plan

    def _part(self, hand: Cards) -> Plan:
        """Part a hand rank by rank, and attach to trios what is hardest to get rid of."""
        plain = self._forms.plain
        groups: list[Group] = []
        loose: dict[int, list[Group]] = {1: [], 2: []}
        trios: list[int] = []
        jokers = hand & 15 * JOKERS
        if jokers in self._forms.literal_of:
            row, order = self._forms.literal_of[jokers]
            groups.append(Group(row, 1, order, jokers))
            hand -= jokers
        for bit in c.bits(c.at_least(hand, 1)):
            rank = (bit.bit_length() - 1) >> 2
            copies = hand // bit & 15
            if bit & JOKERS:
                loose[1] += [Group(plain[1, 0], 1, rank, bit)] * copies
            elif copies >= 4:
                groups.append(Group(self._forms.bomb_of[copies], 1, rank, bit * copies))
            elif copies == 3:
                trios.append(rank)
            else:
                loose[copies].append(Group(plain[copies, 0], 1, rank, bit * copies))
        for row in loose.values():
            row.sort(key=self.cost)
        groups += self._trios(trios, loose)
        rest = loose[1] + loose[2]
        if self._let:
            rest = self._keep_back(rest)
        groups += rest
        return Plan(sum(map(self.cost, groups)), tuple(groups))

    def _trios(self, ranks: list[int], loose: dict[int, list[Group]]) -> list[Group]:
        """Join neighbouring trios to chains, and give each its kickers; takes those out of `loose`."""
        groups: list[Group] = []
        while ranks:
            run = [ranks.pop(0)]
            while ranks and ranks[0] == run[-1] + 1 and ranks[0] <= _ACE:
                run.append(ranks.pop(0))
            groups.append(self._trio(run, loose))
        return groups

    def _trio(self, run: list[int], loose: dict[int, list[Group]]) -> Group:
        length, top = len(run), run[-1]
        rows = self._forms.plain if length == 1 else self._forms.chain
        cards = sum(3 << 4 * rank for rank in run)
        group = Group(rows[3, 0], length, top, cards)
        best, kicker = self.cost(group), 0
        for width, kickers in loose.items():
            if (3, width) not in rows or len(kickers) < length:
                continue
            attached = Group(rows[3, width], length, top, cards)
            cost = self.cost(attached) - sum(map(self.cost, kickers[-length:]))
            if cost < best:
                best, kicker = cost, width
        if not kicker:
            return group
        taken = loose[kicker][-length:]
        del loose[kicker][-length:]
        return Group(rows[3, kicker], length, top, cards + sum(group.cards for group in taken))

    def _keep_back(self, groups: list[Group]) -> list[Group]:
        """Leave out what need not be played: the worst groups, up to the let cards."""
        let = self._let
        kept: list[Group] = []
        for group in sorted(groups, key=self.cost, reverse=True):
            if c.size(group.cards) <= let and self.cost(group) > 0:
                let -= c.size(group.cards)
            else:
                kept.append(group)
        return kept


def _spans(hand: Cards, copies: int, fewest: int) -> list[tuple[int, int]]:
    """List the chains worth a thought as (lowest, highest) rank.

    A chain is cut short only where what stays out is of use: more than it needs of a rank, or a high card.
    """
    counts = [hand >> shift & 15 for shift in range(0, 4 * (_ACE + 1), 4)]
    spans: list[tuple[int, int]] = []
    low = 0
    while low <= _ACE:
        if counts[low] < copies:
            low += 1
            continue
        high = low
        while high < _ACE and counts[high + 1] >= copies:
            high += 1
        if high - low + 1 >= fewest:
            inner = range(low + 1, high)
            starts = [low, *(at for at in inner if _loose_end(counts, at - 1, at, copies))]
            ends = [*(at for at in inner if _loose_end(counts, at + 1, at, copies)), high]
            spans += [(start, end) for start in starts for end in ends if end - start + 1 >= fewest]
        low = high + 1
    return spans


def _loose_end(counts: list[int], outside: int, inside: int, copies: int) -> bool:
    return counts[outside] != copies or counts[inside] > copies or outside >= _QUEEN
