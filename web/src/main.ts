import { mount } from "svelte";
import App from "./App.svelte";
import "./app.css";
import { Client, openSocket } from "./lib/client.svelte";
import { locale } from "./lib/locale.svelte";

const target = document.getElementById("app");
if (target === null) throw new Error("the page has no #app");

await locale.start();
const client = new Client(openSocket);
mount(App, { target, props: { client } });
client.start();
addEventListener("online", () => client.renew());
