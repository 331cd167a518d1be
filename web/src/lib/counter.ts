/* The card counter: how many cards of each rank this player has not seen yet. */

import type { VariantInfo, View } from "../protocol";
import { isJoker, rankOf } from "./cards";

export interface Unseen {
  rank: string;
  left: number;
  /** Copies of the rank in the whole deck. */
  of: number;
}

/** By rank from high to low: the deck, less own hand, all played cards, and open hands of others. */
export function unseen(info: VariantInfo, view: View): Unseen[] {
  const seen = new Map<string, number>();
  const see = (cards: readonly string[]): void => {
    for (const card of cards) seen.set(rankOf(card), (seen.get(rankOf(card)) ?? 0) + 1);
  };
  for (const hand of view.hands) if (hand !== null) see(hand);
  for (const move of view.history) see(move.cards);
  return [...info.ranks].reverse().map((rank) => {
    const copies = (isJoker(rank) ? 1 : 4) * info.decks;
    return { rank, of: copies, left: Math.max(0, copies - (seen.get(rank) ?? 0)) };
  });
}
