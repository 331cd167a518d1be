import { describe, expect, test } from "vitest";
import { prompt } from "../src/lib/prompt";
import { isDealt, reduce } from "../src/lib/reducer";
import { announce, answerText, cardName, combinationName, placeName, seatName } from "../src/lib/words";
import type { EventMessage } from "../src/protocol";
import { ENGLISH, event, room, SEATS, seated, view } from "./fixtures";

test("cards, combinations, seats and answers have names", () => {
  expect(cardName(ENGLISH, "7h")).toBe("seven of hearts");
  expect(cardName(ENGLISH, "R")).toBe("red joker");
  const table = { seat: 1, cards: [], kind: "pair", length: 1, rank: "T" };
  expect(combinationName(ENGLISH, table)).toBe("pair 10");
  expect(combinationName(ENGLISH, { ...table, kind: "solo_chain", length: 6, rank: "J" })).toBe("straight of 6, up to J");
  expect(combinationName(ENGLISH, { ...table, kind: "rocket", rank: "R" })).toBe("rocket");
  expect([0, 1, 2].map((seat) => seatName(ENGLISH, SEATS, seat, 0))).toEqual(["You", "Bot 1", "Bot 2"]);
  expect(seatName(ENGLISH, SEATS, 0, 1)).toBe("Guest 12");
  expect(["Guest 12", "Bot 3", "Botticelli", ""].map((name) => placeName(ENGLISH, name))).toEqual(["Guest 12", "Bot 3", "Botticelli", "Empty seat"]);
  expect(placeName({ ...ENGLISH, t: (key) => key }, "Bot 3")).toBe("seat.bot");
  expect(answerText(ENGLISH, "bid", "bid 1")).toBe("1 point");
  expect(answerText(ENGLISH, "double", "no")).toBe("No double");
});

describe("what is announced", () => {
  function said(message: Partial<EventMessage>, changes = {}): string {
    const before = seated({ view: view({ turn: [1], legal: [], ...changes }) });
    const sent = event(11, message);
    const after = reduce(before, sent, 0);
    if (before.room === null || !isDealt(after.room)) throw new Error("nobody sits");
    return announce(ENGLISH, sent, before.room, after.room).join(" ");
  }

  test("a play, few cards left, and the own turn", () => {
    const text = said({
      event: { kind: "play", seat: 1, value: null, cards: ["3s", "3h"] },
      changes: { counts: [4, 2, 17], turn: [0] },
    });
    expect(text).toBe("Bot 1 plays three of spades, three of hearts. Bot 1 has 2 cards left. Your turn.");
  });

  test("the own play is said to the player", () => {
    const text = said({ event: { kind: "play", seat: 0, value: null, cards: ["Ks"] }, changes: { counts: [1, 17, 17] } });
    expect(text).toBe("You play king of spades. You have 1 card left.");
  });

  test("an answer is named by its own question, though the view is ahead already", () => {
    const text = said({
      event: { kind: "no", seat: 2, value: null, cards: [] },
      changes: { answers: [{ phase: "double", seat: 2, action: "no" }] },
    });
    expect(text).toBe("Bot 2: No double.");
  });

  test("secrets of an answer are not announced", () => {
    expect(said({ event: { kind: "answered", seat: 2, value: null, cards: [] } })).toBe("");
  });
});

describe("the line above the buttons", () => {
  test.each([
    ["a lead", view(), true, "Your lead: play any combination."],
    ["nothing beats it", view({ legal: ["pass"] }), true, "Nothing in your hand beats this."],
    ["a question with its factor", view({ phase: "open", moment: "late", legal: ["open", "no"] }), true, "Last chance before the bidding: show your hand for ×3?"],
    ["a farmer who cannot declare", view({ phase: "declare", legal: ["no"] }), true, "Landlords may declare themselves now. You are a farmer."],
    ["another seat", view({ turn: [2] }), false, "Bot 2 is thinking…"],
    ["several seats", view({ turn: [1, 2] }), false, "Waiting for the others…"],
  ])("%s", (_, shown, asked, text) => {
    expect(prompt(ENGLISH, room(shown), asked)).toBe(text);
  });

  test("what is to be beaten, and by whom it was played", () => {
    const table = { seat: 2, cards: ["Ts", "Th"], kind: "pair", length: 1, rank: "T" };
    expect(prompt(ENGLISH, room({ table, legal: ["pass", "play JJ"] }), true)).toBe("Beat Bot 2: pair 10");
  });
});
