import { readdirSync } from "node:fs";
import { basename } from "node:path";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vite";

/** The server sends no markup that a component would have to take over, so Svelte's code for that is left out. */
function withoutHydration(): Plugin {
  return {
    name: "without-hydration",
    apply: "build",
    transform: {
      filter: { id: /svelte\/src\/internal\/client\/dom\/hydration\.js$/ },
      handler: (code) => code.replace("export let hydrating = false", "export const hydrating = false").replace("\thydrating = value;", ""),
    },
  };
}

const components = readdirSync(new URL("src/components/", import.meta.url)).sort();

/** The name of a component's scoped classes. It is in the page as often as the classes are, so it is short. */
function scoped(file: string): string {
  return `_${(components.indexOf(basename(file)) + 1).toString(36)}`;
}

export default defineConfig({
  plugins: [withoutHydration(), svelte({ compilerOptions: { discloseVersion: false, cssHash: ({ filename }) => scoped(filename) } })],
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
