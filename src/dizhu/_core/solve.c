/* The solver for Python. */
#include "types.h"
#include "solve.h"

/* Follow the best moves of a solved position to the end; what was forgotten meanwhile is searched again. */
static PyObject *line_of(solver_t *s, table_t t, int best) {
    PyObject *line = PyList_New(0);
    while (line && t.winner < 0) {
        int count = try_order(s, &t, s->moves, MOVES_AT_HAND);
        move_t move = s->moves[best < count ? best : 0];
        PyObject *word = PyLong_FromUnsignedLongLong(move.cards);
        if (!word || PyList_Append(line, word)) Py_CLEAR(line);
        Py_XDECREF(word);
        put(s->game, &t, move);
        if (line && t.winner < 0 && side_wins(s, &t, 0, &best) == UNKNOWN) break;
    }
    return line;
}

PyObject *solve_table(const game_t *game, const table_t *table, long long most) {
    solver_t s = {.game = game, .most = most};
    int cards = 0;
    for (int seat = 0; seat < game->seats; seat++) cards += card_count(table->hands[seat]);
    /* room for what such a position may need: clearing more than that takes longer than the search */
    s.mask = (1ULL << (cards < 14 ? 10 : cards < 28 ? cards * 3 / 4 : 21)) - 1;
    int best = 0, won = UNKNOWN;
    s.found = calloc(s.mask + 1, sizeof *s.found);
    s.moves = malloc(MOVES_AT_HAND * sizeof *s.moves);
    PyObject *result = NULL, *line = NULL;
    if (!s.found || !s.moves) {
        PyErr_NoMemory();
    } else {
        Py_BEGIN_ALLOW_THREADS;
        won = side_wins(&s, table, 0, &best);
        Py_END_ALLOW_THREADS;
        s.most = INT64_MAX;
        line = won == UNKNOWN ? PyList_New(0) : line_of(&s, *table, best);
        if (line) result = Py_BuildValue("(iLN)", won, s.nodes, line);
    }
    free(s.found);
    free(s.moves);
    return result;
}
