import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

export default defineConfig({
  // Names of scoped classes are in the page as often as the classes are.
  plugins: [svelte({ compilerOptions: { cssHash: ({ hash, filename }) => `s-${hash(filename).slice(0, 3)}` } })],
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
