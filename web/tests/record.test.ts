/* Hands and deals as the game itself plays and deals them (`python -m browser.record_hands`). */

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { VariantInfo } from "../src/protocol";
import { checkDeal, redeal } from "../src/lib/deal";
import { positions, readActs, taken, type HandRecord } from "../src/lib/record";

interface Told {
  record: HandRecord;
  phases: string[];
  laid: string[];
  counts: number[][];
  left: string[];
}

type Dealt = Pick<HandRecord, "deal" | "seed" | "entropy" | "commitment"> & { info: VariantInfo };

function read<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`records/${name}.json`, import.meta.url), "utf8")) as T;
}

const GAMES = ["auction", "classic", "five_player", "happy", "landlord_war", "two_player"];
const deals = read<Dealt[]>("deals");

describe.each(GAMES)("%s", (name) => {
  test.each(read<Told[]>(name))("a hand is told as it was played", ({ record: told, phases, laid, counts, left }) => {
    const record = { ...told, phases: phases.slice(0, -1) };
    const found = positions(record);
    const { acts } = readActs(record);
    expect(found.map((position) => position.counts)).toEqual(counts);
    expect(found.at(-1)?.hands.map((hand) => [...(hand ?? [])].sort().join(" "))).toEqual(left);
    laid.forEach((cards, index) => {
      const { seat, phase } = acts[index] ?? { seat: 0, phase: "" };
      const shown = found[index + 1]?.last[seat]?.cards ?? [];
      if (phase === "play") expect([...shown].sort().join(" ")).toBe(cards.split(" ").sort().join(" "));
    });
    expect(found.at(-1)).toMatchObject({ phase: "over", turn: [], landlords: record.result.landlords, doubled: record.result.doubled });
  });

  test.each(deals.filter(({ info }) => info.name === name))("its deal comes from seed and entropy", async (dealt) => {
    const { info, deal, seed, entropy } = dealt;
    expect(await redeal(info, seed ?? "", entropy, deal.first, deal.marked !== null)).toEqual(deal);
    expect(await checkDeal(dealt, info)).toBe("good");
  });
});

test("a deal that was changed is found out", async () => {
  const [dealt] = deals;
  if (dealt === undefined) throw new Error("no deals");
  const { info, deal } = dealt;
  const [one = "", two = "", ...others] = deal.hands;
  expect(await checkDeal({ ...dealt, deal: { ...deal, hands: [two, one, ...others] } }, info)).toBe("cards");
  expect(await checkDeal({ ...dealt, entropy: ["00"] }, info)).toBe("cards");
  expect(await checkDeal({ ...dealt, commitment: "0".repeat(64) }, info)).toBe("commitment");
  expect(await checkDeal({ ...dealt, seed: null }, info)).toBe("unknown");
});

test("a rank alone is the marked card only in need", () => {
  expect(taken(["7h", "7s", "B"], "7", "7h")).toEqual(["7s"]);
  expect(taken(["7h", "7s", "B"], "77", "7h")).toEqual(["7s", "7h"]);
  expect(taken(["7h", "7s", "B"], "7h", "7h")).toEqual(["7h"]);
  expect(taken(["7s", "7h"], "7h 7", null)).toEqual(["7h", "7s"]);
});
