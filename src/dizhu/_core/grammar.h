/* The searches of moves.h for each family of rows in rows.h: one function a family, picked by number. */
#ifndef DIZHU_GRAMMAR_H
#define DIZHU_GRAMMAR_H

#include "moves.h"
#include "rows.h"

#define LEAD_ROW(...) lead_row(q, hand, largest, (shape_t){ROW_FIELDS(__VA_ARGS__)}, write);
#define FOLLOW_ROW(row, ...)                                                                        \
    case row:                                                                                        \
        follow_row(q, hand, against, (shape_t){ROW_FIELDS(row, __VA_ARGS__)}, write);                \
        break;
#define STRONGER_ROW(row, copies, run, kickers, width, most, beside, jokers, power, ...)            \
    if (power > stands)                                                                              \
        lead_row(q, hand, largest,                                                             \
                 (shape_t){ROW_FIELDS(row, copies, run, kickers, width, most, beside, jokers, power, __VA_ARGS__)}, write);
#define PICK_ROW(row, ...)                                                                          \
    case row:                                                                                        \
        return pick_row(from, hand, (shape_t){ROW_FIELDS(row, __VA_ARGS__)}, index);
#define CLASSIFY_ROW(...)                                                                           \
    if (!key) key = classify_row(cards, held, largest, (shape_t){ROW_FIELDS(__VA_ARGS__)});
#define SHAPE_ROW(...) {ROW_FIELDS(__VA_ARGS__)},
#define ROW_FIELDS(row, copies, run, kickers, width, most, beside, jokers, power, times, literals, ...) \
    row, copies, run, kickers, width, most, beside, jokers, power, times, literals, {__VA_ARGS__}

#define FAMILY(name, NAME)                                                                          \
    ALWAYS void search_##name(search_t *q, cards_t hand, cmb_key against, int largest, int write) {  \
        if (!against) {                                                                              \
            ROWS_##NAME(LEAD_ROW) return;                                                            \
        }                                                                                            \
        int stands = key_power(against);                                                             \
        switch (key_row(against)) { ROWS_##NAME(FOLLOW_ROW) }                                        \
        ROWS_##NAME(STRONGER_ROW)                                                                    \
    }                                                                                                \
    static void write_##name(search_t *q, cards_t hand, cmb_key against, int largest) {              \
        search_##name(q, hand, against, largest, 1);                                                 \
    }                                                                                                \
    static void note_##name(search_t *q, cards_t hand, cmb_key against, int largest) {               \
        search_##name(q, hand, against, largest, 0);                                                 \
    }                                                                                                \
    static move_t pick_##name(const block_t *from, cards_t hand, int index) {                        \
        switch (from->row) { ROWS_##NAME(PICK_ROW) }                                                 \
        return (move_t){0, 0};                                                                       \
    }                                                                                                \
    static cmb_key classify_##name(cards_t cards, int largest) {                                     \
        int held = card_count(cards);                                                                \
        cmb_key key = 0;                                                                             \
        ROWS_##NAME(CLASSIFY_ROW) return key;                                                        \
    }                                                                                                \
    static const shape_t shapes_##name[] = {ROWS_##NAME(SHAPE_ROW)};

FAMILIES(FAMILY)

/* The combinations of one game: which rows, and its largest hand. */
typedef struct {
    int family, largest;
} grammar_t;

#define FAMILY_NAME(name, NAME) #name,
static const char *const family_names[] = {FAMILIES(FAMILY_NAME)};
#define FAMILY_COUNT ((int)(sizeof family_names / sizeof *family_names))

#define FAMILY_ENTRY(name, NAME)                                                                    \
    {write_##name, note_##name, pick_##name, classify_##name, shapes_##name, sizeof shapes_##name / sizeof *shapes_##name},
static const struct {
    void (*write)(search_t *, cards_t, cmb_key, int);
    void (*note)(search_t *, cards_t, cmb_key, int);
    move_t (*pick)(const block_t *, cards_t, int);
    cmb_key (*classify)(cards_t, int);
    const shape_t *shapes;
    int rows;
} families[] = {FAMILIES(FAMILY_ENTRY)};

/* All moves of a hand: a lead if `against` is 0. Returns their number; those beyond the capacity are not stored. */
static inline int all_moves(grammar_t g, cards_t hand, cmb_key against, move_t *moves, int capacity) {
    sink_t out = {moves, capacity, 0};
    search_t q;
    q.out = &out;
    families[g.family].write(&q, hand, against, g.largest);
    return out.count;
}

/* Note the blocks of moves of a hand, without making any; returns the number of moves. */
static inline int note_moves(grammar_t g, search_t *q, cards_t hand, cmb_key against) {
    q->total = q->blocks = 0;
    families[g.family].note(q, hand, against, g.largest);
    return q->total;
}

static inline int count_moves(grammar_t g, cards_t hand, cmb_key against) {
    search_t q;
    return note_moves(g, &q, hand, against);
}

/* The move of that place, below the number noted, in the order of `all_moves`. */
static inline move_t noted_move(grammar_t g, const search_t *q, cards_t hand, int index) {
    const block_t *from = q->block;
    while (index >= from->count) index -= from++->count;
    return families[g.family].pick(from, hand, index);
}

/* The move of that place; cards 0 if there are fewer. */
static inline move_t pick_move(grammar_t g, cards_t hand, cmb_key against, int index) {
    search_t q;
    return index < note_moves(g, &q, hand, against) ? noted_move(g, &q, hand, index) : (move_t){0, 0};
}

static inline cmb_key classify(grammar_t g, cards_t cards) { return families[g.family].classify(cards, g.largest); }

static inline int move_times(grammar_t g, cmb_key key) { return families[g.family].shapes[key_row(key)].times; }

/* Whether a number is the key of any combination. */
static inline int is_key(grammar_t g, cmb_key key) {
    int row = key_row(key), length = key_length(key), rank = key_rank(key);
    if (row >= families[g.family].rows) return 0;
    const shape_t *s = &families[g.family].shapes[row];
    if (key_power(key) != s->power) return 0;
    if (!s->copies) return length == 1 && rank < s->literals;
    if (s->run == 1) return length == 1 && rank < 15;
    return length >= s->run && length <= CHAIN_RANKS && rank >= length - 1 && rank < CHAIN_RANKS;
}
#endif
