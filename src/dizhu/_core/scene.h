/* Hands as their players see them: dealt, played on, and what of them is known to all. */
#ifndef DIZHU_SCENE_H
#define DIZHU_SCENE_H

#include "facts.h"

#define MOST_CHOICES 4096

/* List the answers of the seat in turn, a pass first. */
static inline int list_answers(const game_t *g, const table_t *t, move_t *moves) {
    int pass = t->key != 0;
    if (pass) moves[0] = (move_t){0, 0};
    int count = all_moves(g->grammar, t->hands[t->turn], t->key, moves + pass, MOST_CHOICES - pass);
    return (count < MOST_CHOICES - pass ? count : MOST_CHOICES - pass) + pass;
}

/* Draw so many of a set of cards. */
static inline cards_t draw_cards(cards_t from, int count, uint64_t *draws) {
    cards_t drawn = 0;
    for (int left = card_count(from); count; count--, left--) {
        int place = (int)draw_below(draws, (uint32_t)left), shift = 0;
        while (place >= (int)(from >> shift & 15)) place -= (int)(from >> shift & 15), shift += 4;
        drawn += 1ULL << shift;
        from -= 1ULL << shift;
    }
    return drawn;
}

/* The rank of the marked card, where its landlords' cards are known: likelier one of which they hold many. */
static inline int draw_marked(const table_t *t, uint64_t *draws) {
    int hidden = t->landlords == 1 ? 0 : lowest(t->landlords & ~1u);
    uint32_t ways[13], all = 0;
    for (int rank = 0; rank < 13; rank++) {
        uint32_t own = (uint32_t)(t->hands[0] >> 4 * rank & 15), other = (uint32_t)(t->hands[hidden] >> 4 * rank & 15);
        ways[rank] = hidden ? own * other : own * (own - (own > 0));
        all += ways[rank];
    }
    if (!all) return 0;
    uint32_t place = draw_below(draws, all);
    int rank = 0;
    while (place >= ways[rank]) place -= ways[rank++];
    return rank;
}

#define OPEN_HANDS 32 /* the landlord's hand is open in one of so many */

/* What all see of the first landlord's cards. */
static inline cards_t draw_shown(const game_t *g, int shown, const scene_t *s, uint64_t *draws) {
    if (g->marked) return 1ULL << 4 * s->marked;
    cards_t hand = s->hand.table.hands[0];
    if (!draw_below(draws, OPEN_HANDS)) return hand;
    return shown > (int)draw_below(draws, 4) ? draw_cards(hand, g->bottom, draws) : 0;
}

/* Deal; `shown`: of four hands, in how many all see what the landlord takes. */
static inline void begin_scene(const game_t *g, int shown, scene_t *s, uint64_t *draws) {
    hand_t *h = &s->hand;
    memset(h->played, 0, sizeof h->played);
    memset(h->last, 0, sizeof h->last);
    deal_random(g, &h->table, draws);
    /* a farmer who wins with cards left: as many as there were robs */
    if (g->seats == 2) h->table.let = (int8_t)draw_below(draws, MOST_LET + 1);
    s->marked = g->marked ? (int8_t)draw_marked(&h->table, draws) : -1;
    s->revealed = 0;
    memset(s->refused, RANKS, sizeof s->refused);
    memset(s->beat, 0, sizeof s->beat);
    s->shown = draw_shown(g, shown, s, draws);
}

/* Of those of a rank, he puts down what is known of him first; the twin card is any of its rank. */
static inline void see_move(scene_t *s, int seat, cards_t cards, cards_t hand, uint64_t *draws) {
    if (seat == 0)
        for (cards_t both = at_least(s->shown, 1) & at_least(cards, 1); both; both &= both - 1) {
            int shift = lowest(both), known = (int)(s->shown >> shift & 15), put = (int)(cards >> shift & 15);
            s->shown -= (cards_t)(known < put ? known : put) << shift;
        }
    else if (s->marked >= 0 && !s->revealed && is_landlord(&s->hand.table, seat)) {
        uint32_t put = (uint32_t)(cards >> 4 * s->marked & 15), held = (uint32_t)(hand >> 4 * s->marked & 15);
        s->revealed = put && draw_below(draws, held) < put;
    }
}

static inline void put_down_move(const game_t *g, scene_t *s, move_t move, uint64_t *draws) {
    hand_t *h = &s->hand;
    int seat = h->table.turn;
    h->last[seat] = move.cards;
    h->played[seat] += move.cards;
    if (move.cards) {
        if (h->table.key) s->beat[seat][h->table.leader] += s->beat[seat][h->table.leader] < UINT8_MAX;
        see_move(s, seat, move.cards, h->table.hands[seat], draws);
        play_move(g, &h->table, move);
    } else {
        int row = key_row(h->table.key), rank = key_rank(h->table.key);
        if (row < 2 && !seat != !h->table.leader && rank < s->refused[seat][row]) s->refused[seat][row] = (int8_t)rank;
        play_pass(g, &h->table);
    }
}
#endif
