import { mount } from "svelte";
import App from "./App.svelte";
import "./app.css";
import { Client, openSocket } from "./lib/client.svelte";
import { locale } from "./lib/locale.svelte";
import { player } from "./lib/player.svelte";
import { router } from "./lib/router.svelte";
import { tune } from "./lib/sound";

const target = document.getElementById("app");
if (target === null) throw new Error("the page has no #app");

const client = new Client(openSocket);
router.start();
client.start();
void player.enter();
await locale.start();
mount(App, { target, props: { client } });
if (import.meta.env.PROD && "serviceWorker" in navigator) void navigator.serviceWorker.register("/sw.js");
addEventListener("online", () => client.renew());
addEventListener("click", tune, { once: true });
