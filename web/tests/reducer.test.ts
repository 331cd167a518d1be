import { describe, expect, test } from "vitest";
import type { WelcomeMessage } from "../src/protocol";
import { asked, BUBBLE_MS, hostOf, hush, left, reduce, START, unsearched } from "../src/lib/reducer";
import { event, SEATS, seated, table, view } from "./fixtures";

const WELCOME: WelcomeMessage = {
  type: "welcome",
  id: 1,
  protocol: 1,
  account: 12,
  name: "Guest 12",
  token: null,
  seated: true,
  variants: [],
  bots: [],
};

describe("events", () => {
  test("an event changes the fields it names and appends to the history", () => {
    const play = event(11, {
      event: { kind: "play", seat: 0, value: null, cards: ["5h", "5d"] },
      changes: { turn: [1], counts: [2, 17, 17], legal: [] },
      clock: { limit_ms: 20_000, left_ms: 20_000 },
    });
    const after = reduce(seated(), play, 5000).room;
    expect(after?.view?.turn).toEqual([1]);
    expect(after?.view?.bottom).toEqual(["7s", "8s", "9s"]);
    expect(after?.view?.history).toEqual([{ seat: 0, cards: ["5h", "5d"] }]);
    expect(after?.timer).toEqual({ limit: 20_000, left: 20_000, at: 5000 });
    expect(after?.seq).toBe(11);
  });

  test("a pass is part of the history too", () => {
    expect(reduce(seated(), event(11), 0).room?.view?.history).toEqual([{ seat: 1, cards: [] }]);
  });

  test("a deal empties the history and takes the seed away", () => {
    const before = seated({ seed: "aa", view: view({ history: [{ seat: 0, cards: ["3s"] }] }) });
    const deal = event(11, {
      event: { kind: "deal", seat: null, value: null, cards: [] },
      changes: { result: null, phase: "bid" },
      hand: 2,
      commitment: "c1",
    });
    const after = reduce(before, deal, 0).room;
    expect(after?.view?.history).toEqual([]);
    expect(after).toMatchObject({ hand: 2, commitment: "c1", seed: null });
  });

  test("an event that was seen before changes nothing", () => {
    const state = seated();
    expect(reduce(state, event(10), 0)).toBe(state);
    expect(reduce(START, event(1), 0)).toBe(START);
  });

  test("a gap is noticed, and nothing is changed until it is closed", () => {
    const state = reduce(seated(), event(12), 0);
    expect(state.gap).toBe(true);
    expect(state.room?.seq).toBe(10);
    const closed = reduce(reduce(state, event(11), 0), event(12), 0);
    expect(closed.gap).toBe(false);
    expect(closed.room?.seq).toBe(12);
    expect(reduce(state, table({ seq: 20 }), 0)).toMatchObject({ gap: false, room: { seq: 20 } });
  });

  test("seats change by an event of their own", () => {
    const away = SEATS.map((seat, index) => (index === 0 ? { ...seat, auto: true } : seat));
    const change = event(11, { event: { kind: "seats", seat: null, value: null, cards: [] }, seats: away });
    const after = reduce(seated(), change, 0).room;
    expect(after?.seats[0]?.auto).toBe(true);
    expect(after?.view?.history).toEqual([]);
  });
});

describe("coming and going", () => {
  test("who is not seated any more loses the table", () => {
    expect(reduce(seated(), WELCOME, 0).room).not.toBeNull();
    expect(reduce(seated(), { ...WELCOME, seated: false }, 0).room).toBeNull();
  });

  test("standing up ends the table, a lost connection does not", () => {
    for (const code of ["left", "idle", "failed", "poor"] as const) {
      expect(reduce(seated(), { type: "closed", code, back_ms: null }, 0).room).toBeNull();
    }
    expect(reduce(seated(), { type: "closed", code: "replaced", back_ms: null }, 0)).toMatchObject({ closed: { code: "replaced" }, room: { seq: 10 } });
  });

  test("answers to commands leave the table alone", () => {
    const state = seated();
    expect(reduce(state, { type: "done", id: 3, seq: 10 }, 0)).toBe(state);
    expect(reduce(state, { type: "refused", id: 3, code: "stale", detail: {} }, 0)).toBe(state);
  });
});

test("the clock goes on from what the server said was left", () => {
  const timer = seated().room?.timer;
  expect(timer).toEqual({ limit: 20_000, left: 15_000, at: 1000 });
  if (timer == null) return;
  expect(left(timer, 4000)).toBe(12_000);
  expect(left(timer, 99_000)).toBe(0);
});

test("a seat is asked while it may answer", () => {
  const answer = (changes: Parameters<typeof view>[0]): boolean => {
    const { room } = seated({ view: view(changes) });
    return room !== null && asked(room);
  };
  expect(answer({})).toBe(true);
  expect(answer({ turn: [1] })).toBe(false);
  expect(answer({ turn: [0, 1], legal: [] })).toBe(false);
});

describe("beside the hand", () => {
  const queue = { type: "queue", room: "classic-points", waiting: 2, seats: 3, fill_ms: 8000 } as const;

  test("a search goes on until there is a table, it is given up, or the connection begins anew", () => {
    const searching = reduce(START, queue, 100);
    expect(searching.search).toEqual({ room: "classic-points", waiting: 2, seats: 3, fill: { limit: 8000, left: 8000, at: 100 } });
    expect(reduce(searching, table(), 0).search).toBeNull();
    expect(unsearched(searching).search).toBeNull();
    expect(reduce(searching, { ...WELCOME, seated: false }, 0).search).toBeNull();
  });

  test("what somebody says stands for a while, the newest for each seat", () => {
    const said = (seat: number, phrase: number, now: number, state = START) =>
      reduce(state, { type: "said", seat, phrase, text: null }, now);
    const both = said(1, 5, 300, said(2, 4, 200, said(1, 3, 100)));
    expect(both.bubbles.map(({ seat, phrase }) => [seat, phrase])).toEqual([[2, 4], [1, 5]]);
    expect(hush(both, 200 + BUBBLE_MS).bubbles.map(({ seat }) => seat)).toEqual([1]);
    expect(hush(both, 250)).toBe(both);
  });

  test("the purse belongs to the account", () => {
    const rich = reduce(reduce(START, WELCOME, 0), { type: "purse", beans: 7, three_player: 1, five_player: 0 }, 0);
    expect(reduce(rich, WELCOME, 0).purse?.beans).toBe(7);
    expect(reduce(rich, { ...WELCOME, account: 13 }, 0).purse).toBeNull();
  });

  test("a title that is reached is told until the next deal", () => {
    const before = seated({ seats: SEATS.map((seat) => ({ ...seat, title: 1 })) });
    const risen = SEATS.map((seat) => ({ ...seat, title: 2 }));
    const settled = { share: "abc", points: [12, -6, -6], beans: null };
    const over = reduce(before, event(11, { settled, seats: risen }), 0);
    expect(over.room).toMatchObject({ risen: 2, settled });
    const deal = event(12, { event: { kind: "deal", seat: null, value: null, cards: [] }, hand: 2 });
    expect(reduce(over, deal, 0).room).toMatchObject({ risen: null, settled: null });
  });

  test("who comes to a table after a hand has no part in it, but who comes back has", () => {
    const over = table({ view: view({ phase: "over" }) });
    const met = (seated: boolean) => reduce(reduce(START, { ...WELCOME, seated }, 0), over, 0);
    expect(met(true).room?.late).toBe(false);
    expect(met(false).room?.late).toBe(true);
    expect(reduce(met(false), over, 0).room?.late).toBe(true);
    expect(reduce(met(false), { ...over, hand: 9 }, 0).room?.late).toBe(false);
    const deal = event(11, { event: { kind: "deal", seat: null, value: null, cards: [] }, changes: { phase: "bid" } });
    expect(reduce(met(false), deal, 0).room?.late).toBe(false);
    const left = reduce(met(true), { type: "closed", code: "left", back_ms: null }, 0);
    expect(reduce(left, over, 0).room?.late).toBe(true);
  });

  test("the host of a private table is the first who sits there", () => {
    const { room } = seated({ code: "ABCD", seats: [SEATS[1], SEATS[0], SEATS[2]].flatMap((seat) => seat ?? []) });
    expect(room === null ? null : hostOf(room)).toBe(1);
    const open = seated().room;
    expect(open === null ? 0 : hostOf(open)).toBeNull();
  });

  test("the time at which the server will be back is kept", () => {
    expect(reduce(START, { type: "closed", code: "shutdown", back_ms: 3000 }, 0).closed?.back_ms).toBe(3000);
  });
});
