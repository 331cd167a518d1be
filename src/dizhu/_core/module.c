/* dizhu._core._native: the searches and play-outs of this folder for Python. */
#include "types.h"

#define LISTED 64

typedef struct {
    PyObject_HEAD
    game_t game;
} Rules;

typedef struct {
    PyObject_HEAD
    Rules *rules;
    table_t table;
    /* the moves that were listed last, so that playing one of them need not read it again; none after a play */
    int listed;
    move_t moves[LISTED];
} Table;

typedef struct {
    PyTypeObject *rules, *table, *batch;
} module_state;

static struct PyModuleDef definition;

static Table *new_table(PyTypeObject *type, Rules *rules) {
    Table *table = (Table *)type->tp_alloc(type, 0);
    if (table) table->rules = (Rules *)Py_NewRef(rules);
    return table;
}

static PyTypeObject *table_type(PyTypeObject *defining) {
    return ((module_state *)PyType_GetModuleState(defining))->table;
}

const game_t *rules_game(PyTypeObject *type, PyObject *rules) {
    module_state *state = PyType_GetModuleState(type);
    if (Py_IS_TYPE(rules, state->rules)) return &((Rules *)rules)->game;
    PyErr_SetString(PyExc_TypeError, "rules must be a Rules object");
    return NULL;
}

/* --- Rules ---------------------------------------------------------------------------------------------------------- */

static PyObject *rules_new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    static char *names[] = {"family", "seats", "deal", "bottom", "deck", "marked", NULL};
    const char *family;
    PyObject *deck;
    game_t game = {0};
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "siiiO|p", names, &family, &game.seats, &game.deal, &game.bottom,
                                     &deck, &game.marked) ||
        !read_game(&game, family, deck))
        return NULL;
    Rules *rules = (Rules *)type->tp_alloc(type, 0);
    if (rules) rules->game = game;
    return (PyObject *)rules;
}

static void plain_dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    type->tp_free(self);
    Py_DECREF(type);
}

static PyObject *rules_list(Rules *self, PyObject *const *args, Py_ssize_t given, const char *name,
                            PyObject *(*make)(move_t)) {
    cards_t hand;
    cmb_key against = 0;
    if ((given != 1 && !expect(name, given, 2)) || !to_cards(args[0], &hand)) return NULL;
    if (given == 2 && !to_key(args[1], self->game.grammar, &against)) return NULL;
    if (!contains(self->game.deck, hand))
        return PyErr_Format(PyExc_ValueError, "the deck does not hold these cards");
    move_t own[LISTED];
    int count;
    move_t *moves = find_moves(self->game.grammar, hand, against, own, LISTED, &count);
    PyObject *list = moves ? list_of(moves, count, 0, make) : NULL;
    if (moves != own) PyMem_Free(moves);
    return list;
}

static PyObject *rules_words(Rules *self, PyObject *const *args, Py_ssize_t given) {
    return rules_list(self, args, given, "words", word_of);
}

static PyObject *rules_texts(Rules *self, PyObject *const *args, Py_ssize_t given) {
    return rules_list(self, args, given, "texts", move_text);
}

static PyObject *rules_pairs(Rules *self, PyObject *const *args, Py_ssize_t given) {
    return rules_list(self, args, given, "pairs", pair_of);
}

static PyObject *rules_key(Rules *self, PyObject *cards) {
    cards_t word;
    return to_cards(cards, &word) ? PyLong_FromUnsignedLong(classify(self->game.grammar, word)) : NULL;
}

static PyObject *rules_deal(Rules *self, PyTypeObject *type, PyObject *const *args, Py_ssize_t given, PyObject *names) {
    (void)names;
    uint64_t state;
    if (!expect("deal", given, 1) || !to_seed(args[0], &state)) return NULL;
    Table *table = new_table(table_type(type), self);
    if (table) deal_random(&self->game, &table->table, &state);
    return (PyObject *)table;
}

static PyObject *rules_play_random(Rules *self, PyObject *const *args, Py_ssize_t given) {
    uint64_t state;
    if (!expect("play_random", given, 2)) return NULL;
    long long games = PyLong_AsLongLong(args[0]), decisions = 0, won = 0;
    if ((games == -1 && PyErr_Occurred()) || !to_seed(args[1], &state)) return NULL;
    Py_BEGIN_ALLOW_THREADS;
    game_t game = self->game;
    if (game.seats == 3) {
        game.seats = 3; /* known to the compiler, this makes an eighth of speed */
        play_hands(&game, games, &state, &decisions, &won);
    } else {
        play_hands(&game, games, &state, &decisions, &won);
    }
    Py_END_ALLOW_THREADS;
    return Py_BuildValue("(LL)", decisions, won);
}

static int read_hands(Rules *rules, PyObject *hands, table_t *table) {
    PyObject *list = PySequence_Fast(hands, "hands must be a sequence of sets of cards");
    if (!list) return 0;
    cards_t all = 0;
    int good = PySequence_Fast_GET_SIZE(list) == rules->game.seats;
    if (!good) PyErr_Format(PyExc_ValueError, "this game has %d hands", rules->game.seats);
    for (int seat = 0; good && seat < rules->game.seats; seat++) {
        good = to_cards(PySequence_Fast_GET_ITEM(list, seat), &table->hands[seat]);
        if (good && !(good = table->hands[seat] && contains(rules->game.deck, all) &&
                             contains(rules->game.deck - all, table->hands[seat])))
            PyErr_SetString(PyExc_ValueError, "every hand has cards, and all of them are in the deck");
        all += table->hands[seat];
    }
    Py_DECREF(list);
    return good;
}

static PyObject *rules_table(Rules *self, PyTypeObject *type, PyObject *const *args, Py_ssize_t given, PyObject *names) {
    (void)names;
    int landlords, turn, let;
    table_t table = {.winner = -1};
    if (!expect("table", given, 4) || !read_hands(self, args[0], &table) ||
        !to_int(args[1], 0, (1 << self->game.seats) - 1, "landlords", &landlords) ||
        !to_int(args[2], 0, self->game.seats - 1, "turn", &turn) || !to_int(args[3], 0, 24, "let", &let))
        return NULL;
    table.landlords = (uint8_t)landlords;
    table.turn = table.leader = (int8_t)turn;
    table.let = (int8_t)let;
    Table *object = new_table(table_type(type), self);
    if (object) object->table = table;
    return (PyObject *)object;
}

#define FAST(function) ((PyCFunction)(void (*)(void))(function))
#define WITH_TYPE METH_METHOD | METH_FASTCALL | METH_KEYWORDS

static PyMethodDef rules_methods[] = {
    {"words", FAST(rules_words), METH_FASTCALL,
     "words(hand, key=0) -> list[int]\n\nThe moves of a hand that beat `key` (0: a lead), from low to high."},
    {"texts", FAST(rules_texts), METH_FASTCALL, "texts(hand, key=0) -> list[str]\n\nThe same, as ranks."},
    {"pairs", FAST(rules_pairs), METH_FASTCALL, "pairs(hand, key=0) -> list[tuple[int, int]]\n\nThe same, with keys."},
    {"key", FAST(rules_key), METH_O, "key(cards) -> int\n\nThe key of a combination; 0 if the cards are none."},
    {"table", FAST(rules_table), WITH_TYPE,
     "table(hands, landlords, turn, let) -> Table\n\nA position; `landlords` has a bit for each landlord's seat."},
    {"deal", FAST(rules_deal), WITH_TYPE, "deal(seed) -> Table\n\nA random deal, seat 0 landlord and to lead."},
    {"play_random", FAST(rules_play_random), METH_FASTCALL,
     "play_random(games, seed) -> tuple[int, int]\n\nPlay whole random hands: decisions, and hands won by the landlords."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot rules_slots[] = {
    {Py_tp_new, rules_new},
    {Py_tp_dealloc, plain_dealloc},
    {Py_tp_methods, rules_methods},
    {Py_tp_doc, "Rules(family, seats, deal, bottom, deck, marked=False)\n\nOne game: its rows by name, seats and cards."},
    {0, NULL},
};
static PyType_Spec rules_spec = {"dizhu._core._native.Rules", sizeof(Rules), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE, rules_slots};

/* --- Table ---------------------------------------------------------------------------------------------------------- */

static void table_dealloc(Table *self) {
    PyTypeObject *type = Py_TYPE(self);
    Py_DECREF(self->rules);
    type->tp_free((PyObject *)self);
    Py_DECREF(type);
}

static int is_over(Table *self) {
    if (self->table.winner < 0) return 0;
    PyErr_SetString(PyExc_ValueError, "the hand is over");
    return 1;
}

static PyObject *table_moves(Table *self, PyObject *none) {
    (void)none;
    const table_t *t = &self->table;
    if (t->winner >= 0) return PyList_New(0);
    int count;
    move_t *moves = find_moves(self->rules->game.grammar, t->hands[t->turn], t->key, self->moves, LISTED, &count);
    if (!moves) return NULL;
    self->listed = count <= LISTED ? count : 0;
    PyObject *list = list_of(moves, count, t->key != 0, word_of);
    if (moves != self->moves) PyMem_Free(moves);
    return list;
}

static void put_down(Table *self, move_t move) {
    self->listed = 0;
    if (move.cards) play_move(&self->rules->game, &self->table, move);
    else play_pass(&self->rules->game, &self->table);
}

/* The key of a move: as it was listed, or read anew. 0 if the seat in turn may not play it. */
static cmb_key playable_key(const Table *self, cards_t cards) {
    const table_t *t = &self->table;
    for (int i = 0; i < self->listed; i++)
        if (self->moves[i].cards == cards) return self->moves[i].key;
    cmb_key key = classify(self->rules->game.grammar, cards);
    return key && contains(t->hands[t->turn], cards) && (!t->key || beats(key, t->key)) ? key : 0;
}

static PyObject *table_count(Table *self, PyObject *none) {
    (void)none;
    table_t *t = &self->table;
    if (t->winner >= 0) return PyLong_FromLong(0);
    return PyLong_FromLong(count_moves(self->rules->game.grammar, t->hands[t->turn], t->key) + (t->key != 0));
}

static PyObject *table_play(Table *self, PyObject *cards) {
    table_t *t = &self->table;
    move_t move;
    if (!to_cards(cards, &move.cards) || is_over(self)) return NULL;
    move.key = move.cards ? playable_key(self, move.cards) : 0;
    if (!move.key && (move.cards || !t->key)) {
        PyErr_Format(PyExc_ValueError, "seat %d may not play this now", t->turn);
        return NULL;
    }
    put_down(self, move);
    Py_RETURN_NONE;
}

static PyObject *table_play_index(Table *self, PyObject *place) {
    table_t *t = &self->table;
    int index;
    if (is_over(self) || !to_int(place, 0, INT16_MAX, "index", &index)) return NULL;
    index -= t->key != 0;
    move_t move = {0, 0};
    if (index >= 0) move = pick_move(self->rules->game.grammar, t->hands[t->turn], t->key, index);
    if (index >= 0 && !move.cards) {
        PyErr_SetString(PyExc_ValueError, "there are not that many moves");
        return NULL;
    }
    put_down(self, move);
    Py_RETURN_NONE;
}

static PyObject *table_play_random(Table *self, PyObject *seed) {
    uint64_t state;
    if (!to_seed(seed, &state)) return NULL;
    self->listed = 0;
    return PyLong_FromLong(play_random(&self->rules->game, &self->table, &state));
}

static PyObject *table_solve(Table *self, PyObject *most) {
    long long positions = PyLong_AsLongLong(most);
    if ((positions == -1 && PyErr_Occurred()) || is_over(self)) return NULL;
    return solve_table(&self->rules->game, &self->table, positions);
}

static PyObject *table_copy(Table *self, PyObject *none) {
    (void)none;
    Table *copy = new_table(Py_TYPE(self), self->rules);
    if (copy) copy->table = self->table;
    return (PyObject *)copy;
}

static PyObject *table_hands(Table *self, void *closure) {
    (void)closure;
    PyObject *hands = PyTuple_New(self->rules->game.seats);
    for (int seat = 0; hands && seat < self->rules->game.seats; seat++) {
        PyObject *word = PyLong_FromUnsignedLongLong(self->table.hands[seat]);
        if (word) PyTuple_SET_ITEM(hands, seat, word);
        else Py_CLEAR(hands);
    }
    return hands;
}

static PyObject *table_plays(Table *self, void *closure) {
    (void)closure;
    PyObject *plays = PyTuple_New(self->rules->game.seats);
    for (int seat = 0; plays && seat < self->rules->game.seats; seat++)
        PyTuple_SET_ITEM(plays, seat, PyLong_FromLong(self->table.plays[seat]));
    return plays;
}

static PyObject *table_turn(Table *self, void *closure) {
    (void)closure;
    return PyLong_FromLong(self->table.turn);
}

static PyObject *table_leader(Table *self, void *closure) {
    (void)closure;
    return PyLong_FromLong(self->table.leader);
}

static PyObject *table_winner(Table *self, void *closure) {
    (void)closure;
    return PyLong_FromLong(self->table.winner);
}

static PyObject *table_over(Table *self, void *closure) {
    (void)closure;
    return PyBool_FromLong(self->table.winner >= 0);
}

static PyObject *table_key(Table *self, void *closure) {
    (void)closure;
    return PyLong_FromUnsignedLong(self->table.key);
}

static PyObject *table_landlords(Table *self, void *closure) {
    (void)closure;
    return PyLong_FromLong(self->table.landlords);
}

static PyObject *table_doublings(Table *self, void *closure) {
    (void)closure;
    return PyLong_FromLong(self->table.doublings);
}

static PyMethodDef table_methods[] = {
    {"moves", FAST(table_moves), METH_NOARGS,
     "moves() -> list[int]\n\nWhat the seat in turn may play, from low to high; 0, a pass, comes first where it is allowed."},
    {"count", FAST(table_count), METH_NOARGS, "count() -> int\n\nHow many moves() there are."},
    {"play", FAST(table_play), METH_O, "play(cards)\n\nPlay a set of cards, 0 to pass; ValueError if that is not allowed."},
    {"play_index", FAST(table_play_index), METH_O, "play_index(index)\n\nPlay the move of that place in moves()."},
    {"play_random", FAST(table_play_random), METH_O, "play_random(seed) -> int\n\nPlay on at random to the end; the decisions made."},
    {"solve", FAST(table_solve), METH_O,
     "solve(most) -> tuple[int, int, list[int]]\n\nWhether the side of the seat in turn wins with open hands (-1 if more than\n"
     "`most` positions would have to be looked at), how many were, and the best moves of both sides to the end."},
    {"copy", FAST(table_copy), METH_NOARGS, "copy() -> Table"},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef table_fields[] = {
    {"hands", (getter)table_hands, NULL, "Every hand, by seat.", NULL},
    {"plays", (getter)table_plays, NULL, "How often each seat put cards down.", NULL},
    {"turn", (getter)table_turn, NULL, "The seat in turn.", NULL},
    {"leader", (getter)table_leader, NULL, "The seat that played last; before, the one that leads.", NULL},
    {"winner", (getter)table_winner, NULL, "The seat that is out, -1 before.", NULL},
    {"over", (getter)table_over, NULL, "Whether a seat is out.", NULL},
    {"key", (getter)table_key, NULL, "The key that has to be beaten, 0 on a lead.", NULL},
    {"landlords", (getter)table_landlords, NULL, "A bit for each landlord's seat.", NULL},
    {"doublings", (getter)table_doublings, NULL, "Combinations played that double the multiplier.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot table_slots[] = {
    {Py_tp_dealloc, table_dealloc},
    {Py_tp_methods, table_methods},
    {Py_tp_getset, table_fields},
    {Py_tp_doc, "The play of a hand; made by Rules.table and Rules.deal."},
    {0, NULL},
};
static PyType_Spec table_spec = {"dizhu._core._native.Table", sizeof(Table), 0,
                                 Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE, table_slots};

/* --- the module ------------------------------------------------------------------------------------------------------ */

static int fill(PyObject *module) {
    module_state *state = PyModule_GetState(module);
    state->rules = (PyTypeObject *)PyType_FromModuleAndSpec(module, &rules_spec, NULL);
    state->table = (PyTypeObject *)PyType_FromModuleAndSpec(module, &table_spec, NULL);
    state->batch = (PyTypeObject *)PyType_FromModuleAndSpec(module, &batch_spec, NULL);
    PyTypeObject *types[] = {state->rules, state->table, state->batch};
    for (int i = 0; i < 3; i++)
        if (!types[i] || PyModule_AddType(module, types[i])) return -1;
    return 0;
}

static int traverse(PyObject *module, visitproc visit, void *arg) {
    module_state *state = PyModule_GetState(module);
    Py_VISIT(state->rules);
    Py_VISIT(state->table);
    Py_VISIT(state->batch);
    return 0;
}

static int clear(PyObject *module) {
    module_state *state = PyModule_GetState(module);
    Py_CLEAR(state->rules);
    Py_CLEAR(state->table);
    Py_CLEAR(state->batch);
    return 0;
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, fill}, {0, NULL}};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "dizhu._core._native",
    .m_doc = "Combinations and play-outs in C, with the results of dizhu.rules.",
    .m_size = sizeof(module_state),
    .m_slots = slots,
    .m_traverse = traverse,
    .m_clear = clear,
};

PyMODINIT_FUNC PyInit__native(void);
PyMODINIT_FUNC PyInit__native(void) { return PyModuleDef_Init(&definition); }
