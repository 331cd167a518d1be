/* The order of the own hand. */

import { compareRanks, fromHigh, rankOf, rankText } from "./cards";
import { divide } from "./divide";

/** From high to low, or by combinations as a hand may be divided: the longest first. */
export function arrange(cards: readonly string[], grouped: boolean): string[] {
  const left = fromHigh(cards);
  if (!grouped) return left;
  const parts = divide(rankText(cards)).sort((a, b) => b.length - a.length || compareRanks(b.charAt(0), a.charAt(0)));
  return parts.flatMap((part) =>
    [...part].reverse().flatMap((rank) => left.splice(left.findIndex((card) => rankOf(card) === rank), 1)),
  );
}
