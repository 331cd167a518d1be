/* Cards as text: `7h`, `Ts`, and the jokers `B` and `R`; suits s h d c; ranks from low to high. */

export const RANKS = "3456789TJQKA2BR";

export type Suit = "s" | "h" | "d" | "c";

export function rankOf(card: string): string {
  return card.charAt(0);
}

export function suitOf(card: string): Suit | null {
  const suit = card.charAt(1);
  return suit === "s" || suit === "h" || suit === "d" || suit === "c" ? suit : null;
}

export function isJoker(card: string): boolean {
  return card === "B" || card === "R";
}

export function rankIndex(rank: string): number {
  return RANKS.indexOf(rank);
}

export function compareRanks(a: string, b: string): number {
  return rankIndex(a) - rankIndex(b);
}

/** The ranks of some cards from low to high, as the server writes combinations: `33344456`. */
export function rankText(cards: readonly string[]): string {
  return cards.map(rankOf).sort(compareRanks).join("");
}

/** How often each rank occurs in a rank text. */
export function countRanks(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const rank of text) counts.set(rank, (counts.get(rank) ?? 0) + 1);
  return counts;
}

/** One card of a hand or a play: `key` tells twins of two decks apart. */
export interface Held {
  key: string;
  card: string;
}

/** Give every card a key that stays the same while it is held; the second `7h` of two decks is `7h'`. */
export function held(cards: readonly string[]): Held[] {
  const seen = new Map<string, number>();
  return cards.map((card) => {
    const copy = seen.get(card) ?? 0;
    seen.set(card, copy + 1);
    return { key: card + "'".repeat(copy), card };
  });
}

/** Order for the eye: highest rank first, suits side by side in a fixed order. */
export function fromHigh(cards: readonly string[]): string[] {
  const suits = "shcd";
  return [...cards].sort(
    (a, b) => compareRanks(rankOf(b), rankOf(a)) || suits.indexOf(a.charAt(1)) - suits.indexOf(b.charAt(1)),
  );
}

/** Order for a play on the table: the ranks that occur most come first, so that kickers stand last. */
export function forTable(cards: readonly string[]): string[] {
  const counts = countRanks(rankText(cards));
  return fromHigh(cards).sort((a, b) => (counts.get(rankOf(b)) ?? 0) - (counts.get(rankOf(a)) ?? 0));
}

/** Whether a play (as rank text) is a bomb, or made of jokers only and no less. */
export function isBomb(play: string): boolean {
  if (play.length < 2) return false;
  if ([...play].every(isJoker)) return true;
  return play.length >= 4 && [...play].every((rank) => rank === play.charAt(0));
}

/** The strongest play of the game: both jokers of one deck, all four of two. */
export function isRocket(play: string, decks: number): boolean {
  return play.length === 2 * decks && [...play].every(isJoker);
}
