/* How cards move: from where they were to where they are. Who wants less motion sees none. */

import { preferences } from "./preferences.svelte";

/** Where cards come from: the side of the seat that played them. */
export type Side = "below" | "above" | "left" | "right" | "none";

const MS = 240;
const STAGGER_MS = 14;
const DEAL_MS = 34;
/** How far below their place own cards begin whose place in the hand is not known. */
const BELOW_PX = 110;

/** Where the cards of the own hand were before the last change. */
let seen = new Map<string, DOMRect>();

function still(): boolean {
  return !preferences.motion.value || matchMedia("(prefers-reduced-motion: reduce)").matches;
}

function place(selector: string, within: Element | Document | null = document): DOMRect | undefined {
  return within?.querySelector(selector)?.getBoundingClientRect();
}

function own(): [card: string, face: Element][] {
  return [...document.querySelectorAll<HTMLElement>("[data-card]")].map((slot) => [slot.dataset["card"] ?? "", slot.firstElementChild ?? slot]);
}

/** Where nodes are; all before the first of them moves: one layout, not one for each. */
function measured(nodes: readonly Element[]): [node: Element, place: DOMRect][] {
  return nodes.map((node) => [node, node.getBoundingClientRect()]);
}

function between(from: DOMRect, to: DOMRect): string {
  const [x, y] = [from.x - to.x + (from.width - to.width) / 2, from.y - to.y + (from.height - to.height) / 2];
  return `translate(${x}px, ${y}px) scale(${from.width / to.width})`;
}

function fly(node: Element, from: DOMRect, to: DOMRect, delay: number): void {
  const transform = [between(from, to), "none"];
  node.animate({ transform, opacity: [0, 1, 1, 1] }, { delay, duration: MS, easing: "ease-out", fill: "backwards" });
}

/** Run something in a task of its own when the next frame has been drawn; returns how to call it off. */
export function afterFrame(run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const frame = requestAnimationFrame(() => (timer = setTimeout(run)));
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}

/** Note where the own cards are. */
export function remember(): void {
  seen = new Map(own().map(([card, face]) => [card, face.getBoundingClientRect()]));
}

/** Let a card that is played come from the hand, or from its player. */
export function arrive(node: Element, from: Side, index: number, card: string): void {
  if (from === "none" || still()) return;
  const to = node.getBoundingClientRect();
  const source = from === "below" ? seen.get(card) : place(".avatar", node.closest(".seat"));
  fly(node, source ?? new DOMRect(to.x, to.y + BELOW_PX, to.width, to.height), to, Math.min(index, 8) * STAGGER_MS);
}

/** Let cards that are new in the own hand be dealt from the middle; `bottom`: they are the landlord's, from the top. */
export function deal(bottom: boolean): void {
  const from = place(bottom ? '[data-testid="bottom"] > *' : ".arena");
  if (from === undefined || still()) return;
  const card = bottom ? from : new DOMRect(from.x + from.width / 2, from.y + from.height / 2, 30, 42);
  const fresh = own().filter(([name]) => !seen.has(name));
  measured(fresh.map(([, face]) => face)).forEach(([face, to], index) => fly(face, card, to, index * DEAL_MS));
}

/** Let the bottom cards go to another seat. What is shown of them stays. */
export function give(seat: number): void {
  const to = place(`[data-testid="seat-${seat}"] .avatar`);
  if (to === undefined || still()) return;
  measured([...document.querySelectorAll('[data-testid="bottom"] > *')]).forEach(([card, from], index) => {
    const transform = ["none", between(to, from)];
    card.animate({ transform, opacity: [1, 1, 0.2], zIndex: [9, 9] }, { delay: index * 60, duration: MS * 2, easing: "ease-in-out" });
  });
}
