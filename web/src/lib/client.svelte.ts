/* The one place where the connection, the state and the screen meet. */

import type { ClosedMessage, EventMessage, ServerMessage, VariantInfo } from "../protocol";
import { isBomb, isRocket, rankText } from "./cards";
import { locale } from "./locale.svelte";
import { BUBBLE_MS, hush, isDealt, reduce, START, unsearched, type Room, type State } from "./reducer";
import { Connection, type Request, type Status, type Wire } from "./socket";
import { StoredText } from "./stored.svelte";
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
  /** Accounts that are not heard at this table, and those never to be met again as far as this page knows. */
  muted = $state.raw<ReadonlySet<number>>(new Set());
  blocked = $state.raw<ReadonlySet<number>>(new Set());
  /** The level of bots that the player has chosen. */
  readonly level = new StoredText("dizhu.level", "");
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

  // --- finding a table ---------------------------------------------------------------------------------------------

  /** Practice against bots. */
  sit(variant: string): Promise<boolean> {
    return this.send({ type: "sit", variant, bot: this.bot(variant) });
  }

  /** Give up the search; that it has just found a table is no fault. */
  async cancel(): Promise<void> {
    if (await this.send({ type: "cancel" })) this.state = unsearched(this.state);
    else if (this.refused === "not_waiting") this.refused = null;
  }

  /** The player has been given beans outside of a table. */
  owns(beans: number): void {
    const { purse } = this.state;
    this.state = { ...this.state, purse: { type: "purse", three_player: 0, five_player: 0, ...purse, beans } };
  }

  // --- at the table ------------------------------------------------------------------------------------------------

  act(action: string): Promise<boolean> {
    return this.send({ type: "act", seq: this.room?.seq ?? 0, action });
  }

  /** What the best bot would answer, best first; nothing if that cannot be found out. */
  async advice(): Promise<readonly string[]> {
    const reply = await this.connection.request({ type: "hint", seq: this.room?.seq ?? 0 });
    return reply?.type === "advice" ? reply.actions : [];
  }

  auto(on: boolean): Promise<boolean> {
    return this.send({ type: "auto", on });
  }

  async next(): Promise<void> {
    this.ready = true;
    await this.send({ type: "next" });
  }

  // --- talk --------------------------------------------------------------------------------------------------------

  async mute(seat: number, on: boolean): Promise<void> {
    const account = this.room?.seats[seat]?.account ?? null;
    if (await this.send({ type: "mute", seat, on })) this.muted = marked(this.muted, account, on);
  }

  async block(seat: number, on: boolean): Promise<void> {
    const account = this.room?.seats[seat]?.account ?? null;
    if (await this.send({ type: "block", seat, on })) this.blocked = marked(this.blocked, account, on);
  }

  unblocked(account: number): void {
    this.blocked = marked(this.blocked, account, false);
  }

  /** Give the empty seats of the own private table to bots. */
  fill(): Promise<boolean> {
    return this.send({ type: "fill", bot: this.bot(this.room?.setting.variant ?? "") });
  }

  /** The kind of bots to play with: the chosen level if the game has it. */
  bot(variant: string): string {
    const { bots = [] } = this.info(variant) ?? {};
    return [this.level.value, "normal"].find((level) => bots.includes(level)) ?? bots[0] ?? "rule";
  }

  /** A game as the server has told of it. */
  info(variant: string | undefined): VariantInfo | undefined {
    return this.state.welcome?.variants.find(({ name }) => name === variant);
  }

  /** Send a command; tells whether it was done. What is refused is shown. */
  async send(request: Request): Promise<boolean> {
    this.refused = null;
    const reply = await this.connection.request(request);
    if (reply === null) this.refused = "lost";
    else if (reply.type === "refused") {
      this.refused = reply.code;
      this.ready = false;
    } else return true;
    return false;
  }

  private receive(message: ServerMessage): void {
    const before = this.state;
    this.state = reduce(before, message, this.now());
    if (message.type === "closed") this.closed(message);
    if (message.type === "said") setTimeout(() => (this.state = hush(this.state, this.now())), BUBBLE_MS);
    if (message.type === "table") {
      if (message.table !== before.room?.table) this.muted = new Set();
      this.ready = message.seat !== null && message.seats[message.seat]?.ready === true;
      this.lively = false;
    }
    if (message.type === "event" && this.state !== before) this.happened(message, before.room);
    if (this.state.gap && !this.syncing) void this.sync();
  }

  private closed({ code, back_ms: back }: ClosedMessage): void {
    if (code === "replaced" || code === "suspended") this.connection.stop();
    if (back !== null) this.connection.pause(back);
  }

  private happened(message: EventMessage, before: Room | null): void {
    const { room } = this;
    if (this.state.gap || before === null || room === null) return;
    if (message.event.kind !== "seats") this.refused = null;
    if (message.event.kind === "deal") this.ready = false;
    this.lively = message.seq > this.late;
    if (!this.lively || !isDealt(room)) return;
    const said = announce(locale, message, before, room);
    if (said.length > 0) this.said = said.join(" ");
    this.show(flashOf(message, this.decks()));
  }

  private decks(): number {
    return this.info(this.room?.setting.variant)?.decks ?? 1;
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

function marked(accounts: ReadonlySet<number>, account: number | null, on: boolean): ReadonlySet<number> {
  const others = [...accounts].filter((other) => other !== account);
  return new Set(on && account !== null ? [...others, account] : others);
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
