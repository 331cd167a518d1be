/* How this player likes the table: switches that this browser remembers, and that styles can see on the root element. */

import { Stored } from "./stored.svelte";

/** In the order in which they are shown. */
export const PREFERENCES = ["sound", "motion", "suits", "large", "grouped", "passing", "left"] as const;
export type Preference = (typeof PREFERENCES)[number];

const ON: ReadonlySet<Preference> = new Set<Preference>(["sound", "motion", "suits"]);

export const preferences = Object.fromEntries(
  PREFERENCES.map((name) => [name, new Stored(`dizhu.${name}`, ON.has(name))]),
) as Record<Preference, Stored>;

$effect.root(() => {
  $effect(() => {
    for (const name of PREFERENCES) document.documentElement.toggleAttribute(`data-${name}`, preferences[name].value);
  });
});
