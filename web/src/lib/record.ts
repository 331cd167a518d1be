/* The record of a finished hand, and what the table looked like after each of its actions. */

import type { Answer, Move, Result, View } from "../protocol";
import { rankOf } from "./cards";

/** Cards parted by blanks, in dealing order. */
export interface Deal {
  first: number;
  hands: string[];
  bottom: string;
  aside: string;
  marked: string | null;
}

/** As `/api/replay/` gives it. `actions`: the seat and what it did, for example `0 bid 3`; `phases`: what that answered. */
export interface HandRecord {
  variant: string;
  deal: Deal;
  seed: string | null;
  entropy: string[];
  commitment: string | null;
  actions: string[];
  phases: string[];
  result: Result;
  names: string[];
  room: string | null;
  ended_at: number;
}

/** One action, with the question that it answered: `bid`, `call`, `rob`, `open`, `declare`, `double`, `play` or `leave`. */
export interface Act {
  seat: number;
  action: string;
  phase: string;
}

/** The table after so many actions as the number of its place in a list. */
export type Position = Pick<View, "hands" | "counts" | "landlords" | "opened" | "doubled" | "answers" | "last" | "table" | "turn" | "phase" | "bottom">;

export function cardsOf(text: string): string[] {
  return text === "" ? [] : text.split(" ");
}

/** What was done, and after how many actions the landlord takes the bottom cards: when nobody claims any more. */
export function readActs({ variant, actions, phases, result }: HandRecord): { acts: Act[]; taken: number } {
  const acts = actions.map((text, index) => {
    const action = text.slice(2);
    return { seat: Number(text.charAt(0)), action, phase: action === "leave" ? action : (phases[index] ?? "play") };
  });
  const claimed = phases.findLastIndex((phase) => phase === "bid" || phase === "call" || phase === "rob");
  return { acts, taken: variant === "five_player" ? 0 : result.landlords.length === 0 ? Infinity : claimed + 1 };
}

/** The cards of a play: a rank alone is the first card of this rank in the hand, the marked one only in need. */
export function taken(hand: readonly string[], play: string, marked: string | null): string[] {
  const left = [...hand.filter((card) => card !== marked), ...hand.filter((card) => card === marked)];
  const named = play.match(/[BR]|[3-9TJQKA2][shcd]?/g) ?? [];
  return [...named].sort((a, b) => b.length - a.length).map((name) => {
    const found = left.findIndex((card) => card === name || rankOf(card) === name);
    return left.splice(found, 1)[0] ?? name;
  });
}

/** The table before the first action, and after each. */
export function positions(record: HandRecord): Position[] {
  const { deal, result, names } = record;
  const { acts, taken: bottomAt } = readActs(record);
  const hands = deal.hands.map(cardsOf);
  const opened = new Set<number>();
  const doubled = new Set<number>();
  const answers: Answer[] = [];
  let last: (Move | null)[] = names.map(() => null);
  let table: View["table"] = null;
  const all: Position[] = [];
  const keep = (done: number): void => {
    if (done === bottomAt) hands[bottomTaker(record)]?.push(...cardsOf(deal.bottom));
    const next = acts[done];
    all.push({
      hands: hands.map((hand) => [...hand]),
      counts: hands.map(({ length }) => length),
      landlords: done >= bottomAt ? result.landlords : [],
      opened: [...opened],
      doubled: [...doubled],
      answers: [...answers],
      last: [...last],
      table,
      turn: next === undefined ? [] : [next.seat],
      phase: next === undefined ? "over" : next.phase,
      bottom: cardsOf(deal.bottom),
    });
  };
  keep(0);
  acts.forEach(({ seat, action, phase }, index) => {
    if (phase !== "play" && phase !== "leave") {
      answers.push({ phase, seat, action });
      if (action === "open") opened.add(seat);
      if (action === "double") doubled.add(seat);
    } else if (action === "pass") {
      last[seat] = { seat, cards: [] };
      if (table !== null && (seat + 1) % names.length === table.seat) table = null;
    } else if (phase === "play") {
      const cards = taken(hands[seat] ?? [], action.slice("play ".length), deal.marked);
      const rest = [...(hands[seat] ?? [])];
      for (const card of cards) rest.splice(rest.indexOf(card), 1);
      hands[seat] = rest;
      if (table === null) last = names.map(() => null);
      last[seat] = { seat, cards };
      table = { seat, cards, kind: "", length: 0, rank: "" };
    }
    keep(index + 1);
  });
  return all;
}

function bottomTaker({ variant, deal, result }: HandRecord): number {
  return variant === "five_player" ? deal.first : (result.landlords[0] ?? 0);
}
