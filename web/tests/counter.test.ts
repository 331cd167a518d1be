import { expect, test } from "vitest";
import { unseen } from "../src/lib/counter";
import { CLASSIC, view } from "./fixtures";

function left(counted: ReturnType<typeof unseen>, rank: string): number | undefined {
  return counted.find((entry) => entry.rank === rank)?.left;
}

test("the whole deck less the own hand; unknown bottom cards still count", () => {
  const counted = unseen(CLASSIC, view({ hands: [["3s", "Ks"], null, null], bottom: null }));
  expect(counted.map(({ rank }) => rank).join("")).toBe("RB2AKQJT9876543");
  expect(left(counted, "3")).toBe(3);
  expect(left(counted, "9")).toBe(4);
  expect(left(counted, "R")).toBe(1);
  expect(counted.reduce((sum, entry) => sum + entry.left, 0)).toBe(52);
});

test("played cards are taken off once each", () => {
  const history = [
    { seat: 1, cards: ["3s", "3h", "3d"] },
    { seat: 2, cards: [] },
    { seat: 1, cards: ["4s"] },
    { seat: 2, cards: ["3c"] },
  ];
  const counted = unseen(CLASSIC, view({ hands: [["5s"], null, null], history }));
  expect(left(counted, "3")).toBe(0);
  expect(left(counted, "4")).toBe(3);
});

test("open hands have been seen, and two decks hold two of each", () => {
  const counted = unseen({ ...CLASSIC, decks: 2 }, view({ hands: [["R"], ["R", "7h", "7h"], null] }));
  expect(left(counted, "R")).toBe(0);
  expect(left(counted, "B")).toBe(2);
  expect(left(counted, "7")).toBe(6);
});
