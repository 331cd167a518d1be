/* The one place where the connection, the state and the screen meet. */

import type { EventMessage, ServerMessage } from "../protocol";
import { isBomb, isRocket, rankText } from "./cards";
import { locale } from "./locale.svelte";
import { reduce, START, type Room, type State } from "./reducer";
import { Connection, type Reply, type Request, type Status, type Wire } from "./socket";
import { announce } from "./words";

/** What is shown for a moment over the table. */
export type Flash = "bomb" | "rocket" | "spring" | "anti_spring" | "redeal";

const FLASH_MS = 1600;
const REDEAL_MS = 3200;

export class Client {
  state = $state.raw<State>(START);
  status = $state<Status>("connecting");
  /** The code of the last refusal, until something else happens. */
  refused = $state<string | null>(null);
  /** The player has asked for the next hand. */
  ready = $state(false);
  said = $state("");
  flash = $state.raw<{ kind: Flash; seq: number } | null>(null);

  /** False when the table came as a whole: what lies on it then has not just been played. */
  lively = $state(false);

  /** Events up to this number were missed and come late: they are neither announced nor animated. */
  private late = 0;
  private syncing = false;
  private readonly connection: Connection;

  constructor(open: () => Wire, private readonly now: () => number = () => performance.now()) {
    this.connection = new Connection({
      open,
      message: (message) => this.receive(message),
      status: (status) => (this.status = status),
      later: (run, ms) => setTimeout(run, ms),
      jitter: () => Math.random(),
    });
  }

  get room(): Room | null {
    return this.state.room;
  }

  start(): void {
    this.connection.start();
  }

  renew(): void {
    this.connection.renew();
  }

  sit(variant: string): Promise<void> {
    const bots = this.state.welcome?.bots ?? [];
    return this.send({ type: "sit", variant, bot: bots.includes("rule") ? "rule" : (bots.at(-1) ?? "rule") });
  }

  act(action: string): Promise<void> {
    return this.send({ type: "act", seq: this.room?.seq ?? 0, action });
  }

  auto(on: boolean): Promise<void> {
    return this.send({ type: "auto", on });
  }

  async next(): Promise<void> {
    this.ready = true;
    await this.send({ type: "next" });
  }

  async leave(): Promise<void> {
    await this.send({ type: "leave" });
  }

  private async send(request: Request): Promise<void> {
    this.refused = null;
    this.settle(await this.connection.request(request));
  }

  private settle(reply: Reply | null): void {
    if (reply === null) this.refused = "lost";
    else if (reply.type === "refused") {
      this.refused = reply.code;
      this.ready = false;
    }
  }

  private receive(message: ServerMessage): void {
    const before = this.state;
    this.state = reduce(before, message, this.now());
    if (message.type === "closed" && message.code === "replaced") this.connection.stop();
    if (message.type === "table") {
      this.ready = false;
      this.lively = false;
    }
    if (message.type === "event" && this.state !== before) this.happened(message, before.room);
    if (this.state.gap && !this.syncing) void this.sync();
  }

  private happened(message: EventMessage, before: Room | null): void {
    if (this.state.gap || before === null || this.room === null) return;
    if (message.event.kind !== "seats") this.refused = null;
    if (message.event.kind === "deal") this.ready = false;
    this.lively = message.seq > this.late;
    if (!this.lively) return;
    const said = announce(locale, message, before, this.room);
    if (said.length > 0) this.said = said.join(" ");
    this.show(flashOf(message, this.decks()));
  }

  private decks(): number {
    const variant = this.room?.view.variant;
    return this.state.welcome?.variants.find(({ name }) => name === variant)?.decks ?? 1;
  }

  private show(kind: Flash | null): void {
    if (kind === null) return;
    const flash = { kind, seq: this.room?.seq ?? 0 };
    this.flash = flash;
    setTimeout(() => {
      if (this.flash === flash) this.flash = null;
    }, kind === "redeal" ? REDEAL_MS : FLASH_MS);
  }

  private async sync(): Promise<void> {
    this.syncing = true;
    this.late = Infinity;
    const reply = await this.connection.request({ type: "sync", after: this.room?.seq ?? 0 });
    // The answer comes first, the events after it.
    this.late = reply?.type === "done" ? reply.seq : 0;
    this.syncing = false;
  }
}

function flashOf(message: EventMessage, decks: number): Flash | null {
  const { kind, cards } = message.event;
  if (kind === "redeal") return "redeal";
  const factor = message.changes.result?.factors.find(({ name }) => name === "spring" || name === "anti_spring");
  if (factor !== undefined) return factor.name === "spring" ? "spring" : "anti_spring";
  const play = rankText(cards);
  if (kind !== "play" || !isBomb(play)) return null;
  return isRocket(play, decks) ? "rocket" : "bomb";
}

/** The server's socket, on the host this page came from. */
export function openSocket(): Wire {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  return new WebSocket(`${scheme}://${location.host}/ws`) as Wire;
}
