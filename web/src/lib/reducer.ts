/* All that the screen knows of the server, as one value, and the one function that moves it on. */

import type { ClosedCode, EventMessage, Move, Seat, ServerMessage, TableMessage, View, WelcomeMessage } from "../protocol";

/** The server's clock as it was when it arrived; it is never started again here. */
export interface Timer {
  limit: number;
  left: number;
  /** When `left` was true, in the milliseconds of the caller's clock. */
  at: number;
}

export interface Room {
  seq: number;
  seat: number;
  hand: number;
  view: View;
  seats: Seat[];
  timer: Timer | null;
  commitment: string;
  seed: string | null;
}

export interface State {
  welcome: WelcomeMessage | null;
  room: Room | null;
  /** Events were lost: the caller has to ask for them again. */
  gap: boolean;
  closed: ClosedCode | null;
}

export const START: State = { welcome: null, room: null, gap: false, closed: null };

export function reduce(state: State, message: ServerMessage, now: number): State {
  switch (message.type) {
    case "welcome":
      return { ...state, welcome: message, room: message.seated ? state.room : null, closed: null, gap: false };
    case "table":
      return { ...state, room: seated(message, now), gap: false, closed: null };
    case "event":
      return event(state, message, now);
    case "closed":
      return { ...state, room: endsTable(message.code) ? null : state.room, closed: message.code };
    case "done":
    case "refused":
    case "queue":
    case "said":
    case "purse":
      return state;
  }
}

function endsTable(code: ClosedCode): boolean {
  return code === "left" || code === "idle" || code === "failed";
}

/** The table as a player sees it; null before its first deal. */
function seated(message: TableMessage, now: number): Room | null {
  const { seat, view, commitment } = message;
  if (seat === null || view === null || commitment === null) return null;
  return {
    seq: message.seq,
    seat,
    hand: message.hand,
    view,
    seats: message.seats,
    timer: timer(message.clock, now),
    commitment,
    seed: message.seed,
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
    seq: message.seq,
    seat: room.seat,
    hand: message.hand ?? room.hand,
    view: { ...room.view, ...message.changes, history: history(room.view.history, message) },
    seats: message.seats ?? room.seats,
    timer: timer(message.clock, now),
    commitment: message.commitment ?? room.commitment,
    seed: dealt ? message.seed : (message.seed ?? room.seed),
  };
  return { ...state, room: next, gap: false };
}

function history(before: Move[], message: EventMessage): Move[] {
  const { kind, seat, cards } = message.event;
  if (kind === "deal") return [];
  if ((kind === "play" || kind === "pass") && seat !== null) return [...before, { seat, cards }];
  return before;
}

/** Milliseconds that are left of the open question. */
export function left(clock: Timer, now: number): number {
  return Math.max(0, clock.left - (now - clock.at));
}

/** Whether the player is asked something now. */
export function asked(room: Room): boolean {
  return room.view.turn.includes(room.seat) && room.view.legal.length > 0;
}
