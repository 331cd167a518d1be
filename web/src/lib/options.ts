/* What the host of a private table may change of its game. */

import BY_GAME from "./options.json";

type Value = string | number | boolean;

/** The values offered for an option, the usual one first; of those with many a few. */
const VALUES = {
  nobody: ["redeal", "first"],
  bid_again: [true, false],
  show_bottom: [false, true],
  spring: [true, false],
  open_cut: [12, 4, 8, 16],
  max_robs: [4, 0, 1, 2, 3, 6, 8, 10],
  cap: ["none", 8, 16, 32, 64, 128, 256],
} as const;

export type Name = keyof typeof VALUES;

/** The usual value where a game has another than the rest. */
const USUAL: Readonly<Record<string, Partial<Record<Name, Value>>>> = { two_player: { nobody: "first" } };

export function optionsOf(game: string): Name[] {
  const names: readonly string[] = Object.entries(BY_GAME).find(([name]) => name === game)?.[1] ?? [];
  return names.filter((name): name is Name => name in VALUES);
}

export function valuesOf(game: string, name: Name): Value[] {
  const usual = USUAL[game]?.[name];
  const values: readonly Value[] = VALUES[name];
  return usual === undefined ? [...values] : [usual, ...values.filter((value) => value !== usual)];
}

/** What has to be said when a table is opened: the options that are not as usual. */
export function changed(game: string, chosen: Partial<Record<Name, Value>>): Record<string, Value> {
  const differing: Record<string, Value> = {};
  for (const name of optionsOf(game)) {
    const value = chosen[name];
    if (value !== undefined && value !== valuesOf(game, name)[0]) differing[name] = value;
  }
  return differing;
}
