/* Networks as they are shipped: whole numbers, so that every machine, and NumPy, computes the same values.
 *
 * An activation of 1 is 2^10 in the first layer and 2^8 in the later ones, where it grows to 80 and more; a weight of
 * the later layers of 1 is 2^12, biases and values of 1 are 2^22. Sums wrap around at 32 bits. dizhu.network.stored
 * describes the file, dizhu.network.plain is the readable form. */
#ifndef DIZHU_JUDGE_H
#define DIZHU_JUDGE_H

#include <stdlib.h>

#include "facts.h"
#include "network.h"

#define FINE_BITS 12
#define COARSE_BITS 2 /* by which activations of the later layers are coarser than those of the first */
#define VALUE_OF_ONE (1 << 22)
#define MOST_ROLES 5

typedef struct {
    int16_t *first, *second, *third, *heads; /* by fact; the others by output */
    int32_t *first_bias, *second_bias, *third_bias, *heads_bias;
} net_t;

typedef struct {
    game_t game;
    facts_t facts;
    net_t nets[MOST_ROLES];
    char *numbers; /* where all of them lie */
} judge_t;

/* Bytes of one network. Its arrays follow each other, weights first, then the bias of each layer. */
static inline size_t net_size(const facts_t *f) {
    size_t weights = (size_t)f->size * WIDE + WIDE * MIDDLE + MIDDLE * NARROW + NARROW * HEADS;
    return 2 * weights + 4 * (WIDE + MIDDLE + NARROW + HEADS);
}

static inline void place_net(const facts_t *f, char *at, net_t *net) {
    net->first = (int16_t *)at;
    net->second = net->first + (size_t)f->size * WIDE;
    net->third = net->second + WIDE * MIDDLE;
    net->heads = net->third + MIDDLE * NARROW;
    net->first_bias = (int32_t *)(void *)(net->heads + NARROW * HEADS);
    net->second_bias = net->first_bias + WIDE;
    net->third_bias = net->second_bias + MIDDLE;
    net->heads_bias = net->third_bias + NARROW;
}

/* Compilers do not turn a loop that widens numbers into vectors by themselves. */
typedef int16_t halves __attribute__((vector_size(LANES * sizeof(int16_t)), aligned(sizeof(int16_t)), may_alias));
typedef int32_t wholes __attribute__((vector_size(LANES * sizeof(int32_t)), aligned(sizeof(int32_t)), may_alias));

/* out = base + some rows - others; a part of the columns stays in registers. */
INLINED void exchange_whole(int32_t *out, const int32_t *base, const int16_t *first, const uint16_t *added, int adding,
                            const uint16_t *taken, int taking) {
    for (int begin = 0; begin < WIDE; begin += NARROW) {
        wholes sum[NARROW / LANES];
        for (int i = 0; i < NARROW / LANES; i++) sum[i] = *(const wholes *)(base + begin + i * LANES);
        for (int n = 0; n < adding; n++)
            for (int i = 0; i < NARROW / LANES; i++)
                sum[i] += __builtin_convertvector(*(const halves *)(first + (size_t)added[n] * WIDE + begin + i * LANES), wholes);
        for (int n = 0; n < taking; n++)
            for (int i = 0; i < NARROW / LANES; i++)
                sum[i] -= __builtin_convertvector(*(const halves *)(first + (size_t)taken[n] * WIDE + begin + i * LANES), wholes);
        for (int i = 0; i < NARROW / LANES; i++) *(wholes *)(out + begin + i * LANES) = sum[i];
    }
}

/* Cut what is below zero, and what does not fit. */
INLINED void cut(int16_t *restrict out, const int32_t *restrict in, int size) {
    for (int i = 0; i < size; i++) {
        int32_t value = in[i] < 0 ? 0 : in[i];
        out[i] = (int16_t)(value > INT16_MAX ? INT16_MAX : value);
    }
}

/* Sums of signed numbers that do not fit are undefined in C; those of unsigned ones wrap around. */
INLINED int32_t wrapped(int32_t a, int32_t b) { return (int32_t)((uint32_t)a + (uint32_t)b); }

INLINED int32_t product(const int16_t *restrict a, const int16_t *restrict b, int size) {
    uint32_t sum = 0;
    for (int i = 0; i < size; i++) sum += (uint32_t)((int32_t)a[i] * b[i]);
    return (int32_t)sum;
}

/* A later layer; `coarse`: by how many bits its input is coarser than the first layer. */
INLINED void whole_layer(int16_t *restrict out, const int16_t *restrict in, const int16_t *weights, const int32_t *bias,
                         int inputs, int outputs, int coarse) {
    int32_t sums[MIDDLE];
    for (int i = 0; i < outputs; i++)
        sums[i] = wrapped(bias[i] >> coarse, product(weights + i * inputs, in, inputs)) >> (FINE_BITS + COARSE_BITS - coarse);
    cut(out, sums, outputs);
}

/* The values of moves of a hand, for winning and for points; `facts` are those of the position. */
FOR_EACH_PROCESSOR static void judge_moves(const judge_t *J, int role, const uint16_t *facts, int count, const others_t *others,
                                           cards_t hand, const move_t *moves, int choices, int32_t (*values)[HEADS]) {
    const net_t *net = &J->nets[role];
    const facts_t *f = &J->facts;
    int32_t base[WIDE], sum[WIDE];
    int16_t wide[WIDE], middle[MIDDLE], narrow[NARROW];
    uint16_t rows[MOVE_FACTS + RANKS], taken[RANKS];
    exchange_whole(base, net->first_bias, net->first, facts, count, taken, 0);
    int held = add_cards(f, rows, f->hand, hand);
    exchange_whole(base, base, net->first, rows, held, taken, 0);
    for (int i = 0; i < choices; i++) {
        int adding = move_facts(&J->game, f, rows, others, hand, moves[i]), taking = 0;
        for (cards_t ranks = at_least(moves[i].cards, 1); ranks; ranks &= ranks - 1) {
            int shift = lowest(ranks), used = (int)(moves[i].cards >> shift & 15), own = (int)(hand >> shift & 15);
            taken[taking++] = (uint16_t)(f->hand + card_fact(f, shift / 4, own));
            if (own > used) rows[adding++] = (uint16_t)(f->hand + card_fact(f, shift / 4, own - used));
        }
        exchange_whole(sum, base, net->first, rows, adding, taken, taking);
        cut(wide, sum, WIDE);
        whole_layer(middle, wide, net->second, net->second_bias, WIDE, MIDDLE, 0);
        whole_layer(narrow, middle, net->third, net->third_bias, MIDDLE, NARROW, COARSE_BITS);
        for (int head = 0; head < HEADS; head++)
            values[i][head] = wrapped(net->heads_bias[head] >> COARSE_BITS, product(net->heads + head * NARROW, narrow, NARROW)) *
                              (1 << COARSE_BITS);
    }
}

/* The place of the best of some values, where points weigh `score` 256ths beside winning; of equals the first. */
static inline int best_value(int32_t (*values)[HEADS], int choices, int score) {
    int best = 0;
    int64_t highest = INT64_MIN;
    for (int i = 0; i < choices; i++) {
        int64_t value = (int64_t)values[i][0] * 256 + (int64_t)values[i][1] * score;
        if (value > highest) highest = value, best = i;
    }
    return best;
}
#endif
