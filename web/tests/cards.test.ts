import { expect, test } from "vitest";
import { forTable, fromHigh, held, isBomb, isRocket, rankText } from "../src/lib/cards";

test("cards become rank text in the server's order", () => {
  expect(rankText(["2s", "R", "Th", "B", "3c", "As"])).toBe("3TA2BR");
});

test("the hand is shown from high to low with suits together", () => {
  expect(fromHigh(["3h", "R", "3s", "2d", "B"])).toEqual(["R", "B", "2d", "3s", "3h"]);
});

test("kickers stand behind the core on the table", () => {
  expect(forTable(["As", "3s", "3h", "3d"]).map((card) => card.charAt(0)).join("")).toBe("333A");
});

test("twins of two decks have keys of their own", () => {
  expect(held(["7h", "7h", "B"]).map(({ key }) => key)).toEqual(["7h", "7h'", "B"]);
});

test("bombs are fours and more, and plays of jokers alone", () => {
  expect(["3333", "33333", "BR", "RR", "BBR"].every(isBomb)).toBe(true);
  expect(["3", "333", "33334", "B", "3344"].some(isBomb)).toBe(false);
});

test("the rocket takes all jokers of the game", () => {
  expect(isRocket("BR", 1)).toBe(true);
  expect(isRocket("RR", 2)).toBe(false);
  expect(isRocket("BBRR", 2)).toBe(true);
});
