/* Divide a hand into few combinations: a guess, not a solver. */

import { countRanks, isJoker, RANKS } from "./cards";

type Counts = Map<string, number>;

interface Step {
  copies: number;
  run: number;
}

const TRIO_CHAIN: Step = { copies: 3, run: 2 };
const TRIO: Step = { copies: 3, run: 1 };
const PAIR_CHAIN: Step = { copies: 2, run: 3 };
const SOLO_CHAIN: Step = { copies: 1, run: 5 };

/** Orders in which groups are looked for; the one that leaves the fewest plays wins. */
const ORDERS: readonly (readonly Step[])[] = [
  [TRIO_CHAIN, TRIO, PAIR_CHAIN, SOLO_CHAIN],
  [TRIO_CHAIN, SOLO_CHAIN, PAIR_CHAIN, TRIO],
  [TRIO_CHAIN, PAIR_CHAIN, SOLO_CHAIN, TRIO],
  [SOLO_CHAIN, TRIO_CHAIN, TRIO, PAIR_CHAIN],
  [PAIR_CHAIN, SOLO_CHAIN, TRIO_CHAIN, TRIO],
  [SOLO_CHAIN, PAIR_CHAIN, TRIO_CHAIN, TRIO],
];

const CHAIN_RANKS = RANKS.slice(0, RANKS.indexOf("2"));

/** The ranks of a hand as a list of plays (rank texts from low to high), each card in exactly one of them. */
export function divide(held: string): string[] {
  const bombs = takeBombs(countRanks(held));
  let best: string[] | null = null;
  for (const order of ORDERS) {
    const parts = takeGroups(new Map(bombs.rest), order);
    if (best === null || parts.length < best.length) best = parts;
  }
  return [...(best ?? []), ...bombs.taken];
}

function takeBombs(counts: Counts): { taken: string[]; rest: Counts } {
  const taken: string[] = [];
  const rest = new Map(counts);
  for (const [rank, count] of counts) {
    if (count < 4 || isJoker(rank)) continue;
    taken.push(rank.repeat(count));
    rest.delete(rank);
  }
  const jokers = "B".repeat(counts.get("B") ?? 0) + "R".repeat(counts.get("R") ?? 0);
  if (jokers.length >= 2) {
    taken.push(jokers);
    rest.delete("B");
    rest.delete("R");
  }
  return { taken, rest };
}

function takeGroups(counts: Counts, order: readonly Step[]): string[] {
  const parts: string[] = [];
  for (const step of order) {
    for (let run = longest(counts, step); run.length >= step.run; run = longest(counts, step)) {
      parts.push([...run].map((rank) => rank.repeat(step.copies)).join(""));
      for (const rank of run) counts.set(rank, (counts.get(rank) ?? 0) - step.copies);
    }
  }
  for (const [rank, count] of counts) if (count > 0) parts.push(rank.repeat(count));
  return parts;
}

/** The longest run of neighbouring ranks with enough copies; single trios may be twos as well. */
function longest(counts: Counts, step: Step): string {
  const enough = (rank: string): boolean => (counts.get(rank) ?? 0) >= step.copies;
  if (step.run === 1) return [...RANKS].find(enough) ?? "";
  let best = "";
  let run = "";
  for (const rank of CHAIN_RANKS) {
    run = enough(rank) ? run + rank : "";
    if (run.length > best.length) best = run;
  }
  return best;
}
