import { describe, expect, test } from "vitest";
import { readFileSync } from "node:fs";
import { heard, type Sound } from "../src/lib/heard";
import { isDealt, reduce, START, type Dealt } from "../src/lib/reducer";
import type { ServerMessage } from "../src/protocol";

/** Every state of the table while a recorded hand was played, from the first deal on. */
function states(name: string): Dealt[] {
  const lines = readFileSync(new URL(`logs/${name}.jsonl`, import.meta.url), "utf8").trim().split("\n");
  let state = START;
  const found: Dealt[] = [];
  for (const line of lines.slice(0, -1)) {
    state = reduce(state, JSON.parse(line) as ServerMessage, 0);
    if (isDealt(state.room) && state.room !== found.at(-1)) found.push(state.room);
  }
  return found;
}

function sounds(name: string): Sound[] {
  const all = states(name);
  return all.flatMap((after, index) => (index === 0 ? [] : heard(all[index - 1] ?? after, after, name === "five_player" ? 2 : 1)));
}

describe.each(["classic", "auction", "landlord_war", "happy", "two_player", "five_player"])("%s", (name) => {
  test("every play and pass is heard once, and the end", () => {
    const found = sounds(name);
    const turns = found.filter((one) => ["play", "pass", "bomb", "rocket"].includes(one));
    expect(turns).toHaveLength(states(name).at(-1)?.view.history.length ?? 0);
    expect(found.filter((one) => one === "win" || one === "lose")).toHaveLength(1);
  });

  test("a spectator neither wins nor loses, and is never asked", () => {
    expect(sounds(`${name}-watching`)).not.toEqual(expect.arrayContaining(["win"]));
    expect(sounds(`${name}-watching`).filter((one) => one === "lose" || one === "turn")).toEqual([]);
  });
});

test("two cards and one card left are told apart, and a bomb from a rocket", () => {
  const last = states("classic").at(-1);
  if (last === undefined) throw new Error("no states");
  const view = { ...last.view, result: null, phase: "play", turn: [], counts: [5, 5, 5], history: [] };
  const before = { ...last, view };
  const after = (cards: string[], counts: number[]): Dealt => ({ ...last, view: { ...view, counts, history: [{ seat: 1, cards }] } });
  expect(heard(before, after(["3s", "4h"], [5, 2, 5]), 1)).toEqual(["play", "two"]);
  expect(heard(before, after(["3s", "3h", "3c", "3d"], [5, 1, 5]), 1)).toEqual(["bomb", "one"]);
  expect(heard(before, after(["B", "R"], [5, 3, 5]), 1)).toEqual(["rocket"]);
  expect(heard(before, after(["B", "R"], [5, 3, 5]), 2)).toEqual(["bomb"]);
  expect(heard(before, after([], [5, 5, 5]), 1)).toEqual(["pass"]);
  expect(heard(before, before, 1)).toEqual([]);
});
