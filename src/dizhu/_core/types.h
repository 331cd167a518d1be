/* What the files of the Python module share. */
#ifndef DIZHU_TYPES_H
#define DIZHU_TYPES_H

#include "convert.h"

extern PyType_Spec batch_spec;

/* The game of a Rules object; NULL and TypeError for any other. `type` is a type of this module. */
const game_t *rules_game(PyTypeObject *type, PyObject *rules);

/* Solve a position with open hands: whether the side in turn wins (-1: unknown), positions looked at, the best line. */
PyObject *solve_table(const game_t *game, const table_t *table, long long most);

static inline int to_seed(PyObject *object, uint64_t *state) {
    *state = PyLong_AsUnsignedLongLongMask(object);
    return !(*state == (uint64_t)-1 && PyErr_Occurred());
}
#endif
