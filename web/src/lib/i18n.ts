/* Words: which language, and how a text is filled in. The dictionaries are shared with the terminal client. */

import type en from "../../../src/dizhu/locales/en.json";

export type Dictionary = typeof en;
export type Key = keyof Dictionary;
export type Values = Readonly<Record<string, string | number>>;

export const LANGUAGES = ["en", "zh-Hans", "es", "hi"] as const;
export type Language = (typeof LANGUAGES)[number];

/** Each language in its own words. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: "English",
  "zh-Hans": "简体中文",
  es: "Español",
  hi: "हिन्दी",
};

export function isLanguage(text: string | null): text is Language {
  return LANGUAGES.some((language) => language === text);
}

/** The first of the browser's languages that there is a dictionary for. */
export function choose(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const base = tag.toLowerCase().split("-")[0];
    const found = LANGUAGES.find((language) => language.toLowerCase().split("-")[0] === base);
    if (found !== undefined) return found;
  }
  return "en";
}

/** The text of a key, its plural form chosen by `values.count`, with `{name}` replaced by `values.name`. */
export function translate(dictionary: Dictionary, language: Language, key: Key, values: Values = {}): string {
  const entry: string | { one: string; other: string } = dictionary[key];
  const text = typeof entry === "string" ? entry : plural(entry, language, Number(values["count"] ?? 0));
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    return value === undefined ? whole : format(value, language);
  });
}

function plural(entry: { one: string; other: string }, language: Language, count: number): string {
  return new Intl.PluralRules(language).select(count) === "one" ? entry.one : entry.other;
}

function format(value: string | number, language: Language): string {
  return typeof value === "number" ? new Intl.NumberFormat(language, { numberingSystem: "latn" }).format(value) : value;
}

/** A list of keys is open at the end (kinds, codes, games): whether this one is in the dictionary. */
export function hasKey(dictionary: Dictionary, key: string): key is Key {
  return Object.hasOwn(dictionary, key);
}
