/* The play of the bot `rule`, fast enough to train networks against. dizhu.bots.play, its readable form, says what each
 * part is for; tests compare the two, choice by choice. */
#ifndef DIZHU_PLANNER_H
#define DIZHU_PLANNER_H

#include "planned.h"

#define CHAINS_SEARCHED 3
#define KICKERS_TRIED 3
#define FEW 2
#define QUEEN 9

static parting_t best_parting(planner_t *p, cards_t hand);

static void add_group(parting_t *to, group_t group) {
    if (to->count < MOST_GROUPS) to->groups[to->count++] = group;
}

static int group_of(const planner_t *p, cards_t cards, group_t *out) {
    cmb_key key = classify(p->game->grammar, cards);
    *out = (group_t){(int8_t)key_row(key), (int8_t)key_length(key), (int8_t)key_rank(key), cards};
    return key != 0;
}

/* Stable: of equals the first stays first. `down`: the dearest first. */
static void sort_groups(planner_t *p, group_t *groups, int count, int down) {
    for (int i = 1; i < count; i++) {
        group_t moved = groups[i];
        double cost = group_cost(p, moved);
        int at = i;
        for (; at && (down ? group_cost(p, groups[at - 1]) < cost : group_cost(p, groups[at - 1]) > cost); at--)
            groups[at] = groups[at - 1];
        groups[at] = moved;
    }
}

/* Give a run of trios those kickers that are hardest to get rid of, where that pays; takes them out of `loose`. */
static group_t trio_group(planner_t *p, int first, int length, parting_t loose[3]) {
    const rows_t *rows = &p->rows;
    cards_t cards = 0;
    int top = first + length - 1, chain = length > 1, kicker = 0;
    for (int rank = first; rank <= top; rank++) cards += 3ULL << 4 * rank;
    group_t group = {(int8_t)rows->trio[chain][0], (int8_t)length, (int8_t)top, cards};
    double best = group_cost(p, group);
    for (int width = 1; width <= 2; width++) {
        if (rows->trio[chain][width] < 0 || loose[width].count < length) continue;
        group_t attached = {(int8_t)rows->trio[chain][width], (int8_t)length, (int8_t)top, cards};
        double taken = 0;
        for (int i = loose[width].count - length; i < loose[width].count; i++) taken += group_cost(p, loose[width].groups[i]);
        double cost = group_cost(p, attached) - taken;
        if (cost < best) best = cost, kicker = width;
    }
    if (!kicker) return group;
    group.row = (int8_t)rows->trio[chain][kicker];
    for (int i = 0; i < length; i++) group.cards += loose[kicker].groups[--loose[kicker].count].cards;
    return group;
}

/* Leave out what need not be played: the worst groups, up to the let cards. */
static void keep_back(planner_t *p, parting_t *rest) {
    int let = p->let, kept = 0;
    sort_groups(p, rest->groups, rest->count, 1);
    for (int i = 0; i < rest->count; i++) {
        int size = card_count(rest->groups[i].cards);
        if (size <= let && group_cost(p, rest->groups[i]) > 0)
            let -= size;
        else
            rest->groups[kept++] = rest->groups[i];
    }
    rest->count = kept;
}

static parting_t part_hand(planner_t *p, cards_t hand) {
    const rows_t *rows = &p->rows;
    parting_t out = {0}, loose[3] = {0};
    int trios[13], trio_count = 0;
    cards_t jokers = hand & 15 * JOKERS;
    for (int i = 0; i < rows->literals; i++)
        if (jokers && rows->literal[i].cards == jokers) {
            add_group(&out, rows->literal[i]);
            hand -= jokers;
            break;
        }
    for (cards_t ranks = at_least(hand, 1); ranks; ranks &= ranks - 1) {
        int rank = lowest(ranks) / 4, copies = (int)(hand >> 4 * rank & 15);
        cards_t bit = ranks & -ranks;
        if (bit & JOKERS)
            for (int copy = 0; copy < copies; copy++) add_group(&loose[1], (group_t){(int8_t)rows->plain[1], 1, (int8_t)rank, bit});
        else if (copies >= 4)
            add_group(&out, (group_t){(int8_t)rows->bomb[copies], 1, (int8_t)rank, bit * (cards_t)copies});
        else if (copies == 3)
            trios[trio_count++] = rank;
        else
            add_group(&loose[copies], (group_t){(int8_t)rows->plain[copies], 1, (int8_t)rank, bit * (cards_t)copies});
    }
    sort_groups(p, loose[1].groups, loose[1].count, 0);
    sort_groups(p, loose[2].groups, loose[2].count, 0);
    for (int i = 0, end; i < trio_count; i = end) {
        for (end = i + 1; end < trio_count && trios[end] == trios[end - 1] + 1 && trios[end] <= ACE;) end++;
        add_group(&out, trio_group(p, trios[i], end - i, loose));
    }
    for (int i = 0; i < loose[2].count; i++) add_group(&loose[1], loose[2].groups[i]);
    if (p->let) keep_back(p, &loose[1]);
    for (int i = 0; i < loose[1].count; i++) add_group(&out, loose[1].groups[i]);
    for (int i = 0; i < out.count; i++) out.cost += group_cost(p, out.groups[i]);
    return out;
}

static parting_t flat_parting(planner_t *p, cards_t hand) { return recall(p, hand, 0, part_hand); }

static int loose_end(cards_t hand, int outside, int inside, int copies) {
    int left_out = (int)(hand >> 4 * outside & 15);
    return left_out != copies || (int)(hand >> 4 * inside & 15) > copies || outside >= QUEEN;
}

typedef struct {
    double cost;
    group_t group;
} promise_t;

static int comes_before(const promise_t *a, const promise_t *b) {
    if (a->cost != b->cost) return a->cost < b->cost;
    if (a->group.row != b->group.row) return a->group.row < b->group.row;
    if (a->group.length != b->group.length) return a->group.length < b->group.length;
    if (a->group.top != b->group.top) return a->group.top < b->group.top;
    return a->group.cards < b->group.cards;
}

/* List the chains of single cards and pairs that may be worth playing, the most promising first. */
static int list_chains(planner_t *p, cards_t hand, promise_t found[MOST_CHAINS]) {
    int count = 0;
    for (int copies = 1; copies <= 2; copies++) {
        int fewest = copies == 1 ? 5 : 3;
        cards_t ranks = at_least(hand, copies) & CHAIN;
        for (int low = 0, high; low <= ACE; low = high + 1) {
            high = low;
            if (!(ranks >> 4 * low & 1)) continue;
            while (high < ACE && ranks >> 4 * (high + 1) & 1) high++;
            for (int start = low; start <= high - fewest + 1; start++) {
                if (start > low && (start >= high || !loose_end(hand, start - 1, start, copies))) continue;
                for (int end = start + fewest - 1; end <= high; end++) {
                    if (end < high && (end <= low || !loose_end(hand, end + 1, end, copies))) continue;
                    cards_t cards = (cards_t)copies * (span_of(end - start + 1) << 4 * start);
                    group_t chain = {(int8_t)p->rows.chain[copies], (int8_t)(end - start + 1), (int8_t)end, cards};
                    promise_t one = {group_cost(p, chain) + flat_parting(p, hand - cards).cost, chain};
                    int at = count < MOST_CHAINS ? count++ : MOST_CHAINS - 1;
                    for (; at && comes_before(&one, &found[at - 1]); at--) found[at] = found[at - 1];
                    found[at] = one;
                }
            }
        }
    }
    return count;
}

static parting_t with_chain(planner_t *p, group_t chain, const parting_t *rest) {
    parting_t out = {.cost = group_cost(p, chain) + rest->cost, .count = 1, .groups = {chain}};
    for (int i = 0; i < rest->count; i++) add_group(&out, rest->groups[i]);
    return out;
}

static parting_t search_parting(planner_t *p, cards_t hand) {
    parting_t best = flat_parting(p, hand);
    group_t whole;
    promise_t chains[MOST_CHAINS];
    if (group_of(p, hand, &whole) && best.cost > group_cost(p, whole))
        best = (parting_t){.cost = group_cost(p, whole), .count = 1, .groups = {whole}};
    int count = list_chains(p, hand, chains);
    for (int i = 0; i < count && i < CHAINS_SEARCHED; i++) {
        parting_t rest = best_parting(p, hand - chains[i].group.cards);
        parting_t longer = with_chain(p, chains[i].group, &rest);
        if (longer.cost < best.cost) best = longer;
    }
    return best;
}

static parting_t best_parting(planner_t *p, cards_t hand) { return recall(p, hand, 1, search_parting); }

/* --- what moves are worth ------------------------------------------------------------------------------------------- */

/* How likely the rest goes through once we have the lead: all but one group must not be beaten. */
static double runs_through(planner_t *p, const parting_t *plan) {
    double lowest = 2, chance = 1;
    for (int i = 0; i < plan->count; i++) {
        double safe = odds_of(p, plan->groups[i])->safe;
        if (safe < lowest) {
            if (lowest <= 1) chance *= lowest;
            lowest = safe;
        } else
            chance *= safe;
    }
    return chance;
}

/* How likely our side wins once a trick is over; leader NULL: we lead. */
static double win_chance(planner_t *p, const parting_t *plan, int needs, const other_t *leader, int leader_needs) {
    double chance = outlook(p, plan, needs, leader, leader_needs);
    if (leader) return chance;
    double through = runs_through(p, plan);
    return chance > through ? chance : through;
}

/* How likely our side wins when a group of `owner` (NULL: ours) lies on the table and the first `count` others may beat it. */
static double trick_chance(planner_t *p, group_t group, const other_t *owner, const parting_t *plan, int needs, int count) {
    const beliefs_t *b = p->beliefs;
    int ours = !owner || !owner->enemy, size = card_count(group.cards);
    double won = 0, reached = 1, retaken = win_chance(p, plan, needs, NULL, 0);
    retaken += b->spent * (1 - retaken);
    for (int i = 0; i < count; i++) {
        other_t *other = &p->others[i];
        beaten_t chance = beaten_chance(p, other, group);
        int left = other->needs - size;
        double rival = ours ? other->enmity : 1 - other->enmity;
        double beats = left <= 0 ? chance.can : chance.does * rival;
        double after = win_chance(p, plan, needs, other, left);
        if (left > 0 && other->enemy) after += (p->partners ? b->retake_together : b->retake) * (retaken - after);
        won += reached * beats * after;
        reached *= 1 - beats;
    }
    return won + reached * win_chance(p, plan, needs, owner, owner ? owner->needs : 0);
}

static double play_worth(planner_t *p, group_t group) {
    cards_t rest = p->hand - group.cards;
    parting_t plan = best_parting(p, rest);
    return trick_chance(p, group, NULL, &plan, card_count(rest) - p->let, p->count);
}

static double pass_worth(planner_t *p, const scene_t *s) {
    const table_t *t = &s->hand.table;
    int place = 0;
    while (p->others[place].seat != t->leader) place++;
    group_t table;
    group_of(p, s->hand.last[t->leader], &table);
    parting_t plan = best_parting(p, p->hand);
    return trick_chance(p, table, &p->others[place], &plan, card_count(p->hand) - p->let, place);
}

static int same_group(group_t a, group_t b) {
    return a.cards == b.cards && a.row == b.row && a.length == b.length && a.top == b.top;
}

/* Weigh a group to lead, once. */
static void weigh_lead(planner_t *p, lead_t *lead, group_t group) {
    for (int i = 0; i < lead->count; i++)
        if (same_group(lead->seen[i], group)) return;
    if (lead->count == MOST_LEADS) return;
    lead->seen[lead->count++] = group;
    double worth = play_worth(p, group) - p->beliefs->gift[group.row] * (1 - group.top / 15.0);
    if (worth > lead->worth) lead->worth = worth, lead->best = group.cards;
}

static cards_t choose_lead(planner_t *p) {
    cards_t hand = p->hand;
    parting_t plans[2 + 2 * CHAINS_SEARCHED];
    promise_t chains[MOST_CHAINS];
    lead_t lead = {.worth = -INFINITY};
    int count = 2, listed = list_chains(p, hand, chains), few = 0;
    plans[0] = best_parting(p, hand);
    plans[1] = flat_parting(p, hand);
    for (int i = 0; i < listed && i < 2 * CHAINS_SEARCHED; i++) {
        parting_t rest = best_parting(p, hand - chains[i].group.cards);
        plans[count++] = with_chain(p, chains[i].group, &rest);
    }
    for (int i = 1; i < count; i++) {
        parting_t moved = plans[i];
        int at = i;
        for (; at && plans[at - 1].cost > moved.cost; at--) plans[at] = plans[at - 1];
        plans[at] = moved;
    }
    for (int i = 0; i < count; i++)
        for (int each = 0; each < plans[i].count; each++) weigh_lead(p, &lead, plans[i].groups[each]);
    for (int i = 0; i < p->count; i++) few |= p->others[i].needs <= FEW;
    for (int copies = 1; copies <= 2 && (few || !lead.count); copies++)
        for (cards_t ranks = at_least(hand, copies) & (copies == 1 ? ~0ULL : ~JOKERS); ranks; ranks &= ranks - 1)
            weigh_lead(p, &lead, (group_t){(int8_t)p->rows.plain[copies], 1, (int8_t)(lowest(ranks) / 4), (cards_t)copies * (ranks & -ranks)});
    return lead.best;
}

/* Roughly, what attaching kickers costs: high cards, and cards torn from equal ones. */
static double burden(cards_t hand, cards_t cards) {
    double cost = 0;
    for (cards_t ranks = at_least(cards, 1); ranks; ranks &= ranks - 1) {
        int rank = lowest(ranks) / 4;
        cost += rank * (int)(cards >> 4 * rank & 15) + ((hand - cards) >> 4 * rank & 15 ? 8 : 0);
    }
    return cost;
}

/* Of the moves of one core, weigh those with the best kickers; `left` marks those that are not weighed yet. */
static void weigh_core(planner_t *p, const move_t *moves, int count, int first, uint8_t *left, double *worth, cards_t *best) {
    cmb_key key = moves[first].key;
    int all = 0;
    for (int i = first; i < count; i++) all += moves[i].key == key;
    for (int tried = 0; tried < (all > KICKERS_TRIED ? KICKERS_TRIED : all); tried++) {
        int chosen = -1;
        for (int i = first; i < count; i++) {
            if (moves[i].key != key || !left[i]) continue;
            if (chosen < 0 || (all > KICKERS_TRIED && burden(p->hand, moves[i].cards) < burden(p->hand, moves[chosen].cards))) chosen = i;
        }
        left[chosen] = 0;
        group_t group = {(int8_t)key_row(key), (int8_t)key_length(key), (int8_t)key_rank(key), moves[chosen].cards};
        double value = play_worth(p, group);
        if (value > *worth) *worth = value, *best = group.cards;
    }
    for (int i = first; i < count; i++) left[i] &= moves[i].key != key;
}

/* Choose among the answers of the seat in turn: what the bot `rule` would put down, 0 for a pass. */
static cards_t rule_move(planner_t *p, const game_t *g, const scene_t *s, const move_t *moves, int choices) {
    uint8_t left[MOST_CHOICES];
    conclude(p, g, s);
    int enough = card_count(p->hand) - p->let;
    for (int i = 0; i < choices; i++)
        if (moves[i].cards && card_count(moves[i].cards) >= enough) return moves[i].cards;
    if (!s->hand.table.key) return choose_lead(p);
    double worth = -INFINITY;
    cards_t best = 0;
    memset(left, 1, (size_t)choices);
    for (int i = 1; i < choices; i++)
        if (left[i]) weigh_core(p, moves, choices, i, left, &worth, &best);
    return best && worth > pass_worth(p, s) ? best : 0;
}

/* The place of that move. */
static int planned_place(planner_t *p, const game_t *g, const scene_t *s, const move_t *moves, int choices) {
    cards_t cards = rule_move(p, g, s, moves, choices);
    for (int i = 0; i < choices; i++)
        if (moves[i].cards == cards) return i;
    return 0;
}
#endif
