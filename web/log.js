// Messages and playback errors with their times, as this tab has seen them.

import { button, choice, details, fill, h, own, show } from "./dom.js";
import { emit, on, state } from "./state.js";

const most = 300;
const store = "log";
/** The kinds of activities that are noted; the others come and go all the time. */
const lasting = ["refreshing", "subscribing", "downloading", "backup"];
const lines = JSON.parse(sessionStorage.getItem(store) || "[]");

function note(kind, text) {
  const last = lines.at(-1);
  if (!text || (last?.text === text && Date.now() - last.time < 1000)) return;
  lines.push({ time: Date.now(), kind, text });
  lines.splice(0, lines.length - most);
  sessionStorage.setItem(store, JSON.stringify(lines));
  emit("log");
}

function clear() {
  lines.splice(0);
  sessionStorage.removeItem(store);
}

/** Notes each message of the page, what the daemon begins, and each error of playback. */
export function startLog() {
  const message = document.getElementById("message");
  new MutationObserver(() => note("message", message.textContent)).observe(message, { childList: true, characterData: true, subtree: true });
  // The next user of the tab does not see them.
  document.addEventListener("logout", clear);
  let error;
  on("player", "log", () => {
    if (state.player?.error !== error) note("error", state.player?.error);
    error = state.player?.error;
  });
  const seen = new Set();
  on("activities", "log", () => {
    for (const one of state.activities || []) {
      if (!seen.has(one.id) && lasting.includes(one.kind)) note("activity", [one.message, one.subject].filter(Boolean).join(": "));
      seen.add(one.id);
    }
  });
  let isConnected = true;
  on("connection", "log", () => {
    if (state.isConnected !== isConnected) note("connection", state.isConnected ? "connected to podcastd" : "not connected to podcastd");
    isConnected = state.isConnected;
  });
}

const row = (one) => h("li", { class: one.kind === "error" ? "problem" : "", "data-key": `${one.time} ${one.text}` },
  h("time", { class: "dim place", datetime: new Date(one.time).toISOString() }, new Date(one.time).toLocaleTimeString()), h("span", { class: "grow" }, own(one.text), details(one.kind)));

export function log() {
  const list = h("ol", { class: "rows", id: "log" });
  const kind = choice({ "aria-label": "Show" }, "", [["", "Everything"], ["message", "Messages"], ["error", "Errors"], ["activity", "Activities"]], () => emit("view"));
  show("Log", h("p", { class: "line filters" }, kind),
    h("p", { class: "dim" }, "What this tab has seen since it was opened, the latest first. The service's own log is in the journal: journalctl --user -u podcastd"), list,
    h("p", {}, button("Clear", () => { clear(); emit("view"); })));
  return async () => {
    const found = lines.filter((one) => !kind.value || one.kind === kind.value).reverse();
    fill(list, found.length ? found.map(row) : h("li", { class: "dim" }, "No messages."));
  };
}
