import { expect, test } from "vitest";
import type { Result } from "../src/protocol";
import { doubledFor, together } from "../src/lib/factors";

const RESULT: Result = {
  winners: [0], landlords: [0], points: [36, -24, -12], multiplier: 6, base: 2, house: 0, doubled: [0, 1], reason: "played",
  factors: [{ name: "rob", times: 2 }, { name: "bomb", times: 2 }, { name: "rob", times: 2 }],
};

test("factors of one name are one", () => {
  expect(together(RESULT.factors)).toEqual([["rob", 4], ["bomb", 2]]);
  expect(together([])).toEqual([]);
});

test("what doubling makes of the stakes is told of each farmer", () => {
  expect([0, 1, 2].map((seat) => doubledFor(RESULT, seat))).toEqual([1, 2, 1]);
  expect(doubledFor({ ...RESULT, points: [25, -20, -5] }, 1)).toBe(1);
});
