/* Looking ahead: each move is tried in worlds that may be, which are played to their end, or solved. */
#ifndef DIZHU_SEARCH_H
#define DIZHU_SEARCH_H

#include "worlds.h"

#define REMEMBERED (1 << 16)
#define SOLVED_AT_MOST 200000 /* positions of one world */
#define DRAWN_FOR_EACH 8      /* worlds are drawn for each that is looked into */

/* What worlds came to for a seat: how many it won, and its points. */
typedef struct {
    int won;
    long long points;
} worth_t;

/* How many units of the base a seat pays or gets for each of the multiplier. */
static inline int shares_of(const game_t *g, const table_t *t, int me) {
    int many = __builtin_popcount(t->landlords);
    return (g->marked ? 2 / many : 1) * (is_landlord(t, me) ? g->seats - many : many);
}

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

/* Try each move in the same worlds, each counted as often as it is likely. No moves: play on from the spot. */
static void look_ahead(const judge_t *J, seeker_t *k, const spot_t *spot, const move_t *moves, int count, int worlds,
                       world_t *drawn, worth_t *worths) {
    int me = spot->scene.hand.table.turn, left = draw_worlds(J, k, spot, drawn, DRAWN_FOR_EACH * worlds), counted = 0;
    double sum = 0, passed = 0;
    for (int i = 0; i < left; i++) sum += drawn[i].likely;
    double step = sum / worlds, next = step * draw_share(&k->draws);
    for (int number = 0; number < left; number++) {
        int times = 0;
        passed += drawn[number].likely;
        for (; counted < worlds && (next < passed || number == left - 1); next += step, counted++) times++;
        for (int i = 0; times && i < (count ? count : 1); i++) {
            scene_t after = drawn[number].scene;
            if (count) put_down_move(&J->game, &after, moves[i], &k->draws);
            worth_t worth = finish_world(J, k, &after, me, drawn[number].style);
            worths[i].won += times * worth.won;
            worths[i].points += times * worth.points;
        }
    }
}
#endif
