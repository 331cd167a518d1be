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
#include "whole.h"

#define FINE_BITS 12
#define COARSE_BITS 2 /* by which activations of the later layers are coarser than those of the first */
#define VALUE_OF_ONE (1 << 22)
#define MOST_ROLES 5

/* first: a row for each fact. second, third: for each two inputs, their weights of each output. heads: by output. */
typedef struct {
    int16_t *first, *second, *third, *heads;
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

/* The file has the weights of each output together; two inputs at a time are what processors multiply best. */
static inline void pair_inputs(int16_t *weights, int16_t *spare, int inputs, int outputs) {
    for (int output = 0; output < outputs; output++)
        for (int input = 0; input < inputs; input++)
            spare[(input / 2 * outputs + output) * 2 + input % 2] = weights[output * inputs + input];
    memcpy(weights, spare, sizeof *weights * (size_t)(inputs * outputs));
}

/* `at`: one network as it is in the file; its numbers are put in another order. */
static inline void place_net(const facts_t *f, char *at, net_t *net) {
    int16_t spare[WIDE * MIDDLE];
    net->first = (int16_t *)at;
    net->second = net->first + (size_t)f->size * WIDE;
    net->third = net->second + WIDE * MIDDLE;
    net->heads = net->third + MIDDLE * NARROW;
    net->first_bias = (int32_t *)(void *)(net->heads + NARROW * HEADS);
    net->second_bias = net->first_bias + WIDE;
    net->third_bias = net->second_bias + MIDDLE;
    net->heads_bias = net->third_bias + NARROW;
    pair_inputs(net->second, spare, WIDE, MIDDLE);
    pair_inputs(net->third, spare, MIDDLE, NARROW);
}

/* Cut what is below zero, and what does not fit. */
INLINED void cut(int16_t *restrict out, const int32_t *restrict in, int size) {
    for (int i = 0; i < size; i++) {
        int32_t value = in[i] < 0 ? 0 : in[i];
        out[i] = (int16_t)(value > INT16_MAX ? INT16_MAX : value);
    }
}

INLINED int32_t product(const int16_t *restrict a, const int16_t *restrict b, int size) {
    uint32_t sum = 0;
    for (int i = 0; i < size; i++) sum += (uint32_t)((int32_t)a[i] * b[i]);
    return (int32_t)sum;
}

/* A later layer; `coarse`: by how many bits its input is coarser than the first layer. */
INLINED void whole_layer(int16_t *restrict out, const int16_t *restrict in, const int16_t *weights, const int32_t *bias,
                         int inputs, int outputs, int coarse) {
    int32_t sums[MIDDLE];
    for (int i = 0; i < outputs; i++) sums[i] = bias[i] >> coarse;
    ADD_PRODUCTS(sums, in, weights, inputs, outputs);
    for (int i = 0; i < outputs; i++) sums[i] >>= FINE_BITS + COARSE_BITS - coarse;
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
    EXCHANGE_ROWS(base, net->first_bias, net->first, facts, count, NULL, 0);
    int held = add_cards(f, rows, f->hand, hand);
    EXCHANGE_ROWS(base, base, net->first, rows, held, NULL, 0);
    for (int i = 0; i < choices; i++) {
        int adding = move_facts(&J->game, f, rows, others, hand, moves[i]), taking = 0;
        for (cards_t ranks = at_least(moves[i].cards, 1); ranks; ranks &= ranks - 1) {
            int shift = lowest(ranks), used = (int)(moves[i].cards >> shift & 15), own = (int)(hand >> shift & 15);
            taken[taking++] = (uint16_t)(f->hand + card_fact(f, shift / 4, own));
            if (own > used) rows[adding++] = (uint16_t)(f->hand + card_fact(f, shift / 4, own - used));
        }
        EXCHANGE_ROWS(sum, base, net->first, rows, adding, taken, taking);
        cut(wide, sum, WIDE);
        whole_layer(middle, wide, net->second, net->second_bias, WIDE, MIDDLE, 0);
        whole_layer(narrow, middle, net->third, net->third_bias, MIDDLE, NARROW, COARSE_BITS);
        for (int head = 0; head < HEADS; head++)
            values[i][head] = (int32_t)((uint32_t)wrapped(net->heads_bias[head] >> COARSE_BITS,
                                                          product(net->heads + head * NARROW, narrow, NARROW))
                                        << COARSE_BITS);
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
