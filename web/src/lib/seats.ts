/* A seat as the table shows it, gathered from the view and from who sits there. */

import type { Move, View } from "../protocol";
import { fromHigh } from "./cards";
import { stepsFrom } from "./layout";
import type { Side } from "./motion";
import { lastAnswer } from "./question";
import { hostOf, type Dealt, type Room } from "./reducer";
import { answerText, seatName, type Speech } from "./words";

export type Role = "landlord" | "farmer";

/** From this many cards on everybody is warned. */
export const ALARM_AT = 2;

export interface SeatState {
  seat: number;
  name: string;
  role: Role | null;
  /** A landlord that only he himself knows of. */
  hidden: boolean;
  count: number;
  alarm: boolean;
  score: number;
  turn: boolean;
  doubled: boolean;
  opened: boolean;
  auto: boolean;
  away: boolean;
  /** Cards of another seat that this player may see. */
  shown: string[] | null;
  last: Move | null;
  /** What this seat played last has been beaten by another. */
  beaten: boolean;
  /** The step of the player's ladder; bots have none. */
  title: number | null;
  host: boolean;
  /** What the seat said before the play. */
  said: string | null;
}

export function roleOf(view: View, seat: number): Role | null {
  if (view.landlords.includes(seat)) return "landlord";
  // While a landlord may be hidden, one knows only oneself; but who is the second landlord knows everybody.
  const known = view.revealed || view.landlords.length > 1 || seat === view.seat;
  return view.landlords.length > 0 && known ? "farmer" : null;
}

export function seatState(speech: Speech, room: Dealt, seat: number): SeatState {
  const { view } = room;
  const info = room.seats[seat];
  const count = view.counts[seat] ?? 0;
  const role = roleOf(view, seat);
  const hand = view.hands[seat] ?? null;
  const answer = view.phase === "play" || view.phase === "over" ? null : lastAnswer(view, seat);
  return {
    seat,
    name: seatName(speech, room.seats, seat, room.seat),
    role,
    hidden: role === "landlord" && !view.revealed && seat === room.seat && view.first !== seat,
    count,
    alarm: view.phase === "play" && count > 0 && count <= ALARM_AT,
    score: info?.score ?? 0,
    turn: view.turn.includes(seat),
    doubled: view.doubled.includes(seat),
    opened: view.opened.includes(seat),
    auto: info?.auto ?? false,
    away: info !== undefined && !info.bot && !info.connected,
    shown: seat === nearest(room) || hand === null || hand.length === 0 ? null : fromHigh(hand),
    last: view.last[seat] ?? null,
    beaten: view.table !== null && view.table.seat !== seat,
    title: info?.title ?? null,
    host: seat === hostOf(room),
    said: answer === null ? null : answerText(speech, answer.phase, answer.action),
  };
}

/** The seat at the lower edge of the table: one's own, for a spectator the first. */
export function nearest(room: Room): number {
  return room.seat ?? 0;
}

/** The other seats in playing order, from the next player on. */
export function others(room: Room): number[] {
  const { length } = room.seats;
  return Array.from({ length: length - 1 }, (_, step) => (nearest(room) + 1 + step) % length);
}

/** The side of the table that a seat's cards come from. */
export function sideOf(room: Room, seat: number): Side {
  const steps = stepsFrom(nearest(room), seat, room.seats.length);
  if (steps === 0) return "below";
  if (room.seats.length === 2) return "above";
  return steps < room.seats.length / 2 ? "right" : "left";
}
