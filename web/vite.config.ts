import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [svelte()],
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
