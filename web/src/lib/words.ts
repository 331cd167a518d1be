/* Sentences about the game, made from the dictionary. */

import type { EventMessage, Seat, Table } from "../protocol";
import { isJoker, rankOf, suitOf } from "./cards";
import type { Key, Values } from "./i18n";
import type { Dealt, Room } from "./reducer";

/** Everything needed to speak: texts, a test for keys that come from the server, and lists. */
export interface Speech {
  t(key: Key, values?: Values): string;
  /** The text of a key made from a name the server sent, or `fallback`. */
  open(key: string, fallback: string, values?: Values): string;
  list(parts: readonly string[]): string;
}

/** A number with a real minus sign. */
export function minus(value: number): string {
  return value < 0 ? `−${-value}` : String(value);
}

/** What was won or lost: with its sign. */
export function signed(value: number): string {
  return value > 0 ? `+${value}` : minus(value);
}

/** The printed index of a rank: `10` for T, else the letter or digit. */
export function rankLabel(rank: string): string {
  return rank === "T" ? "10" : rank;
}

export function cardName(speech: Speech, card: string): string {
  const suit = suitOf(card);
  if (suit === null) return speech.open(`card.${card}`, card);
  return speech.t("card.name", {
    rank: speech.open(`rank.${rankOf(card)}`, rankOf(card)),
    suit: speech.t(`suit.${suit}`),
  });
}

export function cardNames(speech: Speech, cards: readonly string[]): string {
  return speech.list(cards.map((card) => cardName(speech, card)));
}

function rankName(speech: Speech, rank: string): string {
  return isJoker(rank) ? speech.open(`card.${rank}`, rank) : rankLabel(rank);
}

/** For example "pair 7", or of a chain its length and highest rank. */
export function combinationName(speech: Speech, table: Table): string {
  const kind = speech.open(`kind.${table.kind}`, table.kind);
  if (table.kind === "rocket" || table.rank === "") return kind;
  const rank = rankName(speech, table.rank);
  return table.kind.endsWith("_chain") ? speech.t("kind.chain", { kind, count: table.length, rank }) : `${kind} ${rank}`;
}

/** The name to show for a seat: bots and guests are named in the player's language. */
export function seatName(speech: Speech, seats: readonly Seat[], seat: number, own: number | null): string {
  if (seat === own) return speech.t("seat.you");
  const info = seats[seat];
  if (info === undefined) return String(seat + 1);
  if (info.account === null && !info.bot) return speech.t("seat.empty");
  if (info.bot) return speech.t("seat.bot", { number: String(botNumber(seats, seat)) });
  return accountName(speech, info.name);
}

/** A name that came without its seat. */
export function placeName(speech: Speech, name: string): string {
  const number = /^Bot (\d+)$/.exec(name)?.[1];
  if (number !== undefined) return speech.t("seat.bot", { number });
  return name === "" ? speech.t("seat.empty") : accountName(speech, name);
}

/** The name of an account; guests are named in the player's language. */
export function accountName(speech: Speech, name: string): string {
  const guest = /^Guest (\d+)$/.exec(name)?.[1];
  return guest === undefined ? name : speech.t("seat.guest", { number: guest });
}

function botNumber(seats: readonly Seat[], seat: number): number {
  return seats.slice(0, seat + 1).filter(({ bot }) => bot).length;
}

/** The name with the player's title, where there is one. */
export function titled(speech: Speech, { name, title }: { name: string; title: number | null }): string {
  return title === null ? name : `${name} · ${titleName(speech, title)}`;
}

export function titleName(speech: Speech, step: number): string {
  return speech.open(`title.${step}`, String(step));
}

/** The words on an answer's button, and in front of the seat that gave it. */
export function answerText(speech: Speech, phase: string, action: string): string {
  if (action === "no") return speech.open(`answer.${phase}.no`, action);
  const [word = "", value] = action.split(" ");
  return speech.open(`answer.${word}`, action, value === undefined ? {} : { count: Number(value) });
}

const ANSWERS = new Set(["bid", "call", "rob", "open", "double", "declare", "no"]);

/** What a screen reader is told about an event: `before` and `after` are the table round it. */
export function announce(speech: Speech, message: EventMessage, before: Room, after: Dealt): string[] {
  const { kind, seat, value, cards } = message.event;
  const said: string[] = [];
  const name = seat === null ? "" : seatName(speech, after.seats, seat, after.seat);
  const who = seat === after.seat ? "say.own" : "say";
  if (ANSWERS.has(kind)) {
    const action = kind === "bid" ? `bid ${value ?? 0}` : kind;
    // The first event of several brings the view of the last one, so the phase is taken from the answers.
    const phase = after.view.answers.findLast((answer) => answer.seat === seat)?.phase ?? before.view?.phase ?? "";
    said.push(speech.t("say.answer", { name, answer: answerText(speech, phase, action) }));
  } else if (kind === "play") {
    said.push(speech.t(`${who}.play`, { name, cards: cardNames(speech, cards) }));
    const left = seat === null ? 0 : (after.view.counts[seat] ?? 0);
    if (left === 1 || left === 2) said.push(speech.t(`${who}.left`, { name, count: left }));
  } else if (kind === "bottom" && after.view.bottom !== null) {
    said.push(speech.t("say.bottom", { cards: cardNames(speech, after.view.bottom) }));
  } else if (kind === "reveal") {
    const names = after.view.landlords.map((landlord) => seatName(speech, after.seats, landlord, after.seat));
    said.push(speech.t("say.reveal", { names: speech.list(names) }));
  } else if (kind === "redeal") {
    said.push(speech.t("table.redeal"));
  } else if (kind === "over") {
    said.push(speech.t("question.over"));
  } else if (kind === "deal") {
    said.push(speech.t("say.deal"));
  } else if (kind === "pass" || kind === "landlord") {
    said.push(speech.t(`${who}.${kind}`, { name }));
  } else if (kind === "leave") {
    said.push(speech.t("say.leave", { name }));
  }
  if (isAsked(after) && !isAsked(before)) said.push(speech.t("say.turn"));
  return said;
}

function isAsked({ view, seat }: Room): boolean {
  return view !== null && seat !== null && view.turn.includes(seat);
}
