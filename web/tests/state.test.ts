import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const SOURCES = new URL("../src/", import.meta.url);
const LITERAL = /^\$state(<[^(]*>)?\((|null|true|false|-?\d+|"[^"]*")\)/;

/** What the build leaves out of Svelte (`UNUSED` in vite.config.ts). */
const LEFT_OUT = /\s(transition|in|out|animate):\w|\sstyle=|\sstyle:[\w-]+\||\sclass=\{[[{]|\bfork\(|getAbortSignal/;

function* sources(): Generator<[file: string, text: string]> {
  for (const file of readdirSync(SOURCES, { recursive: true, encoding: "utf8" })) {
    if (/\.(svelte|ts)$/.test(file)) yield [file, readFileSync(new URL(file, SOURCES), "utf8")];
  }
}

test("no component asks for what is left out of Svelte", () => {
  const found: string[] = [];
  for (const [file, text] of sources()) {
    const markup = text.replace(/<style>.*/s, "");
    const asked = LEFT_OUT.exec(markup);
    if (asked !== null) found.push(`${file}: ${markup.slice(asked.index, asked.index + 60)}`);
  }
  expect(found).toEqual([]);
});

test("no state begins as an object that would be watched: what is not a plain value is raw", () => {
  const found: string[] = [];
  for (const [file, text] of sources()) {
    for (const { index } of text.matchAll(/\$state[<(]/g)) {
      if (!LITERAL.test(text.slice(index))) found.push(`${file}: ${text.slice(index, index + 60)}`);
    }
  }
  expect(found).toEqual([]);
});
