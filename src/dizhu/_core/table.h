/* The play of a hand, from the lead of the landlord to the last card, and random hands for play-outs. */
#ifndef DIZHU_TABLE_H
#define DIZHU_TABLE_H

#include <string.h>

#include "grammar.h"

#define MOST_SEATS 5
#define MOST_DECK 108

/* What a table needs to know of a game; `deck` is the number of cards of each rank, `cards` each of them. */
typedef struct {
    grammar_t grammar;
    int seats, deal, bottom, marked, size;
    cards_t deck, cards[MOST_DECK];
} game_t;

static inline void spread_deck(game_t *g) {
    g->size = 0;
    for (int shift = 0; shift < 60; shift += 4)
        for (int copy = (int)(g->deck >> shift & 15); copy; copy--) g->cards[g->size++] = 1ULL << shift;
}

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
ALWAYS void deal_random(const game_t *g, table_t *t, uint64_t *state) {
    cards_t cards[MOST_DECK];
    int count = g->size, twin = -1;
    memcpy(cards, g->cards, sizeof *cards * (size_t)count);
    *t = (table_t){.winner = -1, .landlords = 1};
    if (g->marked) {
        /* the four jokers lie last; the eight copies of a rank are four pairs of twins */
        int marked = (int)draw_below(state, (uint32_t)(count - 4));
        twin = marked ^ 1;
        cards[marked] = cards[--count];
        if (twin == count) twin = marked;
    }
    /* first what is set aside, then the hands from the last seat down to seat 1 */
    int held = g->deal + g->bottom - (g->marked != 0), seat = g->seats;
    int until = held + g->deal * (g->seats - 1);
    cards_t drawn[MOST_SEATS + 1] = {0}, all = 0;
    while (count > held) {
        if (count == until) {
            seat--;
            until -= g->deal;
        }
        int place = (int)draw_below(state, (uint32_t)count);
        drawn[seat] += cards[place];
        if (place == twin) {
            t->landlords |= (uint8_t)(1 << seat);
            twin = -1;
        }
        cards[place] = cards[--count];
        if (twin == count) twin = place;
    }
    for (seat = 1; seat < g->seats; seat++) all += t->hands[seat] = drawn[seat];
    t->hands[0] = g->deck - all - drawn[g->seats];
}

/* Play at random to the end, every legal answer equally likely; returns the number of decisions. */
ALWAYS int play_random(const game_t *g, table_t *t, uint64_t *state) {
    int decisions = 0;
    search_t q;
    while (t->winner < 0) {
        cards_t hand = t->hands[t->turn];
        int pass = t->key != 0;
        uint32_t choices = (uint32_t)(note_moves(g->grammar, &q, hand, t->key) + pass);
        int index = (choices > 1 ? (int)draw_below(state, choices) : 0) - pass;
        if (index < 0)
            play_pass(g, t);
        else
            play_move(g, t, noted_move(g->grammar, &q, hand, index));
        decisions++;
    }
    return decisions;
}

/* Deal hands and play them at random; counts the decisions and the hands that landlords won. */
ALWAYS void play_hands(const game_t *g, long long hands, uint64_t *state, long long *decisions, long long *won) {
    uint64_t draws = *state;
    for (long long hand = 0; hand < hands; hand++) {
        table_t table;
        deal_random(g, &table, &draws);
        *decisions += play_random(g, &table, &draws);
        *won += is_landlord(&table, table.winner);
    }
    *state = draws;
}
#endif
