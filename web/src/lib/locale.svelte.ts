/* The language of this page: chosen by the player or by the browser, kept after a reload. */

import en from "../../../src/dizhu/locales/en.json";
import { choose, hasKey, isLanguage, translate, type Dictionary, type Key, type Language, type Values } from "./i18n";
import type { Speech } from "./words";

const STORED = "dizhu.language";

const LOAD: Readonly<Record<Language, () => Promise<Dictionary>>> = {
  en: () => Promise.resolve(en),
  "zh-Hans": async () => (await import("../../../src/dizhu/locales/zh-Hans.json")).default,
  es: async () => (await import("../../../src/dizhu/locales/es.json")).default,
  hi: async () => (await import("../../../src/dizhu/locales/hi.json")).default,
};

class Locale implements Speech {
  language = $state<Language>("en");
  private dictionary = $state.raw<Dictionary>(en);

  t(key: Key, values?: Values): string {
    return translate(this.dictionary, this.language, key, values);
  }

  open(key: string, fallback: string, values?: Values): string {
    return hasKey(this.dictionary, key) ? this.t(key, values) : fallback;
  }

  list(parts: readonly string[]): string {
    return new Intl.ListFormat(this.language, { type: "unit", style: "short" }).format(parts);
  }

  /** Take the language of an earlier visit, or else of the browser. */
  async start(): Promise<void> {
    const stored = localStorage.getItem(STORED);
    await this.load(isLanguage(stored) ? stored : choose(navigator.languages));
  }

  async set(language: Language): Promise<void> {
    localStorage.setItem(STORED, language);
    await this.load(language);
  }

  private async load(language: Language): Promise<void> {
    this.dictionary = await LOAD[language]();
    this.language = language;
    document.documentElement.lang = language;
    document.title = this.t("app.name");
  }
}

export const locale = new Locale();
