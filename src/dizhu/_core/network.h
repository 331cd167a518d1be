/* A network that values moves: sparse rows of ones in, what a move is worth out.
 *
 * The first layer is a sum of rows, one for each fact that holds. The facts of a position are summed once a decision; a
 * move then only exchanges a few rows. Two heads say what the seat will have at the end: 1 for a hand won and -1 for one
 * lost, and the points of it (see learn.h). All numbers of a network lie in one array, in the order of the offsets below. */
#ifndef DIZHU_NETWORK_H
#define DIZHU_NETWORK_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#define WIDE 256
#define MIDDLE 128
#define NARROW 64
#define HEADS 2
#define LANES 8

typedef float vec __attribute__((vector_size(LANES * sizeof(float)), aligned(LANES * sizeof(float)), may_alias));

typedef int32_t mask __attribute__((vector_size(LANES * sizeof(int32_t)), aligned(LANES * sizeof(int32_t)), may_alias));

/* One version of a function for processors with wide registers, one for all others; the loader picks. */
#ifdef FOR_EACH_PROCESSOR
#elif defined __x86_64__ && defined __GNUC__ && !defined __clang__ && defined __linux__
#define FOR_EACH_PROCESSOR __attribute__((target_clones("arch=x86-64-v3", "default"), optimize("O3")))
#else
#define FOR_EACH_PROCESSOR
#endif
#define INLINED static inline __attribute__((always_inline, unused))

/* Where the parts of a network with so many rows begin. */
typedef struct {
    int rows;
    size_t first, first_bias, second, second_bias, third, third_bias, heads, heads_bias, size;
} plan_t;

static inline plan_t plan_for(int rows) {
    plan_t p = {.rows = rows};
    p.first = 0;
    p.first_bias = (size_t)rows * WIDE;
    p.second = p.first_bias + WIDE;
    p.second_bias = p.second + WIDE * MIDDLE;
    p.third = p.second_bias + MIDDLE;
    p.third_bias = p.third + MIDDLE * NARROW;
    p.heads = p.third_bias + NARROW;
    p.heads_bias = p.heads + HEADS * NARROW;
    p.size = p.heads_bias + LANES;
    return p;
}

/* What a network computed for one move: the layers after their thresholds, and which of the first are not zero. */
typedef struct {
    float wide[WIDE] __attribute__((aligned(64)));
    float middle[MIDDLE] __attribute__((aligned(64)));
    float narrow[NARROW] __attribute__((aligned(64)));
    float value[HEADS];
    int active[WIDE + 1], count;
} layers_t;

INLINED void add_floats(float *to, const float *from, int size) {
    for (int i = 0; i < size; i += LANES) *(vec *)(to + i) += *(const vec *)(from + i);
}

INLINED void subtract_floats(float *to, const float *from, int size) {
    for (int i = 0; i < size; i += LANES) *(vec *)(to + i) -= *(const vec *)(from + i);
}

INLINED void add_scaled(float *to, const float *from, float factor, int size) {
    for (int i = 0; i < size; i += LANES) *(vec *)(to + i) += *(const vec *)(from + i) * factor;
}

INLINED float dot(const float *a, const float *b, int size) {
    vec sum = {0};
    for (int i = 0; i < size; i += LANES) sum += *(const vec *)(a + i) * *(const vec *)(b + i);
    float total = 0;
    for (int lane = 0; lane < LANES; lane++) total += sum[lane];
    return total;
}

/* out = bias + the rows of `weights` whose input is not zero, scaled by it; half of the outputs stay in registers. */
INLINED void layer(float *out, const float *bias, const float *weights, const float *in, const int *active, int count,
                   int outputs) {
    for (int begin = 0; begin < outputs; begin += NARROW) {
        vec sum[NARROW / LANES];
        for (int i = 0; i < NARROW / LANES; i++) sum[i] = *(const vec *)(bias + begin + i * LANES);
        for (int n = 0; n < count; n++) {
            const float *row = weights + (size_t)active[n] * (size_t)outputs + begin;
            float factor = in[active[n]];
            for (int i = 0; i < NARROW / LANES; i++) sum[i] += *(const vec *)(row + i * LANES) * factor;
        }
        for (int i = 0; i < NARROW / LANES; i++) *(vec *)(out + begin + i * LANES) = sum[i];
    }
}

/* Cut negative values to zero, and list the places of the others; without a branch, for nobody can foretell it. */
INLINED int threshold(float *values, int *active, int size) {
    int count = 0;
    for (int i = 0; i < size; i++) {
        active[count] = i;
        count += values[i] > 0;
    }
    for (int i = 0; i < size; i += LANES) {
        vec *value = (vec *)(values + i);
        *value = (vec)((mask)*value & (*value > 0));
    }
    return count;
}

/* From the sum of the first layer's rows (in `wide`) to the values. */
INLINED void finish_forward(const plan_t *p, const float *net, layers_t *l) {
    int active[MIDDLE + 1];
    l->count = threshold(l->wide, l->active, WIDE);
    layer(l->middle, net + p->second_bias, net + p->second, l->wide, l->active, l->count, MIDDLE);
    int count = threshold(l->middle, active, MIDDLE);
    layer(l->narrow, net + p->third_bias, net + p->third, l->middle, active, count, NARROW);
    threshold(l->narrow, active, NARROW);
    for (int head = 0; head < HEADS; head++)
        l->value[head] = net[p->heads_bias + (size_t)head] + dot(l->narrow, net + p->heads + head * NARROW, NARROW);
}

INLINED void sum_rows(const plan_t *p, const float *net, const uint16_t *rows, int count, float *out) {
    memcpy(out, net + p->first_bias, WIDE * sizeof *out);
    for (int n = 0; n < count; n++) add_floats(out, net + (size_t)rows[n] * WIDE, WIDE);
}

/* Add to `gradient` that of the squared errors of one move; returns their sum. */
INLINED float learn_one(const plan_t *p, const float *net, float *gradient, const uint16_t *rows, int count,
                        const float *target) {
    layers_t l;
    float narrow[NARROW] __attribute__((aligned(64))) = {0}, middle[MIDDLE] __attribute__((aligned(64)));
    float wide[WIDE] __attribute__((aligned(64)));
    float loss = 0;
    sum_rows(p, net, rows, count, l.wide);
    finish_forward(p, net, &l);
    for (int head = 0; head < HEADS; head++) {
        float error = l.value[head] - target[head];
        loss += error * error;
        gradient[p->heads_bias + (size_t)head] += 2 * error;
        add_scaled(gradient + p->heads + head * NARROW, l.narrow, 2 * error, NARROW);
        add_scaled(narrow, net + p->heads + head * NARROW, 2 * error, NARROW);
    }
    for (int i = 0; i < NARROW; i++)
        if (l.narrow[i] <= 0) narrow[i] = 0;
    add_floats(gradient + p->third_bias, narrow, NARROW);
    for (int i = 0; i < MIDDLE; i++) {
        middle[i] = 0;
        if (l.middle[i] <= 0) continue;
        middle[i] = dot(net + p->third + i * NARROW, narrow, NARROW);
        add_scaled(gradient + p->third + i * NARROW, narrow, l.middle[i], NARROW);
    }
    add_floats(gradient + p->second_bias, middle, MIDDLE);
    memset(wide, 0, sizeof wide);
    for (int n = 0; n < l.count; n++) {
        int i = l.active[n];
        wide[i] = dot(net + p->second + i * MIDDLE, middle, MIDDLE);
        add_scaled(gradient + p->second + i * MIDDLE, middle, l.wide[i], MIDDLE);
    }
    add_floats(gradient + p->first_bias, wide, WIDE);
    for (int n = 0; n < count; n++) add_floats(gradient + (size_t)rows[n] * WIDE, wide, WIDE);
    return loss;
}

/* One step of Adam (Kingma and Ba, 2014), with the gradient of a batch, which is cleared. `mean` and `square` are its
 * running moments, `step` counts from 1. */
#define ADAM_MEAN 0.9f
#define ADAM_SQUARE 0.999f
#define ADAM_SMALL 1e-8f

INLINED void adam(float *net, float *gradient, float *mean, float *square, size_t size, long step, float rate, int batch) {
    float scale = 1.0f / (float)batch;
    float rest = sqrtf((float)(1 - pow(ADAM_SQUARE, (double)step))) / (float)(1 - pow(ADAM_MEAN, (double)step));
    for (size_t i = 0; i < size; i++) {
        float g = gradient[i] * scale;
        mean[i] = ADAM_MEAN * mean[i] + (1 - ADAM_MEAN) * g;
        square[i] = ADAM_SQUARE * square[i] + (1 - ADAM_SQUARE) * g * g;
        net[i] -= rate * rest * mean[i] / (sqrtf(square[i]) + ADAM_SMALL);
        gradient[i] = 0;
    }
}
#endif
