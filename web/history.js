// The listening history by day, and the changes that can be undone.

import { button, choice, counted, details, fill, h, iconButton, show, time } from "./dom.js";
import { act, get, post } from "./api.js";
import { emit } from "./state.js";
import * as sound from "./sound.js";
import { subscribing } from "./rows.js";

const date = (instant) => new Date(instant).toLocaleDateString(undefined, { weekday: "long", day: "numeric", month: "long", year: "numeric" });
const hour = (instant) => new Date(instant).toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" });

const events = {
  heard: (one) => `heard to ${time(one.position)}`, left: (one) => `left at ${time(one.position)}`, played: () => "heard to its end",
  marked: () => "marked as played", unplayed: (one) => `marked as unplayed, at ${time(one.position)} until then`, queued: () => "queued by a rule",
};

function row(one) {
  const canContinue = ["heard", "left", "unplayed"].includes(one.event) && one.position > 0;
  return h("li", { "data-key": one.key }, h("time", { class: "dim place", datetime: one.time }, hour(one.time)),
    h("span", { class: "grow" }, h("a", { class: "name", dir: "auto", href: `#/episode/${one.episode}` }, one.title), details((events[one.event] || (() => one.event))(one), one.reason)),
    h("span", { class: "buttons" }, iconButton("play", canContinue ? `Play ${one.title} from ${time(one.position)}` : `Play ${one.title}`, () => sound.play(one.episode, canContinue ? one.position : undefined))));
}

/** The rows of a list, one section for each day. */
function days(rows) {
  const found = new Map();
  for (const one of rows) found.set(date(one.time), [...(found.get(date(one.time)) || []), one]);
  return [...found].map(([name, ones]) => h("section", { "data-key": name, "aria-label": name }, h("h2", {}, name), h("ul", { class: "rows" }, ones.map(row))));
}

const acts = {
  seek: "position changed", played: "marked as played", unplayed: "marked as unplayed", star: "starred", unstar: "star removed", add: "added to the queue",
  remove: "removed from the queue", clear: "queue cleared", move: "moved in the queue", shuffle: "queue shuffled", rules: "rules applied", subscribe: "subscribed",
  unsubscribe: "unsubscribed", set: "setting", delete: "download deleted", merge: "shows merged", import: "imported", sync: "synchronized",
};

/** The changes, the last one first, each with a button that undoes it. */
const change = (one) => h("li", { "data-key": one.id }, h("time", { class: "dim place", datetime: one.time }, hour(one.time)),
  h("span", { class: "grow" }, h("span", { class: "name" }, acts[one.act] || one.act, one.title && `: ${one.title}`), details(one.count > 1 && `and ${one.count - 1} more`, one.reason)),
  !one.reason && h("span", { class: "buttons" }, button("Undo", () => act(() => post("playback/undo", { act: one.id }), `undone: ${acts[one.act] || one.act}`).then(() => emit("view")),
    { "aria-label": `Undo ${acts[one.act] || one.act} ${one.title || ""}` })));

export function history() {
  const list = h("div", { id: "history" });
  const changes = h("ul", { class: "rows", id: "undoable" });
  const kind = choice({ id: "kind", "aria-label": "Show" }, "heard", [["heard", "What was heard"], ["all", "Everything, also seeks, marks and rules"]], () => { pages = 1; emit("view"); });
  const undo = h("details", { class: "control fold", ontoggle: () => emit("view") }, h("summary", {}, "Changes that can be undone"), changes);
  let pages = 1;
  show("History", h("p", { class: "line filters" }, kind), undo, list);
  return async () => {
    const rows = [];
    let after;
    let hasAfter = true;
    for (let page = 0; page < pages && hasAfter; page += 1) {
      const reply = await get("history", { limit: 60, heardOnly: kind.value === "heard", after });
      rows.push(...reply.history);
      after = reply.history.at(-1)?.key;
      hasAfter = reply.hasAfter;
    }
    fill(list, rows.length ? days(rows) : h("p", { class: "dim" }, "Nothing was heard yet. ", subscribing()),
      hasAfter ? h("ul", { class: "rows", "data-key": "more" }, h("li", {}, button("More", () => { pages += 1; emit("view"); }))) : "");
    if (undo.open) {
      const reply = await get("playback/undoable");
      fill(changes, reply.acts.length ? reply.acts.map(change) : h("li", { class: "dim" }, "Nothing can be undone."));
    }
    undo.querySelector("summary").textContent = undo.open && changes.children.length > 1 ? `${counted(changes.children.length, "change")} that can be undone` : "Changes that can be undone";
  };
}
