/*
 * Lets the page open without the server: it then says so, and goes on when the server is back.
 *
 * The page itself comes from the server whenever it can be reached; what lies under /assets/ never changes. What the
 * server tells (/api, /ws) is never kept.
 */

const KEPT = "dizhu";
const PAGE = "/";
const SHELL = /^\/($|assets\/|icon|manifest)/;

/** Keep a page and all it is made of: the files it names, and the dictionaries that its program names. */
async function keep(page) {
  const cache = await caches.open(KEPT);
  const html = await page.clone().text();
  if (html === (await (await cache.match(PAGE))?.text())) return;
  const files = new Set(html.match(/\/(assets\/|icon|manifest)[\w.-]+/g));
  for (const file of [...files].filter((name) => name.endsWith(".js"))) {
    const program = await (await fetch(file)).text();
    for (const name of program.match(/\/assets\/[\w.-]+\.json/g) ?? []) files.add(name);
  }
  await cache.addAll(files);
  await cache.put(PAGE, page);
  for (const { url } of await cache.keys()) {
    const { pathname } = new URL(url);
    if (pathname !== PAGE && !files.has(pathname)) await cache.delete(url);
  }
}

async function answer(request, path, later) {
  if (path.startsWith("/assets/")) return (await caches.match(path)) ?? fetch(request);
  try {
    const response = await fetch(request);
    if (path === PAGE && response.ok) later(keep(response.clone()).catch(() => {}));
    return response;
  } catch (error) {
    const kept = await caches.match(path);
    if (kept === undefined) throw error;
    return kept;
  }
}

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(fetch(PAGE).then(keep));
});

addEventListener("activate", (event) => event.waitUntil(clients.claim()));

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin || !SHELL.test(pathname)) return;
  event.respondWith(answer(request, pathname, (work) => event.waitUntil(work)));
});
