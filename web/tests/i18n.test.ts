import { describe, expect, test } from "vitest";
import en from "../../src/dizhu/locales/en.json";
import es from "../../src/dizhu/locales/es.json";
import hi from "../../src/dizhu/locales/hi.json";
import zh from "../../src/dizhu/locales/zh-Hans.json";
import { choose, hasKey, isLanguage, LANGUAGES, translate, type Dictionary } from "../src/lib/i18n";

const DICTIONARIES: Record<string, Dictionary> = { en, es, hi, "zh-Hans": zh };

/** The names in braces of an entry, of all its plural forms together. */
function slots(entry: string | { one: string; other: string }): string[] {
  const text = typeof entry === "string" ? entry : entry.one + entry.other;
  return [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? ""))].sort();
}

describe.each(LANGUAGES)("the dictionary %s", (language) => {
  const dictionary = DICTIONARIES[language] ?? en;

  test("has the same keys as the English one, none of them empty", () => {
    expect(Object.keys(dictionary).sort()).toEqual(Object.keys(en).sort());
    expect(Object.values(dictionary).every((entry) => typeof entry !== "string" || entry.trim() !== "")).toBe(true);
  });

  test("fills in the same values", () => {
    for (const [key, entry] of Object.entries(en)) {
      if (!hasKey(dictionary, key)) throw new Error(key);
      const own = slots(dictionary[key]);
      // A form for one may write the number out.
      expect(own.length, key).toBeLessThanOrEqual(slots(entry).length);
      expect(slots(entry), key).toEqual(expect.arrayContaining(own));
    }
  });
});

test("plural forms follow the language", () => {
  expect(translate(en, "en", "seat.cards", { count: 1 })).toBe("1 card left");
  expect(translate(en, "en", "seat.cards", { count: 2 })).toBe("2 cards left");
  expect(translate(es, "es", "say.left", { name: "Bot 1", count: 1 })).toBe("A Bot 1 le queda 1 carta.");
  expect(translate(zh, "zh-Hans", "seat.cards", { count: 1 })).toBe("剩 1 张");
  expect(translate(hi, "hi", "seat.cards", { count: 2 })).toBe("2 पत्ते बचे");
});

test("values that are not given stay visible", () => {
  expect(translate(en, "en", "say.pass")).toBe("{name} passes.");
});

test("the browser's languages choose the dictionary", () => {
  expect(choose(["fr-FR", "zh-CN", "en"])).toBe("zh-Hans");
  expect(choose(["es-MX"])).toBe("es");
  expect(choose(["hi-IN", "en"])).toBe("hi");
  expect(choose(["fr"])).toBe("en");
  expect(isLanguage("zh-Hans")).toBe(true);
  expect(isLanguage("fr")).toBe(false);
  expect(isLanguage(null)).toBe(false);
});
