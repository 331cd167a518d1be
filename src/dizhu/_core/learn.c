/* dizhu._core._learn: networks that learn from their own play, for Python. */
#include <pthread.h>

#include "listed.h"
#include "learn.h"

typedef struct {
    PyObject_HEAD
    learner_t learner;
} Learner;

static float *new_floats(size_t size) {
    float *floats = aligned_alloc(64, (size * sizeof(float) + 63) / 64 * 64);
    if (floats) memset(floats, 0, size * sizeof(float));
    return floats;
}

static void free_learner(learner_t *L) {
    for (int role = 0; role < MOST_ROLES; role++) {
        free(L->roles[role].net);
        free(L->roles[role].mean);
        free(L->roles[role].square);
    }
    for (int i = 0; L->workers && i < L->threads; i++) {
        worker_t *w = L->workers + i;
        free(w->turns);
        free(w->gradient);
        free(w->moves);
        free(w->planner);
        for (int role = 0; role < MOST_ROLES; role++) free(w->pool[role]);
    }
    free(L->workers);
}

static int make_learner(learner_t *L, uint64_t seed) {
    for (int role = 0; role < L->facts.roles; role++) {
        role_t *r = &L->roles[role];
        if (!(r->net = new_floats(L->plan.size)) || !(r->mean = new_floats(L->plan.size)) ||
            !(r->square = new_floats(L->plan.size)))
            return 0;
        begin_weights(&L->plan, r->net, &seed);
    }
    if (!(L->workers = calloc((size_t)L->threads, sizeof *L->workers))) return 0;
    for (int i = 0; i < L->threads; i++) {
        worker_t *w = L->workers + i;
        w->draws = draw(&seed);
        if (!(w->turns = malloc(MOST_LEARNT * sizeof *w->turns)) || !(w->gradient = new_floats(L->plan.size)) ||
            !(w->moves = malloc(MOST_CHOICES * sizeof *w->moves)) || !(w->planner = new_planner(&L->game, &L->beliefs)))
            return 0;
        for (int role = 0; role < L->facts.roles; role++)
            if (!(w->pool[role] = malloc(POOL * sizeof(sample_t)))) return 0;
    }
    return 1;
}

static PyObject *learner_new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    static char *names[] = {"family", "seats", "deal", "bottom", "deck", "marked", "shown", "beliefs", "seed", "threads", NULL};
    const char *family;
    PyObject *deck, *seed, *beliefs;
    game_t game = {0};
    int threads, shown;
    uint64_t state;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "siiiOpiOOi", names, &family, &game.seats, &game.deal, &game.bottom,
                                     &deck, &game.marked, &shown, &beliefs, &seed, &threads) ||
        !read_game(&game, family, deck) || !to_seed(seed, &state))
        return NULL;
    if (threads < 1 || threads > 256) return PyErr_Format(PyExc_ValueError, "threads must be from 1 to 256");
    Learner *self = (Learner *)type->tp_alloc(type, 0);
    if (!self) return NULL;
    learner_t *L = &self->learner;
    if (!read_beliefs(beliefs, &L->beliefs)) {
        Py_DECREF(self);
        return NULL;
    }
    L->game = game;
    L->facts = facts_of(&game);
    L->plan = plan_for(L->facts.size);
    L->threads = threads;
    L->shown = shown;
    if (!make_learner(L, state)) {
        Py_DECREF(self);
        return PyErr_NoMemory();
    }
    return (PyObject *)self;
}

static void learner_dealloc(Learner *self) {
    PyTypeObject *type = Py_TYPE(self);
    free_learner(&self->learner);
    type->tp_free((PyObject *)self);
    Py_DECREF(type);
}

/* --- playing and learning ------------------------------------------------------------------------------------------- */

typedef struct {
    learner_t *learner;
    worker_t *worker;
    lesson_t lesson;
    long long until;
} job_t;

static void *work(void *argument) {
    job_t *job = argument;
    while (job->worker->tally.decisions < job->until) play_and_learn(job->learner, job->worker, &job->lesson);
    return NULL;
}

static PyObject *learner_run(Learner *self, PyObject *args) {
    learner_t *L = &self->learner;
    long long decisions;
    lesson_t lesson;
    if (!PyArg_ParseTuple(args, "Lfffff", &decisions, &lesson.rate, &lesson.explore, &lesson.score, &lesson.trust, &lesson.rivalry))
        return NULL;
    pthread_t threads[256];
    job_t jobs[256];
    int started = 0;
    tally_t sum = {0};
    for (int i = 0; i < L->threads; i++) {
        L->workers[i].tally = (tally_t){0};
        jobs[i] = (job_t){L, L->workers + i, lesson, (decisions + L->threads - 1) / L->threads};
    }
    Py_BEGIN_ALLOW_THREADS;
    while (started < L->threads - 1 && !pthread_create(threads + started, NULL, work, jobs + started + 1)) started++;
    work(jobs);
    for (int i = 0; i < started; i++) pthread_join(threads[i], NULL);
    Py_END_ALLOW_THREADS;
    for (int i = 0; i < L->threads; i++) {
        const tally_t *t = &L->workers[i].tally;
        sum.decisions += t->decisions;
        sum.hands += t->hands;
        sum.landlord_won += t->landlord_won;
        for (int role = 0; role < L->facts.roles; role++) {
            sum.learnt[role] += t->learnt[role];
            sum.loss[role] += t->loss[role];
        }
    }
    PyObject *losses = PyTuple_New(L->facts.roles);
    for (int role = 0; losses && role < L->facts.roles; role++)
        PyTuple_SET_ITEM(losses, role, PyFloat_FromDouble(sum.learnt[role] ? sum.loss[role] / (double)sum.learnt[role] : 0));
    return losses ? Py_BuildValue("(LLLN)", sum.decisions, sum.hands, sum.landlord_won, losses) : NULL;
}

/* Read who plays: None, "rule", or weights, which are copied to `store`. */
static int read_player(const learner_t *L, PyObject *who, float *store, player_t *player) {
    size_t size = L->plan.size * sizeof(float);
    player->kind = RANDOM;
    if (who == Py_None) return 1;
    player->kind = RULE;
    if (PyUnicode_Check(who) && PyUnicode_CompareWithASCIIString(who, "rule") == 0) return 1;
    player->kind = NETS;
    if (!PyBytes_Check(who) || (size_t)PyBytes_GET_SIZE(who) != size * (size_t)L->facts.roles) {
        PyErr_SetString(PyExc_ValueError, "these are not the weights of this game's networks");
        return 0;
    }
    memcpy(store, PyBytes_AS_STRING(who), (size_t)PyBytes_GET_SIZE(who));
    for (int role = 0; role < L->facts.roles; role++) player->nets[role] = store + (size_t)role * L->plan.size;
    return 1;
}

/* Play deals twice, with the sides exchanged; the sums of what these networks won, and of the landlord's points. */
static PyObject *learner_match(Learner *self, PyObject *args) {
    learner_t *L = &self->learner;
    PyObject *who, *seed;
    int deals;
    float score;
    uint64_t draws;
    if (!PyArg_ParseTuple(args, "OiOf", &who, &deals, &seed, &score) || !to_seed(seed, &draws)) return NULL;
    player_t own = {.kind = NETS}, other = {0};
    for (int role = 0; role < MOST_ROLES; role++) own.nets[role] = L->roles[role].net;
    float *store = new_floats(L->plan.size * (size_t)L->facts.roles);
    if (!store) return PyErr_NoMemory();
    long long as_landlord = 0, as_farmer = 0, points = 0;
    worker_t *w = L->workers;
    int good = read_player(L, who, store, &other);
    if (good) {
        uint64_t kept = w->draws;
        w->draws = draws;
        Py_BEGIN_ALLOW_THREADS;
        for (int deal = 0; deal < deals; deal++) {
            scene_t first, second;
            begin_scene(&L->game, L->shown, &first, &w->draws);
            second = first;
            as_landlord += play_match(L, w, &first, (const player_t *[]){&other, &own}, score);
            points += first.hand.points[0];
            as_farmer += !play_match(L, w, &second, (const player_t *[]){&own, &other}, score);
            points -= second.hand.points[0];
        }
        Py_END_ALLOW_THREADS;
        w->draws = kept;
    }
    free(store);
    return good ? Py_BuildValue("(LLL)", as_landlord, as_farmer, points) : NULL;
}

/* Read a hand that was played: what was dealt, from the first landlord's seat on; a bit for each landlord, the shown cards, the
 * marked rank, let cards, after how many turns all knew the landlords; the turns' cards. */
static int read_played(const learner_t *L, PyObject *args, scene_t *s, int *revealed, PyObject **turns) {
    PyObject *hands;
    unsigned long long shown;
    int landlords, marked, let;
    if (!PyArg_ParseTuple(args, "O!iKiiiO!", &PyTuple_Type, &hands, &landlords, &shown, &marked, &let, revealed, &PyTuple_Type, turns))
        return 0;
    memset(s, 0, sizeof *s);
    memset(s->refused, RANKS, sizeof s->refused);
    const game_t *g = &L->game;
    table_t *t = &s->hand.table;
    cards_t left = g->deck;
    int good = PyTuple_GET_SIZE(hands) == g->seats && landlords & 1 && landlords > 0 && landlords < 1 << g->seats;
    good = good && (g->marked ? marked >= 0 && marked < 13 : marked == -1) && let >= 0 && let <= MOST_LET;
    for (int seat = 0; good && seat < g->seats; seat++) {
        if (!to_cards(PyTuple_GET_ITEM(hands, seat), &t->hands[seat])) return 0;
        good = contains(left, t->hands[seat]) && card_count(t->hands[seat]) <= g->grammar.largest;
        left -= t->hands[seat];
    }
    if (!good || !contains(t->hands[0], shown)) {
        PyErr_SetString(PyExc_ValueError, "this is no hand of this game");
        return 0;
    }
    t->landlords = (uint8_t)landlords;
    t->let = (int8_t)let;
    t->winner = -1;
    s->marked = (int8_t)marked;
    s->shown = shown;
    return 1;
}

/* What the bot `rule` would have put down at each turn of a hand. */
static PyObject *learner_planned(Learner *self, PyObject *args) {
    learner_t *L = &self->learner;
    worker_t *w = L->workers;
    scene_t s;
    int revealed;
    PyObject *turns;
    if (!read_played(L, args, &s, &revealed, &turns)) return NULL;
    PyObject *chosen = PyList_New(0);
    for (Py_ssize_t turn = 0; chosen && turn < PyTuple_GET_SIZE(turns); turn++) {
        cards_t cards = 0;
        int known = to_cards(PyTuple_GET_ITEM(turns, turn), &cards);
        int choices = known && s.hand.table.winner < 0 ? list_answers(&L->game, &s.hand.table, w->moves) : 0, place = 0;
        while (place < choices && w->moves[place].cards != cards) place++;
        if (PyErr_Occurred() || place == choices) {
            Py_DECREF(chosen);
            return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_ValueError, "turn %zd breaks the rules", turn);
        }
        move_t move = w->moves[place];
        s.revealed = L->game.marked && turn >= revealed;
        PyObject *planned = PyLong_FromUnsignedLongLong(w->moves[planned_place(w->planner, &L->game, &s, w->moves, choices)].cards);
        if (!planned || PyList_Append(chosen, planned) < 0) Py_CLEAR(chosen);
        Py_XDECREF(planned);
        put_down_move(&L->game, &s, move, &w->draws);
    }
    return chosen;
}

/* --- the numbers ---------------------------------------------------------------------------------------------------- */

static PyObject *learner_weights(Learner *self, PyObject *none) {
    (void)none;
    learner_t *L = &self->learner;
    size_t size = L->plan.size * sizeof(float);
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(size * (size_t)L->facts.roles));
    for (int role = 0; bytes && role < L->facts.roles; role++)
        memcpy(PyBytes_AS_STRING(bytes) + (size_t)role * size, L->roles[role].net, size);
    return bytes;
}

static PyObject *learner_state(Learner *self, PyObject *none) {
    (void)none;
    learner_t *L = &self->learner;
    size_t size = L->plan.size * sizeof(float), each = 3 * size + sizeof(long long);
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(each * (size_t)L->facts.roles));
    char *at = bytes ? PyBytes_AS_STRING(bytes) : NULL;
    for (int role = 0; at && role < L->facts.roles; role++, at += each) {
        role_t *r = &L->roles[role];
        long long steps = r->steps;
        memcpy(at, r->net, size);
        memcpy(at + size, r->mean, size);
        memcpy(at + 2 * size, r->square, size);
        memcpy(at + 3 * size, &steps, sizeof steps);
    }
    return bytes;
}

static PyObject *learner_restore(Learner *self, PyObject *bytes) {
    learner_t *L = &self->learner;
    size_t size = L->plan.size * sizeof(float), each = 3 * size + sizeof(long long);
    if (!PyBytes_Check(bytes) || (size_t)PyBytes_GET_SIZE(bytes) != each * (size_t)L->facts.roles)
        return PyErr_Format(PyExc_ValueError, "this is not the state of this game's networks");
    const char *at = PyBytes_AS_STRING(bytes);
    for (int role = 0; role < L->facts.roles; role++, at += each) {
        role_t *r = &L->roles[role];
        long long steps;
        memcpy(r->net, at, size);
        memcpy(r->mean, at + size, size);
        memcpy(r->square, at + 2 * size, size);
        memcpy(&steps, at + 3 * size, sizeof steps);
        r->steps = (long)steps;
    }
    Py_RETURN_NONE;
}

FOR_EACH_PROCESSOR static float one_gradient(const learner_t *L, int role, float *gradient, const uint16_t *facts, int count,
                                             const float *target) {
    return learn_one(&L->plan, L->roles[role].net, gradient, facts, count, target);
}

static PyObject *learner_gradient(Learner *self, PyObject *args) {
    learner_t *L = &self->learner;
    int role;
    PyObject *list;
    uint16_t facts[MOST_FACTS];
    float target[HEADS];
    if (!PyArg_ParseTuple(args, "iOff", &role, &list, target, target + 1)) return NULL;
    if (role < 0 || role >= L->facts.roles) return PyErr_Format(PyExc_ValueError, "there is no role %d", role);
    int count = read_facts(&L->facts, list, facts, MOST_FACTS);
    float *gradient = count < 0 ? NULL : new_floats(L->plan.size);
    if (!gradient) return count < 0 ? NULL : PyErr_NoMemory();
    float loss = one_gradient(L, role, gradient, facts, count, target);
    PyObject *result =
        Py_BuildValue("(dy#)", (double)loss, (char *)gradient, (Py_ssize_t)(L->plan.size * sizeof(float)));
    free(gradient);
    return result;
}

static PyObject *learner_size(Learner *self, void *which) {
    return PyLong_FromLong(which ? self->learner.facts.roles : self->learner.facts.size);
}

static PyMethodDef learner_methods[] = {
    {"run", (PyCFunction)learner_run, METH_VARARGS,
     "run(decisions, rate, explore, score, trust, rivalry) -> tuple\n\nPlay and learn: decisions, hands, hands that landlords won, losses."},
    {"match", (PyCFunction)learner_match, METH_VARARGS,
     "match(whom, deals, seed, score) -> tuple\n\nPlay deals twice against other weights, \"rule\" or None (at random), sides\n"
     "exchanged: hands won as landlord and as farmers, and the landlord's points won less those lost."},
    {"planned", (PyCFunction)learner_planned, METH_VARARGS,
     "planned(hands, landlords, shown, marked, let, revealed, turns) -> list\n\nWhat the bot `rule` would have put down at each turn\n"
     "of a hand, by seat from the first landlord on; revealed: after how many turns all knew the landlords."},
    {"weights", (PyCFunction)learner_weights, METH_NOARGS, "weights() -> bytes\n\nAll weights as floats, role by role."},
    {"state", (PyCFunction)learner_state, METH_NOARGS, "state() -> bytes\n\nThe weights, and all that learning goes on with."},
    {"restore", (PyCFunction)learner_restore, METH_O, "restore(state)\n\nGo on from a state."},
    {"gradient", (PyCFunction)learner_gradient, METH_VARARGS,
     "gradient(role, facts, win, score) -> tuple[float, bytes]\n\nThe squared errors of one decision, and their gradient."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef learner_fields[] = {
    {"facts", (getter)learner_size, NULL, "The number of facts.", NULL},
    {"roles", (getter)learner_size, NULL, "The number of networks.", (void *)1},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot learner_slots[] = {
    {Py_tp_new, learner_new},
    {Py_tp_dealloc, learner_dealloc},
    {Py_tp_methods, learner_methods},
    {Py_tp_getset, learner_fields},
    {Py_tp_doc, "Learner(family, seats, deal, bottom, deck, marked, shown, beliefs, seed, threads)\n\nNetworks for the roles of a game. Of\n"
                "four hands all see the bottom in `shown`. beliefs: the numbers of the bot `rule`."},
    {0, NULL},
};
static PyType_Spec learner_spec = {"dizhu._core._learn.Learner", sizeof(Learner), 0,
                                   Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE, learner_slots};

static int add_types(PyObject *module) {
    PyObject *type = PyType_FromSpec(&learner_spec);
    if (!type) return -1;
    int failed = PyModule_AddObjectRef(module, "Learner", type);
    Py_DECREF(type);
    return failed;
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, add_types}, {0, NULL}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_learn", "Networks that learn from their own play.",
                                        0, NULL, slots, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__learn(void) { return PyModuleDef_Init(&definition); }
