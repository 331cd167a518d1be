/* Drives the core's headers over random and extreme hands; built with sanitizers by test_sanitizers.py. */
#include <stdio.h>

#include "batch.h"

static void expect(int holds, const char *what) {
    if (holds) return;
    fprintf(stderr, "failed: %s\n", what);
    exit(1);
}

/* Up to `most` cards of a rank and `jokers` of a colour. */
static cards_t any_cards(uint64_t *draws, int most, int jokers) {
    cards_t cards = 0;
    for (int rank = 0; rank < 15; rank++)
        cards |= (cards_t)draw_below(draws, (uint32_t)(rank < 13 ? most : jokers) + 1) << 4 * rank;
    return cards;
}

/* Words that no deck deals: what is found means nothing, but nothing may be overrun. */
static void search_nonsense(grammar_t g, uint64_t *draws) {
    static move_t moves[64];
    cards_t hand = any_cards(draws, 8, 8);
    classify(g, hand);
    int count = all_moves(g, hand, 0, moves, 64);
    for (int index = 0; index < count; index += 1 + count / 20) pick_move(g, hand, 0, index);
}

static void search_everything(grammar_t g, cards_t hand, cmb_key against) {
    static move_t moves[1 << 20];
    const int room = 1 << 20;
    int count = all_moves(g, hand, against, moves, room), few = count < 5 ? count : 5;
    expect(count_moves(g, hand, against) == count, "counting and listing agree");
    expect(all_moves(g, hand, against, moves, few) == count, "a small buffer is counted past, not written past");
    all_moves(g, hand, against, moves, room);
    for (int index = 0; index < count && index < room; index += 1 + count / 50) {
        move_t move = pick_move(g, hand, against, index);
        expect(move.cards == moves[index].cards && move.key == moves[index].key, "picking and listing agree");
        expect(contains(hand, move.cards), "moves come from the hand");
        expect(is_key(g, move.key), "keys are keys");
        expect(classify(g, move.cards) == move.key, "moves are read as what they are");
        expect(!against || beats(move.key, against), "moves beat what has to be beaten");
    }
    expect(pick_move(g, hand, against, count).cards == 0, "there is nothing behind the last move");
}

int main(void) {
    uint64_t draws = 12345;
    for (int family = 0; family < FAMILY_COUNT; family++) {
        grammar_t g = {family, family == 2 ? 24 : 20};
        int decks = family == 2 ? 2 : 1;
        for (int round = 0; round < 150; round++) {
            cards_t hand = any_cards(&draws, 1 + round % (4 * decks), decks);
            search_everything(g, hand, 0);
            move_t lead = pick_move(g, hand, 0, (int)draw_below(&draws, 40));
            if (lead.cards) search_everything(g, any_cards(&draws, 2, decks), lead.key);
            if (round % 10 == 0) search_nonsense(g, &draws);
        }
        search_everything(g, family == 2 ? 0x228888888888888ULL : 0x114444444444444ULL, 0);
        search_everything(g, 0, 0);
    }
    const cards_t one = 4 * ONES - 3 * JOKERS, two = 8 * ONES - 6 * JOKERS;
    game_t games[] = {
        {.grammar = {0, 20}, .seats = 3, .deal = 17, .bottom = 3, .deck = one},
        {.grammar = {1, 20}, .seats = 2, .deal = 17, .bottom = 3, .deck = one & ~0xFFULL},
        {.grammar = {2, 24}, .seats = 5, .deal = 21, .bottom = 3, .deck = two, .marked = 1},
    };
    for (int number = 0; number < 3; number++) {
        game_t *g = &games[number];
        spread_deck(g);
        for (int hand = 0; hand < 2000; hand++) {
            table_t table;
            deal_random(g, &table, &draws);
            play_random(g, &table, &draws);
            expect(table.winner >= 0, "hands end");
        }
        enum { HANDS = 7 };
        batch_t batch = {.game = *g, .count = HANDS, .let = number == 1 ? 2 : 0, .capacity = 1};
        batch.hands = calloc(HANDS, sizeof *batch.hands);
        batch.starts = calloc(HANDS + 1, sizeof *batch.starts);
        batch.moves = malloc(sizeof *batch.moves);
        int8_t *state = malloc((size_t)state_size(g)), *history = malloc((size_t)(HISTORY * width_of(g)));
        for (int i = 0; i < HANDS; i++) {
            batch.hands[i].draws = draw(&draws);
            new_hand(&batch, &batch.hands[i]);
        }
        expect(list_batch(&batch), "there is memory");
        for (int step = 0; step < 3000; step++) {
            for (int i = 0; i < HANDS; i++) {
                hand_t *h = &batch.hands[i];
                int rows = batch.starts[i + 1] - batch.starts[i];
                step_hand(&batch, h, batch.moves[batch.starts[i] + (int)draw_below(&draws, (uint32_t)rows)]);
                write_state(g, h, state);
                write_history(g, h, history, 0);
            }
            expect(list_batch(&batch), "there is memory");
        }
        free(state), free(history), free(batch.hands), free(batch.starts), free(batch.moves);
    }
    puts("all held");
    return 0;
}
