import { readdirSync } from "node:fs";
import { basename } from "node:path";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vite";

/** What Svelte can do and this page never asks for: in which file, what is written there, and what is left of it. */
const UNUSED: readonly (readonly [file: string, written: string, left: string])[] = [
  // The server sends no markup that a component would have to take over.
  ["dom/hydration.js", "export let hydrating = false", "export const hydrating = false"],
  ["dom/hydration.js", "\thydrating = value;", ""],
  // State is replaced and never changed in place (tests/state.test.ts), so nothing watches the fields of objects.
  ["reactivity/sources.js", "should_proxy ? proxy(value) : value", "value"],
  ["reactivity/props.js", "runes && bindable ? proxy(value) : value", "value"],
];

function withoutUnused(): Plugin {
  return {
    name: "without-unused",
    apply: "build",
    transform: {
      filter: { id: /svelte\/src\/internal\/client\/(dom\/hydration|reactivity\/(sources|props))\.js$/ },
      handler(code, id) {
        for (const [file, written, left] of UNUSED) {
          if (!id.endsWith(file)) continue;
          if (!code.includes(written)) throw new Error(`${file} is not as expected: another Svelte? Look at UNUSED.`);
          code = code.replace(written, left);
        }
        return code;
      },
    },
  };
}

const components = readdirSync(new URL("src/components/", import.meta.url)).sort();

/** The name of a component's scoped classes. It is in the page as often as the classes are, so it is short. */
function scoped(file: string): string {
  return `_${(components.indexOf(basename(file)) + 1).toString(36)}`;
}

export default defineConfig({
  plugins: [withoutUnused(), svelte({ compilerOptions: { discloseVersion: false, cssHash: ({ filename }) => scoped(filename) } })],
  build: {
    outDir: "../src/dizhu/server/static",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    rolldownOptions: { optimization: { inlineConst: { mode: "all" } } },
  },
  server: {
    // The dictionaries live beside the Python package, which also reads them.
    fs: { allow: ["..", "../src/dizhu/locales"] },
    proxy: { "/ws": { target: "ws://127.0.0.1:8000", ws: true } },
  },
});
