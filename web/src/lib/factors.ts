/* What a multiplier is made of. */

import type { Result } from "../protocol";

type Factor = Result["factors"][number];

/** Those of one name taken together, in the order in which they came first. */
export function together(factors: readonly Factor[]): [name: string, times: number][] {
  const found = new Map<string, number>();
  for (const { name, times } of factors) found.set(name, (found.get(name) ?? 1) * times);
  return [...found];
}

/** How many times the stakes a farmer has won or lost, because he or the landlord doubled: 1 if nobody did. */
export function doubledFor({ base, multiplier, points, landlords }: Result, seat: number): number {
  const times = Math.abs(points[seat] ?? 0) / (base * multiplier);
  return landlords.includes(seat) || !Number.isInteger(times) ? 1 : times;
}
