/* The questions before the play: which buttons there are, and what stands above them. */

import type { View } from "../protocol";
import type { Key, Values } from "./i18n";

/** What the moments of the open hand are worth, and the other questions with a factor. */
const OPEN_TIMES: Readonly<Record<string, number>> = { before: 5, early: 4, late: 3, landlord: 2 };
const ASKED_TIMES = 2;

/** All answers of a phase in the order of their buttons; those that are not legal are shown switched off. */
export function choices(phase: string): readonly string[] {
  switch (phase) {
    case "bid":
      return ["no", "bid 1", "bid 2", "bid 3"];
    case "call":
    case "rob":
    case "open":
    case "declare":
    case "double":
      return ["no", phase];
    default:
      return [];
  }
}

/** Factor named by the question of this view, null if it has none. */
export function times(view: View): number | null {
  if (view.phase === "open") return OPEN_TIMES[view.moment ?? ""] ?? null;
  return view.phase === "rob" || view.phase === "declare" || view.phase === "double" ? ASKED_TIMES : null;
}

export function questionText(view: View): { key: Key; values: Values } | null {
  const values = { times: times(view) ?? 1 };
  switch (view.phase) {
    case "open":
      return { key: openKey(view.moment), values };
    case "declare":
      return { key: view.legal.includes("declare") ? "question.declare" : "question.declare.farmer", values };
    case "bid":
    case "call":
    case "rob":
    case "double":
      return { key: `question.${view.phase}`, values };
    default:
      return null;
  }
}

function openKey(moment: string | null): Key {
  switch (moment) {
    case "before":
    case "late":
    case "landlord":
      return `question.open.${moment}`;
    default:
      return "question.open.early";
  }
}

/** What leaving costs now, null if it costs nothing at once. */
export function priceOfLeaving(view: View): number | null {
  if (!view.may_leave) return null;
  return view.landlords.length === 0 ? 3 : 3 * view.base * view.multiplier;
}

/** The answer to show in front of a seat before the play: its last one. */
export function lastAnswer(view: View, seat: number): { phase: string; action: string } | null {
  return view.answers.findLast((answer) => answer.seat === seat) ?? null;
}
