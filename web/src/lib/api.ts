/* What the server tells and does over HTTP, beside the game. */

export interface Me {
  id: number;
  name: string;
  claimed: boolean;
}

export interface RoomInfo {
  id: string;
  variant: string;
  options: Record<string, boolean | number | string | null>;
  kind: "points" | "beans";
  level: string | null;
  name: string | null;
  coefficient: number;
  fee: number;
  need: number;
  threshold: number;
  fill: number;
}

export type Ladder = "three_player" | "five_player";

export interface Rung {
  points: number;
  rank: number | null;
  title: number;
  highest_title: number;
}

export interface Tally {
  game: string;
  role: string;
  hands: number;
  won: number;
}

export interface Profile extends Record<Ladder, Rung> {
  account: number;
  name: string;
  claimed: boolean;
  since: number;
  beans: number;
  tallies: Tally[];
  best_multiplier: number;
}

export interface PlayedHand {
  id: number;
  share: string;
  variant: string;
  room: string | null;
  ended_at: number;
  multiplier: number;
  role: string;
  won: boolean;
  points: number;
  beans: number;
}

export interface Standing {
  rank: number;
  account: number;
  name: string;
  title: number;
  amount: number;
}

/** A table to look on at. */
export interface OpenTable {
  table: string;
  room: string;
  variant: string;
  names: string[];
  hand: number;
  watching: number;
}

export interface Blocked {
  account: number;
  name: string;
}

/** A move of a finished hand, judged by what its seat saw: the landlords' chance after it, and the best one. */
export interface JudgedMove {
  action: number;
  landlord: number;
  best: string;
  mistake: boolean;
}

/** A request that was not carried out: a code of the server, or `lost` if there was no answer. */
export class Refused extends Error {
  constructor(
    readonly code: string,
    readonly detail: Readonly<Record<string, unknown>> = {},
  ) {
    super(code);
  }
}

/** Ask, and have the answer or an error that says why not. */
async function call<T>(method: string, path: string, body: object | null = null): Promise<T> {
  const request: RequestInit = { method };
  if (body !== null) {
    request.headers = { "content-type": "application/json" };
    request.body = JSON.stringify(body);
  }
  const answer = await fetch(`/api/${path}`, request).catch(() => null);
  const told: unknown = await answer?.json().catch(() => null);
  if (answer?.ok === true) return told as T;
  if (isRefusal(told)) throw new Refused(told.code, told.detail);
  throw new Refused("lost");
}

function isRefusal(told: unknown): told is { code: string; detail: Record<string, unknown> } {
  return typeof told === "object" && told !== null && "code" in told && typeof told.code === "string";
}

export const api = {
  me: () => call<Me>("GET", "me"),
  rooms: async () => (await call<{ rooms: RoomInfo[] }>("GET", "rooms")).rooms,
  tables: async () => (await call<{ tables: OpenTable[] }>("GET", "tables")).tables,
  profile: async (account: string | null) =>
    (await call<{ profile: Profile }>("GET", account === null ? "profile" : `profile/${encodeURIComponent(account)}`)).profile,
  leaderboard: async (ladder: string, period: string) =>
    (await call<{ lines: Standing[] }>("GET", `leaderboard?ladder=${ladder}&period=${period}`)).lines,
  history: (before: number | null) =>
    call<{ hands: PlayedHand[]; next: number | null }>("GET", before === null ? "history" : `history?before=${before}`),
  replay: (share: string) => call<import("./record").HandRecord>("GET", `replay/${encodeURIComponent(share)}`),
  judged: async (share: string) => (await call<{ moves: JudgedMove[] }>("GET", `replay/${encodeURIComponent(share)}/analysis`)).moves,
  grant: () => call<{ given: number; beans: number }>("POST", "grant", {}),
  login: (name: string, password: string) => call<unknown>("POST", "account/login", { name, password }),
  claim: (name: string, password: string) => call<unknown>("POST", "account/claim", { name, password }),
  rename: (name: string) => call<unknown>("POST", "account/rename", { name }),
  changePassword: (old: string, password: string) => call<unknown>("POST", "account/password", { old, new: password }),
  logout: (everywhere: boolean) => call<unknown>("POST", everywhere ? "account/logout-everywhere" : "account/logout", {}),
  blocks: async () => (await call<{ blocks: Blocked[] }>("GET", "blocks")).blocks,
  unblock: (account: number) => call<unknown>("DELETE", "blocks", { account }),
  remove: (password: string | null) => call<unknown>("DELETE", "account", { password }),
};
