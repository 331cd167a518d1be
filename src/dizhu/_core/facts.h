/* The facts of a position, as numbers of rows of a network's first layer. Their readable form is dizhu.network.facts.
 *
 * A set of cards is a fact for each rank in it: so many of that rank. */
#ifndef DIZHU_FACTS_H
#define DIZHU_FACTS_H

#include "batch.h"

#define KINDS 32
#define MOST_TURNS_LEFT 15
#define MOST_TOPS 7
#define MOST_FACTS 256

/* Where the blocks of facts begin, for a game. */
typedef struct {
    int width, copies, seats, largest, roles;
    int hand, unseen, table, shown, last, played, left, bombs, landlords, alone, marked, let, leader, move, kind, pass, out, turns, tops, beaten, size;
} facts_t;

/* A hand, and what its players have seen besides. shown: the cards that the first landlord took before all eyes and
 * holds surely. marked: the rank of the marked card, -1 in other games. revealed: whether the hidden landlord is known. */
typedef struct {
    hand_t hand;
    cards_t shown;
    int8_t marked, revealed;
} scene_t;

static inline facts_t facts_of(const game_t *g) {
    facts_t f = {.width = width_of(g), .copies = g->marked ? 8 : 4, .seats = g->seats, .largest = g->grammar.largest};
    int others = g->seats - 1;
    f.roles = g->marked ? 3 : g->seats;
    f.hand = 0;
    f.unseen = f.hand + f.width;
    f.table = f.unseen + f.width;
    f.shown = f.table + f.width;
    f.last = f.shown + f.width;
    f.played = f.last + others * f.width;
    f.left = f.played + others * f.width;
    f.bombs = f.left + others * f.largest;
    f.landlords = f.bombs + MOST_BOMBS + 1;
    f.alone = f.landlords + g->seats;
    f.marked = f.alone + 1;
    f.let = f.marked + 13;
    f.leader = f.let + MOST_LET + 1;
    f.move = f.leader + g->seats;
    f.kind = f.move + f.width;
    f.pass = f.kind + KINDS;
    f.out = f.pass + 1;
    f.turns = f.out + 1;
    f.tops = f.turns + MOST_TURNS_LEFT + 1;
    f.beaten = f.tops + MOST_TOPS + 1;
    f.size = f.beaten + 3;
    return f;
}

/* The fact that a set holds `count` (at least 1) cards of a rank, within a block. */
ALWAYS int card_fact(const facts_t *f, int rank, int count) {
    int place = rank < 13 ? rank * f->copies : 13 * f->copies + (rank - 13) * (f->copies / 4);
    return place + count - 1;
}

ALWAYS int add_cards(const facts_t *f, uint16_t *out, int block, cards_t cards) {
    int count = 0;
    while (cards) {
        int rank = lowest(cards) / 4;
        out[count++] = (uint16_t)(block + card_fact(f, rank, (int)(cards >> 4 * rank & 15)));
        cards &= ~(15ULL << 4 * rank);
    }
    return count;
}

/* The cards that a seat neither holds nor has seen played. */
static inline cards_t unseen_by(const game_t *g, const hand_t *h, int seat) {
    cards_t unseen = g->deck - h->table.hands[seat];
    for (int other = 0; other < g->seats; other++) unseen -= h->played[other];
    return unseen;
}

/* Whether a seat knows another one, or itself, as a landlord. */
ALWAYS int knows_landlord(const scene_t *s, int me, int seat) {
    return seat == 0 || (is_landlord(&s->hand.table, seat) && (seat == me || s->revealed));
}

/* All that the seat in turn knows but its own cards, which depend on the move. */
static inline int position_facts(const game_t *g, const facts_t *f, const scene_t *s, uint16_t *out) {
    const hand_t *h = &s->hand;
    const table_t *t = &h->table;
    int me = t->turn, count = 0;
    count += add_cards(f, out + count, f->unseen, unseen_by(g, h, me));
    count += add_cards(f, out + count, f->table, t->key ? h->last[t->leader] : 0);
    count += add_cards(f, out + count, f->shown, s->shown);
    for (int other = 1; other < g->seats; other++) {
        int seat = (me + other) % g->seats, left = card_count(t->hands[seat]);
        count += add_cards(f, out + count, f->last + (other - 1) * f->width, h->last[seat]);
        count += add_cards(f, out + count, f->played + (other - 1) * f->width, h->played[seat]);
        if (left) out[count++] = (uint16_t)(f->left + (other - 1) * f->largest + left - 1);
    }
    out[count++] = (uint16_t)(f->bombs + (t->doublings < MOST_BOMBS ? t->doublings : MOST_BOMBS));
    for (int other = 0; other < g->seats; other++)
        if (knows_landlord(s, me, (me + other) % g->seats)) out[count++] = (uint16_t)(f->landlords + other);
    if (g->marked && me == 0 && t->landlords == 1) out[count++] = (uint16_t)f->alone;
    if (s->marked >= 0) out[count++] = (uint16_t)(f->marked + s->marked);
    out[count++] = (uint16_t)(f->let + (t->let < MOST_LET ? t->let : MOST_LET));
    out[count++] = (uint16_t)(f->leader + (t->key ? (t->leader - me + g->seats) % g->seats : 0));
    return count;
}

/* The ranks of a run that begins at a rank of a mask. */
ALWAYS cards_t run_from(cards_t ranks, cards_t start) {
    cards_t run = 0;
    for (; ranks & start; start <<= 4) run |= start;
    return run;
}

/* About how many turns it takes to get rid of a hand, if nobody else plays and kickers go with the trios. */
static inline int plain_turns(cards_t hand) {
    cards_t fours = at_least(hand, 4), trios = at_least(hand, 3) & ~fours, pairs = at_least(hand, 2) & ~at_least(hand, 3);
    cards_t ones = at_least(hand, 1) & ~at_least(hand, 2), runs = trios & ~((trios & CHAIN) << 4);
    int rocket = (ones & JOKERS) == JOKERS, kickers = rank_count(pairs) + rank_count(ones) - 2 * rocket;
    int left = kickers - rank_count(trios);
    return rank_count(fours) + rocket + rank_count(runs) + (left > 0 ? left : 0);
}

/* The same, where chains of solos and pairs may be put down whole first, up to so many. */
static int turns_left(cards_t hand, int chains) {
    int best = plain_turns(hand);
    for (int copies = 1; chains && copies <= 2; copies++) {
        cards_t ranks = at_least(hand, copies) & CHAIN;
        for (cards_t starts = ranks & ~(ranks << 4); starts; starts &= starts - 1) {
            cards_t run = run_from(ranks, starts & -starts);
            if (rank_count(run) < (copies == 1 ? 5 : 3)) continue;
            int turns = 1 + turns_left(hand - run * (cards_t)copies, chains - 1);
            if (turns < best) best = turns;
        }
    }
    return best;
}

/* What kind of answer to a move unseen cards may hold: 0 none, 1 only a stronger kind, 2 the same kind. */
static inline int beaten_by(grammar_t g, cards_t unseen, cmb_key key) {
    int answers = count_moves(g, unseen, key);
    if (!answers) return 0;
    cmb_key above = (key & ~15u) | 14;
    return answers > count_moves(g, unseen, above) ? 2 : 1;
}

/* The facts of a move: its cards and kind, whether it is the last one, what it leaves, and what may beat it. */
static inline int move_facts(const game_t *g, const facts_t *f, uint16_t *out, cards_t unseen, cards_t hand, move_t move) {
    int count = add_cards(f, out, f->move, move.cards);
    cards_t rest = hand - move.cards;
    out[count++] = (uint16_t)(move.cards ? f->kind + key_row(move.key) : f->pass);
    if (!rest) out[count++] = (uint16_t)f->out;
    int turns = turns_left(rest, 2), highest = unseen ? (63 - __builtin_clzll(unseen)) / 4 : 0;
    int tops = card_count(rest >> 4 * highest << 4 * highest);
    out[count++] = (uint16_t)(f->turns + (turns < MOST_TURNS_LEFT ? turns : MOST_TURNS_LEFT));
    out[count++] = (uint16_t)(f->tops + (tops < MOST_TOPS ? tops : MOST_TOPS));
    if (move.cards) out[count++] = (uint16_t)(f->beaten + beaten_by(g->grammar, unseen, move.key));
    return count;
}

/* Which network plays a seat. With a marked card: the open landlord's, the hidden one's, the farmers'. */
ALWAYS int role_of(const game_t *g, const table_t *t, int seat) {
    if (!g->marked) return seat;
    return seat == 0 ? 0 : is_landlord(t, seat) ? 1 : 2;
}
#endif
