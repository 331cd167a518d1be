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

export default defineConfig({
  // Names of scoped classes are in the page as often as the classes are.
  plugins: [withoutHydration(), svelte({ compilerOptions: { cssHash: ({ hash, filename }) => `s-${hash(filename).slice(0, 3)}` } })],
  build: {
    outDir: "../src/dizhu/server/static",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
  },
  server: {
    // The dictionaries live beside the Python package, which also reads them.
    fs: { allow: ["..", "../src/dizhu/locales"] },
    proxy: { "/ws": { target: "ws://127.0.0.1:8000", ws: true } },
  },
});
