import { beforeEach, expect, test, vi } from "vitest";
import { browserStorage } from "./fixtures";

const kept = browserStorage();

async function load(): Promise<typeof import("../src/lib/preferences.svelte")> {
  vi.resetModules();
  return import("../src/lib/preferences.svelte");
}

beforeEach(() => {
  kept.clear();
});

test("sounds, motion and four colours are on at first, the rest is off", async () => {
  const { preferences, PREFERENCES } = await load();
  expect(PREFERENCES.filter((name) => preferences[name].value)).toEqual(["sound", "motion", "suits"]);
});

test("a switch is remembered", async () => {
  const before = await load();
  before.preferences.sound.value = false;
  before.preferences.left.value = true;
  const { preferences } = await load();
  expect(preferences.sound.value).toBe(false);
  expect(preferences.left.value).toBe(true);
});
