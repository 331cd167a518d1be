/*
 * The hint button: which of the legal plays to show, best first.
 *
 * Following: plays of the same kind that break up the fewest groups, lowest first, then the bombs, the rocket last.
 * Plays that would break up a bomb are shown only if no other play of the kind is left; of plays that differ
 * in their kickers only, one is shown.
 * Leading: the hand is divided into as few plays as possible; these are shown from low to high, bombs last.
 */

import { countRanks, isBomb, isJoker, rankIndex, rankText } from "./cards";
import { divide } from "./divide";

/** The ranks of the plays in `legal`, in its order. */
export function plays(legal: readonly string[]): string[] {
  return legal.filter((action) => action.startsWith("play ")).map((action) => action.slice("play ".length));
}

export function canPass(legal: readonly string[]): boolean {
  return legal.includes("pass");
}

/** Whether the seat is asked to play and can only pass. */
export function nothingBeats(legal: readonly string[]): boolean {
  return legal.length === 1 && legal[0] === "pass";
}

const LONG = 5;

/** The longest play of many cards that has all the ranks of `raised` and fewer of them: `345678` in `34566788`. */
export function within(raised: string, choices: readonly string[]): string | undefined {
  const ranks = new Set(raised).size;
  return choices
    .filter((play) => play.length >= LONG && play.length < raised.length && new Set(play).size === ranks)
    .filter((play) => new RegExp([...play].join(".*")).test(raised))
    .sort((a, b) => b.length - a.length)[0];
}

/** The legal plays to show one after the other for this hand, best first. */
export function hints(legal: readonly string[], hand: readonly string[]): string[] {
  const choices = plays(legal);
  const held = rankText(hand);
  return canPass(legal) ? following(choices, held) : leading(choices, held);
}

function leading(choices: readonly string[], held: string): string[] {
  const open = new Set(choices);
  const parts = divide(held, (play) => open.has(play)).filter((part) => open.has(part));
  const normal = parts.filter((part) => !isBomb(part)).sort(byLowest);
  const bombs = choices.filter((play) => isBomb(play) && parts.includes(play));
  const shown = [...normal, ...bombs];
  return shown.length > 0 ? shown : [...choices];
}

function byLowest(a: string, b: string): number {
  return rankIndex(coreOf(a).charAt(0)) - rankIndex(coreOf(b).charAt(0)) || b.length - a.length;
}

function following(choices: readonly string[], held: string): string[] {
  const counts = countRanks(held);
  const same = choices.filter((play) => !isBomb(play));
  const whole = same.filter((play) => !breaksBomb(play, counts));
  const bombs = choices.filter(isBomb);
  const wholeBombs = bombs.filter((bomb) => isWhole(bomb, counts));
  const ranked = (whole.length > 0 ? whole : same)
    .map((play, place) => ({ play, place, cost: groupsBroken(play, counts) }))
    .sort((a, b) => a.cost - b.cost || a.place - b.place)
    .map(({ play }) => play);
  return [...onePerCore(ranked), ...(wholeBombs.length > 0 ? wholeBombs : bombs)];
}

function onePerCore(ranked: readonly string[]): string[] {
  const seen = new Set<string>();
  return ranked.filter((play) => {
    const core = coreOf(play);
    if (seen.has(core)) return false;
    seen.add(core);
    return true;
  });
}

/** The ranks a play is compared by: those that occur most, of trios the longest neighbouring run. */
export function coreOf(play: string): string {
  const counts = countRanks(play);
  const most = Math.max(...counts.values());
  if (most < 3) return play;
  const groups = [...counts.entries()].filter(([, count]) => count === most).map(([rank]) => rank);
  let best: string[] = [];
  let run: string[] = [];
  for (const rank of groups) {
    const before = run.at(-1);
    run = before !== undefined && rankIndex(rank) === rankIndex(before) + 1 && rank !== "2" ? [...run, rank] : [rank];
    if (run.length >= best.length) best = run;
  }
  return best.join("");
}

/** Whether playing these ranks leaves a part of a four, or one of two jokers that are a bomb together. */
function breaksBomb(play: string, counts: ReadonlyMap<string, number>): boolean {
  const used = countRanks(play);
  for (const [rank, number] of used) {
    const before = counts.get(rank) ?? 0;
    if (!isJoker(rank) && before >= 4 && before - number < 4) return true;
  }
  const jokers = (counts.get("B") ?? 0) + (counts.get("R") ?? 0);
  return jokers >= 2 && [...used.keys()].some(isJoker);
}

/** Whether a bomb leaves none of its cards behind: not four cards of five, not two jokers of three. */
function isWhole(bomb: string, counts: ReadonlyMap<string, number>): boolean {
  const jokers = (counts.get("B") ?? 0) + (counts.get("R") ?? 0);
  return bomb.length === (isJoker(bomb.charAt(0)) ? jokers : (counts.get(bomb.charAt(0)) ?? 0));
}

function groupsBroken(play: string, counts: ReadonlyMap<string, number>): number {
  let broken = 0;
  for (const [rank, number] of countRanks(play)) if ((counts.get(rank) ?? 0) > number) broken += 1;
  return broken;
}
