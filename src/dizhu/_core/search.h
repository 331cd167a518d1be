/* Looking ahead: hands that may be are drawn, and each played to its end by the networks, or solved.
 *
 * A spot is what a seat knows; seat 0 is the first landlord. A world is one of the ways the unknown cards may lie; it
 * is the likelier the better the others' turns so far fit what they would have done with its cards. How the opponents play
 * is a part of a world: like the networks, or like the bot `rule`. */
#ifndef DIZHU_SEARCH_H
#define DIZHU_SEARCH_H

#include "judge.h"
#include "planner.h"
#include "solve.h"

#define REMEMBERED (1 << 16)
#define SOLVED_AT_MOST 200000 /* positions of one world */
#define MOST_TURNS 512
#define DRAWN_FOR_EACH 3 /* worlds are drawn for each that is looked into */
#define LOOKED_BACK 16   /* turns of the others, the newest */
#define DOUBT 0.1        /* the difference of values, where a hand won is 1, that is told apart 2.7 to 1 */
#define WHIM 0.1         /* how often a turn is taken for no reason */

typedef struct {
    int8_t seat;
    cards_t cards;
} turn_t;

/* scene: all that is known, hands without the cards whose place is not. hidden: how many of those each seat holds. */
typedef struct {
    scene_t scene;
    cards_t pool, shown; /* shown: what was shown at the beginning */
    int8_t hidden[MOST_SEATS];
    int8_t twin; /* whether nobody known holds the twin of the marked card */
    int count;
    turn_t turns[MOST_TURNS]; /* so far, from the first lead on */
} spot_t;

typedef struct {
    uint64_t draws;
    int score, exact; /* exact: at so few cards in all hands a world is solved instead of played */
    move_t *moves;
    int32_t (*values)[HEADS];
    solver_t solver;
    planner_t *planner; /* NULL: all play like the networks */
} seeker_t;

enum { AS_NETWORKS, AS_RULE, STYLES };

/* What worlds came to for a seat: how many it won, and its points. */
typedef struct {
    int won;
    long long points;
} worth_t;

typedef struct {
    scene_t scene;
    double weight[STYLES];
} world_t;

/* Deal the unknown cards. Of the marked rank any unknown one may be the twin. */
static inline void draw_world(const game_t *g, const spot_t *spot, scene_t *world, uint64_t *draws) {
    *world = spot->scene;
    cards_t pool = spot->pool;
    int shift = 4 * (spot->twin ? spot->scene.marked : 0), copies = spot->twin ? (int)(pool >> shift & 15) : 0;
    int twin = copies ? (int)draw_below(draws, (uint32_t)copies) : -1;
    for (int seat = 0; seat < g->seats; seat++) {
        cards_t drawn = draw_cards(pool, spot->hidden[seat], draws);
        pool -= drawn;
        world->hand.table.hands[seat] += drawn;
        int held = (int)(drawn >> shift & 15);
        if (twin >= 0 && twin < held) world->hand.table.landlords |= (uint8_t)(1 << seat);
        twin -= held;
    }
}

/* How many units of the base a seat pays or gets for each of the multiplier. */
static inline int shares_of(const game_t *g, const table_t *t, int me) {
    int many = __builtin_popcount(t->landlords);
    return (g->marked ? 2 / many : 1) * (is_landlord(t, me) ? g->seats - many : many);
}

ALWAYS int is_opponent(const table_t *t, int seat, int me) { return is_landlord(t, seat) != is_landlord(t, me); }

/* Play a world to its end, each seat as its network likes best, or opponents by plan. */
static inline worth_t play_world(const judge_t *J, seeker_t *k, scene_t *world, int me, int style) {
    const game_t *g = &J->game;
    table_t *t = &world->hand.table;
    uint16_t facts[MOST_FACTS];
    while (t->winner < 0) {
        int choices = list_answers(g, t, k->moves), chosen = 0;
        if (choices > 1 && style == AS_RULE && is_opponent(t, t->turn, me)) {
            chosen = planned_place(k->planner, g, world, k->moves, choices);
        } else if (choices > 1) {
            int count = position_facts(g, &J->facts, world, facts);
            others_t others = others_of(g, world, t->turn);
            judge_moves(J, role_of(g, t, t->turn), facts, count, &others, t->hands[t->turn], k->moves, choices, k->values);
            chosen = best_value(k->values, choices, k->score);
        }
        put_down_move(g, world, k->moves[chosen], &k->draws);
    }
    settle(g, &world->hand);
    return (worth_t){is_landlord(t, t->winner) == is_landlord(t, me), world->hand.points[me]};
}

/* How likely a network would have taken a turn: a softmax of its values. The answers are listed. */
static inline double turn_chance(const judge_t *J, seeker_t *k, const scene_t *s, int choices, cards_t cards) {
    const table_t *t = &s->hand.table;
    uint16_t facts[MOST_FACTS];
    int taken = -1;
    int count = position_facts(&J->game, &J->facts, s, facts);
    others_t others = others_of(&J->game, s, t->turn);
    judge_moves(J, role_of(&J->game, t, t->turn), facts, count, &others, t->hands[t->turn], k->moves, choices, k->values);
    double highest = k->values[best_value(k->values, choices, k->score)][0], sum = 0, own = 0;
    for (int i = 0; i < choices; i++) {
        double value = exp((k->values[i][0] - highest) / (DOUBT * VALUE_OF_ONE));
        sum += value;
        if (k->moves[i].cards == cards) own = value, taken = i;
    }
    return taken < 0 ? 1 : (1 - WHIM) * own / sum + WHIM / choices;
}

/* Whether all knew the landlords before the first turn: they do now, and not by the twin of the marked card. */
static inline int known_at_first(const spot_t *spot, const scene_t *world) {
    if (!world->revealed) return 0;
    for (int i = 0; i < spot->count; i++) {
        int seat = spot->turns[i].seat;
        if (seat && is_landlord(&world->hand.table, seat) && spot->turns[i].cards >> 4 * world->marked & 15) return 0;
    }
    return 1;
}

/* How likely the bot `rule` would have. */
static inline double planned_chance(const judge_t *J, seeker_t *k, const scene_t *s, int choices, cards_t cards) {
    int alike = k->moves[planned_place(k->planner, &J->game, s, k->moves, choices)].cards == cards;
    return (1 - WHIM) * alike + WHIM / choices;
}

/* How likely the others' latest turns are by each style, if the cards lie as in this world. */
static inline void weigh_world(const judge_t *J, seeker_t *k, const spot_t *spot, world_t *drawn) {
    const scene_t *world = &drawn->scene;
    const game_t *g = &J->game;
    int me = spot->scene.hand.table.turn, looked = 0, from = spot->count;
    while (from > 0 && looked < LOOKED_BACK) looked += spot->turns[--from].seat != me;
    scene_t s = *world;
    table_t *t = &s.hand.table;
    for (int seat = 0; seat < g->seats; seat++) {
        t->hands[seat] += s.hand.played[seat];
        t->plays[seat] = 0;
    }
    memset(s.hand.played, 0, sizeof s.hand.played);
    memset(s.hand.last, 0, sizeof s.hand.last);
    memset(s.refused, RANKS, sizeof s.refused);
    memset(s.beat, 0, sizeof s.beat);
    s.shown = spot->shown;
    s.revealed = (int8_t)known_at_first(spot, world);
    t->turn = t->leader = 0;
    t->key = 0;
    t->doublings = 0;
    drawn->weight[AS_NETWORKS] = 1;
    drawn->weight[AS_RULE] = k->planner != NULL;
    for (int i = 0; i < spot->count && t->winner < 0; i++) {
        cards_t cards = spot->turns[i].cards;
        int choices = i >= from && t->turn != me ? list_answers(g, t, k->moves) : 0;
        if (choices > 1) {
            int planned = k->planner && is_opponent(t, t->turn, me);
            double chance = turn_chance(J, k, &s, choices, cards);
            drawn->weight[AS_NETWORKS] *= chance;
            drawn->weight[AS_RULE] *= planned ? planned_chance(J, k, &s, choices, cards) : chance;
        }
        put_down_move(g, &s, (move_t){cards, cards ? classify(g->grammar, cards) : 0}, &k->draws);
        s.revealed &= world->revealed;
    }
}

static inline int cards_left(const game_t *g, const table_t *t) {
    int left = 0;
    for (int seat = 0; seat < g->seats; seat++) left += card_count(t->hands[seat]);
    return left;
}

/* Whether the landlords win a world in which all see all cards; UNKNOWN if that takes too long. */
static inline int solve_world(seeker_t *k, const table_t *t) {
    int best;
    k->solver.nodes = 0;
    int won = side_wins(&k->solver, t, 0, &best);
    return won == UNKNOWN ? UNKNOWN : won == is_landlord(t, t->turn);
}

/* What a world comes to for a seat. */
static inline worth_t finish_world(const judge_t *J, seeker_t *k, scene_t *world, int me, int style) {
    const game_t *g = &J->game;
    table_t *t = &world->hand.table;
    int landlords = UNKNOWN;
    if (t->winner < 0 && cards_left(g, t) <= k->exact) landlords = solve_world(k, t);
    if (landlords == UNKNOWN) return play_world(J, k, world, me, style);
    int won = landlords == is_landlord(t, me), points = shares_of(g, t, me) << t->doublings;
    return (worth_t){won, won ? points : -points};
}

/* Draw worlds, and of them again so many, each as often as it is likely: `times` says how often which, by style. */
static void choose_worlds(const judge_t *J, seeker_t *k, const spot_t *spot, world_t *drawn, int *times, int worlds) {
    int all = DRAWN_FOR_EACH * worlds;
    double sum = 0;
    for (int i = 0; i < all; i++) {
        draw_world(&J->game, spot, &drawn[i].scene, &k->draws);
        weigh_world(J, k, spot, &drawn[i]);
        for (int style = 0; style < STYLES; style++) sum += drawn[i].weight[style];
    }
    double step = sum / worlds, next = step * (double)(draw(&k->draws) >> 11) * 0x1p-53, passed = 0;
    for (int i = 0, chosen = 0; i < STYLES * all; i++) {
        passed += drawn[i / STYLES].weight[i % STYLES];
        times[i] = 0;
        for (; chosen < worlds && next < passed; next += step, chosen++) times[i]++;
    }
}

/* Try each move in the same worlds. No moves: play on from the spot as the networks like. */
static void look_ahead(const judge_t *J, seeker_t *k, const spot_t *spot, const move_t *moves, int count, int worlds,
                       world_t *drawn, int *times, worth_t *worths) {
    int me = spot->scene.hand.table.turn;
    choose_worlds(J, k, spot, drawn, times, worlds);
    for (int number = 0; number < STYLES * DRAWN_FOR_EACH * worlds; number++) {
        if (!times[number]) continue;
        for (int i = 0; i < (count ? count : 1); i++) {
            scene_t after = drawn[number / STYLES].scene;
            if (count) put_down_move(&J->game, &after, moves[i], &k->draws);
            worth_t worth = finish_world(J, k, &after, me, number % STYLES);
            worths[i].won += times[number] * worth.won;
            worths[i].points += times[number] * worth.points;
        }
    }
}
#endif
