// Screens by address, the navigation, the activities, and the start.

import { fail, h, icon, show } from "./dom.js";
import { listen, loginButton, useLink } from "./api.js";
import { memory, off, on, remember, state, take } from "./state.js";
import { startPlayer } from "./player.js";
import { tint } from "./covers.js";
import { restore } from "./here.js";
import { keptEpisodes } from "./kept.js";
import { startLog } from "./log.js";

/**
 * Each screen: its file, which exports a function of the screen's name, the parts of the state whose changes draw it again, and what the
 * navigation says. The function draws the frame, and returns a function that reads and draws the data. Screens with a label and without
 * `nav` are in the side bar of a wide window, and on the screen "More" of a phone.
 */
const screens = {
  home: { from: () => import("./home.js"), nav: true },
  queue: { from: () => import("./queue.js"), parts: ["queue"], nav: true },
  feeds: { from: () => import("./feeds.js"), nav: true },
  episodes: { from: () => import("./episodes.js"), nav: true },
  more: { from: async () => ({ more }), parts: [], nav: true },
  playing: { from: () => import("./playing.js"), parts: ["heard", "connection", "episodes", "downloads"], parent: "home" },
  feed: { from: () => import("./feeds.js"), parent: "feeds" },
  episode: { from: () => import("./episodes.js"), parent: "episodes" },
  playlists: { from: () => import("./playlists.js"), label: "Playlists", icon: "playlists", parts: ["playlists", "episodes", "connection"] },
  playlist: { from: () => import("./playlists.js"), parent: "playlists", parts: ["playlists", "episodes", "feeds"] },
  downloads: { from: () => import("./library.js"), label: "Downloads", icon: "download", parts: ["downloads"] },
  bookmarks: { from: () => import("./library.js"), label: "Bookmarks", icon: "bookmark" },
  offline: { from: () => import("./offline.js"), label: "Offline", icon: "offline", parts: ["connection"] },
  history: { from: () => import("./history.js"), label: "History", icon: "history", parts: ["episodes", "connection"] },
  statistics: { from: () => import("./statistics.js"), label: "Statistics", icon: "statistics", parts: ["connection"] },
  rules: { from: () => import("./rules.js"), label: "Rules", icon: "rules", parts: ["rules", "feeds", "connection"] },
  outputs: { from: () => import("./outputs.js"), label: "Outputs", icon: "speaker", parts: [] },
  devices: { from: () => import("./devices.js"), parent: "settings", parts: ["sync"] },
  logins: { from: () => import("./logins.js"), parent: "settings", parts: ["connection"] },
  activities: { from: () => import("./activities.js"), parent: "settings", parts: ["downloads", "feeds"] },
  log: { from: () => import("./log.js"), parent: "settings", parts: ["log"] },
  doctor: { from: () => import("./doctor.js"), parent: "settings", parts: [] },
  settings: { from: () => import("./settings.js"), label: "Settings", icon: "settings", parts: ["settings"] },
};

const others = () => Object.entries(screens).filter(([, screen]) => screen.label);
const place = ([name, screen]) => h("a", { href: `#/${name}`, class: "wide" }, icon(screen.icon), h("span", {}, screen.label));

/** The screens for which a phone's navigation has no room. */
function more() {
  show("More", h("ul", { class: "rows menu" }, others().map((one) => h("li", {}, place(one)))), loginButton({ class: "narrow" }));
  return async () => {};
}

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
    if (mine !== load) continue;
    fail(error);
    if (!error) goBack();
  }
  isLoading = false;
}

// MARK: the place to which Back goes

history.scrollRestoration = "manual";
/** The row that a screen had at the top when it was left, until it is there again. */
let wantedRow;

/** Keeps the row that is at the top of the window. */
function keepPlace() {
  if (wantedRow) return;
  const { left, width } = document.getElementById("main").getBoundingClientRect();
  const row = scrollY && document.elementsFromPoint(left + width / 2, 90).map((one) => one.closest("main [data-key]")).find(Boolean);
  remember({ top: scrollY ? { y: scrollY, key: row?.dataset.key, at: row?.getBoundingClientRect().top } : undefined });
}

function goBack() {
  if (!wantedRow) return;
  const { y, key, at } = wantedRow;
  wantedRow = undefined;
  const find = () => key && [...document.querySelectorAll("main [data-key]")].find((one) => one.dataset.key === key);
  if (!find()) return scrollTo(0, y);
  // Rows that were never shown have only an estimated height, which changes in the first frames.
  const hold = (frames) => {
    const row = find();
    if (!row || !frames) return;
    scrollBy(0, row.getBoundingClientRect().top - at);
    requestAnimationFrame(() => hold(frames - 1));
  };
  return hold(12);
}

let scrolled;
window.addEventListener("scroll", () => { clearTimeout(scrolled); scrolled = setTimeout(keepPlace, 150); }, { passive: true });
document.addEventListener("click", keepPlace, true);

let isFirst = true;
let visit = 0;
async function route() {
  if (location.hash.startsWith("#key=")) return location.reload();
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  const [name, id] = path.split("/");
  if (location.hash === "#main") return;
  const screen = Object.hasOwn(screens, name) ? name : "home";
  off("view");
  for (const link of document.querySelectorAll("nav a")) {
    if (link.hash === `#/${screens[screen].parent || screen}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  visit += 1;
  const mine = visit;
  clearTimeout(scrolled);
  const made = await screens[screen].from();
  if (mine !== visit) return;
  tint(document.getElementById("main"), "");
  wantedRow = memory().top;
  if (!wantedRow) scrollTo(0, 0);
  load = made[screen](/^\d+$/.test(id || "") ? id : "0", new URLSearchParams(query));
  // A screen reader begins to read at the new heading.
  if (!isFirst) document.querySelector("main h1")?.focus();
  isFirst = false;
  for (const part of [...(screens[screen].parts || ["feeds", "episodes", "downloads"]), "view"]) {
    on(part, "view", (event) => { if (!event || !load.patch?.(event)) reload(); });
  }
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
  document.getElementById("queue-length").textContent = state.queue.length ? `(${state.queue.length})` : "";
}

document.querySelector("nav").append(...others().map(place));
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
startLog();
await useLink();
listen(take);
restore();
// The bars must not hide the control with the focus.
const bars = document.getElementById("bottom");
new ResizeObserver(() => {
  const { style } = document.documentElement;
  style.scrollPaddingBottom = `${innerHeight - bars.getBoundingClientRect().top + 16}px`;
  style.setProperty("--bar", `${bars.offsetHeight}px`);
}).observe(bars);
route();
