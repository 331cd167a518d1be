/* Divide a hand into few plays: a guess for leads, not a solver. */

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
export function divide(held: string, allowed: (play: string) => boolean): string[] {
  const bombs = takeBombs(countRanks(held));
  let best: string[] | null = null;
  for (const order of ORDERS) {
    const parts = attachKickers(takeGroups(new Map(bombs.rest), order), allowed);
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

/** Give trios the lowest single cards, or else pairs, that are left below the two, if the game allows it. */
function attachKickers(parts: readonly string[], allowed: (play: string) => boolean): string[] {
  const free = parts.filter((part) => part.length <= 2 && isKicker(part)).sort(byRank);
  const joined: string[] = [];
  for (const part of parts) {
    if (part.length % 3 !== 0 || part.charAt(0) !== part.charAt(2)) continue;
    const trios = part.length / 3;
    const play = [1, 2]
      .map((size) => free.filter((kicker) => kicker.length === size).slice(0, trios))
      .filter((kickers) => kickers.length === trios)
      .map((kickers) => ({ kickers, text: [...part, ...kickers.join("")].sort(byRank).join("") }))
      .find(({ text }) => allowed(text));
    joined.push(play?.text ?? part);
    for (const kicker of play?.kickers ?? []) free.splice(free.indexOf(kicker), 1);
  }
  const others = parts.filter((part) => part.length % 3 !== 0 || part.charAt(0) !== part.charAt(2));
  return [...joined, ...others.filter((part) => !isKicker(part) || free.includes(part))];
}

function isKicker(part: string): boolean {
  return part.length <= 2 && CHAIN_RANKS.includes(part.charAt(0)) && part.charAt(0) === part.at(-1);
}

function byRank(a: string, b: string): number {
  return RANKS.indexOf(a.charAt(0)) - RANKS.indexOf(b.charAt(0));
}
