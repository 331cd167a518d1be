/* The deal of a finished hand, made again from its seed: the server's shuffle, once more. */

import type { VariantInfo } from "../protocol";
import { isJoker } from "./cards";
import { matches } from "./dealcheck";
import type { Deal, HandRecord } from "./record";

const SUITS = "shcd";
/** What one byte can say; a draw takes one byte, for no deck has more cards. */
const VALUES = 256;

function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** A number in big-endian bytes. */
function numbered(value: number, width: number): Uint8Array {
  const bytes = new Uint8Array(width);
  new DataView(bytes.buffer).setUint32(width - 4, value);
  return bytes;
}

async function sha256(...parts: Uint8Array[]): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", await new Blob(parts as Uint8Array<ArrayBuffer>[]).arrayBuffer()));
}

/** Fair draws from a seed and what players added to it: bytes of SHA-256(key, counter). */
async function stream(seed: string, entropy: readonly string[]): Promise<(bound: number) => Promise<number>> {
  let key: Uint8Array = bytesOf(seed);
  if (entropy.length > 0) {
    const parts = [key, ...entropy.map(bytesOf)];
    key = await sha256(...parts.flatMap((part) => [numbered(part.length, 4), part]));
  }
  let bytes: Uint8Array = new Uint8Array();
  let at = 0;
  let counter = 0;
  return async (bound) => {
    for (;;) {
      if (at === bytes.length) {
        bytes = await sha256(key, numbered(counter, 8));
        counter += 1;
        at = 0;
      }
      const value = bytes[at] ?? 0;
      at += 1;
      // Draws that would favour some are rejected.
      if (value < VALUES - (VALUES % bound)) return value % bound;
    }
  };
}

/** Deal a game from its seed (hexadecimal, as what players added); `first` is who was asked first. */
export async function redeal(info: VariantInfo, seed: string, entropy: readonly string[], first: number, marks: boolean): Promise<Deal> {
  const below = await stream(seed, entropy);
  await below(info.seats);
  const { seats, cards_each: each } = info;
  const one = [...info.ranks].flatMap((rank) => (isJoker(rank) ? [rank] : [...SUITS].map((suit) => rank + suit)));
  const cards = Array.from({ length: info.decks }, () => one).flat();
  let marked: string | null = null;
  let place = first * each;
  if (marks) {
    const plain = [...cards.keys()].filter((index) => (cards[index] ?? "").length > 1);
    marked = cards.splice(plain[await below(plain.length)] ?? 0, 1)[0] ?? null;
    place = await below(seats * each);
  }
  for (let last = cards.length - 1; last > 0; last -= 1) {
    const other = await below(last + 1);
    [cards[last], cards[other]] = [cards[other] ?? "", cards[last] ?? ""];
  }
  if (marked !== null) cards.splice(place, 0, marked);
  const piece = (from: number, to?: number): string => cards.slice(from, to).join(" ");
  return {
    first: Math.floor(place / each),
    hands: Array.from({ length: seats }, (_, seat) => piece(seat * each, (seat + 1) * each)),
    bottom: piece(seats * each, seats * each + info.bottom),
    aside: piece(seats * each + info.bottom),
    marked,
  };
}

export type Verdict = "good" | "commitment" | "cards" | "unknown";

/** Whether the cards of a hand were fixed before it; `unknown` without a seed, or where the browser offers no hashing. */
export async function checkDeal({ deal, seed, entropy, commitment }: Pick<HandRecord, "deal" | "seed" | "entropy" | "commitment">, info: VariantInfo): Promise<Verdict> {
  const same = seed === null || commitment === null ? null : await matches(seed, commitment);
  if (seed === null || same === null) return "unknown";
  if (!same) return "commitment";
  const again = await redeal(info, seed, entropy, deal.first, deal.marked !== null);
  const text = ({ first, hands, bottom, aside, marked }: Deal): string => JSON.stringify([first, hands, bottom, aside, marked]);
  return text(again) === text(deal) ? "good" : "cards";
}
