import { beforeEach, describe, expect, test } from "vitest";
import type { ServerMessage } from "../src/protocol";
import { Client } from "../src/lib/client.svelte";
import type { Wire } from "../src/lib/socket";
import en from "../../src/dizhu/locales/en.json";
import { locale } from "../src/lib/locale.svelte";
import { browserStorage, CLASSIC, event, table, view } from "./fixtures";

const kept = browserStorage();

let sent: { type: string; id: number; seq?: number; after?: number; bot?: string }[];
let wire: Wire;
let client: Client;

async function receive(...messages: ServerMessage[]): Promise<void> {
  for (const message of messages) {
    wire.onmessage?.({ data: JSON.stringify(message) });
    await Promise.resolve();
    await Promise.resolve();
  }
}

function number(type: string): number {
  return sent.findLast((command) => command.type === type)?.id ?? -1;
}

beforeEach(async () => {
  kept.clear();
  locale.use("en", en);
  sent = [];
  wire = {
    send: (text) => sent.push(JSON.parse(text) as (typeof sent)[number]),
    close: () => wire.onclose?.(),
    onopen: null,
    onmessage: null,
    onclose: null,
  };
  client = new Client(
    () => wire,
    () => 0,
  );
  client.start();
  wire.onopen?.();
  await receive(
    { type: "welcome", id: 1, protocol: 1, account: 12, name: "Guest 12", token: null, seated: true, variants: [CLASSIC], bots: ["random", "rule"] },
    table({ view: view({ turn: [1], legal: [] }) }),
  );
});

describe("what is said and shown", () => {
  test("an event that comes in time is announced", async () => {
    await receive(event(11, { changes: { turn: [2] } }));
    expect(client.said).toBe("Bot 1 passes.");
    expect(client.lively).toBe(true);
  });

  test("a bomb is shown", async () => {
    await receive(event(11, { event: { kind: "play", seat: 1, value: 2, cards: ["4s", "4h", "4d", "4c"] } }));
    expect(client.flash?.kind).toBe("bomb");
  });

  test("the rocket, a spring and a new deal are shown as such", async () => {
    await receive(event(11, { event: { kind: "play", seat: 1, value: 2, cards: ["B", "R"] } }));
    expect(client.flash?.kind).toBe("rocket");
    await receive(event(12, { event: { kind: "redeal", seat: null, value: null, cards: [] } }));
    expect(client.flash?.kind).toBe("redeal");
    const result = {
      reason: "out", landlords: [0], winners: [0], base: 3, multiplier: 2,
      factors: [{ name: "spring", times: 2 }], doubled: [], points: [12, -6, -6], house: 0,
    };
    await receive(event(13, { event: { kind: "play", seat: 0, value: null, cards: ["3s"] }, changes: { result } }));
    expect(client.flash?.kind).toBe("spring");
  });
});

describe("missed events", () => {
  test("are asked for once, and come in without a word; what follows is told again", async () => {
    await receive(event(13), event(14));
    expect(sent.filter(({ type }) => type === "sync")).toEqual([{ type: "sync", id: 2, after: 10 }]);
    await receive({ type: "done", id: number("sync"), seq: 14 }, event(11), event(12), event(13), event(14));
    expect(client.room?.seq).toBe(14);
    expect(client.said).toBe("");
    expect(client.lively).toBe(false);
    await receive(event(15));
    expect(client.said).toBe("Bot 1 passes.");
    expect(client.lively).toBe(true);
  });

  test("a whole table may come instead", async () => {
    await receive(event(60));
    await receive({ type: "done", id: number("sync"), seq: 60 }, table({ seq: 60 }));
    expect(client.room?.seq).toBe(60);
    await receive(event(61));
    expect(client.room?.seq).toBe(61);
  });
});

describe("commands", () => {
  test("an action names the last event seen", () => {
    void client.act("pass");
    expect(sent.at(-1)).toMatchObject({ type: "act", seq: 10, action: "pass" });
  });

  test("a refusal stays until something happens at the table", async () => {
    void client.act("pass");
    await receive({ type: "refused", id: number("act"), code: "must_play", detail: {} });
    expect(client.refused).toBe("must_play");
    await receive(event(11, { event: { kind: "seats", seat: null, value: null, cards: [] } }));
    expect(client.refused).toBe("must_play");
    await receive(event(12));
    expect(client.refused).toBeNull();
  });

  test("a command that was lost with the connection is told", async () => {
    const acted = client.act("pass");
    wire.onclose?.();
    await acted;
    expect(client.refused).toBe("lost");
    expect(client.status).toBe("waiting");
  });

  test("the bots at a new table are of the usual level until another one is chosen, which has to be offered", () => {
    const bot = (): string => (void client.sit("classic"), String(sent.at(-1)?.bot));
    expect(bot()).toBe("normal");
    client.level.value = "master";
    expect(bot()).toBe("master");
    client.level.value = "rule";
    expect(bot()).toBe("normal");
    expect(client.bot("chess")).toBe("rule");
  });

  test("the level that was chosen is the one after a reload", () => {
    client.level.value = "hard";
    expect(new Client(() => wire).level.value).toBe("hard");
  });

  test("the best bot advises; what is refused or lost is no advice, and no word is said of it", async () => {
    const advice = client.advice();
    expect(sent.at(-1)).toMatchObject({ type: "hint", seq: 10 });
    await receive({ type: "advice", id: Number(sent.at(-1)?.id), asked: 9, actions: ["play 33", "pass"] });
    expect(await advice).toEqual(["play 33", "pass"]);
    const refused = client.advice();
    await receive({ type: "refused", id: Number(sent.at(-1)?.id), code: "not_your_turn", detail: {} });
    expect(await refused).toEqual([]);
    const lost = client.advice();
    wire.onclose?.();
    expect(await lost).toEqual([]);
    expect(client.refused).toBeNull();
  });

  test("who is ready for the next hand waits until it is dealt", async () => {
    void client.next();
    expect(client.ready).toBe(true);
    await receive(event(11, { event: { kind: "deal", seat: null, value: null, cards: [] }, hand: 2 }));
    expect(client.ready).toBe(false);
  });
});

test("whose seat is taken over elsewhere does not come back by itself", async () => {
  await receive({ type: "closed", code: "replaced", back_ms: null });
  expect(client.status).toBe("closed");
  expect(client.room).not.toBeNull();
  client.start();
  expect(client.status).toBe("connecting");
});
