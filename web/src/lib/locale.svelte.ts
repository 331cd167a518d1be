/* The language of this page: chosen by the player or by the browser, kept after a reload. */

import en from "../../../src/dizhu/locales/en.json?url";
import es from "../../../src/dizhu/locales/es.json?url";
import hi from "../../../src/dizhu/locales/hi.json?url";
import zh from "../../../src/dizhu/locales/zh-Hans.json?url";
import { choose, hasKey, isLanguage, translate, type Dictionary, type Key, type Language, type Values } from "./i18n";
import type { Speech } from "./words";

const STORED = "dizhu.language";

/** Only the dictionary that is needed is loaded, as a file of its own. */
const FILES: Readonly<Record<Language, string>> = { en, es, hi, "zh-Hans": zh };
const AGAIN_MS = 2000;

class Locale implements Speech {
  language = $state<Language>("en");
  private dictionary = $state.raw<Dictionary | null>(null);

  t(key: Key, values?: Values): string {
    return this.dictionary === null ? "" : translate(this.dictionary, this.language, key, values);
  }

  open(key: string, fallback: string, values?: Values): string {
    return this.dictionary !== null && hasKey(this.dictionary, key) ? this.t(key, values) : fallback;
  }

  /** Why something was not done, from the server's code. */
  refusal(code: string): string {
    return this.open(`refused.${code}`, this.t("refused.bad_message"));
  }

  number(value: number): string {
    return new Intl.NumberFormat(this.language, { numberingSystem: "latn" }).format(value);
  }

  /** A day, from milliseconds since 1970. */
  date(at: number): string {
    return new Intl.DateTimeFormat(this.language, { dateStyle: "medium", numberingSystem: "latn" }).format(at);
  }

  list(parts: readonly string[]): string {
    return new Intl.ListFormat(this.language, { type: "unit", style: "short" }).format(parts);
  }

  /** Take the language of an earlier visit, or else of the browser; without words there is nothing to be shown. */
  async start(): Promise<void> {
    const stored = localStorage.getItem(STORED);
    const language = isLanguage(stored) ? stored : choose(navigator.languages);
    while (!(await this.load(language))) await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }

  /** Change the language, if its words can be had now. */
  async set(language: Language): Promise<void> {
    if (await this.load(language)) localStorage.setItem(STORED, language);
  }

  private async load(language: Language): Promise<boolean> {
    try {
      const answer = await fetch(FILES[language]);
      if (!answer.ok) return false;
      this.use(language, (await answer.json()) as Dictionary);
      return true;
    } catch {
      return false;
    }
  }

  use(language: Language, dictionary: Dictionary): void {
    this.dictionary = dictionary;
    this.language = language;
    if (typeof document === "undefined") return;
    document.documentElement.lang = language;
    document.title = this.t("app.name");
  }
}

export const locale = new Locale();
