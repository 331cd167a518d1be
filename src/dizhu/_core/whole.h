/* Sums of whole numbers, where networks take most of their time: in plain C, and with the instructions of AVX2. Both
 * wrap around at 32 bits, and both give the same. */
#ifndef DIZHU_WHOLE_H
#define DIZHU_WHOLE_H

#include "network.h"

#define PART 64 /* columns whose sums stay in registers together */

/* Sums of signed numbers that do not fit are undefined in C; those of unsigned ones wrap around. */
INLINED int32_t wrapped(int32_t a, int32_t b) { return (int32_t)((uint32_t)a + (uint32_t)b); }

/* out = base + some rows of WIDE - others. */
static inline void exchange_rows_plain(int32_t *out, const int32_t *base, const int16_t *rows, const uint16_t *added,
                                       int adding, const uint16_t *taken, int taking) {
    memmove(out, base, WIDE * sizeof *out);
    for (int n = 0; n < adding; n++)
        for (int i = 0; i < WIDE; i++) out[i] = wrapped(out[i], rows[added[n] * WIDE + i]);
    for (int n = 0; n < taking; n++)
        for (int i = 0; i < WIDE; i++) out[i] = wrapped(out[i], -rows[taken[n] * WIDE + i]);
}

/* sums += in * weights. Weights of two inputs lie together, for each output in turn. */
static inline void add_products_plain(int32_t *sums, const int16_t *in, const int16_t *weights, int inputs, int outputs) {
    for (int pair = 0; pair < inputs / 2; pair++) {
        const int16_t *row = weights + 2 * pair * outputs;
        int32_t first = in[2 * pair], second = in[2 * pair + 1];
        if (!first && !second) continue;
        for (int i = 0; i < outputs; i++) sums[i] = wrapped(sums[i], wrapped(row[2 * i] * first, row[2 * i + 1] * second));
    }
}

#if defined __x86_64__ && defined __GNUC__ && !defined __clang__
#define FOR_AVX2 __attribute__((target("avx2,bmi"), optimize("O3")))

typedef int16_t halves __attribute__((vector_size(16), aligned(2), may_alias));
typedef int16_t pairs __attribute__((vector_size(32), aligned(2), may_alias));
typedef uint32_t wholes __attribute__((vector_size(32), aligned(4), may_alias));

FOR_AVX2 static inline void exchange_rows_avx2(int32_t *out, const int32_t *base, const int16_t *rows, const uint16_t *added,
                                               int adding, const uint16_t *taken, int taking) {
    for (int begin = 0; begin < WIDE; begin += PART) {
        wholes sum[PART / 8];
        for (int i = 0; i < PART / 8; i++) sum[i] = *(const wholes *)(base + begin + 8 * i);
        for (int n = 0; n < adding; n++)
            for (int i = 0; i < PART / 8; i++)
                sum[i] += (wholes)__builtin_ia32_pmovsxwd256(*(const halves *)(rows + added[n] * WIDE + begin + 8 * i));
        for (int n = 0; n < taking; n++)
            for (int i = 0; i < PART / 8; i++)
                sum[i] -= (wholes)__builtin_ia32_pmovsxwd256(*(const halves *)(rows + taken[n] * WIDE + begin + 8 * i));
        for (int i = 0; i < PART / 8; i++) *(wholes *)(out + begin + 8 * i) = sum[i];
    }
}

/* Of two inputs both are zero about every other time: a bit says of which they are not. */
FOR_AVX2 static inline void add_products_avx2(int32_t *sums, const int16_t *in, const int16_t *weights, int inputs, int outputs) {
    uint64_t live[WIDE / 128] = {0};
    for (int pair = 0; pair < inputs / 2; pair += 8) {
        wholes zero = *(const wholes *)(const void *)(in + 2 * pair) == 0;
        uint64_t found = ~(unsigned)__builtin_ia32_movmskps256((__attribute__((vector_size(32))) float)zero) & 255;
        live[pair / 64] |= found << pair % 64;
    }
    for (int begin = 0; begin < outputs; begin += PART) {
        wholes sum[PART / 8];
        for (int i = 0; i < PART / 8; i++) sum[i] = *(const wholes *)(sums + begin + 8 * i);
        for (int word = 0; word < inputs / 128; word++)
            for (uint64_t left = live[word]; left; left &= left - 1) {
                int pair = 64 * word + __builtin_ctzll(left);
                const int16_t *row = weights + 2 * (pair * outputs + begin);
                uint32_t both;
                memcpy(&both, in + 2 * pair, sizeof both);
                wholes twice = both - (wholes){0};
                for (int i = 0; i < PART / 8; i++)
                    sum[i] += (wholes)__builtin_ia32_pmaddwd256(*(const pairs *)(row + 16 * i), (pairs)twice);
            }
        for (int i = 0; i < PART / 8; i++) *(wholes *)(sums + begin + 8 * i) = sum[i];
    }
}

#define EXCHANGE_ROWS (__builtin_cpu_supports("avx2") ? exchange_rows_avx2 : exchange_rows_plain)
#define ADD_PRODUCTS (__builtin_cpu_supports("avx2") ? add_products_avx2 : add_products_plain)
#else
#define EXCHANGE_ROWS exchange_rows_plain
#define ADD_PRODUCTS add_products_plain
#endif
#endif
