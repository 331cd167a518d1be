import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const SOURCES = new URL("../src/", import.meta.url);
const LITERAL = /^\$state(<[^(]*>)?\((|null|true|false|-?\d+|"[^"]*")\)/;

test("no state begins as an object that would be watched: what is not a plain value is raw", () => {
  const found: string[] = [];
  for (const file of readdirSync(SOURCES, { recursive: true, encoding: "utf8" })) {
    if (!/\.(svelte|ts)$/.test(file)) continue;
    const text = readFileSync(new URL(file, SOURCES), "utf8");
    for (const { index } of text.matchAll(/\$state[<(]/g)) {
      if (!LITERAL.test(text.slice(index))) found.push(`${file}: ${text.slice(index, index + 60)}`);
    }
  }
  expect(found).toEqual([]);
});
