// Serves the page's files and the kept episodes, also while podcast-web cannot be reached.

const files = [
  "./", "about.js", "activities.js", "adding.js", "api.js", "app.js", "app.webmanifest", "covers.js", "devices.js", "doctor.js", "dom.js", "episodes.js",
  "feeds.js", "heard.js", "here.js", "history.js", "home.js", "icon.svg", "icons.svg", "kept.js", "library.js", "log.js", "logins.js",
  "note.js", "notes.js", "offline.js", "order.js", "outputs.js", "player.js", "playing.js", "playlists.js", "queue.js", "retention.js", "rows.js", "rules.js",
  "screens.css", "settings.js", "sound.js", "state.js", "statistics.js", "style.css",
];
const addresses = new Set(files.map((name) => new URL(name, location).href));

self.addEventListener("install", (event) => {
  // Such a browser opens the page without starting this worker.
  event.addRoutes?.(files.map((name) => ({
    condition: { urlPattern: new URLPattern({ pathname: new URL(name, location).pathname }), requestMethod: "get" }, source: { cacheName: "page" },
  })));
  event.waitUntil(caches.open("page").then((cache) => cache.addAll(files)).then(() => self.skipWaiting()));
});
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  url.hash = "";
  if (url.search === "?kept") event.respondWith(keptFile(event.request));
  else if (event.request.method === "GET" && addresses.has(url.href)) {
    event.respondWith(caches.open("page").then((cache) => cache.match(event.request)).then((stored) => stored || fetch(event.request)));
  }
});

// The page asks for it after it was opened.
self.addEventListener("message", (event) => event.waitUntil(refresh()));

/** Looks for a newer page. All files are replaced together, so that they fit each other. */
async function refresh() {
  const cache = await caches.open("page");
  const found = await Promise.all(files.map((name) => fetch(name, { cache: "no-cache" }))).catch(() => []);
  if (!found.length || !found.every((response) => response.ok)) return;
  const stored = await Promise.all(files.map((name) => cache.match(name)));
  if (found.every((response, index) => response.headers.get("ETag") === stored[index]?.headers.get("ETag"))) return;
  await Promise.all(files.map((name, index) => cache.put(name, found[index])));
}

/** A kept file, or the range of its bytes that an audio element asks for. */
async function keptFile(request) {
  const response = await (await caches.open("episodes")).match(request.url);
  if (!response) return fetch(request);
  const blob = await response.blob();
  const headers = { "Content-Type": response.headers.get("Content-Type"), "Accept-Ranges": "bytes" };
  const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.get("Range") || "");
  if (!range) return new Response(blob, { headers: { ...headers, "Content-Length": blob.size } });
  const [start, end] = [Number(range[1]), range[2] ? Math.min(Number(range[2]) + 1, blob.size) : blob.size];
  if (start >= end) return new Response(null, { status: 416, headers: { "Content-Range": `bytes */${blob.size}` } });
  return new Response(blob.slice(start, end), {
    status: 206, headers: { ...headers, "Content-Length": end - start, "Content-Range": `bytes ${start}-${end - 1}/${blob.size}` },
  });
}
