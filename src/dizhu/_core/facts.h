/* The facts of a position, as numbers of rows of a network's first layer. Their readable form is dizhu.network.facts.
 *
 * A set of cards is a fact for each rank in it: so many of that rank. */
#ifndef DIZHU_FACTS_H
#define DIZHU_FACTS_H

#include "batch.h"

#define KINDS 32
#define MOST_TURNS_LEFT 15
#define MOST_TOPS 7
#define MOST_WEAK 9
#define MOST_LOOSE 7
#define MOST_HIGHER 7
#define MOST_FOURS 7
#define MOST_FOUGHT 4
#define RANKS 15
#define MOVE_FACTS 32 /* of one move, at most */
#define MOST_FACTS 256

/* Where the blocks of facts begin, for a game. */
typedef struct {
    int width, copies, seats, largest, roles;
    int solo_kickers; /* whether trios may take single cards along */
    int hand, unseen, table, shown, last, played, left, bombs, landlords, alone, marked, let, leader, move, kind, pass, out, turns, tops, beaten;
    int asked, weak, solos, pairs, higher, holding, highest, fours, rocket, refused, fought, ally, size;
} facts_t;

/* A hand, and what its players have seen besides. shown: the cards of which all know that the first landlord
 * holds them. marked: the rank of the marked card, -1 in other games. revealed: whether the hidden landlord is known.
 * refused: by seat, the lowest single card and the lowest pair of the landlord that it passed on, or of anybody that the
 * landlord did; RANKS: none. beat: how often which seat beat a combination of which. */
typedef struct {
    hand_t hand;
    cards_t shown;
    int8_t marked, revealed, refused[MOST_SEATS][2];
    uint8_t beat[MOST_SEATS][MOST_SEATS];
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
    f.asked = f.beaten + 3;
    f.weak = f.asked + KINDS;
    f.solos = f.weak + MOST_WEAK + 1;
    f.pairs = f.solos + MOST_LOOSE + 1;
    f.higher = f.pairs + MOST_LOOSE + 1;
    f.holding = f.higher + MOST_HIGHER + 1;
    f.highest = f.holding + others;
    f.fours = f.highest + 3 * RANKS;
    f.rocket = f.fours + MOST_FOURS + 1;
    f.refused = f.rocket + 1;
    f.fought = f.refused + 2 * RANKS * others;
    f.ally = f.fought + (g->marked ? 2 * (MOST_FOUGHT + 1) * others : 0);
    f.size = f.ally + (g->marked ? f.width : 0);
    for (int row = 0; row < families[g->grammar.family].rows; row++) {
        const shape_t *s = &families[g->grammar.family].shapes[row];
        f.solo_kickers |= s->kickers && s->width == 1;
    }
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

/* The cards of the other landlord, which a landlord sees once both are known. */
ALWAYS cards_t ally_cards(const game_t *g, const scene_t *s, int seat) {
    const table_t *t = &s->hand.table;
    int other = g->marked && s->revealed && is_landlord(t, seat) ? t->landlords & ~(1 << seat) : 0;
    return other ? t->hands[__builtin_ctz((unsigned)other)] : 0;
}

/* The cards that a seat neither sees nor has seen played. */
static inline cards_t unseen_by(const game_t *g, const scene_t *s, int seat) {
    const hand_t *h = &s->hand;
    cards_t unseen = g->deck - h->table.hands[seat] - ally_cards(g, s, seat);
    for (int other = 0; other < g->seats; other++) unseen -= h->played[other];
    return unseen;
}

/* Whether a seat knows another one, or itself, as a landlord. */
ALWAYS int knows_landlord(const scene_t *s, int me, int seat) {
    return seat == 0 || (is_landlord(&s->hand.table, seat) && (seat == me || s->revealed));
}

ALWAYS int highest(cards_t cards) { return (63 - __builtin_clzll(cards)) / 4; }

/* All that the seat in turn knows but its own cards, which depend on the move. */
static inline int position_facts(const game_t *g, const facts_t *f, const scene_t *s, uint16_t *out) {
    const hand_t *h = &s->hand;
    const table_t *t = &h->table;
    int me = t->turn, count = 0;
    cards_t unseen = unseen_by(g, s, me), fours = at_least(unseen, 4);
    count += add_cards(f, out + count, f->unseen, unseen);
    for (int copies = 1; copies <= 3; copies++) {
        cards_t ranks = at_least(unseen, copies);
        if (ranks) out[count++] = (uint16_t)(f->highest + (copies - 1) * RANKS + highest(ranks));
    }
    out[count++] = (uint16_t)(f->fours + (rank_count(fours) < MOST_FOURS ? rank_count(fours) : MOST_FOURS));
    if ((at_least(unseen, 1) & JOKERS) == JOKERS) out[count++] = (uint16_t)f->rocket;
    count += add_cards(f, out + count, f->table, t->key ? h->last[t->leader] : 0);
    count += add_cards(f, out + count, f->shown, s->shown);
    count += add_cards(f, out + count, f->ally, ally_cards(g, s, me));
    for (int other = 1; other < g->seats; other++) {
        int seat = (me + other) % g->seats, left = card_count(t->hands[seat]);
        count += add_cards(f, out + count, f->last + (other - 1) * f->width, h->last[seat]);
        count += add_cards(f, out + count, f->played + (other - 1) * f->width, h->played[seat]);
        if (left) out[count++] = (uint16_t)(f->left + (other - 1) * f->largest + left - 1);
        for (int row = 0; row < 2; row++)
            if (s->refused[seat][row] < RANKS)
                out[count++] = (uint16_t)(f->refused + ((other - 1) * 2 + row) * RANKS + s->refused[seat][row]);
        for (int victim = 0; g->marked && victim < 2; victim++) {
            int times = s->beat[seat][victim ? me : 0];
            out[count++] = (uint16_t)(f->fought + ((other - 1) * 2 + victim) * (MOST_FOUGHT + 1) + (times < MOST_FOUGHT ? times : MOST_FOUGHT));
        }
    }
    out[count++] = (uint16_t)(f->bombs + (t->doublings < MOST_BOMBS ? t->doublings : MOST_BOMBS));
    for (int other = 0; other < g->seats; other++)
        if (knows_landlord(s, me, (me + other) % g->seats)) out[count++] = (uint16_t)(f->landlords + other);
    if (g->marked && me == 0 && t->landlords == 1) out[count++] = (uint16_t)f->alone;
    if (s->marked >= 0) out[count++] = (uint16_t)(f->marked + s->marked);
    out[count++] = (uint16_t)(f->let + (t->let < MOST_LET ? t->let : MOST_LET));
    out[count++] = (uint16_t)(f->leader + (t->key ? (t->leader - me + g->seats) % g->seats : 0));
    if (t->key) out[count++] = (uint16_t)(f->asked + key_row(t->key));
    return count;
}

/* The ranks of a run that begins at a rank of a mask. */
ALWAYS cards_t run_from(cards_t ranks, cards_t start) {
    cards_t run = 0;
    for (; ranks & start; start <<= 4) run |= start;
    return run;
}

/* How a hand may go out, in one number, so that plans add up and the lowest is the best: turns, those of them that unseen
 * cards may beat, and of them single cards and pairs that go with nothing. */
#define PLAN_BITS 5
#define PLAN_MASK ((1 << PLAN_BITS) - 1)

ALWAYS int plan(int turns, int weak, int solos, int pairs) {
    return ((turns << PLAN_BITS | weak) << PLAN_BITS | solos) << PLAN_BITS | pairs;
}

/* Where runs of so many ranks begin in a mask of ranks. */
ALWAYS cards_t starts_of(cards_t ranks, int length) {
    cards_t starts = ranks;
    for (int step = 1; step < length; step++) starts &= ranks >> 4 * step;
    return starts;
}

/* Of the ranks of a mask, those below the highest of another. */
ALWAYS cards_t below(cards_t ranks, cards_t others) {
    return others ? ranks & ((1ULL << 4 * highest(others)) - 1) : 0;
}

/* Whether unseen cards hold a run of as many ranks above one. */
ALWAYS int run_is_weak(cards_t unseen, int copies, cards_t run) {
    int length = rank_count(run), highest = lowest(run) / 4 + length - 1;
    return starts_above(starts_of(at_least(unseen, copies) & CHAIN, length), length, highest) != 0;
}

/* The plan of a hand without chains of single cards and pairs: kickers go with the trios, the lowest ones first. */
static inline int plain_plan(const facts_t *f, cards_t hand, cards_t unseen) {
    cards_t fours = at_least(hand, 4), trios = at_least(hand, 3) & ~fours, pairs = at_least(hand, 2) & ~at_least(hand, 3);
    cards_t ones = at_least(hand, 1) & ~at_least(hand, 2);
    int rocket = (ones & JOKERS) == JOKERS, turns = rank_count(fours) + rocket, weak = 0;
    if (rocket) ones &= ~JOKERS;
    cards_t kickers = f->solo_kickers ? pairs | ones : pairs, alone = kickers;
    for (int left = rank_count(trios); left && alone; left--) alone &= alone - 1;
    for (cards_t left = trios, run; left; left &= ~run) {
        run = left & -left & CHAIN ? run_from(left & CHAIN, left & -left) : left & -left;
        turns++;
        weak += run & CHAIN ? run_is_weak(unseen, 3, run) : 0;
    }
    pairs &= ~(kickers & ~alone);
    ones &= ~(kickers & ~alone);
    weak += rank_count(below(pairs, at_least(unseen, 2))) + rank_count(below(ones, at_least(unseen, 1)));
    int solos = rank_count(ones), twos = rank_count(pairs);
    return plan(turns + solos + twos, weak, solos, twos);
}

/* The best plan, where chains of single cards and pairs may go as a whole first, up to so many. */
static int best_plan(const facts_t *f, cards_t hand, cards_t unseen, int chains) {
    int best = plain_plan(f, hand, unseen);
    for (int copies = 1; chains && copies <= 2; copies++) {
        cards_t ranks = at_least(hand, copies) & CHAIN;
        for (cards_t starts = ranks & ~(ranks << 4); starts; starts &= starts - 1) {
            cards_t run = run_from(ranks, starts & -starts);
            if (rank_count(run) < (copies == 1 ? 5 : 3)) continue;
            int found = plan(1, run_is_weak(unseen, copies, run), 0, 0);
            found += best_plan(f, hand - run * (cards_t)copies, unseen, chains - 1);
            if (found < best) best = found;
        }
    }
    return best;
}

/* How many of the same kind lie above a move in unseen cards, kickers left aside. */
static inline int higher_than(const game_t *g, cards_t unseen, cmb_key key) {
    const shape_t *s = &families[g->grammar.family].shapes[key_row(key)];
    if (!s->copies) return 0;
    int length = s->run > 1 ? key_length(key) : 1;
    return rank_count(starts_above(starts_of(core_ranks(unseen, *s), length), length, key_rank(key)));
}

/* What kind of answer to a move unseen cards may hold: 0 none, 1 only a stronger kind, 2 the same kind. */
static inline int beaten_by(grammar_t g, cards_t unseen, cmb_key key) {
    int answers = count_moves(g, unseen, key);
    if (!answers) return 0;
    cmb_key above = (key & ~15u) | 14;
    return answers > count_moves(g, unseen, above) ? 2 : 1;
}

/* What a seat knows of the others: the unseen cards all together, and how many each holds, from the next one round. */
typedef struct {
    cards_t unseen;
    int left[MOST_SEATS - 1];
} others_t;

static inline others_t others_of(const game_t *g, const scene_t *s, int seat) {
    others_t others = {.unseen = unseen_by(g, s, seat)};
    for (int other = 1; other < g->seats; other++)
        others.left[other - 1] = card_count(s->hand.table.hands[(seat + other) % g->seats]);
    return others;
}

/* The facts of a move: its cards and kind, whether it is the last one, what it leaves, and what may beat it. */
static inline int move_facts(const game_t *g, const facts_t *f, uint16_t *out, const others_t *others, cards_t hand, move_t move) {
    cards_t unseen = others->unseen;
    int count = add_cards(f, out, f->move, move.cards);
    cards_t rest = hand - move.cards;
    out[count++] = (uint16_t)(move.cards ? f->kind + key_row(move.key) : f->pass);
    if (!rest) out[count++] = (uint16_t)f->out;
    int best = best_plan(f, rest, unseen, 2), top = unseen ? 4 * highest(unseen) : 0;
    int turns = best >> 3 * PLAN_BITS, weak = best >> 2 * PLAN_BITS & PLAN_MASK, solos = best >> PLAN_BITS & PLAN_MASK;
    int pairs = best & PLAN_MASK, tops = card_count(rest >> top << top);
    out[count++] = (uint16_t)(f->turns + (turns < MOST_TURNS_LEFT ? turns : MOST_TURNS_LEFT));
    out[count++] = (uint16_t)(f->tops + (tops < MOST_TOPS ? tops : MOST_TOPS));
    out[count++] = (uint16_t)(f->weak + (weak < MOST_WEAK ? weak : MOST_WEAK));
    out[count++] = (uint16_t)(f->solos + (solos < MOST_LOOSE ? solos : MOST_LOOSE));
    out[count++] = (uint16_t)(f->pairs + (pairs < MOST_LOOSE ? pairs : MOST_LOOSE));
    if (!move.cards) return count;
    int higher = higher_than(g, unseen, move.key);
    out[count++] = (uint16_t)(f->higher + (higher < MOST_HIGHER ? higher : MOST_HIGHER));
    out[count++] = (uint16_t)(f->beaten + beaten_by(g->grammar, unseen, move.key));
    for (int other = 1, size = card_count(move.cards); other < g->seats; other++)
        if (others->left[other - 1] >= size) out[count++] = (uint16_t)(f->holding + other - 1);
    return count;
}

/* Which network plays a seat. With a marked card: the open landlord's, the hidden one's, the farmers'. */
ALWAYS int role_of(const game_t *g, const table_t *t, int seat) {
    if (!g->marked) return seat;
    return seat == 0 ? 0 : is_landlord(t, seat) ? 1 : 2;
}
#endif
