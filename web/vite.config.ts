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
  // Nothing is awaited in a component but by {#await}, and no part of the page catches the errors of another.
  ["flags/index.js", "export let async_mode_flag = false", "export const async_mode_flag = false"],
  ["flags/index.js", "\tasync_mode_flag = true;", ""],
  ["flags/index.js", "\tasync_mode_flag = false;", ""],
  ["reactivity/batch.js", "if (!this.#is_deferred()) this", "this"],
  ["reactivity/batch.js", "if (this.#is_deferred())", "if (false)"],
  ["reactivity/async.js", "if (async.length === 0 && pending.length === 0) {\n\t\tfn(deriveds);\n\t\treturn;\n\t}", "return fn(deriveds);"],
  ["flags/index.js", "export let legacy_mode_flag = false", "export const legacy_mode_flag = false"],
  ["flags/index.js", "\tlegacy_mode_flag = true;", ""],
  // All components are in runes mode.
  ["reactivity/async.js", "is_runes() ? derived : derived_safe_equal", "derived"],
  ["reactivity/sources.js", "var runes = is_runes()", "const runes = true"],
  ["reactivity/props.js", "var runes = !legacy_mode_flag || (flags & PROPS_IS_RUNES) !== 0", "const runes = true"],
  ["blocks/await.js", "var runes = is_runes()", "const runes = true"],
  ["blocks/key.js", "var legacy = !is_runes()", "const legacy = false"],
  // Nothing is inspected, nor read before its time.
  ["reactivity/sources.js", "if (!batch.is_fork && eager_effects.size > 0 && !eager_effects_deferred)", "if (false)"],
  ["reactivity/batch.js", "increment(blocking, effect) {", "increment(blocking, effect) {\n\t\treturn;"],
  ["reactivity/batch.js", "decrement(blocking, effect) {", "decrement(blocking, effect) {\n\t\treturn;"],
  ["blocks/boundary.js", "createSubscriber(() => {", "(() => {"],
  ["blocks/boundary.js", "if (this.#pending_count > 0)", "if (false)"],
  ["blocks/boundary.js", "#update_pending_count(d, batch) {", "#update_pending_count(d, batch) {\n\t\treturn;"],
  ["blocks/boundary.js", "\tupdate_pending_count(d, batch) {\n\t\tthis.", "\tupdate_pending_count(d, batch) {\n\t\treturn;\n\t\tthis."],
  ["blocks/boundary.js", "this.#effect_pending_subscriber();", "return 0;"],
  ["blocks/boundary.js", "if (error === HYDRATION_ERROR) {\n\t\t\tthrow error;\n\t\t}", "throw error;"],
  // So nothing is made aside, to be shown when what is awaited is there.
  ["blocks/branches.js", "var defer = should_defer_append()", "const defer = false"],
  ["blocks/branches.js", "if (keys.includes(k))", "if (false)"],
  ["blocks/branches.js", "var offscreen = this.#offscreen.get(key)", "const offscreen = null"],
  ["blocks/branches.js", "const offscreen = this.#offscreen.get(k)", "const offscreen = null"],
  ["blocks/each.js", "var defer = should_defer_append()", "const defer = false"],
  ["blocks/each.js", "if (state.pending.size > 0)", "if (false)"],
  ["blocks/each.js", " && state.pending.size === 0", ""],
  ["reactivity/batch.js", "effect.b?.is_pending &&", "false &&"],
  // No batch is a fork, tried out before it is so.
  ["reactivity/deriveds.js", "!current_batch?.is_fork || derived.deps === null", "true"],
  ["reactivity/deriveds.js", " || current_batch?.is_fork", ""],
  ["client/runtime.js", "var is_fork = current_batch?.is_fork", "const is_fork = false"],
  ["reactivity/batch.js", "!batch.is_fork && this", "this"],
  ["reactivity/batch.js", "if (!this.is_fork)", "if (true)"],
  // Styles move things, not transitions: what goes is gone at once.
  ["reactivity/effects.js", "if (remaining > 0)", "if (false)"],
  ["reactivity/effects.js", "var t = effect.nodes && effect.nodes.t", "const t = null"],
  ["reactivity/effects.js", "var t = effect.nodes && effect.nodes.t", "const t = null"],
  ["reactivity/effects.js", "var transitions = effect.nodes && effect.nodes.t", "const transitions = null"],
  ["blocks/each.js", "if (group)", "if (false)"],
  ["blocks/each.js", "if (remaining === 0)", "if (true)"],
  ["blocks/each.js", "if (state.outrogroups !== null)", "if (false)"],
  ["blocks/each.js", "if (state.outrogroups !== null)", "if (false)"],
  ["blocks/each.js", "var is_animated = (flags & EACH_IS_ANIMATED) !== 0", "const is_animated = false"],
  // A class and a style are written as text, and styles are set one by one.
  ["shared/attributes.js", "if (typeof value === 'object')", "if (false)"],
  ["shared/attributes.js", "if (Array.isArray(styles))", "if (false)"],
  ["shared/attributes.js", "if (value) {", "if (false) {"],
  ["shared/attributes.js", "if (important_styles) {\n\t\t\tnew_style", "if (false) {\n\t\t\tnew_style"],
  ["elements/style.js", "if (Array.isArray(next_styles))", "if (false)"],
];

function withoutUnused(): Plugin {
  return {
    name: "without-unused",
    apply: "build",
    transform: {
      filter: { id: /svelte\/src\/internal\/(client\/(dom\/(hydration|elements\/style|blocks\/\w+)|reactivity\/\w+|runtime)|shared\/attributes|flags\/index)\.js$/ },
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
    // The page may load from its server only, so nothing is written into the script as an address.
    assetsInlineLimit: 0,
    rolldownOptions: { optimization: { inlineConst: { mode: "all" } } },
  },
  server: {
    // The dictionaries live beside the Python package, which also reads them.
    fs: { allow: ["..", "../src/dizhu/locales"] },
    proxy: { "/ws": { target: "ws://127.0.0.1:8000", ws: true } },
  },
});
