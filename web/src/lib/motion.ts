/* How cards come onto the table. Who asked for less motion sees none. */

import type { TransitionConfig } from "svelte/transition";

/** Where cards come from: the side of the seat that played them. */
export type Side = "below" | "above" | "left" | "right" | "none";

const FROM: Readonly<Record<Side, readonly [number, number]>> = {
  below: [0, 110],
  above: [0, -50],
  left: [-70, 0],
  right: [70, 0],
  none: [0, 0],
};

const MS = 220;

function still(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

export function arrive(_node: Element, { from, index }: { from: Side; index: number }): TransitionConfig {
  if (from === "none" || still()) return { duration: 0 };
  const [x, y] = FROM[from];
  return {
    delay: Math.min(index, 8) * 14,
    duration: MS,
    easing: (t) => 1 - (1 - t) ** 3,
    css: (t, u) => `transform: translate(${x * u}px, ${y * u}px) scale(${0.7 + 0.3 * t}); opacity: ${Math.min(1, t * 2)}`,
  };
}
