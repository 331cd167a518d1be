/* Whole hands of all games, as the server told them (`python -m browser.record_logs`). */

import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { ServerMessage } from "../src/protocol";
import { isDealt, reduce, START, type Room, type State } from "../src/lib/reducer";

const FOLDER = new URL("logs/", import.meta.url);

function read(name: string): ServerMessage[] {
  const lines = readFileSync(new URL(name, FOLDER), "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line) as ServerMessage);
}

function follow(messages: readonly ServerMessage[]): State {
  return messages.reduce((state, message) => reduce(state, message, 0), START);
}

/** What the server tells of a table: without what the client makes of the way there. */
function told(room: Room | null): unknown {
  return { ...room, timer: null, risen: null };
}

const names = readdirSync(FOLDER);

test("there is a hand of every game, seen by a player and by a spectator", () => {
  expect(names).toHaveLength(12);
});

describe.each(names)("%s", (name) => {
  const messages = read(name);
  const watching = name.includes("watching");

  test("who follows the events has in the end what the server shows", () => {
    const last = messages.at(-1);
    expect(last?.type).toBe("table");
    const followed = follow(messages.slice(0, -1));
    expect(followed.gap).toBe(false);
    expect(told(followed.room)).toEqual(told(follow(messages).room));
    expect(followed.room?.view?.result).not.toBeNull();
    expect(followed.room?.settled?.share).toBeTruthy();
  });

  test("before the first deal there is a table without a hand", () => {
    const first = messages.findIndex(({ type }) => type === "table");
    const { room } = follow(messages.slice(0, first + 1));
    expect(room).toMatchObject({ hand: 0, view: null, seat: watching ? null : 0 });
    expect(isDealt(room)).toBe(false);
  });

  test("of hands in hand a spectator sees the open ones only", () => {
    if (!watching) return;
    for (const message of messages) {
      const hands = message.type === "event" ? message.changes.hands : undefined;
      const { room } = follow(messages.slice(0, messages.indexOf(message) + 1));
      hands?.forEach((hand, seat) => {
        if (hand !== null) expect(room?.view?.opened.includes(seat) === true || room?.view?.result !== null).toBe(true);
      });
    }
  });

  test("an event that is lost is noticed", () => {
    const events = messages.filter(({ type }) => type === "event");
    const lost = messages.filter((message) => message !== events[2]).slice(0, -1);
    expect(follow(lost).gap).toBe(true);
  });
});
