/* Looking ahead: hands that may be are drawn, and each played to its end by the networks, or solved.
 *
 * A spot is what a seat knows; seat 0 is the first landlord. A world is one of the ways the unknown cards may lie. */
#ifndef DIZHU_SEARCH_H
#define DIZHU_SEARCH_H

#include "judge.h"
#include "scene.h"
#include "solve.h"

#define REMEMBERED (1 << 16)
#define SOLVED_AT_MOST 200000 /* positions of one world */

/* scene: all that is known, hands without the cards whose place is not. hidden: how many of those each seat holds. */
typedef struct {
    scene_t scene;
    cards_t pool;
    int8_t hidden[MOST_SEATS];
    int8_t twin; /* whether nobody known holds the twin of the marked card */
} spot_t;

typedef struct {
    uint64_t draws;
    int score, exact; /* exact: at so few cards in all hands a world is solved instead of played */
    move_t *moves;
    int32_t (*values)[HEADS];
    solver_t solver;
} seeker_t;

typedef struct {
    int won;
    long long points;
} worth_t;

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

/* Play a world to its end, each seat as its network likes best. */
static inline void play_world(const judge_t *J, seeker_t *k, scene_t *world) {
    const game_t *g = &J->game;
    table_t *t = &world->hand.table;
    uint16_t facts[MOST_FACTS];
    while (t->winner < 0) {
        int choices = list_answers(g, t, k->moves), chosen = 0;
        if (choices > 1) {
            int count = position_facts(g, &J->facts, world, facts);
            judge_moves(J, role_of(g, t, t->turn), facts, count, t->hands[t->turn], k->moves, choices, k->values);
            chosen = best_value(k->values, choices, k->score);
        }
        put_down_move(g, world, k->moves[chosen], &k->draws);
    }
    settle(g, &world->hand);
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

/* What a world came to for a seat, added to its move's worth. */
static inline void finish_world(const judge_t *J, seeker_t *k, scene_t *world, int me, worth_t *worth) {
    const game_t *g = &J->game;
    table_t *t = &world->hand.table;
    int landlords = UNKNOWN;
    if (t->winner < 0 && cards_left(g, t) <= k->exact) landlords = solve_world(k, t);
    if (landlords == UNKNOWN) {
        if (t->winner < 0) play_world(J, k, world);
        else settle(g, &world->hand);
        worth->won += is_landlord(t, t->winner) == is_landlord(t, me);
        worth->points += world->hand.points[me];
        return;
    }
    int won = landlords == is_landlord(t, me), many = __builtin_popcount(t->landlords);
    int share = (g->marked ? 2 / many : 1) << t->doublings, others = is_landlord(t, me) ? g->seats - many : many;
    worth->won += won;
    worth->points += won ? share * others : -share * others;
}

/* Try each move in the same worlds. No moves: play on from the spot as the networks like. */
static void look_ahead(const judge_t *J, seeker_t *k, const spot_t *spot, const move_t *moves, int count, int worlds,
                       worth_t *worths) {
    int me = spot->scene.hand.table.turn;
    for (int number = 0; number < worlds; number++) {
        scene_t world;
        draw_world(&J->game, spot, &world, &k->draws);
        for (int i = 0; i < (count ? count : 1); i++) {
            scene_t after = world;
            if (count) put_down_move(&J->game, &after, moves[i], &k->draws);
            finish_world(J, k, &after, me, worths + i);
        }
    }
}
#endif
