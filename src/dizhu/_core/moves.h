/* Combinations of a hand: the one loop of dizhu.rules.combos over the rows of rows.h, for compilers.
 *
 * A set of cards is a word of fifteen nibbles, the count of each rank, the 3s lowest. A mask has bit 0 of a nibble set for each of
 * its ranks. A mask bit times k is k cards of that rank; times 0x11…1 it is a chain. Rows arrive as constants, so
 * that the compiler makes one specialised loop of each. Results and their order are those of the Python layer. */
#ifndef DIZHU_MOVES_H
#define DIZHU_MOVES_H

#include <stdint.h>

typedef uint64_t cards_t; /* a set of cards, or a mask of ranks */
typedef uint32_t cmb_key; /* power << 13 | row << 8 | length << 4 | rank: see Combo in dizhu.rules.combos */

typedef struct {
    cards_t cards;
    cmb_key key;
} move_t;

/* A row of dizhu.rules.shapes.Shape; `literal` counts the sets of cards that it names instead of a pattern. */
typedef struct {
    int row, copies, run, kickers, width, most, beside, jokers, power, times, literals;
    cards_t sets[2];
} shape_t;

#define ALWAYS static inline __attribute__((always_inline, unused))

#define ONES 0x111111111111111ULL
#define CHAIN 0x000111111111111ULL /* 3 to A */
#define JOKERS 0x110000000000000ULL
#define RANK_BITS 4
#define LENGTH_SHIFT 4
#define ROW_SHIFT 8
#define POWER_SHIFT 13
#define CHAIN_RANKS 12
#define MOST_KICKERS 6 /* of a trio chain of 24 cards */

/* The ranks of a mask: a multiplication adds the nibbles up in the topmost one. */
ALWAYS int rank_count(cards_t mask) { return (int)(mask * 0x1111111111111111ULL >> 60); }
ALWAYS int lowest(cards_t word) { return __builtin_ctzll(word); }

ALWAYS cards_t at_least(cards_t cards, int count) { return ((cards + (cards_t)(8 - count) * ONES) >> 3) & ONES; }

ALWAYS int card_count(cards_t cards) {
    cards = (cards & 0x0F0F0F0F0F0F0F0FULL) + (cards >> 4 & 0x0F0F0F0F0F0F0F0FULL);
    return (int)(cards * 0x0101010101010101ULL >> 56);
}

ALWAYS int contains(cards_t hand, cards_t cards) {
    const cards_t even = 0x0F0F0F0F0F0F0F0FULL, guard = 0x1010101010101010ULL;
    cards_t low = ((hand & even) | guard) - (cards & even);
    cards_t high = ((hand >> 4 & even) | guard) - (cards >> 4 & even);
    return (low & high & guard) == guard;
}

ALWAYS int key_row(cmb_key key) { return key >> ROW_SHIFT & 31; }
ALWAYS int key_length(cmb_key key) { return key >> LENGTH_SHIFT & 15; }
ALWAYS int key_rank(cmb_key key) { return key & 15; }
ALWAYS int key_power(cmb_key key) { return (int)(key >> POWER_SHIFT); }

ALWAYS int beats(cmb_key key, cmb_key against) {
    return (key >> RANK_BITS == against >> RANK_BITS && key > against) || key >> POWER_SHIFT > against >> POWER_SHIFT;
}

/* --- kickers ------------------------------------------------------------------------------------------------------ */

/* What may serve as kickers of a core, each rank cut to the number that is of use. */
ALWAYS cards_t spare_cards(cards_t hand, const shape_t s, cards_t core) {
    if (s.width > 1) return at_least(hand, s.width) & ~core & ~JOKERS;
    cards_t spare = 0;
    for (int count = 1; count <= s.most; count++) {
        cards_t ranks = at_least(hand, count) & ~core;
        if (count == s.copies && s.run > 1 && !s.beside) ranks &= ~((core << 4 | core >> 4) & CHAIN);
        spare += ranks;
    }
    return spare;
}

/* Choosing `wanted` kickers from what is spare. ways[i][n]: how many ways there are to take n from the i lowest ranks. */
typedef struct {
    int slots, shift[16], limit[16];
    uint32_t ways[17][MOST_KICKERS + 1];
    int exclusive; /* both jokers are there, and may not go out together: the red one, if taken, skips the black */
} kickers_t;

ALWAYS void prepare_kickers(kickers_t *k, cards_t spare, int wanted, const shape_t s) {
    k->slots = 0;
    k->exclusive = !s.jokers && (spare & JOKERS) == JOKERS;
    k->ways[0][0] = 1;
    for (int n = 1; n <= wanted; n++) k->ways[0][n] = 0;
    for (cards_t ranks = at_least(spare, 1); ranks; ranks &= ranks - 1) {
        int slot = k->slots++, limit = (int)(spare >> lowest(ranks) & 15);
        int from = k->exclusive && ranks == (ranks & -ranks) ? slot - 1 : slot;
        k->shift[slot] = lowest(ranks);
        k->limit[slot] = limit;
        for (int n = 0; n <= wanted; n++) {
            uint32_t all = k->ways[slot][n];
            for (int count = 1; count <= limit && count <= n; count++) all += k->ways[from][n - count];
            k->ways[slot + 1][n] = all;
        }
    }
}

/* How many sets of kickers there are; one and two kickers, nearly all there is in play, need no table. */
ALWAYS int count_kickers(cards_t spare, int wanted, const shape_t s) {
    cards_t ones = at_least(spare, 1);
    int ranks = rank_count(ones);
    if (wanted == 1) return ranks;
    if (wanted == 2) {
        int both = !s.jokers && (ones & JOKERS) == JOKERS;
        int twice = s.most > 1 && s.width == 1 ? rank_count(at_least(spare, 2)) : 0;
        return ranks * (ranks - 1) / 2 - both + twice;
    }
    kickers_t k;
    prepare_kickers(&k, spare, wanted, s);
    return (int)k.ways[k.slots][wanted];
}

/* The set of kickers of that place in rising order of words: from the highest rank down, fewer of a rank come first. */
ALWAYS cards_t pick_kickers(cards_t spare, int wanted, const shape_t s, int index) {
    kickers_t k;
    prepare_kickers(&k, spare, wanted, s);
    cards_t chosen = 0;
    for (int slot = k.slots; wanted;) {
        int top = --slot, count = 0, below = top;
        while (index >= (int)k.ways[below][wanted - count]) {
            index -= (int)k.ways[below][wanted - count];
            count++;
            if (k.exclusive && k.shift[top] == 56) below = top - 1;
        }
        chosen += (cards_t)(count * s.width) << k.shift[top];
        wanted -= count;
        slot = below;
    }
    return chosen;
}

/* Where found moves go: beyond the capacity they are counted only, so that the caller can come again with more room. */
typedef struct {
    move_t *moves;
    int capacity, count;
} sink_t;

ALWAYS void emit(sink_t *out, cards_t cards, cmb_key key) {
    if (out->count < out->capacity) out->moves[out->count] = (move_t){cards, key};
    out->count++;
}

static void emit_kickers(sink_t *out, const kickers_t *k, int slot, int wanted, int width, cards_t cards, cmb_key key) {
    if (!wanted) {
        emit(out, cards, key);
        return;
    }
    int top = slot - 1;
    for (int count = 0, below = top; count <= k->limit[top] && count <= wanted; count++) {
        if (k->ways[below][wanted - count])
            emit_kickers(out, k, below, wanted - count, width, cards + ((cards_t)(count * width) << k->shift[top]), key);
        if (k->exclusive && k->shift[top] == 56) below = top - 1;
    }
}

/* --- one row ------------------------------------------------------------------------------------------------------- */

ALWAYS cmb_key row_key(const shape_t s, int length) {
    return (cmb_key)s.power << POWER_SHIFT | (cmb_key)s.row << ROW_SHIFT | (cmb_key)length << LENGTH_SHIFT;
}

ALWAYS cards_t core_ranks(cards_t hand, const shape_t s) {
    cards_t ranks = at_least(hand, s.copies);
    if (s.run > 1) return ranks & CHAIN;
    return s.copies > 1 ? ranks & ~JOKERS : ranks;
}

/* The longest run that the largest hand of the game allows. */
ALWAYS int longest_run(const shape_t s, int largest) {
    int longest = largest / (s.copies + s.kickers * s.width);
    return longest < CHAIN_RANKS ? longest : CHAIN_RANKS;
}

/* Only starts whose highest rank lies above `above` (-1: all). */
ALWAYS cards_t starts_above(cards_t starts, int length, int above) {
    int lowest_start = above - length + 2;
    return lowest_start <= 0 ? starts : starts >> 4 * lowest_start << 4 * lowest_start;
}

ALWAYS cards_t span_of(int length) { return ONES & ((1ULL << 4 * length) - 1); }

ALWAYS void block_moves(sink_t *out, cards_t hand, const shape_t s, cards_t starts, int length) {
    for (; starts; starts &= starts - 1) {
        cards_t core = (starts & -starts) * span_of(length);
        cmb_key key = row_key(s, length) | (cmb_key)((lowest(starts) >> 2) + length - 1);
        if (!s.kickers) {
            emit(out, core * (cards_t)s.copies, key);
            continue;
        }
        kickers_t k;
        prepare_kickers(&k, spare_cards(hand, s, core), length * s.kickers, s);
        if (k.ways[k.slots][length * s.kickers])
            emit_kickers(out, &k, k.slots, length * s.kickers, s.width, core * (cards_t)s.copies, key);
    }
}

ALWAYS int block_count(cards_t hand, const shape_t s, cards_t starts, int length) {
    if (!s.kickers) return rank_count(starts);
    int count = 0;
    for (; starts; starts &= starts - 1)
        count += count_kickers(spare_cards(hand, s, (starts & -starts) * span_of(length)), length * s.kickers, s);
    return count;
}

ALWAYS move_t block_pick(cards_t hand, const shape_t s, cards_t starts, int length, int index) {
    for (;; starts &= starts - 1) {
        cards_t core = (starts & -starts) * span_of(length), cards = core * (cards_t)s.copies;
        cmb_key key = row_key(s, length) | (cmb_key)((lowest(starts) >> 2) + length - 1);
        if (!s.kickers) {
            if (!index--) return (move_t){cards, key};
            continue;
        }
        cards_t spare = spare_cards(hand, s, core);
        int here = count_kickers(spare, length * s.kickers, s);
        if (index < here) return (move_t){cards + pick_kickers(spare, length * s.kickers, s, index), key};
        index -= here;
    }
}

/* Some moves of one row: all starts of one length with their kickers, or (row without a pattern) the literal set `starts`. */
typedef struct {
    cards_t starts;
    int count;
    uint8_t row, length;
} block_t;

#define MOST_BLOCKS 64 /* all rows once, and every length of the chains */

/* A search either writes moves down, or notes blocks and their sizes, from which any move can then be made. */
typedef struct {
    sink_t *out; /* NULL: note blocks */
    int total, blocks;
    block_t block[MOST_BLOCKS];
} search_t;

ALWAYS void note(search_t *q, cards_t starts, int count, const shape_t s, int length) {
    if (!count) return;
    q->block[q->blocks++] = (block_t){starts, count, (uint8_t)s.row, (uint8_t)length};
    q->total += count;
}

ALWAYS void block(search_t *q, cards_t hand, const shape_t s, cards_t starts, int length, int write) {
    if (write) block_moves(q->out, hand, s, starts, length);
    else note(q, starts, block_count(hand, s, starts, length), s, length);
}

ALWAYS move_t literal_move(const shape_t s, int order) {
    return (move_t){s.sets[order], row_key(s, 1) | (cmb_key)order};
}

ALWAYS void literal_blocks(search_t *q, cards_t hand, const shape_t s, int above, int write) {
    for (int order = above + 1; order < s.literals; order++) {
        if (!contains(hand, s.sets[order])) continue;
        if (write) emit(q->out, s.sets[order], literal_move(s, order).key);
        else note(q, (cards_t)order, 1, s, 1);
    }
}

/* Every combination of a row, shorter runs first. */
ALWAYS void lead_row(search_t *q, cards_t hand, int largest, const shape_t s, int write) {
    if (!s.copies) {
        literal_blocks(q, hand, s, -1, write);
        return;
    }
    cards_t ranks = core_ranks(hand, s), starts = ranks;
    if (s.run == 1) {
        if (starts) block(q, hand, s, starts, 1, write);
        return;
    }
    for (int length = 2; length < s.run; length++) starts &= ranks >> 4 * (length - 1);
    if (!starts) return;
    int longest = longest_run(s, largest);
    for (int length = s.run; length <= longest; length++) {
        starts &= ranks >> 4 * (length - 1);
        if (!starts) return;
        block(q, hand, s, starts, length, write);
    }
}

/* The combinations of a row, of the same length and higher rank. */
ALWAYS void follow_row(search_t *q, cards_t hand, cmb_key against, const shape_t s, int write) {
    int length = s.run > 1 ? key_length(against) : 1, above = key_rank(against);
    if (!s.copies) {
        literal_blocks(q, hand, s, above, write);
        return;
    }
    cards_t ranks = core_ranks(hand, s), starts = ranks;
    for (int step = 1; step < length; step++) starts &= ranks >> 4 * step;
    starts = starts_above(starts, length, above);
    if (starts) block(q, hand, s, starts, length, write);
}

/* The move of that place in a noted block of this row. */
ALWAYS move_t pick_row(const block_t *from, cards_t hand, const shape_t s, int index) {
    if (!s.copies) return literal_move(s, (int)from->starts);
    return block_pick(hand, s, from->starts, s.run > 1 ? from->length : 1, index);
}

/* The key of a whole set of cards, if it is a combination of this row, else 0. */
ALWAYS cmb_key classify_row(cards_t cards, int held, int largest, const shape_t s) {
    if (!s.copies) {
        for (int order = 0; order < s.literals; order++)
            if (cards == s.sets[order]) return row_key(s, 1) | (cmb_key)order;
        return 0;
    }
    int each = s.copies + s.kickers * s.width, length = held / each;
    if (length < s.run || length * each != held || (s.run == 1 ? length > 1 : length > longest_run(s, largest)))
        return 0;
    cards_t ranks = core_ranks(cards, s), starts = ranks;
    for (int step = 1; step < length; step++) starts &= ranks >> 4 * step;
    for (; starts; starts &= starts - 1) {
        cards_t core = (starts & -starts) * span_of(length), rest = cards - core * (cards_t)s.copies;
        if (s.kickers) {
            cards_t spare = spare_cards(cards, s, core);
            if (!s.jokers && (spare & JOKERS) == JOKERS) continue;
            rest -= spare * (cards_t)s.width;
        }
        if (!rest) return row_key(s, length) | (cmb_key)((lowest(starts) >> 2) + length - 1);
    }
    return 0;
}
#endif
