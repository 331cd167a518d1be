/*
 * The hint button: which of the legal answers to show, best first.
 *
 * The server's best bot says so. Until it has, plays are shown that break up few groups and are long, then those that
 * break up a four, then the bombs.
 */

import { countRanks, isBomb, rankText } from "./cards";

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

/** What a play costs that is better kept, so that any other comes before it. */
const BOMB = 200;
const BREAKS_BOMB = 100;
const BREAKS_GROUP = 2;

const LONG = 5;

/** The longest play of many cards that has all the ranks of `raised` and fewer of them: `345678` in `34566788`. */
export function within(raised: string, choices: readonly string[]): string | undefined {
  const ranks = new Set(raised).size;
  return choices
    .filter((play) => play.length >= LONG && play.length < raised.length && new Set(play).size === ranks)
    .filter((play) => new RegExp([...play].join(".*")).test(raised))
    .sort((a, b) => b.length - a.length)[0];
}

/** The legal plays for this hand in an order that needs no bot. */
export function hints(legal: readonly string[], hand: readonly string[]): string[] {
  const counts = countRanks(rankText(hand));
  const cost = (play: string): number => {
    let sum = isBomb(play) ? BOMB : -play.length;
    for (const [rank, number] of countRanks(play)) {
      const held = counts.get(rank) ?? 0;
      if (held > number) sum += held >= 4 ? BREAKS_BOMB : BREAKS_GROUP;
    }
    return sum;
  };
  const costs = plays(legal).map((play) => ({ play, cost: cost(play) }));
  return costs.sort((a, b) => a.cost - b.cost).map(({ play }) => play);
}

/** The answers that the hint button shows, one after the other: first in an own order, then in that of the best bot. */
export class Advice {
  private order: readonly string[] | null = null;
  private place = -1;

  constructor(
    private readonly own: () => readonly string[],
    private readonly ask: () => Promise<readonly string[]>,
  ) {}

  /** The next answer, if there is one yet. The first time the bot is asked; `better` hears its best one. */
  next(better: (answer: string) => void): string | undefined {
    if (this.order === null) {
      this.order = this.own();
      void this.ask().then((found) => {
        const [best] = found;
        if (best === undefined) return;
        // A pass is worth a hint only if it is the best answer.
        this.order = found.filter((answer) => answer === best || answer !== "pass");
        this.place = 0;
        better(best);
      });
    }
    this.place = (this.place + 1) % this.order.length;
    return this.order[this.place];
  }
}
