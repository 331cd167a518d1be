/* The Python type Batch: many hands stepped at once over buffers that Python owns. */
#include "batch.h"

#include "convert.h"
#include "types.h"

typedef struct {
    PyObject_HEAD
    batch_t batch;
    int busy; /* a thread is inside, without the interpreter's lock */
} Batch;

static PyObject *batch_new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    static char *names[] = {"rules", "count", "seed", "let", NULL};
    PyObject *rules, *seed;
    int count, let = 0;
    uint64_t draws;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "OiO|i", names, &rules, &count, &seed, &let)) return NULL;
    const game_t *game = rules_game(type, rules);
    if (!game || !to_seed(seed, &draws)) return NULL;
    if (count < 1 || count > 1 << 20 || let < 0 || let > MOST_LET)
        return PyErr_Format(PyExc_ValueError, "count must be from 1 to %d, let from 0 to %d", 1 << 20, MOST_LET);
    Batch *self = (Batch *)type->tp_alloc(type, 0);
    if (!self) return NULL;
    batch_t *b = &self->batch;
    *b = (batch_t){.game = *game, .count = count, .let = let, .capacity = 32 * count};
    b->hands = calloc((size_t)count, sizeof(hand_t));
    b->starts = calloc((size_t)count + 1, sizeof(int));
    b->moves = malloc(sizeof(move_t) * (size_t)b->capacity);
    if (b->hands && b->starts && b->moves) {
        for (int i = 0; i < count; i++) {
            b->hands[i].draws = draw(&draws);
            new_hand(b, &b->hands[i]);
        }
        if (list_batch(b)) return (PyObject *)self;
    }
    Py_DECREF(self);
    return PyErr_NoMemory();
}

static void batch_dealloc(Batch *self) {
    PyTypeObject *type = Py_TYPE(self);
    free(self->batch.hands);
    free(self->batch.starts);
    free(self->batch.moves);
    type->tp_free((PyObject *)self);
    Py_DECREF(type);
}

static int enter(Batch *self) {
    if (!self->busy) return self->busy = 1;
    PyErr_SetString(PyExc_RuntimeError, "another thread is using this batch");
    return 0;
}

/* Take hold of a contiguous buffer of so many items of that size. */
static int take(PyObject *object, Py_buffer *buffer, int flags, Py_ssize_t items, Py_ssize_t size, const char *name) {
    if (PyObject_GetBuffer(object, buffer, flags | PyBUF_C_CONTIGUOUS)) return 0;
    if (buffer->itemsize == size && buffer->len >= items * size) return 1;
    PyErr_Format(PyExc_ValueError, "%s must have at least %zd items of %zd bytes", name, items, size);
    PyBuffer_Release(buffer);
    return 0;
}

static PyObject *batch_step(Batch *self, PyObject *actions) {
    batch_t *b = &self->batch;
    Py_buffer buffer;
    if (!take(actions, &buffer, PyBUF_FORMAT, b->count, 4, "actions")) return NULL;
    const int32_t *chosen = buffer.buf;
    int wrong = -1, memory = 1;
    if (!enter(self)) {
        PyBuffer_Release(&buffer);
        return NULL;
    }
    for (int i = 0; i < b->count && wrong < 0; i++)
        if (chosen[i] < 0 || chosen[i] >= b->starts[i + 1] - b->starts[i]) wrong = i;
    if (wrong < 0) {
        Py_BEGIN_ALLOW_THREADS;
        for (int i = 0; i < b->count; i++) step_hand(b, &b->hands[i], b->moves[b->starts[i] + chosen[i]]);
        memory = list_batch(b);
        b->stale++;
        Py_END_ALLOW_THREADS;
    }
    self->busy = 0;
    if (wrong >= 0)
        PyErr_Format(PyExc_ValueError, "hand %d has %d moves, there is no move %d; nothing was played", wrong,
                     b->starts[wrong + 1] - b->starts[wrong], chosen[wrong]);
    PyBuffer_Release(&buffer);
    if (wrong >= 0) return NULL;
    return memory ? PyLong_FromLong(b->starts[b->count]) : PyErr_NoMemory();
}

enum { STATES, HISTORIES, MOVES, STARTS, TURNS, DONE, POINTS, BUFFERS };

static PyObject *batch_observe(Batch *self, PyObject *const *args, Py_ssize_t given) {
    batch_t *b = &self->batch;
    const game_t *g = &b->game;
    int width = width_of(g), rows = b->starts[b->count], size = state_size(g), taken = 0;
    const struct {
        const char *name;
        Py_ssize_t items, size;
    } wanted[BUFFERS] = {
        {"states", (Py_ssize_t)b->count * size, 1},   {"histories", (Py_ssize_t)b->count * HISTORY * width, 1},
        {"moves", (Py_ssize_t)rows * width, 1},       {"starts", (Py_ssize_t)b->count + 1, 4},
        {"turns", b->count, 1},                       {"done", b->count, 1},
        {"points", (Py_ssize_t)b->count * g->seats, 4},
    };
    Py_buffer buffers[BUFFERS];
    if (!expect("observe", given, BUFFERS)) return NULL;
    while (taken < BUFFERS && take(args[taken], &buffers[taken], PyBUF_WRITABLE, wanted[taken].items,
                                   wanted[taken].size, wanted[taken].name))
        taken++;
    int ready = taken == BUFFERS && enter(self);
    if (ready) {
        int8_t *states = buffers[STATES].buf, *histories = buffers[HISTORIES].buf, *moves = buffers[MOVES].buf;
        int8_t *turns = buffers[TURNS].buf, *done = buffers[DONE].buf;
        int32_t *points = buffers[POINTS].buf;
        int fresh = b->histories == histories && b->stale == 1;
        b->histories = histories;
        b->stale = 0;
        Py_BEGIN_ALLOW_THREADS;
        for (int i = 0; i < b->count; i++) {
            const hand_t *h = &b->hands[i];
            write_state(g, h, states + (size_t)i * size);
            write_history(g, h, histories + (size_t)i * HISTORY * width, fresh && !h->done);
            turns[i] = h->table.turn;
            done[i] = h->done;
            memcpy(points + (size_t)i * g->seats, h->points, sizeof *points * (size_t)g->seats);
        }
        for (int row = 0; row < rows; row++) expand(g, b->moves[row].cards, moves + (size_t)row * width);
        memcpy(buffers[STARTS].buf, b->starts, sizeof(int) * ((size_t)b->count + 1));
        Py_END_ALLOW_THREADS;
        self->busy = 0;
    }
    while (taken) PyBuffer_Release(&buffers[--taken]);
    return ready ? PyLong_FromLong(rows) : NULL;
}

static PyObject *batch_rows(Batch *self, void *closure) {
    (void)closure;
    return PyLong_FromLong(self->batch.starts[self->batch.count]);
}

static PyObject *batch_state_size(Batch *self, void *closure) {
    (void)closure;
    return PyLong_FromLong(state_size(&self->batch.game));
}

static PyObject *batch_width(Batch *self, void *closure) {
    (void)closure;
    return PyLong_FromLong(width_of(&self->batch.game));
}

static PyObject *batch_words(Batch *self, PyObject *hand) {
    int i;
    if (!to_int(hand, 0, self->batch.count - 1, "hand", &i)) return NULL;
    const batch_t *b = &self->batch;
    PyObject *list = PyList_New(b->starts[i + 1] - b->starts[i]);
    for (int row = b->starts[i]; list && row < b->starts[i + 1]; row++) {
        PyObject *word = PyLong_FromUnsignedLongLong(b->moves[row].cards);
        if (word) PyList_SET_ITEM(list, row - b->starts[i], word);
        else Py_CLEAR(list);
    }
    return list;
}

static PyObject *batch_table(Batch *self, PyObject *hand) {
    int i;
    if (!to_int(hand, 0, self->batch.count - 1, "hand", &i)) return NULL;
    const hand_t *h = &self->batch.hands[i];
    PyObject *hands = PyTuple_New(self->batch.game.seats);
    for (int seat = 0; hands && seat < self->batch.game.seats; seat++) {
        PyObject *word = PyLong_FromUnsignedLongLong(h->table.hands[seat]);
        if (word) PyTuple_SET_ITEM(hands, seat, word);
        else Py_CLEAR(hands);
    }
    return hands ? Py_BuildValue("(Niii)", hands, h->table.landlords, h->table.turn, h->table.let) : NULL;
}

static PyMethodDef methods[] = {
    {"step", (PyCFunction)(void (*)(void))batch_step, METH_O,
     "step(actions) -> int\n\nPlay in every hand the move of that place (int32); a hand that ends is settled and the next\n"
     "dealt. Returns the rows of all moves then open. ValueError, and nothing played, for a place that is not there."},
    {"observe", (PyCFunction)(void (*)(void))batch_observe, METH_FASTCALL,
     "observe(states, histories, moves, starts, turns, done, points) -> int\n\nWrite what the seats in turn see."},
    {"words", (PyCFunction)(void (*)(void))batch_words, METH_O, "words(hand) -> list[int]\n\nThe moves open in a hand."},
    {"position", (PyCFunction)(void (*)(void))batch_table, METH_O,
     "position(hand) -> (hands, landlords, turn, let)\n\nWhere a hand stands, all cards open."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef fields[] = {
    {"rows", (getter)batch_rows, NULL, "Rows of all moves now open.", NULL},
    {"state_size", (getter)batch_state_size, NULL, "Cells of a state.", NULL},
    {"width", (getter)batch_width, NULL, "Cells of a set of cards.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_new, batch_new},
    {Py_tp_dealloc, batch_dealloc},
    {Py_tp_methods, methods},
    {Py_tp_getset, fields},
    {Py_tp_doc, "Batch(rules, count, seed, let=0)\n\nMany hands stepped at once."},
    {0, NULL},
};
PyType_Spec batch_spec = {"dizhu._core._native.Batch", sizeof(Batch), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE, slots};
