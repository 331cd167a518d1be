/* The connection: command numbers, answers, and coming back after a loss. It knows no game. */

import type { AdviceMessage, Command, DoneMessage, RefusedMessage, ServerMessage, WelcomeMessage } from "../protocol";
import { PROTOCOL } from "../protocol";

export type Status = "connecting" | "open" | "waiting" | "closed";
export type Reply = AdviceMessage | DoneMessage | RefusedMessage | WelcomeMessage;
/** A command without its number, which the connection gives. */
export type Request = Command extends infer C ? (C extends Command ? Omit<C, "id"> : never) : never;

/** The part of a WebSocket that is used here. */
export interface Wire {
  send(text: string): void;
  close(): void;
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: (() => void) | null;
}

export interface Hooks {
  open(): Wire;
  message(message: ServerMessage): void;
  status(status: Status): void;
  later(run: () => void, ms: number): void;
  /** A number from 0 to 1, so that many clients do not come back at the same moment. */
  jitter(): number;
}

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 10_000;

/** Time to wait before the given attempt (0 is the first one after a loss). */
export function backoff(attempt: number, jitter: number): number {
  return Math.round(Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt) * (0.5 + jitter / 2));
}

export class Connection {
  private wire: Wire | null = null;
  private nextId = 1;
  private attempt = 0;
  /** The server has said when it will be back. */
  private absence = 0;
  private stopped = false;
  private readonly waiting = new Map<number, (reply: Reply | null) => void>();

  constructor(private readonly hooks: Hooks) {}

  /** Connect, and again after every loss until `stop`. */
  start(): void {
    this.stopped = false;
    this.hooks.status("connecting");
    const wire = this.hooks.open();
    this.wire = wire;
    this.nextId = 1;
    wire.onopen = () => {
      void this.request({ type: "hello", protocol: PROTOCOL, token: null });
    };
    wire.onmessage = (event) => {
      if (wire === this.wire && typeof event.data === "string") this.receive(event.data);
    };
    wire.onclose = () => {
      if (wire === this.wire) this.lost();
    };
  }

  /** The network has come back: do not wait for what may never be heard of again. */
  renew(): void {
    if (this.stopped) return;
    this.attempt = 0;
    const old = this.wire;
    if (old === null) {
      this.start();
    } else {
      this.lost();
      old.close();
    }
  }

  /** The server will be away for so long: do not come back sooner. */
  pause(ms: number): void {
    this.absence = ms;
  }

  /** End the connection and stay away (somebody else took the seat). */
  stop(): void {
    this.stopped = true;
    this.wire?.close();
    if (this.wire !== null) this.lost();
  }

  /** Send a command; the promise gives the server's answer, or null if the connection was lost before it came. */
  request(command: Request): Promise<Reply | null> {
    const { wire } = this;
    if (wire === null) return Promise.resolve(null);
    const id = this.nextId;
    this.nextId += 1;
    return new Promise((resolve) => {
      this.waiting.set(id, resolve);
      wire.send(JSON.stringify({ ...command, id }));
    });
  }

  private receive(text: string): void {
    const message = JSON.parse(text) as ServerMessage;
    if (message.type === "welcome") {
      this.attempt = 0;
      this.absence = 0;
      this.hooks.status("open");
    }
    this.hooks.message(message);
    if ("id" in message) this.answer(message);
  }

  private answer(reply: Reply): void {
    if (reply.id === null) return;
    const resolve = this.waiting.get(reply.id);
    this.waiting.delete(reply.id);
    resolve?.(reply);
  }

  private lost(): void {
    this.wire = null;
    for (const resolve of this.waiting.values()) resolve(null);
    this.waiting.clear();
    if (this.stopped) {
      this.hooks.status("closed");
      return;
    }
    this.hooks.status("waiting");
    const delay = this.absence + backoff(this.attempt, this.hooks.jitter());
    this.absence = 0;
    this.attempt += 1;
    this.hooks.later(() => {
      if (!this.stopped && this.wire === null) this.start();
    }, delay);
  }
}
