/* Who wins with all hands open, by exhaustive search: a position is won for a side if one of its moves leads to a
 * position that is. What was found is remembered by the position. */
#ifndef DIZHU_SOLVE_H
#define DIZHU_SOLVE_H

#include <stdlib.h>

#include "table.h"

#define MOVES_AT_HAND (1 << 20)
#define UNKNOWN -1

typedef struct {
    uint64_t position; /* 0: nothing is remembered here */
    uint16_t best;
    int8_t won;
} found_t;

typedef struct {
    const game_t *game;
    long long nodes, most;
    found_t *found;
    uint64_t mask;  /* one less than the places in `found`, a power of two */
    move_t *moves; /* of all positions on the way, one after the other */
} solver_t;

static inline uint64_t mixed(uint64_t state, uint64_t value) {
    __uint128_t product = (__uint128_t)(state ^ value ^ 0xa0761d6478bd642fULL) * 0xe7037ed1a0b428dbULL;
    return (uint64_t)(product >> 64) ^ (uint64_t)product;
}

/* A number for a position; two of many millions share one with a chance below 10^-5. */
static inline uint64_t position_of(const game_t *g, const table_t *t) {
    uint64_t state = mixed((uint64_t)t->key << 16 | (uint64_t)t->turn << 8 | (uint64_t)t->leader, t->landlords);
    for (int seat = 0; seat < g->seats; seat++) state = mixed(state, t->hands[seat]);
    return state ? state : 1;
}

/* Put the moves that shed most cards first; of those that shed as many, the lowest. */
static inline void order_moves(move_t *moves, int count) {
    for (int i = 1; i < count; i++) {
        move_t move = moves[i];
        int place = i, cards = card_count(move.cards);
        for (; place && card_count(moves[place - 1].cards) < cards; place--) moves[place] = moves[place - 1];
        moves[place] = move;
    }
}

/* The moves of a position in the order in which they are tried; 0 if there is no room for them. */
static inline int try_order(const solver_t *s, const table_t *t, move_t *moves, int room) {
    int pass = t->key != 0, count = all_moves(s->game->grammar, t->hands[t->turn], t->key, moves, room - 1);
    if (count >= room - 1) return 0;
    order_moves(moves, count);
    if (pass) moves[count] = (move_t){0, 0};
    return count + pass;
}

static inline void put(const game_t *g, table_t *t, move_t move) {
    if (move.cards) play_move(g, t, move);
    else play_pass(g, t);
}

/* Whether the side of the seat in turn wins; UNKNOWN once too many positions were looked at. */
static int side_wins(solver_t *s, const table_t *t, int at, int *best) {
    uint64_t position = position_of(s->game, t);
    found_t *known = &s->found[position & s->mask];
    if (known->position == position) {
        *best = known->best;
        return known->won;
    }
    if (++s->nodes > s->most) return UNKNOWN;
    move_t *moves = s->moves + at;
    int count = try_order(s, t, moves, MOVES_AT_HAND - at), side = is_landlord(t, t->turn), won = 0;
    *best = 0;
    if (!count) return UNKNOWN;
    for (int i = 0; i < count && !won; i++) {
        table_t next = *t;
        int unused;
        put(s->game, &next, moves[i]);
        if (next.winner >= 0) {
            won = 1;
        } else {
            int value = side_wins(s, &next, at + count, &unused);
            if (value == UNKNOWN) return UNKNOWN;
            won = is_landlord(&next, next.turn) == side ? value : !value;
        }
        if (won) *best = i;
    }
    *known = (found_t){position, (uint16_t)*best, (int8_t)won};
    return won;
}
#endif
