/* Many hands stepped at once, and what a seat sees of them as rows of small numbers.
 *
 * The layout of a row is that of dizhu.envs.features, which is its readable form; the two are compared value by value in tests. */
#ifndef DIZHU_BATCH_H
#define DIZHU_BATCH_H

#include <stdlib.h>

#include "table.h"

#define HISTORY 15
#define MOST_LET 4
#define MOST_BOMBS 14

typedef struct {
    table_t table;
    uint64_t draws;
    cards_t played[MOST_SEATS], last[MOST_SEATS];
    cards_t history[HISTORY]; /* the newest last */
    int32_t points[MOST_SEATS]; /* of the hand that ended with the last step */
    int8_t done;
} hand_t;

typedef struct {
    game_t game;
    int count, let;
    hand_t *hands;
    /* the moves of all hands one after the other, those of hand i from starts[i]; a pass has no cards */
    move_t *moves;
    int capacity, *starts;
    const int8_t *histories; /* where the histories were written before the last step, NULL if nowhere */
    int stale;               /* steps since */
} batch_t;

ALWAYS int width_of(const game_t *g) { return g->marked ? 108 : 54; }

/* Cards of each rank as ones from the left, four cells a rank (two decks: eight), then the black and the red jokers:
 * a cell is 1 where the count of its rank is larger than the cell's place. */
#ifdef __SSE2__
#include <emmintrin.h>

ALWAYS __m128i larger(__m128i counts, uint64_t places) {
    return _mm_and_si128(_mm_cmpgt_epi8(counts, _mm_set1_epi64x((long long)places)), _mm_set1_epi8(1));
}

static inline void expand(const game_t *g, cards_t cards, int8_t *out) {
    const uint64_t even = 0x0F0F0F0F0F0F0F0FULL, four = 0x0302010003020100ULL, eight = 0x0706050403020100ULL;
    __m128i ranks = _mm_unpacklo_epi8(_mm_cvtsi64_si128((long long)(cards & even)),
                                      _mm_cvtsi64_si128((long long)(cards >> 4 & even)));
    __m128i low = _mm_unpacklo_epi8(ranks, ranks), high = _mm_unpackhi_epi8(ranks, ranks);
    const __m128i fourfold[] = {_mm_unpacklo_epi16(low, low), _mm_unpackhi_epi16(low, low),
                                _mm_unpacklo_epi16(high, high), _mm_unpackhi_epi16(high, high)};
    if (!g->marked) {
        for (int part = 0; part < 3; part++) _mm_storeu_si128((__m128i *)(out + 16 * part), larger(fourfold[part], four));
        int twos = _mm_cvtsi128_si32(larger(fourfold[3], four));
        memcpy(out + 48, &twos, 4);
        out[52] = (int8_t)(cards >> 52 & 1);
        out[53] = (int8_t)(cards >> 56 & 1);
        return;
    }
    for (int part = 0; part < 4; part++) {
        __m128i first = larger(_mm_unpacklo_epi32(fourfold[part], fourfold[part]), eight);
        __m128i second = larger(_mm_unpackhi_epi32(fourfold[part], fourfold[part]), eight);
        if (part < 3) {
            _mm_storeu_si128((__m128i *)(out + 32 * part), first);
            _mm_storeu_si128((__m128i *)(out + 32 * part + 16), second);
        } else {
            _mm_storel_epi64((__m128i *)(out + 96), first);
        }
    }
    for (int joker = 0; joker < 4; joker++) out[104 + joker] = (int8_t)((int)(cards >> (52 + 4 * (joker / 2)) & 15) > joker % 2);
}
#else
static inline void expand(const game_t *g, cards_t cards, int8_t *out) {
    int copies = g->marked ? 8 : 4;
    for (int rank = 0; rank < 13; rank++)
        for (int place = 0; place < copies; place++) *out++ = (int8_t)((int)(cards >> 4 * rank & 15) > place);
    for (int joker = 13; joker < 15; joker++)
        for (int place = 0; place < copies / 4; place++) *out++ = (int8_t)((int)(cards >> 4 * joker & 15) > place);
}
#endif

static inline int state_size(const game_t *g) {
    int others = g->seats - 1;
    return width_of(g) * (3 + 2 * others) + g->grammar.largest * others + MOST_BOMBS + 1 + g->seats + MOST_LET + 1;
}

/* All that the seat in turn may know, as one row; `out` has state_size cells. */
static inline void write_state(const game_t *g, const hand_t *h, int8_t *out) {
    const table_t *t = &h->table;
    int me = t->turn, width = width_of(g), largest = g->grammar.largest;
    cards_t unseen = g->deck - t->hands[me];
    for (int seat = 0; seat < g->seats; seat++) unseen -= h->played[seat];
    expand(g, t->hands[me], out);
    expand(g, unseen, out + width);
    expand(g, t->key ? h->last[t->leader] : 0, out + 2 * width);
    out += 3 * width;
    for (int other = 1; other < g->seats; other++, out += width) expand(g, h->last[(me + other) % g->seats], out);
    for (int other = 1; other < g->seats; other++, out += width) expand(g, h->played[(me + other) % g->seats], out);
    memset(out, 0, (size_t)(largest * (g->seats - 1) + MOST_BOMBS + 1 + g->seats + MOST_LET + 1));
    for (int other = 1; other < g->seats; other++, out += largest) {
        int left = card_count(t->hands[(me + other) % g->seats]);
        if (left) out[left - 1] = 1;
    }
    out[t->doublings < MOST_BOMBS ? t->doublings : MOST_BOMBS] = 1;
    out += MOST_BOMBS + 1;
    /* seat 0 is the open landlord; the hidden one is known to himself, and to others once he has played the twin (never in here) */
    out[(g->seats - me) % g->seats] = 1;
    if (is_landlord(t, me)) out[0] = 1;
    out[g->seats + (t->let < MOST_LET ? t->let : MOST_LET)] = 1;
}

static inline void new_hand(batch_t *b, hand_t *h) {
    uint64_t draws = h->draws;
    memset(h->played, 0, sizeof h->played);
    memset(h->last, 0, sizeof h->last);
    memset(h->history, 0, sizeof h->history);
    deal_random(&b->game, &h->table, &draws);
    h->table.let = (int8_t)b->let;
    h->draws = draws;
}

/* Settle as dizhu.game.phases.settle does: spring, then base × multiplier between each landlord and each farmer. */
static inline void settle(const game_t *g, hand_t *h) {
    const table_t *t = &h->table;
    int won = is_landlord(t, t->winner), landlords = __builtin_popcount(t->landlords), losers = 0;
    for (int seat = 0; seat < g->seats; seat++)
        if (is_landlord(t, seat) != won) losers += t->plays[seat];
    int spring = losers == 0 || (!won && !g->marked && losers == 1);
    int32_t share = (g->marked ? 2 / landlords : 1) << (t->doublings + spring);
    for (int seat = 0; seat < g->seats; seat++) {
        int opponents = is_landlord(t, seat) ? g->seats - landlords : landlords;
        h->points[seat] = is_landlord(t, seat) == won ? share * opponents : -share * opponents;
    }
}

/* The last turns of a hand as rows, the newest last. Where `out` holds those before the last turn, they move up by one. */
static inline void write_history(const game_t *g, const hand_t *h, int8_t *out, int fresh) {
    size_t width = (size_t)width_of(g);
    if (fresh) memmove(out, out + width, (HISTORY - 1) * width);
    for (int turn = fresh ? HISTORY - 1 : 0; turn < HISTORY; turn++) expand(g, h->history[turn], out + (size_t)turn * width);
}

/* Carry out the move of a hand; when it ends, settle it and deal the next. */
static inline void step_hand(batch_t *b, hand_t *h, move_t move) {
    int seat = h->table.turn;
    h->done = 0;
    memmove(h->history, h->history + 1, sizeof h->history - sizeof *h->history);
    h->history[HISTORY - 1] = h->last[seat] = move.cards;
    h->played[seat] += move.cards;
    if (move.cards) play_move(&b->game, &h->table, move);
    else play_pass(&b->game, &h->table);
    if (h->table.winner < 0) return;
    settle(&b->game, h);
    new_hand(b, h);
    h->done = 1;
}

/* List the moves of all hands; 0 if there is no memory for them. */
static inline int list_batch(batch_t *b) {
    int at = 0;
    for (int i = 0; i < b->count; i++) {
        const table_t *t = &b->hands[i].table;
        b->starts[i] = at;
        int pass = t->key != 0;
        for (;;) {
            int room = b->capacity - at - pass;
            int count = all_moves(b->game.grammar, t->hands[t->turn], t->key, b->moves + at + pass, room < 0 ? 0 : room);
            if (count <= room) {
                if (pass) b->moves[at] = (move_t){0, 0};
                at += count + pass;
                break;
            }
            int capacity = 2 * (at + count + pass);
            move_t *larger = realloc(b->moves, sizeof(move_t) * (size_t)capacity);
            if (!larger) return 0;
            b->moves = larger;
            b->capacity = capacity;
        }
    }
    b->starts[b->count] = at;
    return 1;
}
#endif
