/* Which cards of the own hand stand up. A selection is a set of card keys; every function returns a new one. */

import { rankOf, type Held } from "./cards";

export type Selection = ReadonlySet<string>;

export const NOTHING: Selection = new Set();

export function toggle(selection: Selection, key: string): Selection {
  const next = new Set(selection);
  if (!next.delete(key)) next.add(key);
  return next;
}

/**
 * A drag from the card `anchor` to the card `current`: all cards between take the state that the first one
 * takes, all others have the state they had in `base` when the drag began.
 */
export function drag(base: Selection, hand: readonly Held[], anchor: number, current: number): Selection {
  const first = hand[anchor];
  if (first === undefined) return base;
  const raise = !base.has(first.key);
  const next = new Set(base);
  for (const { key } of hand.slice(Math.min(anchor, current), Math.max(anchor, current) + 1)) {
    if (raise) next.add(key);
    else next.delete(key);
  }
  return next;
}

/** A key of the keyboard: raise one more card of the rank; when all are up, lower all of them. */
export function toggleRank(selection: Selection, hand: readonly Held[], rank: string): Selection {
  const same = hand.filter(({ card }) => rankOf(card) === rank);
  if (same.length === 0) return selection;
  const next = new Set(selection);
  const down = same.findLast(({ key }) => !selection.has(key));
  if (down !== undefined) next.add(down.key);
  else for (const { key } of same) next.delete(key);
  return next;
}

/** Cards that left the hand leave the selection; the rest stays up while others play. */
export function keep(selection: Selection, hand: readonly Held[]): Selection {
  const here = new Set(hand.map(({ key }) => key));
  const gone = [...selection].some((key) => !here.has(key));
  return gone ? new Set([...selection].filter((key) => here.has(key))) : selection;
}

/** The cards of the hand that make up a play given as ranks; cards that are up already are taken first. */
export function pick(hand: readonly Held[], play: string, preferred: Selection = NOTHING): Selection {
  const next = new Set<string>();
  for (const rank of play) {
    const free = hand.filter(({ key, card }) => rankOf(card) === rank && !next.has(key));
    const card = free.find(({ key }) => preferred.has(key)) ?? free.at(-1);
    if (card !== undefined) next.add(card.key);
  }
  return next;
}

export function selectedCards(selection: Selection, hand: readonly Held[]): string[] {
  return hand.filter(({ key }) => selection.has(key)).map(({ card }) => card);
}
