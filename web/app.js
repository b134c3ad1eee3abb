// Screens by address, the activities, and the start.

import { fail, h } from "./dom.js";
import { listen, loginButton, useLink } from "./api.js";
import { off, on, state, take } from "./state.js";
import { playing, startPlayer } from "./player.js";
import { queue } from "./queue.js";
import { feed, feeds } from "./feeds.js";
import { episode, episodes } from "./episodes.js";
import { bookmarks, downloads } from "./library.js";
import { settings } from "./settings.js";
import { devices } from "./devices.js";
import { offline } from "./here.js";
import { keptEpisodes } from "./kept.js";

/** Each screen draws its frame and returns a function that reads and draws the data. */
const screens = { playing, queue, feeds, feed, episodes, episode, downloads, bookmarks, offline, settings, devices };
const parts = {
  playing: ["player", "episodes", "downloads"], queue: ["queue"], downloads: ["downloads"], settings: ["settings"], devices: ["sync"], offline: ["connection"],
};
const parents = { feed: "feeds", episode: "episodes", offline: "episodes", devices: "settings" };

let load;
let isLoading = false;
let isStale = false;
/** Reads what is shown, once at a time: a change in the meantime is read afterwards. */
async function reload() {
  isStale = true;
  if (isLoading) return;
  isLoading = true;
  while (isStale) {
    isStale = false;
    const mine = load;
    const error = await mine().then(() => undefined, (failure) => failure);
    if (mine === load) fail(error);
  }
  isLoading = false;
}

let isFirst = true;
function route() {
  if (location.hash.startsWith("#key=")) return location.reload();
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  const [name, id] = path.split("/");
  if (location.hash === "#main") return;
  const screen = Object.hasOwn(screens, name) ? name : "playing";
  off("view");
  for (const link of document.querySelectorAll("nav a")) {
    if (link.hash === `#/${parents[screen] || screen}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  load = screens[screen](/^\d+$/.test(id || "") ? id : "0", new URLSearchParams(query));
  // A screen reader begins to read at the new heading.
  if (!isFirst) document.querySelector("main h1")?.focus();
  isFirst = false;
  for (const part of [...(parts[screen] || ["feeds", "episodes", "downloads"]), "view"]) on(part, "view", reload);
  reload();
}

function drawActivities() {
  const place = document.getElementById("activities");
  const list = state.activities || [];
  place.hidden = !list.length;
  place.querySelector("ul").replaceChildren(...list.map((one) => {
    const text = [one.message, one.subject].filter(Boolean).join(": ");
    return h("li", { dir: "auto" }, text, one.progress !== null && one.progress !== undefined
      ? h("progress", { max: 1, value: one.progress, "aria-label": text }) : "");
  }));
}

function drawQueue() {
  document.getElementById("queue-length").textContent = `(${state.queue.length})`;
}

document.querySelector("header").append(loginButton({ class: "wide" }));
on("activities", "overlay", drawActivities);
// Without a network the page begins with what can be played.
on("connection", "start", () => {
  off("start");
  if (!state.isConnected && !location.hash && keptEpisodes().length) location.hash = "#/offline";
});
on("queue", "header", drawQueue);
window.addEventListener("hashchange", route);
startPlayer();
await useLink();
listen(take);
// The bars must not hide the control with the focus.
const bars = document.getElementById("bottom");
new ResizeObserver(() => { document.documentElement.style.scrollPaddingBottom = `${bars.offsetHeight + 16}px`; }).observe(bars);
route();
