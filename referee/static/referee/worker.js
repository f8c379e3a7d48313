// The service worker: with it the recording page opens, reloads and goes on without a network.
// SETTINGS stands above, written by referee/offline.py.

const SHELL = `shell-${SETTINGS.version}`;
const PAGES = "pages";
const PATIENCE = 4_000;

self.addEventListener("install", (event) => {
  const kept = caches
    .open(SHELL)
    .then((shell) => shell.addAll([...SETTINGS.assets, SETTINGS.offline]));
  event.waitUntil(kept.then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const old = (name) => name.startsWith("shell-") && name !== SHELL;
  const cleared = caches
    .keys()
    .then((names) => Promise.all(names.filter(old).map((name) => caches.delete(name))));
  event.waitUntil(cleared.then(() => self.clients.claim()));
});

// A page that was open before this worker asks to be kept.
self.addEventListener("message", (event) => {
  if (event.data?.keep) event.waitUntil(fetched(new Request(event.data.keep)).catch(() => {}));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== self.location.origin) return;
  // Whoever signs out leaves nothing of theirs behind for the next reader of this device.
  if (request.method === "POST" && pathname === "/logout/") event.waitUntil(caches.delete(PAGES));
  if (request.method !== "GET") return;
  if (request.mode === "navigate") event.respondWith(page(request));
  else if (SETTINGS.assets.includes(pathname)) event.respondWith(asset(request));
});

async function asset(request) {
  const shell = await caches.open(SHELL);
  return (await shell.match(request, { ignoreSearch: true })) ?? fetch(request);
}

/** A page from the network; where there is none, as it was kept, or what can be done without. */
async function page(request) {
  const pages = await caches.open(PAGES);
  const kept = await pages.match(request, { ignoreSearch: true, ignoreVary: true });
  try {
    return await (kept ? soon(fetched(request)) : fetched(request));
  } catch {
    return kept ?? (await (await caches.open(SHELL)).match(SETTINGS.offline));
  }
}

/** Fetch a page, and keep it where the server says that this reader may. */
async function fetched(request) {
  const response = await fetch(request);
  if (response.ok && !response.redirected && response.headers.get(SETTINGS.keepable)) {
    const pages = await caches.open(PAGES);
    await pages.put(request.url.split(/[?#]/)[0], response.clone());
  }
  return response;
}

/** What is kept is better than a page that never comes. */
const soon = (answer) =>
  Promise.race([
    answer,
    new Promise((_, reject) => {
      setTimeout(() => reject(new Error("slow")), PATIENCE);
    }),
  ]);
