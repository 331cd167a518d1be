import { beforeEach, describe, expect, test } from "vitest";
import type { ServerMessage } from "../src/protocol";
import { backoff, Connection, type Status, type Wire } from "../src/lib/socket";

class FakeWire implements Wire {
  sent: { type: string; id: number }[] = [];
  onopen: Wire["onopen"] = null;
  onmessage: Wire["onmessage"] = null;
  onclose: Wire["onclose"] = null;

  send(text: string): void {
    this.sent.push(JSON.parse(text) as { type: string; id: number });
  }

  close(): void {
    this.onclose?.();
  }

  receive(message: ServerMessage): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

const WELCOME: ServerMessage = {
  type: "welcome", id: 1, protocol: 1, account: 12, name: "Guest 1", token: null, seated: false, variants: [], bots: [],
};

let wires: FakeWire[];
let statuses: Status[];
let messages: ServerMessage[];
let delayed: { run: () => void; ms: number }[];
let connection: Connection;

beforeEach(() => {
  wires = [];
  statuses = [];
  messages = [];
  delayed = [];
  connection = new Connection({
    open: () => {
      const wire = new FakeWire();
      wires.push(wire);
      return wire;
    },
    message: (message) => messages.push(message),
    status: (status) => statuses.push(status),
    later: (run, ms) => delayed.push({ run, ms }),
    jitter: () => 1,
  });
  connection.start();
  wires[0]?.onopen?.();
});

describe("commands", () => {
  test("hello comes first, and every command has a number of its own", async () => {
    wires[0]?.receive(WELCOME);
    const first = connection.request({ type: "next" });
    const second = connection.request({ type: "leave" });
    expect(wires[0]?.sent.map(({ type, id }) => [type, id])).toEqual([["hello", 1], ["next", 2], ["leave", 3]]);
    wires[0]?.receive({ type: "refused", id: 3, code: "not_seated", detail: {} });
    wires[0]?.receive({ type: "done", id: 2, seq: 9 });
    expect(await first).toMatchObject({ type: "done", seq: 9 });
    expect(await second).toMatchObject({ type: "refused", code: "not_seated" });
    expect(messages.map(({ type }) => type)).toEqual(["welcome", "refused", "done"]);
  });

  test("a refusal without a number answers nothing", () => {
    expect(() => wires[0]?.receive({ type: "refused", id: null, code: "bad_message", detail: {} })).not.toThrow();
  });
});

describe("losses", () => {
  test("open commands end without an answer, and the connection comes back with new numbers", async () => {
    wires[0]?.receive(WELCOME);
    const lost = connection.request({ type: "next" });
    wires[0]?.onclose?.();
    expect(await lost).toBeNull();
    expect(await connection.request({ type: "next" })).toBeNull();
    expect(statuses).toEqual(["connecting", "open", "waiting"]);
    delayed[0]?.run();
    wires[1]?.onopen?.();
    expect(wires[1]?.sent[0]).toMatchObject({ type: "hello", id: 1 });
  });

  test("each further attempt waits longer, until one succeeds", () => {
    wires[0]?.onclose?.();
    delayed[0]?.run();
    wires[1]?.onclose?.();
    delayed[1]?.run();
    wires[2]?.onopen?.();
    wires[2]?.receive(WELCOME);
    wires[2]?.onclose?.();
    expect(delayed.map(({ ms }) => ms)).toEqual([500, 1000, 500]);
  });

  test("a late message of an old connection is not heard", () => {
    wires[0]?.onclose?.();
    wires[0]?.receive(WELCOME);
    expect(messages).toEqual([]);
  });

  test("when the network comes back, a silent connection is given up and a wait cut short", () => {
    wires[0]?.receive(WELCOME);
    connection.renew();
    expect(delayed.map(({ ms }) => ms)).toEqual([500]);
    connection.renew();
    expect(wires).toHaveLength(2);
    delayed[0]?.run();
    expect(wires).toHaveLength(2);
  });

  test("after stop it stays away until it is started again", () => {
    connection.stop();
    expect(statuses.at(-1)).toBe("closed");
    expect(delayed).toEqual([]);
    connection.start();
    expect(wires).toHaveLength(2);
  });
});

test("the wait is bounded and spread", () => {
  expect(backoff(0, 0)).toBe(250);
  expect(backoff(3, 1)).toBe(4000);
  expect(backoff(30, 1)).toBe(10_000);
});
