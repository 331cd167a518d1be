/* All that the screen knows of the server, as one value, and the one function that moves it on. */

import type {
  ClosedMessage,
  EventMessage,
  Move,
  PurseMessage,
  Seat,
  ServerMessage,
  Setting,
  Settled,
  TableMessage,
  View,
  ViewChanges,
  WelcomeMessage,
} from "../protocol";

/** The server's clock as it was when it arrived; it is never started again here. */
export interface Timer {
  limit: number;
  left: number;
  /** When `left` was true, in the milliseconds of the caller's clock. */
  at: number;
}

/** A table. `seat` is null for a spectator; `view` and `commitment` are null before the first deal. */
export interface Room {
  seq: number;
  table: string;
  code: string | null;
  setting: Setting;
  seat: number | null;
  hand: number;
  view: View | null;
  seats: Seat[];
  timer: Timer | null;
  commitment: string | null;
  seed: string | null;
  nextCommitment: string;
  settled: Settled | null;
  /** The step of the ladder that the player has risen to with this hand. */
  risen: number | null;
  /** The player has come after the hand that is shown, and has no part in it. */
  late: boolean;
}

/** A table at which a hand has been dealt. */
export type Dealt = Room & { view: View };

/** The search for a table. */
export interface Search {
  room: string;
  waiting: number;
  seats: number;
  /** Until bots take the seats that are left. */
  fill: Timer;
}

/** What somebody at the table has just said: a phrase by its number, or words. */
export interface Bubble {
  seat: number;
  phrase: number | null;
  text: string | null;
  at: number;
}

export interface State {
  welcome: WelcomeMessage | null;
  room: Room | null;
  search: Search | null;
  purse: PurseMessage | null;
  /** At most one for a seat, the newest last. */
  bubbles: readonly Bubble[];
  /** Events were lost: the caller has to ask for them again. */
  gap: boolean;
  closed: ClosedMessage | null;
}

export const START: State = {
  welcome: null,
  room: null,
  search: null,
  purse: null,
  bubbles: [],
  gap: false,
  closed: null,
};

/** How long it can be read what somebody said. */
export const BUBBLE_MS = 6000;

export function reduce(state: State, message: ServerMessage, now: number): State {
  switch (message.type) {
    case "welcome": {
      const purse = message.account === state.welcome?.account ? state.purse : null;
      const room = message.seated ? state.room : null;
      return { ...state, welcome: message, room, purse, search: null, closed: null, gap: false };
    }
    case "table":
      return { ...state, room: seated(message, now, isLate(state, message)), search: null, gap: false, closed: null };
    case "event":
      return event(state, message, now);
    case "closed":
      return endsTable(message)
        ? { ...state, welcome: state.welcome && { ...state.welcome, seated: false }, room: null, bubbles: [], closed: message }
        : { ...state, search: null, closed: message };
    case "queue": {
      const { room, waiting, seats, fill_ms: left } = message;
      return { ...state, search: { room, waiting, seats, fill: { limit: left, left, at: now } } };
    }
    case "said": {
      const { seat, phrase, text } = message;
      return { ...state, bubbles: [...state.bubbles.filter((bubble) => bubble.seat !== seat), { seat, phrase, text, at: now }] };
    }
    case "purse":
      return { ...state, purse: message };
    default:
      return state;
  }
}

/** The player has given up the search. */
export function unsearched(state: State): State {
  return { ...state, search: null };
}

/** Take away what was said long enough ago. */
export function hush(state: State, now: number): State {
  const bubbles = state.bubbles.filter(({ at }) => now - at < BUBBLE_MS);
  return bubbles.length === state.bubbles.length ? state : { ...state, bubbles };
}

function endsTable({ code }: ClosedMessage): boolean {
  return code === "left" || code === "idle" || code === "failed" || code === "poor";
}

/** A player who comes to a table, and does not come back to it, has no part in what has been played there. */
function isLate({ welcome, room }: State, { table, hand, seat, view }: TableMessage): boolean {
  if (table === room?.table) return room.late && hand === room.hand;
  return welcome?.seated === false && seat !== null && view?.phase === "over";
}

function seated(message: TableMessage, now: number, late: boolean): Room {
  return {
    seq: message.seq,
    table: message.table,
    code: message.code,
    setting: message.setting,
    seat: message.seat,
    hand: message.hand,
    view: message.view,
    seats: message.seats,
    timer: timer(message.clock, now),
    commitment: message.commitment,
    seed: message.seed,
    nextCommitment: message.next_commitment,
    settled: message.settled,
    risen: null,
    late,
  };
}

function timer(clock: EventMessage["clock"], now: number): Timer | null {
  return clock === null ? null : { limit: clock.limit_ms, left: clock.left_ms, at: now };
}

function event(state: State, message: EventMessage, now: number): State {
  const { room } = state;
  if (room === null || message.seq <= room.seq) return state;
  if (message.seq > room.seq + 1) return { ...state, gap: true };
  const dealt = message.event.kind === "deal";
  const next: Room = {
    ...room,
    seq: message.seq,
    hand: message.hand ?? room.hand,
    view: viewAfter(room.view, message),
    seats: message.seats ?? room.seats,
    timer: timer(message.clock, now),
    commitment: message.commitment ?? room.commitment,
    seed: dealt ? message.seed : (message.seed ?? room.seed),
    nextCommitment: message.next_commitment ?? room.nextCommitment,
    settled: dealt ? message.settled : (message.settled ?? room.settled),
    risen: dealt ? null : (risen(room, message) ?? room.risen),
    late: room.late && !dealt,
  };
  return { ...state, room: next, gap: false };
}

function risen(room: Room, message: EventMessage): number | null {
  if (message.settled === null || message.seats === null || room.seat === null) return null;
  const before = room.seats[room.seat]?.title ?? null;
  const now = message.seats[room.seat]?.title ?? null;
  return before !== null && now !== null && now > before ? now : null;
}

/** The first deal of a table brings all of the view, what follows the changes only. */
function viewAfter(view: View | null, message: EventMessage): View | null {
  const { changes } = message;
  if (view !== null) return { ...view, ...changes, history: history(view.history, message) };
  return isWhole(changes) ? { ...changes, history: [] } : null;
}

function isWhole(changes: ViewChanges): changes is Omit<View, "history"> {
  return changes.phase !== undefined && changes.legal !== undefined && changes.hands !== undefined;
}

function history(before: Move[], message: EventMessage): Move[] {
  const { kind, seat, cards } = message.event;
  if (kind === "deal") return [];
  if ((kind === "play" || kind === "pass") && seat !== null) return [...before, { seat, cards }];
  return before;
}

export function isDealt(room: Room | null): room is Dealt {
  return room !== null && room.view !== null;
}

/** The seat whose player may decide at a private table: the first one. */
export function hostOf(room: Room): number | null {
  const host = room.seats.findIndex(({ account }) => account !== null);
  return room.code === null || host < 0 ? null : host;
}

/** Nobody sits there. */
export function isEmpty(seat: Seat): boolean {
  return seat.account === null && !seat.bot;
}

/** Milliseconds that are left of the open question. */
export function left(clock: Timer, now: number): number {
  return Math.max(0, clock.left - (now - clock.at));
}

/** Whether the player is asked something now. */
export function asked({ view, seat }: Room): boolean {
  return view !== null && seat !== null && view.turn.includes(seat) && view.legal.length > 0;
}
