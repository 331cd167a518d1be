/* The ladders of titles: from how many points on each step is held. They are loaded when they are looked at. */

import address from "./titles.json?url";
import type { Ladder } from "./api";

/** The points of every step, from the lowest on. */
export async function ladders(): Promise<Record<Ladder, number[]>> {
  return (await (await fetch(address)).json()) as Record<Ladder, number[]>;
}
