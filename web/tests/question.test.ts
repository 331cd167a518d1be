import { expect, test } from "vitest";
import { intent, neighbour } from "../src/lib/keys";
import { choices, lastAnswer, priceOfLeaving, questionText, times } from "../src/lib/question";
import { others, roleOf, seatState, sideOf } from "../src/lib/seats";
import { ENGLISH, room, SEATS, view } from "./fixtures";

test("every phase before the play has its buttons and its words", () => {
  for (const phase of ["open", "bid", "call", "rob", "declare", "double"]) {
    expect(choices(phase)[0]).toBe("no");
    expect(questionText(view({ phase }))).not.toBeNull();
  }
  expect(choices("play")).toEqual([]);
  expect(questionText(view())).toBeNull();
});

test("the open hand is worth less the later it is", () => {
  expect(["before", "early", "late", "landlord"].map((moment) => times(view({ phase: "open", moment })))).toEqual([5, 4, 3, 2]);
});

test("leaving has a price only where the game has one", () => {
  expect(priceOfLeaving(view({ multiplier: 4 }))).toBe(36);
  expect(priceOfLeaving(view({ landlords: [], base: 1 }))).toBe(3);
  expect(priceOfLeaving(view({ may_leave: false }))).toBeNull();
});

test("the last answer of a seat stands in front of it", () => {
  const answers = [
    { phase: "bid", seat: 1, action: "bid 1" },
    { phase: "bid", seat: 2, action: "no" },
    { phase: "bid", seat: 1, action: "bid 3" },
  ];
  expect(lastAnswer(view({ answers }), 1)?.action).toBe("bid 3");
  expect(lastAnswer(view({ answers }), 0)).toBeNull();
  expect(seatState(ENGLISH, room({ phase: "bid", answers }), 2).said).toBe("No bid");
  expect(seatState(ENGLISH, room({ answers }), 2).said).toBeNull();
});

test("roles are told only as far as this player knows them", () => {
  const five = { variant: "five_player", counts: [21, 21, 21, 21, 21] };
  const roles = (changes: object): (string | null)[] => [0, 1, 2].map((seat) => roleOf(view({ ...five, ...changes }), seat));
  expect(roles({ landlords: [], revealed: false })).toEqual([null, null, null]);
  expect(roles({ landlords: [1], revealed: false })).toEqual(["farmer", "landlord", null]);
  expect(roles({ landlords: [1, 0], revealed: false })).toEqual(["landlord", "landlord", "farmer"]);
  expect(roles({ landlords: [1], revealed: true })).toEqual(["farmer", "landlord", "farmer"]);
});

test("a seat with two cards or one raises the alarm, during the play only", () => {
  expect(seatState(ENGLISH, room({ counts: [4, 2, 17] }), 1).alarm).toBe(true);
  expect(seatState(ENGLISH, room({ counts: [4, 3, 17] }), 1).alarm).toBe(false);
  expect(seatState(ENGLISH, room({ counts: [4, 2, 17], phase: "over" }), 1).alarm).toBe(false);
});

test("the next player sits on the right", () => {
  const three = room();
  expect(others(three)).toEqual([1, 2]);
  expect([0, 1, 2].map((seat) => sideOf(three, seat))).toEqual(["below", "right", "left"]);
  const two = { ...three, seats: SEATS.slice(0, 2) };
  expect(sideOf(two, 1)).toBe("above");
  const five = { ...three, seats: [...SEATS, ...SEATS.slice(0, 2)] };
  expect([1, 2, 3, 4].map((seat) => sideOf(five, seat))).toEqual(["right", "right", "left", "left"]);
});

test("keys mean cards during the play and answers before it", () => {
  expect(intent("3", false)).toEqual({ do: "rank", rank: "3" });
  expect(intent("3", true)).toEqual({ do: "bid", value: 3 });
  expect(intent("1", false)).toEqual({ do: "rank", rank: "A" });
  expect(intent("0", false)).toEqual({ do: "rank", rank: "T" });
  expect(intent("A", false)).toEqual({ do: "auto" });
  expect(intent("y", true)).toEqual({ do: "yes" });
  expect(intent("n", true)).toEqual({ do: "no" });
  expect(intent("Enter", false)).toEqual({ do: "play" });
  expect(intent("Escape", false)).toEqual({ do: "lower" });
  expect(intent("x", false)).toBeNull();
});

test("arrows go from card to card", () => {
  expect(neighbour("ArrowLeft", 0, 5)).toBe(0);
  expect(neighbour("ArrowRight", 3, 5)).toBe(4);
  expect(neighbour("End", 0, 5)).toBe(4);
  expect(neighbour("x", 0, 5)).toBeNull();
});
