/* Worlds: ways the unknown cards may lie, and how the opponents play.
 *
 * A spot is what a seat knows; seat 0 is the first landlord. A world is the likelier the better the others' turns so far
 * fit what they would have done with its cards. Opponents play like the networks, or like the bot `rule`. */
#ifndef DIZHU_WORLDS_H
#define DIZHU_WORLDS_H

#include "judge.h"
#include "planner.h"
#include "solve.h"

#define MOST_TURNS 512
#define LOOKED_BACK 8   /* turns of each of the others, the newest */
#define DOUBT 0.1       /* the difference of values, where a hand won is 1, that is told apart 2.7 to 1 */
#define WHIM 0.1        /* how often a turn is taken for no reason */
#define WHIM_OF_RULE 0.25 /* the same of one who plans: it costs nothing against `rule`, and others are not quite like it */
#define SIFTED 1.0      /* worlds less likely than this part of the average are left to chance */

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

/* past: the world as it was before the turn that is looked at. likely: how likely the others' turns up to it are. */
typedef struct {
    scene_t scene, past;
    int style;
    double likely;
} world_t;

ALWAYS int is_opponent(const table_t *t, int seat, int me) { return is_landlord(t, seat) != is_landlord(t, me); }

static inline double draw_share(uint64_t *draws) { return (double)(draw(draws) >> 11) * 0x1p-53; }

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

/* How likely the bot `rule` would have. */
static inline double planned_chance(const judge_t *J, seeker_t *k, const scene_t *s, int choices, cards_t cards) {
    int alike = k->moves[planned_place(k->planner, &J->game, s, k->moves, choices)].cards == cards;
    return (1 - WHIM_OF_RULE) * alike + WHIM_OF_RULE / choices;
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

/* Set a world back to the first lead. */
static inline void begin_past(const game_t *g, const spot_t *spot, world_t *world) {
    scene_t *s = &world->past;
    *s = world->scene;
    table_t *t = &s->hand.table;
    for (int seat = 0; seat < g->seats; seat++) {
        t->hands[seat] += s->hand.played[seat];
        t->plays[seat] = 0;
    }
    memset(s->hand.played, 0, sizeof s->hand.played);
    memset(s->hand.last, 0, sizeof s->hand.last);
    memset(s->refused, RANKS, sizeof s->refused);
    memset(s->beat, 0, sizeof s->beat);
    s->shown = spot->shown;
    s->revealed = (int8_t)known_at_first(spot, &world->scene);
    t->turn = t->leader = 0;
    t->key = 0;
    t->doublings = 0;
}

/* Go on by a turn, which makes a world as much less likely as it is strange there, if it is to be weighed. */
static inline void pass_turn(const judge_t *J, seeker_t *k, world_t *world, cards_t cards, int weighed) {
    const table_t *t = &world->past.hand.table;
    if (t->winner >= 0) return;
    int choices = weighed ? list_answers(&J->game, t, k->moves) : 0;
    if (choices > 1) {
        int planned = world->style == AS_RULE && is_opponent(t, t->turn, world->scene.hand.table.turn);
        world->likely *= (planned ? planned_chance : turn_chance)(J, k, &world->past, choices, cards);
    }
    put_down_move(&J->game, &world->past, (move_t){cards, cards ? classify(J->game.grammar, cards) : 0}, &k->draws);
    world->past.revealed &= world->scene.revealed;
}

/* Drop worlds that are unlikely beside the average of all that were drawn, but for a few that stand for them. */
static inline int sift(seeker_t *k, world_t *worlds, int count, int drawn) {
    double least = 0;
    int kept = 0;
    for (int i = 0; i < count; i++) least += worlds[i].likely * SIFTED / drawn;
    for (int i = 0; i < count; i++) {
        if (worlds[i].likely < least) {
            if (worlds[i].likely <= least * draw_share(&k->draws)) continue;
            worlds[i].likely = least;
        }
        worlds[kept++] = worlds[i];
    }
    return kept;
}

/* Draw worlds, and weigh them turn by turn; returns how many are left. */
static int draw_worlds(const judge_t *J, seeker_t *k, const spot_t *spot, world_t *worlds, int drawn) {
    int me = spot->scene.hand.table.turn, looked = 0, from = spot->count, count = drawn;
    while (from > 0 && looked < LOOKED_BACK * (J->game.seats - 1)) looked += spot->turns[--from].seat != me;
    for (int i = 0; i < drawn; i++) {
        draw_world(&J->game, spot, &worlds[i].scene, &k->draws);
        begin_past(&J->game, spot, &worlds[i]);
        worlds[i].style = k->planner ? i % STYLES : AS_NETWORKS;
        worlds[i].likely = 1;
    }
    for (int turn = 0; turn < spot->count; turn++) {
        int weighed = turn >= from && spot->turns[turn].seat != me;
        for (int i = 0; i < count; i++) pass_turn(J, k, &worlds[i], spot->turns[turn].cards, weighed);
        if (weighed) count = sift(k, worlds, count, drawn);
    }
    return count;
}
#endif
