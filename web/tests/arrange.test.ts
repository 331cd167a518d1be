import { expect, test } from "vitest";
import { arrange } from "../src/lib/arrange";
import { pause } from "../src/lib/autopass";

const HAND = ["3h", "R", "4s", "5d", "6c", "7s", "7h", "Kd", "Ks", "2s", "2h", "2d", "2c", "B"];

test("a hand by rank goes from high to low", () => {
  expect(arrange(["3h", "Ks", "Kd", "B", "2c"], false)).toEqual(["B", "2c", "Ks", "Kd", "3h"]);
});

test("a hand by combination keeps what may be played together side by side, and every card", () => {
  const cards = arrange(HAND, true);
  expect([...cards].sort()).toEqual([...HAND].sort());
  const text = cards.map((card) => card.charAt(0)).join("");
  for (const group of ["2222", "RB", "KK", "76543"]) expect(text).toContain(group);
});

test("twins of two decks stay twins", () => {
  expect(arrange(["7h", "3s", "7h", "3s"], true)).toEqual(["7h", "7h", "3s", "3s"]);
});

test("a pass by itself takes its time, never long", () => {
  expect(pause(0)).toBe(900);
  expect(pause(1)).toBe(4500);
  expect(pause(0.5)).toBeLessThan((900 + 4500) / 2);
});
