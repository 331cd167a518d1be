/* Addresses within the page: `#/room/classic-points`. The server hands out one page, the rest stands behind the `#`. */

export const PAGES = ["game", "room", "join", "watch", "replay", "rules", "profile", "leaderboard", "account", "settings"] as const;

/** Where one is; `lobby` is the start page. */
export type Page = (typeof PAGES)[number] | "lobby";

/** `value`: the game, room, code, table, hand or account that is meant; without a table `watch` lists them. */
export interface Route {
  page: Page;
  value: string | null;
}

const LOBBY: Route = { page: "lobby", value: null };

/** Pages that make no sense without saying which. */
const NAMED: ReadonlySet<Page> = new Set<Page>(["game", "room", "join", "replay", "rules"]);
/** Pages that can be read while one sits at a table. */
const BESIDE: ReadonlySet<Page> = new Set<Page>(["replay", "rules", "profile", "leaderboard", "account", "settings"]);

/** Read the part of an address from `#` on; what is not understood is the start page. */
export function parse(hash: string): Route {
  const [name = "", raw = ""] = hash.replace(/^#\/?/, "").split("/");
  const page = PAGES.find((known) => known === name);
  const value = decoded(raw);
  return page === undefined || (NAMED.has(page) && value === null) ? LOBBY : { page, value };
}

function decoded(text: string): string | null {
  try {
    return text === "" ? null : decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** Write an address for a link. */
export function href(page: Page, value: string | number | null = null): string {
  if (page === "lobby") return "#/";
  return value === null ? `#/${page}` : `#/${page}/${encodeURIComponent(value)}`;
}

export function isBeside({ page }: Route): boolean {
  return BESIDE.has(page);
}
