import { expect, test } from "vitest";
import { held } from "../src/lib/cards";
import { drag, keep, NOTHING, pick, selectedCards, toggle, toggleRank } from "../src/lib/selection";

const HAND = held(["R", "2s", "As", "Ks", "Qs", "Js", "Ts", "9s", "8s", "8h", "8d", "3c"]);

test("a tap raises a card and lowers it again", () => {
  const up = toggle(NOTHING, "As");
  expect([...up]).toEqual(["As"]);
  expect(toggle(up, "As").size).toBe(0);
});

test("a drag raises what it crosses, and dragging back lowers it again", () => {
  const far = drag(NOTHING, HAND, 4, 9);
  expect(selectedCards(far, HAND)).toEqual(["Qs", "Js", "Ts", "9s", "8s", "8h"]);
  const back = drag(NOTHING, HAND, 4, 7);
  expect(selectedCards(back, HAND)).toEqual(["Qs", "Js", "Ts", "9s"]);
  expect(selectedCards(drag(NOTHING, HAND, 4, 2), HAND)).toEqual(["As", "Ks", "Qs"]);
});

test("a drag that begins on a raised card lowers, and leaves the others as they were", () => {
  const base = drag(NOTHING, HAND, 1, 4);
  expect(selectedCards(drag(base, HAND, 2, 3), HAND)).toEqual(["2s", "Qs"]);
});

test("a rank key raises one card after the other, then lowers all", () => {
  let selection = NOTHING;
  for (const size of [1, 2, 3]) {
    selection = toggleRank(selection, HAND, "8");
    expect(selection.size).toBe(size);
  }
  expect(toggleRank(selection, HAND, "8").size).toBe(0);
  expect(toggleRank(NOTHING, HAND, "7")).toBe(NOTHING);
});

test("the selection is kept while others play, and loses only cards that are gone", () => {
  const up = toggle(toggle(NOTHING, "8s"), "8h");
  expect(keep(up, HAND)).toBe(up);
  expect([...keep(up, held(["8h", "3c"]))]).toEqual(["8h"]);
});

test("a play given as ranks is picked from the hand, raised cards first", () => {
  expect(selectedCards(pick(HAND, "88"), HAND)).toEqual(["8h", "8d"]);
  expect(selectedCards(pick(HAND, "88", new Set(["8s"])), HAND)).toEqual(["8s", "8d"]);
  expect(pick(HAND, "8889").size).toBe(4);
});
