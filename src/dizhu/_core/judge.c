/* dizhu._core._judge: networks that value moves and look ahead, for Python. */
#include "listed.h"
#include "search.h"

typedef struct {
    PyObject_HEAD
    judge_t judge;
} Judge;

static PyObject *judge_new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    static char *names[] = {"family", "seats", "deal", "bottom", "deck", "marked", "numbers", NULL};
    const char *family, *numbers;
    Py_ssize_t size;
    PyObject *deck;
    game_t game = {0};
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "siiiOpy#", names, &family, &game.seats, &game.deal, &game.bottom,
                                     &deck, &game.marked, &numbers, &size) ||
        !read_game(&game, family, deck))
        return NULL;
    facts_t facts = facts_of(&game);
    size_t each = net_size(&facts);
    if ((size_t)size != each * (size_t)facts.roles)
        return PyErr_Format(PyExc_ValueError, "these are not the numbers of this game's networks");
    Judge *self = (Judge *)type->tp_alloc(type, 0);
    if (!self) return NULL;
    judge_t *J = &self->judge;
    J->game = game;
    J->facts = facts;
    if (!(J->numbers = PyMem_Malloc((size_t)size))) {
        Py_DECREF(self);
        return PyErr_NoMemory();
    }
    memcpy(J->numbers, numbers, (size_t)size);
    for (int role = 0; role < facts.roles; role++) place_net(&facts, J->numbers + (size_t)role * each, &J->nets[role]);
    return (PyObject *)self;
}

static void judge_dealloc(Judge *self) {
    PyTypeObject *type = Py_TYPE(self);
    PyMem_Free(self->judge.numbers);
    type->tp_free((PyObject *)self);
    Py_DECREF(type);
}

/* --- reading ------------------------------------------------------------------------------------------------------- */

/* Read moves of a hand, 0 for a pass; the caller frees them. NULL if they are none. */
static move_t *read_moves(const judge_t *J, PyObject *list, cards_t hand, int *count) {
    PyObject *items = PySequence_Fast(list, "moves must be a sequence of sets of cards");
    if (!items) return NULL;
    *count = (int)PySequence_Fast_GET_SIZE(items);
    move_t *moves = PyMem_Malloc(sizeof *moves * (size_t)(*count + 1));
    if (!moves) PyErr_NoMemory();
    for (int i = 0; moves && i < *count; i++) {
        cards_t cards;
        int good = to_cards(PySequence_Fast_GET_ITEM(items, i), &cards);
        cmb_key key = good && cards ? classify(J->game.grammar, cards) : 0;
        if (good && cards && (!key || !contains(hand, cards))) {
            PyErr_SetString(PyExc_ValueError, "these are no moves of this hand");
            good = 0;
        }
        if (good) {
            moves[i] = (move_t){cards, key};
        } else {
            PyMem_Free(moves);
            moves = NULL;
        }
    }
    Py_DECREF(items);
    return moves;
}

static int read_words(PyObject *list, int count, cards_t *words) {
    PyObject *items = PySequence_Fast(list, "sets of cards must come in a sequence");
    int good = items && PySequence_Fast_GET_SIZE(items) == count;
    if (items && !good) PyErr_Format(PyExc_ValueError, "this game has %d seats", count);
    for (int i = 0; good && i < count; i++) good = to_cards(PySequence_Fast_GET_ITEM(items, i), words + i);
    Py_XDECREF(items);
    return good;
}

static int read_numbers(PyObject *list, int count, int *numbers) {
    PyObject *items = PySequence_Fast(list, "numbers must come in a sequence");
    int good = items && PySequence_Fast_GET_SIZE(items) == count;
    if (items && !good) PyErr_Format(PyExc_ValueError, "%d numbers are needed", count);
    for (int i = 0; good && i < count; i++) good = to_int(PySequence_Fast_GET_ITEM(items, i), -1, 255, "a number", numbers + i);
    Py_XDECREF(items);
    return good;
}

enum { TURN, LEADER, LANDLORDS, DOUBLINGS, LET, MARKED, REVEALED, TWIN, NUMBERS };

/* Whether the cards of a spot are all in the deck, and enough. */
static int is_spot(const game_t *g, const spot_t *spot) {
    cards_t left = g->deck;
    int hidden = 0;
    const hand_t *h = &spot->scene.hand;
    for (int seat = 0; seat < g->seats; seat++) {
        if (!contains(left, h->table.hands[seat])) return 0;
        left -= h->table.hands[seat];
        if (!contains(left, h->played[seat])) return 0;
        left -= h->played[seat];
        if (!contains(h->played[seat], h->last[seat]) || spot->hidden[seat] < 0) return 0;
        int held = card_count(h->table.hands[seat]) + spot->hidden[seat];
        if (held < 1 || held > g->deal + g->bottom) return 0;
        hidden += spot->hidden[seat];
    }
    return contains(left, spot->pool) && hidden <= card_count(spot->pool);
}

/* Read the turns so far, and whether they are what was played. */
static int read_turns(const game_t *g, PyObject *list, spot_t *spot) {
    PyObject *items = PySequence_Fast(list, "turns must be a sequence");
    if (!items) return 0;
    cards_t played[MOST_SEATS] = {0};
    int count = (int)PySequence_Fast_GET_SIZE(items), good = count <= MOST_TURNS, turn = 0;
    for (int i = 0; good && i < count; i++) {
        cards_t cards;
        int seat = turn++ % g->seats;
        good = to_cards(PySequence_Fast_GET_ITEM(items, i), &cards) && contains(spot->scene.hand.played[seat], cards);
        if (!good) break;
        spot->turns[i] = (turn_t){(int8_t)seat, cards};
        played[seat] += cards;
    }
    Py_DECREF(items);
    for (int seat = 0; seat < g->seats; seat++) good = good && played[seat] == spot->scene.hand.played[seat];
    if (!good && !PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "these turns are not what was played");
    spot->count = good ? count : 0;
    return good;
}

static int read_spot(const judge_t *J, PyObject *fields, spot_t *spot) {
    const game_t *g = &J->game;
    PyObject *hands, *played, *last, *hidden, *plays, *state, *pool, *shown, *begun, *turns, *refusals, *beaten;
    int refused[2 * MOST_SEATS], beat[MOST_SEATS * MOST_SEATS], numbers[NUMBERS], left[MOST_SEATS], puts[MOST_SEATS];
    scene_t *s = &spot->scene;
    table_t *t = &s->hand.table;
    memset(spot, 0, sizeof *spot);
    if (!PyArg_ParseTuple(fields, "OOOOOOOOOOOO", &hands, &played, &last, &hidden, &plays, &pool, &shown, &state,
                          &begun, &turns, &refusals, &beaten) ||
        !read_words(hands, g->seats, t->hands) || !read_words(played, g->seats, s->hand.played) ||
        !read_words(last, g->seats, s->hand.last) || !read_numbers(hidden, g->seats, left) ||
        !read_numbers(plays, g->seats, puts) || !to_cards(pool, &spot->pool) || !to_cards(shown, &s->shown) ||
        !to_cards(begun, &spot->shown) ||
        !read_numbers(state, NUMBERS, numbers) || !read_numbers(refusals, 2 * g->seats, refused) ||
        !read_numbers(beaten, g->seats * g->seats, beat))
        return 0;
    for (int seat = 0; seat < g->seats; seat++) {
        spot->hidden[seat] = (int8_t)left[seat];
        t->plays[seat] = (int16_t)puts[seat];
        for (int row = 0; row < 2; row++) {
            int rank = refused[2 * seat + row];
            s->refused[seat][row] = (int8_t)(rank < 0 || rank > RANKS ? RANKS : rank);
        }
        for (int victim = 0; victim < g->seats; victim++) s->beat[seat][victim] = (uint8_t)beat[seat * g->seats + victim];
    }
    t->winner = -1;
    t->turn = (int8_t)numbers[TURN];
    t->leader = (int8_t)numbers[LEADER];
    t->landlords = (uint8_t)numbers[LANDLORDS];
    t->doublings = (int16_t)numbers[DOUBLINGS];
    t->let = (int8_t)numbers[LET];
    s->marked = (int8_t)numbers[MARKED];
    s->revealed = (int8_t)numbers[REVEALED];
    spot->twin = (int8_t)numbers[TWIN];
    int seats = t->turn >= 0 && t->turn < g->seats && t->leader >= 0 && t->leader < g->seats;
    int marks = g->marked ? s->marked >= 0 && s->marked < 13 : s->marked == -1 && !spot->twin;
    if (!seats || !marks || !(t->landlords & 1) || t->landlords >> g->seats || numbers[DOUBLINGS] < 0 ||
        numbers[DOUBLINGS] > 20 || numbers[LET] < 0 || !is_spot(g, spot)) {
        PyErr_SetString(PyExc_ValueError, "this is no position of this game");
        return 0;
    }
    if (!read_turns(g, turns, spot)) return 0;
    /* a trick goes on as long as its leader's cards lie there */
    t->key = t->leader != t->turn ? classify(g->grammar, s->hand.last[t->leader]) : 0;
    return 1;
}

/* --- methods ------------------------------------------------------------------------------------------------------- */

static PyObject *judge_values_of(Judge *self, PyObject *args) {
    const judge_t *J = &self->judge;
    PyObject *list, *answers, *cards, *unseen, *counts;
    int role, choices;
    uint16_t facts[MOST_FACTS];
    int left[MOST_SEATS];
    cards_t hand;
    others_t others = {0};
    if (!PyArg_ParseTuple(args, "iOOOOO", &role, &list, &unseen, &counts, &cards, &answers) || !to_cards(unseen, &others.unseen) ||
        !read_numbers(counts, J->game.seats - 1, left) || !to_cards(cards, &hand))
        return NULL;
    for (int other = 0; other < J->game.seats - 1; other++) others.left[other] = left[other];
    if (role < 0 || role >= J->facts.roles) return PyErr_Format(PyExc_ValueError, "there is no role %d", role);
    int count = read_facts(&J->facts, list, facts, MOST_FACTS - MOVE_FACTS);
    move_t *moves = count < 0 ? NULL : read_moves(J, answers, hand, &choices);
    if (!moves) return NULL;
    int32_t(*values)[HEADS] = PyMem_Malloc(sizeof *values * (size_t)(choices + 1));
    PyObject *result = values ? PyList_New(choices) : PyErr_NoMemory();
    if (result) judge_moves(J, role, facts, count, &others, hand, moves, choices, values);
    for (int i = 0; result && i < choices; i++) {
        PyObject *pair = Py_BuildValue("(ii)", values[i][0], values[i][1]);
        if (pair) PyList_SET_ITEM(result, i, pair);
        else Py_CLEAR(result);
    }
    PyMem_Free(values);
    PyMem_Free(moves);
    return result;
}

static PyObject *judge_look_ahead(Judge *self, PyObject *args) {
    const judge_t *J = &self->judge;
    spot_t spot;
    PyObject *fields, *rest, *answers, *seed, *numbers = NULL;
    seeker_t k = {0};
    beliefs_t beliefs;
    int worlds, choices;
    if (!PyArg_ParseTuple(args, "O!O", &PyTuple_Type, &fields, &rest) || !read_spot(J, fields, &spot) ||
        !PyArg_ParseTuple(rest, "OiiiO|O", &answers, &worlds, &k.exact, &k.score, &seed, &numbers) ||
        !to_seed(seed, &k.draws) || (numbers && !read_beliefs(numbers, &beliefs)))
        return NULL;
    if (worlds < 1 || worlds > 10000) return PyErr_Format(PyExc_ValueError, "there are no %d worlds to try", worlds);
    move_t *moves = read_moves(J, answers, spot.scene.hand.table.hands[spot.scene.hand.table.turn], &choices);
    if (!moves) return NULL;
    int kinds = choices ? choices : 1;
    worth_t *worths = PyMem_Calloc((size_t)kinds, sizeof *worths);
    world_t *drawn = PyMem_Malloc(DRAWN_FOR_EACH * (size_t)worlds * sizeof *drawn);
    k.moves = PyMem_Malloc(MOST_CHOICES * sizeof *k.moves);
    k.values = PyMem_Malloc(MOST_CHOICES * sizeof *k.values);
    k.solver = (solver_t){.game = &J->game, .most = SOLVED_AT_MOST, .mask = REMEMBERED - 1};
    k.solver.found = PyMem_Calloc(k.exact ? REMEMBERED : 1, sizeof *k.solver.found);
    k.solver.moves = PyMem_Malloc(k.exact ? MOVES_AT_HAND * sizeof *k.solver.moves : 1);
    if (numbers) k.planner = new_planner(&J->game, &beliefs);
    PyObject *result = NULL;
    if ((numbers && !k.planner) || !worths || !drawn || !k.moves || !k.values || !k.solver.found || !k.solver.moves) {
        PyErr_NoMemory();
    } else {
        Py_BEGIN_ALLOW_THREADS;
        look_ahead(J, &k, &spot, moves, choices, worlds, drawn, worths);
        Py_END_ALLOW_THREADS;
        result = PyList_New(kinds);
    }
    for (int i = 0; result && i < kinds; i++) {
        PyObject *pair = Py_BuildValue("(iL)", worths[i].won, worths[i].points);
        if (pair) PyList_SET_ITEM(result, i, pair);
        else Py_CLEAR(result);
    }
    free(k.planner);
    PyMem_Free(k.solver.moves);
    PyMem_Free(k.solver.found);
    PyMem_Free(k.values);
    PyMem_Free(k.moves);
    PyMem_Free(drawn);
    PyMem_Free(worths);
    PyMem_Free(moves);
    return result;
}

static PyObject *judge_facts(Judge *self, PyObject *fields) {
    const judge_t *J = &self->judge;
    spot_t spot;
    scene_t world;
    uint64_t draws = 0;
    uint16_t facts[MOST_FACTS];
    if (!PyTuple_Check(fields)) return PyErr_Format(PyExc_TypeError, "a spot must be a tuple");
    if (!read_spot(J, fields, &spot)) return NULL;
    draw_world(&J->game, &spot, &world, &draws);
    int count = position_facts(&J->game, &J->facts, &world, facts);
    PyObject *list = PyList_New(count);
    for (int i = 0; list && i < count; i++) PyList_SET_ITEM(list, i, PyLong_FromLong(facts[i]));
    return list;
}

static PyMethodDef judge_methods[] = {
    {"values", (PyCFunction)judge_values_of, METH_VARARGS,
     "values(role, facts, unseen, counts, hand, moves) -> list[tuple[int, int]]\n\nWhat each move is worth: for winning, and in points."},
    {"look_ahead", (PyCFunction)judge_look_ahead, METH_VARARGS,
     "look_ahead(spot, (moves, worlds, exact, score, seed[, beliefs])) -> list[tuple[int, int]]\n\nOf each move: worlds won, and\n"
     "the sum of points. Without moves: of playing on. With the beliefs of the bot `rule` opponents may play like it."},
    {"facts", (PyCFunction)judge_facts, METH_O,
     "facts(spot) -> list[int]\n\nThe facts of a spot, as the networks see them in worlds that are played on."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot judge_slots[] = {
    {Py_tp_new, judge_new},
    {Py_tp_dealloc, judge_dealloc},
    {Py_tp_methods, judge_methods},
    {Py_tp_doc, "Judge(family, seats, deal, bottom, deck, marked, numbers)\n\nThe networks of a game's roles."},
    {0, NULL},
};
static PyType_Spec judge_spec = {"dizhu._core._judge.Judge", sizeof(Judge), 0,
                                 Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE, judge_slots};

static int add_types(PyObject *module) {
    PyObject *type = PyType_FromSpec(&judge_spec);
    if (!type) return -1;
    int failed = PyModule_AddObjectRef(module, "Judge", type);
    Py_DECREF(type);
    return failed;
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, add_types}, {0, NULL}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_judge", "Networks that value moves and look ahead.",
                                        0, NULL, slots, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__judge(void) { return PyModuleDef_Init(&definition); }
