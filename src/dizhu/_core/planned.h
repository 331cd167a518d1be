/* What the bot `rule` knows and believes of a position, and what it costs to get rid of a group of cards. The readable
 * forms are dizhu.bots.knowledge, dizhu.bots.chances and dizhu.bots.outlook. */
#ifndef DIZHU_PLANNED_H
#define DIZHU_PLANNED_H

#include <math.h>
#include <stdlib.h>

#include "scene.h"

#define ACE 11
#define MOST_GROUPS 24
#define MOST_CHAINS 48
#define MOST_LEADS 128
#define MOST_LITERALS 8
#define PLAN_ROWS 16
#define FEATURES 10
#define KEPT 4096 /* plans that are remembered while one move is chosen; a power of 2 */
#define IS_HIDDEN 0.25

/* A combination: its row, number of core ranks, the highest of them, and its cards. */
typedef struct {
    int8_t row, length, top;
    cards_t cards;
} group_t;

/* A hand parted into groups; cost: the leads that others have to give until it is played. */
typedef struct {
    double cost;
    int count;
    group_t groups[MOST_GROUPS];
} parting_t;

/* Numbers of dizhu.bots.weights, kinds by row, and of dizhu.bots.fitted: a model by role (0: farmer) and leader (0: we, 1: an
 * enemy, 2: a partner). */
typedef struct {
    double willing[PLAN_ROWS], follow[PLAN_ROWS], discard[PLAN_ROWS], gift[PLAN_ROWS];
    double willing_dear, willing_bomb, bomb, rocket, retake, retake_together, spent;
    double models[2][3][FEATURES];
} beliefs_t;

typedef struct {
    int plain[3], chain[3], trio[2][3], bomb[9], literals;
    group_t literal[MOST_LITERALS];
} rows_t;

typedef struct {
    int seat, needs, count, enemy;
    cards_t known;
    double share, enmity, has[9][RANKS];
} other_t;

typedef struct {
    unsigned moment;
    double hold, safe, cost;
} odds_t;

typedef struct {
    double can, does;
} beaten_t;

typedef struct {
    unsigned moment;
    cards_t hand;
    parting_t found;
} kept_t;

typedef struct {
    double worth;
    cards_t best;
    int count;
    group_t seen[MOST_LEADS];
} lead_t;

/* One decision at a time; what is remembered counts for the moment at which it was found. */
typedef struct {
    const beliefs_t *beliefs;
    const game_t *game;
    rows_t rows;
    unsigned moment;
    int me, let, landlord, count, partners;
    cards_t hand, pool;
    other_t others[MOST_SEATS - 1];
    odds_t odds[PLAN_ROWS][CHAIN_RANKS + 1][RANKS];
    double tails[9][101][9]; /* 0: not worked out yet, or none */
    kept_t kept[2][KEPT];
} planner_t;

static void find_rows(const grammar_t g, rows_t *out) {
    *out = (rows_t){.trio = {{-1, -1, -1}, {-1, -1, -1}}};
    for (int row = 0; row < families[g.family].rows; row++) {
        const shape_t *s = &families[g.family].shapes[row];
        for (int order = 0; order < s->literals && out->literals < MOST_LITERALS; order++)
            out->literal[out->literals++] = (group_t){(int8_t)row, 1, (int8_t)order, s->sets[order]};
        if (s->power && s->copies) out->bomb[s->copies] = row;
        if (s->power || s->copies > 3) continue;
        if (s->copies == 3)
            out->trio[s->run > 1][s->kickers ? s->width : 0] = row;
        else
            (s->run > 1 ? out->chain : out->plain)[s->copies] = row;
    }
}

/* How likely somebody with a share of the unknown cards has at least so many of some copies. */
static double tail_chance(int copies, double share, int wanted) {
    double sum = 0, ways = 1;
    if (wanted <= 0) return 1;
    for (int k = 0; k <= copies; k++) {
        if (k >= wanted) sum += ways * pow(share, k) * pow(1 - share, copies - k);
        ways = ways * (copies - k) / (k + 1);
    }
    return sum;
}

static planner_t *new_planner(const game_t *g, const beliefs_t *beliefs) {
    planner_t *p = calloc(1, sizeof *p);
    if (!p) return NULL;
    p->beliefs = beliefs;
    find_rows(g->grammar, &p->rows);
    return p;
}

/* --- what was planned already --------------------------------------------------------------------------------------- */

static kept_t *kept_place(planner_t *p, cards_t hand, int best) {
    size_t place = (size_t)(hand * 0x9e3779b97f4a7c15ULL >> 52) & (KEPT - 1);
    for (int step = 0; step < 8; step++) {
        kept_t *at = &p->kept[best][(place + (size_t)step) & (KEPT - 1)];
        if (at->moment != p->moment || at->hand == hand) return at;
    }
    return NULL;
}

/* What `work` finds for a hand, of this moment remembered. */
static parting_t recall(planner_t *p, cards_t hand, int best, parting_t (*work)(planner_t *, cards_t)) {
    kept_t *at = kept_place(p, hand, best);
    if (at && at->moment == p->moment) return at->found;
    parting_t found = work(p, hand);
    /* the work may have taken the place meanwhile */
    at = kept_place(p, hand, best);
    if (at) *at = (kept_t){p->moment, hand, found};
    return found;
}

/* --- what is known -------------------------------------------------------------------------------------------------- */

static double enmity_of(const game_t *g, const scene_t *s, int me, int seat) {
    const table_t *t = &s->hand.table;
    int own = knows_landlord(s, me, me);
    if (!g->marked || s->revealed || knows_landlord(s, me, seat)) return is_landlord(t, seat) != own;
    if (!own) return IS_HIDDEN;
    return me || t->landlords == 1 ? 1 : 1 - IS_HIDDEN;
}

static void fill_has(planner_t *p, other_t *other) {
    double part = other->share < 0 ? 0 : other->share > 1 ? 1 : other->share;
    int share = (int)lround(part * 100);
    for (int copies = 0; copies < 9; copies++)
        for (int rank = 0; rank < RANKS; rank++) {
            int unknown = (int)(p->pool >> 4 * rank & 15) % 9, wanted = copies - (int)(other->known >> 4 * rank & 15);
            double *tail = &p->tails[unknown][share][wanted < 0 ? 0 : wanted];
            if (*tail == 0) *tail = tail_chance(unknown, share / 100.0, wanted);
            other->has[copies][rank] = *tail;
        }
}

/* The nearest whole number of hundredths, as Python rounds: by what the number is, not by its product, which is rounded itself. */
static double hundredths(double part) {
    double below = floor(part * 100), over = fma(part, 100, -(below + 0.5));
    return below + (over > 0 || (over == 0 && fmod(below, 2) != 0));
}

/* Work out what the seat in turn knows. */
static void conclude(planner_t *p, const game_t *g, const scene_t *s) {
    const table_t *t = &s->hand.table;
    int me = t->turn;
    p->game = g;
    p->moment++;
    p->me = me;
    p->hand = t->hands[me];
    p->landlord = knows_landlord(s, me, me);
    p->let = p->landlord ? 0 : t->let;
    p->pool = unseen_by(g, s, me) - (me && !ally_cards(g, s, me) ? s->shown : 0);
    p->count = p->partners = 0;
    double unknown = card_count(p->pool) ? card_count(p->pool) : 1;
    for (int step = 1; step < g->seats; step++) {
        other_t *other = &p->others[p->count++];
        int seat = (me + step) % g->seats, held = card_count(t->hands[seat]);
        int needs = held - (knows_landlord(s, me, seat) ? 0 : t->let);
        other->seat = seat;
        other->count = held;
        other->known = seat ? 0 : s->shown;
        if (knows_landlord(s, me, seat) && ally_cards(g, s, me)) other->known = t->hands[seat];
        other->needs = needs > 1 ? needs : 1;
        other->share = hundredths((held - card_count(other->known)) / unknown) / 100;
        other->enmity = enmity_of(g, s, me, seat);
        other->enemy = other->enmity > 0.5;
        p->partners += !other->enemy;
        fill_has(p, other);
    }
}

/* --- who may beat what ---------------------------------------------------------------------------------------------- */

/* How likely somebody holds a combination of the same row and length with a higher rank, up to `last`. */
static double beats_in_kind(const planner_t *p, const other_t *other, group_t group, int last) {
    const shape_t *s = &families[p->game->grammar.family].shapes[group.row];
    if (s->power || other->count < group.length * (s->copies + s->kickers * s->width)) return 0;
    const double *has = other->has[s->copies];
    double best = 0, none = 1;
    if (group.length == 1) {
        int most = s->copies == 1 ? RANKS - 1 : 12;
        for (int rank = group.top + 1; rank <= (last < most ? last : most); rank++) none *= 1 - has[rank];
        return 1 - none;
    }
    for (int end = group.top + 1; end <= (last < ACE ? last : ACE); end++) {
        double all = 1;
        for (int rank = end - group.length + 1; rank <= end; rank++) all *= has[rank];
        if (all > best) best = all;
    }
    return best;
}

/* How likely somebody holds a bomb above one; power 0: any. */
static double bombs_above(const planner_t *p, const other_t *other, int power, int top) {
    const grammar_t g = p->game->grammar;
    double none = 1;
    for (int row = 0; row < families[g.family].rows; row++) {
        const shape_t *s = &families[g.family].shapes[row];
        if (!s->power || s->power < power) continue;
        for (int order = s->power > power ? 0 : top + 1; order < (s->copies ? 13 : s->literals); order++) {
            double chance = s->copies ? other->has[s->copies][order]
                                      : other->has[s->sets[order] >> 52 & 15][13] * other->has[s->sets[order] >> 56 & 15][14];
            none *= 1 - chance;
        }
    }
    return 1 - none;
}

static beaten_t beaten_chance(const planner_t *p, const other_t *other, group_t group) {
    const beliefs_t *b = p->beliefs;
    int power = families[p->game->grammar.family].shapes[group.row].power;
    double same = beats_in_kind(p, other, group, RANKS - 1), cheap = beats_in_kind(p, other, group, ACE - 1);
    double bombs = bombs_above(p, other, power, power ? group.top : -1);
    double does = b->willing[group.row] * cheap + b->willing_dear * (same - cheap);
    return (beaten_t){1 - (1 - same) * (1 - bombs), 1 - (1 - does) * (1 - b->willing_bomb * bombs)};
}

static double cost_from(const planner_t *p, group_t group, double hold) {
    const beliefs_t *b = p->beliefs;
    const shape_t *s = &families[p->game->grammar.family].shapes[group.row];
    if (s->power) return 1 - 2 * hold - (s->copies ? b->bomb : b->rocket);
    double discard = b->discard[group.row] * (group.top < ACE ? group.top : ACE) / ACE;
    return 1 - (1 + b->follow[group.row]) * hold - discard * (1 - hold);
}

/* Judge a combination against all enemies. */
static const odds_t *odds_of(planner_t *p, group_t group) {
    odds_t *odds = &p->odds[group.row][group.length][group.top];
    if (odds->moment == p->moment) return odds;
    *odds = (odds_t){p->moment, 1, 1, 0};
    for (int i = 0; i < p->count; i++) {
        if (!p->others[i].enemy) continue;
        beaten_t chance = beaten_chance(p, &p->others[i], group);
        odds->hold *= 1 - chance.does * p->others[i].enmity;
        odds->safe *= 1 - chance.can * p->others[i].enmity;
    }
    odds->cost = cost_from(p, group, odds->hold);
    return odds;
}

/* The leads that a group needs, less those that it is likely to win. */
static double group_cost(planner_t *p, group_t group) { return odds_of(p, group)->cost; }

/* --- who wins ------------------------------------------------------------------------------------------------------- */

/* The lowest needs of enemies or partners, one of them left out. */
static double lowest_needs(const planner_t *p, int enemies, const other_t *leader) {
    int lowest = 99;
    for (int i = 0; i < p->count; i++) {
        const other_t *other = &p->others[i];
        if (other->enemy == enemies && other != leader && other->needs < lowest) lowest = other->needs;
    }
    return lowest;
}

/* How likely our side wins at the start of a trick; leader NULL: we lead. */
static double outlook(const planner_t *p, const parting_t *plan, int needs, const other_t *leader, int leader_needs) {
    if (needs <= 0) return 1;
    if (leader && leader_needs <= 0) return !leader->enemy;
    double enemy = lowest_needs(p, 1, leader), partner = lowest_needs(p, 0, leader);
    double values[FEATURES] = {1, plan->cost, plan->count, needs / 20.0, 1.0 / needs, 1 / enemy, 1 / partner};
    values[7] = leader ? leader_needs / 20.0 : enemy == 1;
    values[8] = leader ? 1.0 / leader_needs : enemy == 2;
    values[9] = leader ? leader_needs == 2 : 0;
    const double *model = p->beliefs->models[p->landlord][leader ? 2 - leader->enemy : 0];
    double sum = 0;
    for (int i = 0; i < FEATURES; i++) sum += model[i] * values[i];
    return 1 / (1 + exp(-(sum < -30 ? -30 : sum > 30 ? 30 : sum)));
}
#endif
