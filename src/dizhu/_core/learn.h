/* Deep Monte-Carlo: hands played by the networks against themselves, each decision then learnt from how its hand ended.
 *
 * Several threads play and learn on the same networks without locks: what one overwrites of another is small and rare
 * (Recht et al., 2011). One thread alone is deterministic. */
#ifndef DIZHU_LEARN_H
#define DIZHU_LEARN_H

#include <stdlib.h>

#include "network.h"
#include "planner.h"

#define BATCH 256
#define POOL 2048       /* decisions of a role that are mixed before they are learnt from */
#define MOST_LEARNT 512  /* decisions of a hand */
#define MOST_ROLES 5
#define MOST_TIMES 16   /* a multiplier above counts as this */
#define TIMES_UNIT 0.25f

typedef struct {
    uint16_t role, seat, count, facts[MOST_FACTS - 3];
    float target[HEADS]; /* while the hand goes on: what the network said */
} sample_t;

typedef struct {
    float *net, *mean, *square;
    long steps;
} role_t;

typedef struct {
    long long decisions, learnt[MOST_ROLES], hands, landlord_won;
    double loss[MOST_ROLES];
} tally_t;

typedef struct {
    uint64_t draws;
    scene_t scene;
    sample_t *turns, *pool[MOST_ROLES];
    int pooled[MOST_ROLES];
    float *gradient;
    move_t *moves;
    planner_t *planner;
    tally_t tally;
} worker_t;

typedef struct {
    game_t game;
    facts_t facts;
    plan_t plan;
    role_t roles[MOST_ROLES];
    beliefs_t beliefs; /* of the bot `rule` */
    int threads, shown;
    worker_t *workers;
} learner_t;

typedef struct {
    float rate, explore;
    float score; /* what the head of points weighs beside that of winning */
    float trust; /* how much the end of the hand counts beside what the network says at the seat's next decision */
    float rivalry; /* in what part of the hands the bot `rule` plays one side, from which nothing is learnt */
} lesson_t;

/* Sum the rows of a move into `l`, given those of all that does not depend on it, the whole hand's included. */
INLINED void exchange_rows(const game_t *g, const facts_t *f, const float *net, const float *base, const others_t *others,
                           cards_t hand, move_t move, layers_t *l) {
    memcpy(l->wide, base, sizeof l->wide);
    for (cards_t rest = move.cards; rest;) {
        int rank = lowest(rest) / 4, used = (int)(rest >> 4 * rank & 15), held = (int)(hand >> 4 * rank & 15);
        subtract_floats(l->wide, net + (size_t)(f->hand + card_fact(f, rank, held)) * WIDE, WIDE);
        if (held > used) add_floats(l->wide, net + (size_t)(f->hand + card_fact(f, rank, held - used)) * WIDE, WIDE);
        rest &= ~(15ULL << 4 * rank);
    }
    uint16_t rows[MOVE_FACTS];
    int count = move_facts(g, f, rows, others, hand, move);
    for (int n = 0; n < count; n++) add_floats(l->wide, net + (size_t)rows[n] * WIDE, WIDE);
}

/* The place of the move that a network likes best, of equals the first, and in `said` what it says of it. `facts` are
 * those of the position. */
FOR_EACH_PROCESSOR static int best_move(const learner_t *L, const float *net, const others_t *others, cards_t hand,
                                        const uint16_t *facts, int count, const move_t *moves, int choices, float score, float *said) {
    float base[WIDE] __attribute__((aligned(64)));
    uint16_t own[16];
    layers_t l;
    sum_rows(&L->plan, net, facts, count, base);
    int held = add_cards(&L->facts, own, L->facts.hand, hand);
    for (int n = 0; n < held; n++) add_floats(base, net + (size_t)own[n] * WIDE, WIDE);
    int best = 0;
    float highest = -INFINITY;
    for (int i = 0; i < choices; i++) {
        exchange_rows(&L->game, &L->facts, net, base, others, hand, moves[i], &l);
        finish_forward(&L->plan, net, &l);
        float value = l.value[0] + score * l.value[1];
        if (value > highest) {
            highest = value, best = i;
            memcpy(said, l.value, sizeof l.value);
        }
    }
    return best;
}

FOR_EACH_PROCESSOR static void learn_batch(learner_t *L, worker_t *w, int role, const sample_t *samples, float rate) {
    role_t *r = &L->roles[role];
    for (int i = 0; i < BATCH; i++) {
        const sample_t *s = samples + i;
        w->tally.loss[role] += learn_one(&L->plan, r->net, w->gradient, s->facts, s->count, s->target);
    }
    w->tally.learnt[role] += BATCH;
    adam(r->net, w->gradient, r->mean, r->square, L->plan.size, ++r->steps, rate, BATCH);
}

static void learn_pool(learner_t *L, worker_t *w, int role, float rate) {
    sample_t *pool = w->pool[role];
    for (int i = POOL - 1; i > 0; i--) {
        int other = (int)draw_below(&w->draws, (uint32_t)(i + 1));
        sample_t kept = pool[i];
        pool[i] = pool[other];
        pool[other] = kept;
    }
    for (int begin = 0; begin < POOL; begin += BATCH) learn_batch(L, w, role, pool + begin, rate);
    w->pooled[role] = 0;
}

/* By what the base was multiplied in a hand that is settled. */
static inline int times_of(const game_t *g, const hand_t *h) {
    int landlords = __builtin_popcount(h->table.landlords);
    return abs(h->points[0]) / (g->seats - landlords) / (g->marked ? 2 / landlords : 1);
}

/* What each decision of a hand is to be learnt as, from the last one back: partly how the hand ended, partly what the
 * network said at the same seat's next decision, which has less luck in it (TD(lambda), Sutton, 1988). */
static void aim(sample_t *turns, int count, const table_t *t, float worth, float trust) {
    float aims[MOST_SEATS][HEADS], said[MOST_SEATS][HEADS];
    uint8_t later = 0;
    for (int i = count - 1; i >= 0; i--) {
        sample_t *s = turns + i;
        int seat = s->seat;
        float end = is_landlord(t, seat) == is_landlord(t, t->winner) ? 1.0f : -1.0f;
        for (int head = 0; head < HEADS; head++) {
            float target = head ? end * worth : end;
            if (later >> seat & 1) target = trust * aims[seat][head] + (1 - trust) * said[seat][head];
            said[seat][head] = s->target[head];
            aims[seat][head] = s->target[head] = target;
        }
        later |= (uint8_t)(1 << seat);
    }
}

INLINED float chance(uint64_t *draws) { return (float)(draw(draws) >> 40) * 0x1p-24f; }

static void play_and_learn(learner_t *L, worker_t *w, const lesson_t *how) {
    const game_t *g = &L->game;
    scene_t *scene = &w->scene;
    hand_t *h = &scene->hand;
    table_t *t = &h->table;
    int turns = 0, rival = -1;
    if (how->rivalry > 0 && chance(&w->draws) < how->rivalry) rival = (int)draw_below(&w->draws, 2);
    begin_scene(g, L->shown, scene, &w->draws);
    while (t->winner < 0) {
        int choices = list_answers(g, t, w->moves), chosen = 0;
        if (choices > 1 && is_landlord(t, t->turn) == rival) {
            chosen = planned_place(w->planner, g, scene, w->moves, choices);
        } else if (choices > 1 && turns < MOST_LEARNT) {
            sample_t *s = w->turns + turns++;
            cards_t hand = t->hands[t->turn];
            s->role = (uint16_t)role_of(g, t, t->turn);
            s->seat = (uint16_t)t->turn;
            s->count = (uint16_t)position_facts(g, &L->facts, scene, s->facts);
            const float *net = L->roles[s->role].net;
            others_t others = others_of(g, scene, t->turn);
            chosen = best_move(L, net, &others, hand, s->facts, s->count, w->moves, choices, how->score, s->target);
            if (chance(&w->draws) < how->explore)
                chosen = (int)draw_below(&w->draws, (uint32_t)choices);
            s->count += (uint16_t)add_cards(&L->facts, s->facts + s->count, L->facts.hand, hand - w->moves[chosen].cards);
            s->count += (uint16_t)move_facts(g, &L->facts, s->facts + s->count, &others, hand, w->moves[chosen]);
        }
        put_down_move(g, scene, w->moves[chosen], &w->draws);
        w->tally.decisions++;
    }
    settle(g, h);
    int times = times_of(g, h);
    w->tally.hands++;
    w->tally.landlord_won += is_landlord(t, t->winner);
    aim(w->turns, turns, t, TIMES_UNIT * (float)(times < MOST_TIMES ? times : MOST_TIMES), how->trust);
    for (int i = 0; i < turns; i++) {
        int role = w->turns[i].role;
        w->pool[role][w->pooled[role]++] = w->turns[i];
        if (w->pooled[role] == POOL) learn_pool(L, w, role, how->rate);
    }
}

/* Who plays a side: networks by role, the bot `rule`, or somebody at random. */
typedef struct {
    enum { RANDOM, RULE, NETS } kind;
    float *nets[MOST_ROLES];
} player_t;

/* Play a deal to its end; `players` by side, 0: the farmers, 1: the landlords. */
static int play_match(const learner_t *L, worker_t *w, scene_t *scene, const player_t *players[2], float score) {
    const game_t *g = &L->game;
    hand_t *h = &scene->hand;
    table_t *t = &h->table;
    uint16_t facts[MOST_FACTS];
    float said[HEADS];
    while (t->winner < 0) {
        int choices = list_answers(g, t, w->moves), chosen = 0;
        const player_t *player = players[is_landlord(t, t->turn)];
        if (choices > 1 && player->kind == RANDOM) chosen = (int)draw_below(&w->draws, (uint32_t)choices);
        if (choices > 1 && player->kind == RULE) chosen = planned_place(w->planner, g, scene, w->moves, choices);
        if (choices > 1 && player->kind == NETS) {
            int count = position_facts(g, &L->facts, scene, facts);
            others_t others = others_of(g, scene, t->turn);
            const float *net = player->nets[role_of(g, t, t->turn)];
            chosen = best_move(L, net, &others, t->hands[t->turn], facts, count, w->moves, choices, score, said);
        }
        put_down_move(g, scene, w->moves[chosen], &w->draws);
    }
    settle(g, h);
    return is_landlord(t, t->winner);
}

static inline float uniform(uint64_t *draws, double most) {
    return (float)(((double)(draw(draws) >> 11) * 0x1p-53 * 2 - 1) * most);
}

/* Weights to begin with: uniform with the spread of He et al. (2015); some eighty facts hold at a time. */
static void begin_weights(const plan_t *p, float *net, uint64_t *draws) {
    memset(net, 0, p->size * sizeof *net);
    for (size_t i = p->first; i < p->first_bias; i++) net[i] = uniform(draws, sqrt(6.0 / 80));
    for (size_t i = p->second; i < p->second_bias; i++) net[i] = uniform(draws, sqrt(6.0 / WIDE));
    for (size_t i = p->third; i < p->third_bias; i++) net[i] = uniform(draws, sqrt(6.0 / MIDDLE));
    for (size_t i = p->heads; i < p->heads_bias; i++) net[i] = uniform(draws, 0.1 * sqrt(6.0 / NARROW));
}
#endif
