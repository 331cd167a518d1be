/* Drives networks and looking ahead with random numbers over random hands; built with sanitizers by test_sanitizers.py. */
#include <stdio.h>

#include "learn.h"
#include "search.h"

static void expect(int holds, const char *what) {
    if (holds) return;
    fprintf(stderr, "failed: %s\n", what);
    exit(1);
}

static void any_numbers(judge_t *J, uint64_t *draws) {
    size_t each = net_size(&J->facts);
    J->numbers = malloc(each * (size_t)J->facts.roles);
    for (size_t i = 0; i < each * (size_t)J->facts.roles; i++) J->numbers[i] = (char)draw(draws);
    for (int role = 0; role < J->facts.roles; role++) place_net(&J->facts, J->numbers + (size_t)role * each, &J->nets[role]);
}

/* Whatever instructions are used, sums are those of plain C. */
static void sum_both_ways(const judge_t *J, uint64_t *draws) {
    const net_t *net = &J->nets[0];
    int32_t base[WIDE], sums[2][WIDE];
    int16_t in[WIDE];
    uint16_t rows[2][20];
    for (int i = 0; i < WIDE; i++) {
        base[i] = (int32_t)draw(draws);
        in[i] = draw_below(draws, 3) ? 0 : (int16_t)draw_below(draws, INT16_MAX + 1);
    }
    for (int i = 0; i < 20; i++)
        for (int j = 0; j < 2; j++) rows[j][i] = (uint16_t)draw_below(draws, (uint32_t)J->facts.size);
    exchange_rows_plain(sums[0], base, net->first, rows[0], 20, rows[1], 9);
    EXCHANGE_ROWS(sums[1], base, net->first, rows[0], 20, rows[1], 9);
    expect(!memcmp(sums[0], sums[1], sizeof sums[0]), "rows sum up alike");
    add_products_plain(sums[0], in, net->second, WIDE, MIDDLE);
    ADD_PRODUCTS(sums[1], in, net->second, WIDE, MIDDLE);
    add_products_plain(sums[0], in, net->third, MIDDLE, NARROW);
    ADD_PRODUCTS(sums[1], in, net->third, MIDDLE, NARROW);
    expect(!memcmp(sums[0], sums[1], sizeof sums[0]), "products sum up alike");
}

/* What the seat in turn knows of a scene. */
static void hide(const game_t *g, const scene_t *scene, spot_t *spot) {
    const table_t *t = &scene->hand.table;
    spot->scene = *scene;
    spot->pool = g->deck;
    spot->twin = g->marked && t->turn != 0 && !is_landlord(t, t->turn) && !scene->revealed;
    if (spot->twin) spot->scene.hand.table.landlords = 1;
    for (int seat = 0; seat < g->seats; seat++) {
        spot->pool -= scene->hand.played[seat];
        spot->hidden[seat] = 0;
        if (seat == t->turn) {
            spot->pool -= t->hands[seat];
            continue;
        }
        spot->hidden[seat] = (int8_t)card_count(t->hands[seat]);
        spot->scene.hand.table.hands[seat] = 0;
    }
}

static void look(const judge_t *J, seeker_t *k, const spot_t *spot, uint64_t *draws) {
    enum { WORLDS = 3, TRIED = 3 };
    static world_t drawn[DRAWN_FOR_EACH * WORLDS];
    static move_t all[MOST_CHOICES];
    worth_t worths[TRIED] = {0};
    move_t moves[TRIED];
    int choices = list_answers(&J->game, &spot->scene.hand.table, all);
    for (int i = 0; i < TRIED; i++) moves[i] = all[draw_below(draws, (uint32_t)choices)];
    look_ahead(J, k, spot, moves, TRIED, WORLDS, drawn, worths);
    for (int i = 0; i < TRIED; i++) expect(worths[i].won >= 0 && worths[i].won <= WORLDS, "worlds are won or lost");
}

static void play(const judge_t *J, seeker_t *k, uint64_t *draws) {
    static spot_t spot;
    static move_t all[MOST_CHOICES];
    scene_t scene;
    spot.count = 0;
    begin_scene(&J->game, 1, &scene, draws);
    spot.shown = scene.shown;
    while (scene.hand.table.winner < 0) {
        int choices = list_answers(&J->game, &scene.hand.table, all), seat = scene.hand.table.turn;
        if (draw_below(draws, 8) == 0) {
            hide(&J->game, &scene, &spot);
            look(J, k, &spot, draws);
        }
        move_t move = all[draw_below(draws, (uint32_t)choices)];
        put_down_move(&J->game, &scene, move, draws);
        expect(spot.count < MOST_TURNS, "hands end");
        spot.turns[spot.count++] = (turn_t){(int8_t)seat, move.cards};
    }
}

/* Beliefs of the bot `rule`, from 0 to 1. */
static void draw_beliefs(beliefs_t *b, uint64_t *draws) {
    double *numbers = (double *)b;
    for (size_t i = 0; i < sizeof *b / sizeof *numbers; i++) numbers[i] = (double)draw_below(draws, 1000) / 1000;
}

/* One batch of learning from nothing, also from hands against the bot `rule`; its numbers stay finite. */
static void learn(const game_t *g, uint64_t *draws) {
    learner_t L = {.game = *g, .facts = facts_of(g), .threads = 1, .shown = 1};
    worker_t w = {.draws = draw(draws)};
    L.plan = plan_for(L.facts.size);
    size_t bytes = (L.plan.size * sizeof(float) + 63) / 64 * 64;
    for (int role = 0; role < L.facts.roles; role++) {
        role_t *r = &L.roles[role];
        r->net = aligned_alloc(64, bytes), r->mean = aligned_alloc(64, bytes), r->square = aligned_alloc(64, bytes);
        memset(r->mean, 0, bytes), memset(r->square, 0, bytes);
        begin_weights(&L.plan, r->net, draws);
        w.pool[role] = malloc(POOL * sizeof(sample_t));
    }
    w.turns = malloc(MOST_LEARNT * sizeof *w.turns), w.moves = malloc(MOST_CHOICES * sizeof *w.moves);
    w.gradient = aligned_alloc(64, bytes);
    memset(w.gradient, 0, bytes);
    draw_beliefs(&L.beliefs, draws);
    w.planner = new_planner(&L.game, &L.beliefs);
    lesson_t how = {1e-3f, 0.05f, 0.5f, 0.5f, 0.5f};
    while (w.tally.learnt[0] == 0) play_and_learn(&L, &w, &how);
    player_t own = {.kind = NETS}, rule = {.kind = RULE};
    for (int role = 0; role < L.facts.roles; role++) own.nets[role] = L.roles[role].net;
    begin_scene(g, 1, &w.scene, draws);
    int won = play_match(&L, &w, &w.scene, (const player_t *[]){&rule, &own}, 0.5f);
    expect(won == (w.scene.hand.points[0] > 0), "who wins gains");
    for (size_t i = 0; i < L.plan.size; i++) expect(isfinite(L.roles[0].net[i]), "weights are numbers");
    for (int role = 0; role < L.facts.roles; role++)
        free(L.roles[role].net), free(L.roles[role].mean), free(L.roles[role].square), free(w.pool[role]);
    free(w.turns), free(w.moves), free(w.gradient), free(w.planner);
}

int main(void) {
    uint64_t draws = 54321;
    const cards_t one = 4 * ONES - 3 * JOKERS, two = 8 * ONES - 6 * JOKERS;
    game_t games[] = {
        {.grammar = {0, 20}, .seats = 3, .deal = 17, .bottom = 3, .deck = one},
        {.grammar = {1, 20}, .seats = 2, .deal = 17, .bottom = 3, .deck = one & ~0xFFULL},
        {.grammar = {2, 24}, .seats = 5, .deal = 21, .bottom = 3, .deck = two, .marked = 1},
    };
    seeker_t k = {.draws = 1, .score = 32, .exact = 14};
    k.moves = malloc(MOST_CHOICES * sizeof *k.moves);
    k.values = malloc(MOST_CHOICES * sizeof *k.values);
    k.solver.found = calloc(REMEMBERED, sizeof *k.solver.found);
    k.solver.moves = malloc(MOVES_AT_HAND * sizeof *k.solver.moves);
    for (int number = 0; number < 3; number++) {
        judge_t J = {.game = games[number]};
        spread_deck(&J.game);
        J.facts = facts_of(&J.game);
        beliefs_t beliefs;
        draw_beliefs(&beliefs, &draws);
        k.planner = new_planner(&J.game, &beliefs);
        any_numbers(&J, &draws);
        for (int i = 0; i < 20; i++) sum_both_ways(&J, &draws);
        k.solver.game = &J.game, k.solver.most = 2000, k.solver.mask = REMEMBERED - 1;
        memset(k.solver.found, 0, REMEMBERED * sizeof *k.solver.found);
        for (int hand = 0; hand < (number == 2 ? 1 : 6); hand++) play(&J, &k, &draws);
        learn(&J.game, &draws);
        free(J.numbers), free(k.planner);
    }
    free(k.moves), free(k.values), free(k.solver.found), free(k.solver.moves);
    puts("all held");
    return 0;
}
