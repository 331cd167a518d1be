/* Between Python objects and sets of cards, keys and moves. */
#ifndef DIZHU_CONVERT_H
#define DIZHU_CONVERT_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "table.h"

/* Read a set of cards: fifteen nibbles of 0 to 8. */
static inline int to_cards(PyObject *object, cards_t *cards) {
#if LONG_MAX >> 60
    /* the quickest way that Python offers; what does not fit becomes -1, which is no set of cards either */
    int overflow;
    long number = PyLong_AsLongAndOverflow(object, &overflow);
    if (number == -1 && !overflow && PyErr_Occurred()) return 0;
    uint64_t word = (uint64_t)number;
#else
    uint64_t word = PyLong_AsUnsignedLongLong(object);
    if (word == (uint64_t)-1 && PyErr_Occurred()) {
        if (!PyErr_ExceptionMatches(PyExc_OverflowError)) return 0;
        PyErr_Clear();
        word = ~0ULL;
    }
#endif
    /* a nibble above eight has its top bit and another one set */
    if (word >> 60 || word & (word >> 3 & ONES) * 7) {
        PyErr_SetString(PyExc_ValueError, "a set of cards is fifteen nibbles of 0 to 8");
        return 0;
    }
    *cards = word;
    return 1;
}

static inline int to_int(PyObject *object, int low, int high, const char *name, int *value) {
    long number = PyLong_AsLong(object);
    if (number == -1 && PyErr_Occurred()) {
        if (!PyErr_ExceptionMatches(PyExc_OverflowError)) return 0;
        PyErr_Clear();
        number = (long)low - 1;
    }
    if (number < low || number > high) {
        PyErr_Format(PyExc_ValueError, "%s must be from %d to %d", name, low, high);
        return 0;
    }
    *value = (int)number;
    return 1;
}

/* Read what makes a game, of which seats, deal, bottom and marked are there already. */
static inline int read_game(game_t *game, const char *family, PyObject *deck) {
    int found = 0, largest = game->deal + game->bottom;
    if (!to_cards(deck, &game->deck)) return 0;
    for (int number = 0; number < FAMILY_COUNT; number++)
        if (!strcmp(family, family_names[number])) {
            game->grammar.family = number;
            found = 1;
        }
    if (!found)
        PyErr_Format(PyExc_ValueError, "no family of rows is called %s", family);
    else if (game->seats < 2 || game->seats > MOST_SEATS || game->deal < 1 || game->bottom < 0 || largest > 24 ||
             game->seats * game->deal + game->bottom > card_count(game->deck) || card_count(game->deck) > MOST_DECK)
        PyErr_Format(PyExc_ValueError, "these seats and cards do not make a game");
    else if (game->marked && game->deck != 0x220000000000000ULL + 8 * (ONES & ~JOKERS))
        PyErr_Format(PyExc_ValueError, "a marked card needs two whole decks");
    if (PyErr_Occurred()) return 0;
    game->grammar.largest = largest;
    spread_deck(game);
    return 1;
}

/* Read what has to be beaten: 0 on a lead, else the key of a combination of this game. */
static inline int to_key(PyObject *object, grammar_t grammar, cmb_key *key) {
    int value;
    if (!to_int(object, 0, (1 << 18) - 1, "key", &value)) return 0;
    if (value && !is_key(grammar, (cmb_key)value)) {
        PyErr_SetString(PyExc_ValueError, "not the key of a combination");
        return 0;
    }
    *key = (cmb_key)value;
    return 1;
}

static inline int expect(const char *name, Py_ssize_t given, Py_ssize_t wanted) {
    if (given == wanted) return 1;
    PyErr_Format(PyExc_TypeError, "%s takes %zd arguments, not %zd", name, wanted, given);
    return 0;
}

static inline PyObject *text_of(cards_t cards) {
    static const char ranks[] = "3456789TJQKA2BR";
    char text[15 * 8];
    int size = 0;
    for (int rank = 0; cards; rank++, cards >>= 4)
        for (int copies = (int)(cards & 15); copies; copies--) text[size++] = ranks[rank];
    PyObject *result = PyUnicode_New(size, 127);
    if (result) memcpy(PyUnicode_1BYTE_DATA(result), text, (size_t)size);
    return result;
}

static inline PyObject *pair_of(move_t move) { return Py_BuildValue("(KI)", (unsigned long long)move.cards, move.key); }

static inline PyObject *word_of(move_t move) { return PyLong_FromUnsignedLongLong(move.cards); }

static inline PyObject *move_text(move_t move) { return text_of(move.cards); }

/* All moves of a hand, in the caller's own buffer or, when there are more, in one that PyMem_Free must free. */
static inline move_t *find_moves(grammar_t g, cards_t hand, cmb_key against, move_t *own, int capacity, int *count) {
    *count = all_moves(g, hand, against, own, capacity);
    if (*count <= capacity) return own;
    move_t *larger = PyMem_Malloc(sizeof(move_t) * (size_t)*count);
    if (larger) all_moves(g, hand, against, larger, *count);
    else PyErr_NoMemory();
    return larger;
}

/* List moves, each as `make` says, after a 0 for a pass where one is allowed. */
static inline PyObject *list_of(const move_t *moves, int count, int pass, PyObject *(*make)(move_t)) {
    PyObject *list = PyList_New(count + pass);
    for (int i = 0; list && i < count + pass; i++) {
        PyObject *item = i < pass ? PyLong_FromLong(0) : make(moves[i - pass]);
        if (item) PyList_SET_ITEM(list, i, item);
        else Py_CLEAR(list);
    }
    return list;
}
#endif
