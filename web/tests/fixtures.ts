/* Small hand-written tables and messages. */

import { vi } from "vitest";
import type { EventMessage, Seat, TableMessage, VariantInfo, View } from "../src/protocol";
import en from "../../src/dizhu/locales/en.json";
import { hasKey, translate } from "../src/lib/i18n";
import { isDealt, reduce, START, type Dealt, type State } from "../src/lib/reducer";
import type { Speech } from "../src/lib/words";

/** Give the code a storage as a browser has it, and return what is in it. */
export function browserStorage(): Map<string, string> {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => kept.set(key, value) });
  return kept;
}

export const CLASSIC: VariantInfo = {
  name: "classic",
  seats: 3,
  decks: 1,
  ranks: "3456789TJQKA2BR",
  cards_each: 17,
  bottom: 3,
  options: [],
  bots: ["easy", "normal", "hard", "master"],
};

export function view(changes: Partial<View> = {}): View {
  return {
    variant: "classic",
    seat: 0,
    phase: "play",
    moment: null,
    turn: [0],
    first: 0,
    hands: [["3s", "5h", "5d", "Ks"], null, null],
    counts: [4, 17, 17],
    bottom: ["7s", "8s", "9s"],
    aside: null,
    marked: null,
    landlords: [0],
    revealed: true,
    base: 3,
    multiplier: 1,
    factors: [],
    doubled: [],
    opened: [],
    let: 0,
    answers: [],
    table: null,
    last: [null, null, null],
    history: [],
    legal: ["play 3", "play 5", "play K", "play 55"],
    may_leave: true,
    result: null,
    cap: null,
    ...changes,
  };
}

export const SEATS: Seat[] = [
  { name: "Guest 12", account: 12, bot: false, connected: true, auto: false, ready: false, score: 0, title: null },
  { name: "Rule", account: null, bot: true, connected: true, auto: false, ready: false, score: 0, title: null },
  { name: "Rule", account: null, bot: true, connected: true, auto: false, ready: false, score: 0, title: null },
];

export function table(changes: Partial<TableMessage> = {}): TableMessage {
  return {
    type: "table",
    seq: 10,
    table: "00",
    code: null,
    setting: { room: null, variant: "classic", options: {}, coefficient: 0, fee: 0 },
    seat: 0,
    host: null,
    hand: 1,
    view: view(),
    seats: SEATS,
    clock: { limit_ms: 20_000, left_ms: 15_000 },
    commitment: "c0",
    seed: null,
    next_commitment: "c1",
    settled: null,
    ...changes,
  };
}

export function event(seq: number, changes: Partial<EventMessage> = {}): EventMessage {
  return {
    type: "event",
    seq,
    event: { kind: "pass", seat: 1, value: null, cards: [] },
    changes: {},
    seats: null,
    clock: null,
    hand: null,
    commitment: null,
    seed: null,
    next_commitment: null,
    settled: null,
    ...changes,
  };
}

export function seated(changes: Partial<TableMessage> = {}): State {
  return reduce(START, table(changes), 1000);
}

export function room(changes: Partial<View> = {}): Dealt {
  const state = seated({ view: view(changes) });
  if (!isDealt(state.room)) throw new Error("nobody sits");
  return state.room;
}

export const ENGLISH: Speech = {
  t: (key, values) => translate(en, "en", key, values),
  open: (key, fallback, values) => (hasKey(en, key) ? translate(en, "en", key, values) : fallback),
  list: (parts) => parts.join(", "),
};
