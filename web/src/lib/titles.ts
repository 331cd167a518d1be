/* The ladders of titles: from how many points on each step is held. */

import LADDERS from "./titles.json";
import type { Ladder } from "./api";

export function steps(ladder: Ladder): readonly number[] {
  return LADDERS[ladder];
}

/** The step that so many points give; whoever has less than nothing stands on the first. */
export function stepOf(points: number, ladder: Ladder): number {
  return Math.max(0, LADDERS[ladder].findLastIndex((from) => points >= from));
}
