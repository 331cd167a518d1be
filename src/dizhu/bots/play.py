"""The play of the bot `rule`: weighs the few moves that make sense, and passing, and takes the best."""

from __future__ import annotations

from math import prod

from dizhu.bots.chances import Chances
from dizhu.bots.forms import Group
from dizhu.bots.knowledge import Knowledge, Other
from dizhu.bots.outlook import Outlook
from dizhu.bots.plan import Plan, Planner
from dizhu.bots.weights import Weights
from dizhu.game.physical import rank_word
from dizhu.rules import cards as c
from dizhu.rules.cards import Cards

PASS = "pass"
PLAY = "play "
_KICKERS_TRIED = 3
_FEW = 2


class Chooser:
    """One decision of the play; moves are valued by how likely our side wins."""

    def __init__(self, knowledge: Knowledge, weights: Weights) -> None:
        self._known = knowledge
        self._weights = weights
        self._chances = Chances(knowledge, weights)
        self._planner = Planner(knowledge, self._chances, weights)
        self._forms = self._chances.forms
        self._outlook = Outlook(knowledge)
        self._retake = weights.retake_together if knowledge.partners else weights.retake

    def choose(self) -> str:
        """Answer the question `play`."""
        view = self._known.view
        enough = c.size(self._known.hand) - self._known.let
        for action in view.legal:
            if len(action) - len(PLAY) >= enough and action != PASS:
                return action
        if view.table is None:
            scored = [(self._lead(group), -index, group) for index, group in enumerate(self._leads())]
            return PLAY + c.format_cards(max(scored)[2].cards)
        scored = [(self._play(group), -index, group) for index, group in enumerate(self._follows())]
        if not scored:
            return PASS
        value, _, group = max(scored)
        return PLAY + c.format_cards(group.cards) if value > self._pass() else PASS

    # --- which moves to weigh --------------------------------------------------------------------------------------

    def _leads(self) -> list[Group]:
        """List the groups of a few good plans; single cards and pairs too when somebody has few cards left."""
        hand = self._known.hand
        groups = [group for plan in self._planner.several(hand) for group in plan.groups]
        if any(other.needs <= _FEW for other in self._known.others) or not groups:
            groups += self._plain(hand)
        return list(dict.fromkeys(groups))

    def _plain(self, hand: Cards) -> list[Group]:
        return [
            Group(self._forms.plain[copies, 0], 1, (bit.bit_length() - 1) >> 2, copies * bit)
            for copies in (1, 2)
            for bit in c.bits(c.at_least(hand, copies))
            if copies == 1 or not bit & c.JOKERS
        ]

    def _follows(self) -> list[Group]:
        """List the ways to beat the table, of each core only those with the best kickers."""
        table = self._known.view.table
        assert table is not None
        grammar = self._known.game.grammar
        by_core: dict[int, list[Cards]] = {}
        against = grammar.classify(rank_word(table.cards))
        groups: dict[int, Group] = {}
        for combo in grammar.moves(self._known.hand, against):
            if combo.key not in groups:
                groups[combo.key] = self._forms.group(combo)
            by_core.setdefault(combo.key, []).append(combo.cards)
        out: list[Group] = []
        for key, choices in by_core.items():
            best = sorted(choices, key=self._burden)[:_KICKERS_TRIED] if len(choices) > _KICKERS_TRIED else choices
            out += [groups[key]._replace(cards=cards) for cards in best]
        return out

    def _burden(self, cards: Cards) -> float:
        """Roughly, what attaching these kickers costs: high cards, and cards torn from equal ones."""
        rest = self._known.hand - cards
        cost = 0.0
        for bit in c.bits(c.at_least(cards, 1)):
            rank = (bit.bit_length() - 1) >> 2
            cost += rank * (cards // bit & 15) + (8 if rest // bit & 15 else 0)
        return cost

    # --- what they are worth ---------------------------------------------------------------------------------------

    def _play(self, group: Group) -> float:
        """How likely our side wins if we put a group down."""
        rest = self._known.hand - group.cards
        needs = c.size(rest) - self._known.let
        return self._trick(group, None, self.plan(rest), needs, self._known.others)

    def _lead(self, group: Group) -> float:
        gift = self._weights.gift.get(self._forms.names[group.row], 0.0) * (1 - group.top / 15)
        return self._play(group) - gift

    def _pass(self) -> float:
        """How likely our side wins if we pass."""
        known = self._known
        table = known.view.table
        assert table is not None
        against = known.game.grammar.classify(rank_word(table.cards))
        assert against is not None
        owner = next(other for other in known.others if other.seat == table.seat)
        plan = self.plan(known.hand)
        needs = c.size(known.hand) - known.let
        return self._trick(self._forms.group(against), owner, plan, needs, known.to_act(owner.seat))

    def _trick(self, group: Group, owner: Other | None, plan: Plan, needs: int, to_act: tuple[Other, ...]) -> float:
        """How likely our side wins when `group` of `owner` (None: ours) lies on the table and `to_act` may beat it."""
        ours = owner is None or not owner.enemy
        size = c.size(group.cards)
        won, reached = 0.0, 1.0
        retaken = self._win(plan, needs, None, 0)
        retaken += self._weights.spent * (1 - retaken)
        for other in to_act:
            can, does = self._chances.beaten(self._chances.holdings[other.seat], group.row, group.length, group.top)
            left = other.needs - size
            rival = other.enmity if ours else 1 - other.enmity
            beats = can if left <= 0 else does * rival
            after = self._win(plan, needs, other, left)
            if left > 0 and other.enemy:
                after += self._retake * (retaken - after)
            won += reached * beats * after
            reached *= 1 - beats
        return won + reached * self._win(plan, needs, owner, owner.needs if owner else 0)

    def _win(self, plan: Plan, needs: int, leader: Other | None, leader_needs: int) -> float:
        """How likely our side wins once the trick is over; with the lead, also by playing all in a row."""
        chance = self._outlook.win(plan, needs, leader, leader_needs)
        return max(chance, self.runs(plan)) if leader is None else chance

    def plan(self, hand: Cards) -> Plan:
        """The plan for a hand."""
        return self._planner.best(hand)

    def runs(self, plan: Plan) -> float:
        """How likely the rest goes through once we have the lead: all but one group must not be beaten."""
        safe = sorted(self._chances.odds(group.row, group.length, group.top).safe for group in plan.groups)
        return prod(safe[1:])
