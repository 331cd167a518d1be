/* The play of a hand, from the lead of the landlord to the last card, and random hands for play-outs. */
#ifndef DIZHU_TABLE_H
#define DIZHU_TABLE_H

#include <string.h>

#include "grammar.h"

#define MOST_SEATS 5
#define MOST_DECK 108

/* What a table needs to know of a game; `deck` is the number of cards of each rank. */
typedef struct {
    grammar_t grammar;
    int seats, deal, bottom, marked;
    cards_t deck;
} game_t;

typedef struct {
    cards_t hands[MOST_SEATS];
    cmb_key key; /* what has to be beaten; 0 on a lead */
    int16_t plays[MOST_SEATS];
    int16_t doublings; /* combinations played that double the multiplier */
    int8_t turn, leader, winner; /* leader: who played last; winner: who is out, -1 before */
    uint8_t landlords;           /* a bit for each landlord's seat */
    int8_t let;                  /* cards left at which a farmer wins */
} table_t;

ALWAYS int is_landlord(const table_t *t, int seat) { return t->landlords >> seat & 1; }

static inline void play_move(const game_t *g, table_t *t, move_t move) {
    int seat = t->turn;
    t->hands[seat] -= move.cards;
    t->key = move.key;
    t->leader = (int8_t)seat;
    t->plays[seat]++;
    t->doublings += move_times(g->grammar, move.key) > 1;
    if (card_count(t->hands[seat]) <= (is_landlord(t, seat) ? 0 : t->let))
        t->winner = (int8_t)seat;
    else
        t->turn = (int8_t)(seat + 1 == g->seats ? 0 : seat + 1);
}

static inline void play_pass(const game_t *g, table_t *t) {
    t->turn = (int8_t)(t->turn + 1 == g->seats ? 0 : t->turn + 1);
    if (t->turn == t->leader) t->key = 0;
}

/* wyrand: for play-outs only, never for cards that people play with. */
static inline uint64_t draw(uint64_t *state) {
    *state += 0xa0761d6478bd642fULL;
    __uint128_t product = (__uint128_t)*state * (*state ^ 0xe7037ed1a0b428dbULL);
    return (uint64_t)(product >> 64) ^ (uint64_t)product;
}

/* A number below the bound (Lemire's multiplication; its bias is below 2^-32 times the bound). */
static inline uint32_t draw_below(uint64_t *state, uint32_t bound) {
    return (uint32_t)((draw(state) >> 32) * bound >> 32);
}

/* Deal a hand with seat 0 as landlord, bottom taken. Only the others' cards, and those set aside, are drawn;
 * the landlord gets what is left. With a marked card the twin's holder is a landlord too. */
static inline void deal_random(const game_t *g, table_t *t, uint64_t *state) {
    cards_t cards[MOST_DECK];
    int count = 0, twin = -1;
    for (int shift = 0; shift < 60; shift += 4)
        for (int copy = (int)(g->deck >> shift & 15); copy; copy--) cards[count++] = 1ULL << shift;
    *t = (table_t){.winner = -1, .landlords = 1};
    if (g->marked) {
        /* the four jokers lie last; the eight copies of a rank are four pairs of twins */
        int marked = (int)draw_below(state, (uint32_t)(count - 4));
        twin = marked ^ 1;
        t->hands[0] = cards[marked];
        cards[marked] = cards[--count];
        if (twin == count) twin = marked;
    }
    int held = g->deal + g->bottom - (g->marked != 0);
    for (int seat = g->seats; count > held;) {
        int aside = count - held > g->deal * (g->seats - 1);
        seat = aside ? g->seats : (count - held - 1) / g->deal + 1;
        int place = (int)draw_below(state, (uint32_t)count);
        if (!aside) t->hands[seat] += cards[place];
        if (place == twin) {
            t->landlords |= (uint8_t)(1 << seat);
            twin = -1;
        }
        cards[place] = cards[--count];
        if (twin == count) twin = place;
    }
    for (int place = 0; place < count; place++) t->hands[0] += cards[place];
}

/* Play at random to the end, every legal answer equally likely; returns the number of decisions. */
static inline int play_random(const game_t *g, table_t *t, uint64_t *state) {
    int decisions = 0;
    while (t->winner < 0) {
        cards_t hand = t->hands[t->turn];
        int pass = t->key != 0;
        uint32_t choices = (uint32_t)(count_moves(g->grammar, hand, t->key) + pass);
        int index = (choices > 1 ? (int)draw_below(state, choices) : 0) - pass;
        if (index < 0)
            play_pass(g, t);
        else
            play_move(g, t, pick_move(g->grammar, hand, t->key, index));
        decisions++;
    }
    return decisions;
}
#endif
