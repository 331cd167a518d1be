/* How cards come onto the table. Who asked for less motion sees none. */

import { preferences } from "./preferences.svelte";

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
  return !preferences.motion.value || matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Let a node come in when it is put on the page. */
export function arrive(node: Element, from: Side, index: number): void {
  if (from === "none" || still()) return;
  const [x, y] = FROM[from];
  node.animate(
    { transform: [`translate(${x}px, ${y}px) scale(.7)`, "none"], opacity: [0, 1, 1] },
    { delay: Math.min(index, 8) * 14, duration: MS, easing: "ease-out", fill: "backwards" },
  );
}
