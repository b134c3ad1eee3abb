// The queue: rows that are moved with the keyboard or by dragging.

import { button, counted, details, h, own, say, show, time } from "./dom.js";
import { act, get, post, remove, undoable } from "./api.js";
import { on, state } from "./state.js";

let rows = [];
let dragged;
let focus;
let revision;

export function queue() {
  revision = undefined;
  show("Queue",
    h("p", { class: "buttons" },
      button("Shuffle", () => act(() => post("queue/shuffle"), "shuffled")),
      button("Undo", () => act(() => post("playback/undo"), "undone")),
      button("Clear", () => undoable(() => remove("queue"), "queue cleared"))),
    h("p", { class: "dim", id: "queue-help" }, "Move an entry with Alt and the arrow keys, by its buttons, or drag it."),
    h("ol", { class: "rows", id: "queue", "aria-describedby": "queue-help" }));
  on("queue", "view", load);
  load();
}

async function load() {
  const place = document.getElementById("queue");
  if (!place || (revision !== undefined && revision === state.queue.revision && rows.every((row) => row.isCurrent === (row.index === state.queue.index)))) return;
  const found = await act(() => get("queue", { limit: 500 }));
  if (!found || !place.isConnected) return;
  revision = found.revision;
  rows = found.entries.map((entry) => ({ ...entry, isCurrent: entry.current }));
  const held = focus ?? (place.contains(document.activeElement) ? document.activeElement.closest("li")?.dataset.id : undefined);
  place.replaceChildren(...rows.map(row));
  if (!rows.length) place.replaceChildren(h("li", { class: "dim" }, "The queue is empty."));
  if (found.hasAfter) place.append(h("li", { class: "dim" }, counted(found.length - rows.length, "more episode")));
  if (held) place.querySelector(`li[data-id="${held}"]`)?.focus();
  focus = undefined;
}

function row(entry) {
  const name = entry.episode ? entry.episode.title : "removed";
  return h("li", {
    "data-id": entry.id, draggable: "true", tabindex: 0, class: entry.current ? "current" : "",
    "aria-current": entry.current ? "true" : undefined, "aria-label": `${entry.index}: ${name}`,
    onkeydown: (event) => {
      if (!event.altKey) return;
      if (event.key === "ArrowUp") { event.preventDefault(); move(entry, entry.index - 1); }
      if (event.key === "ArrowDown") { event.preventDefault(); move(entry, entry.index + 1); }
    },
    ondragstart: (event) => { dragged = entry; event.dataTransfer.effectAllowed = "move"; event.dataTransfer.setData("text/plain", name); },
    ondragend: () => { dragged = undefined; },
    ondragover: (event) => { if (dragged) { event.preventDefault(); event.currentTarget.classList.add("over"); } },
    ondragleave: (event) => event.currentTarget.classList.remove("over"),
    ondrop: (event) => { event.preventDefault(); if (dragged) move(dragged, entry.index); },
  },
  h("span", { class: "dim" }, entry.index),
  h("span", { class: "grow" }, entry.episode ? h("a", { class: "name", dir: "auto", href: `#/episode/${entry.episode.id}` }, name) : own(name),
    entry.episode ? details(entry.episode.feedTitle, time(entry.episode.duration)) : ""),
  h("span", { class: "buttons" },
    button("Play", () => act(() => post("playback/play", { what: `#${entry.index}` })), { "aria-label": `Play ${name}` }),
    button("↑", () => move(entry, entry.index - 1), { "aria-label": `Move ${name} up` }),
    button("↓", () => move(entry, entry.index + 1), { "aria-label": `Move ${name} down` }),
    button("✕", () => undoable(() => remove(`queue/${entry.index}`), `removed: ${name}`), { "aria-label": `Remove ${name}` })));
}

function move(entry, to) {
  if (to < 1 || to > rows.length || to === entry.index) return;
  focus = entry.id;
  act(() => post("queue/move", { from: `#${entry.index}`, to }), () => `moved to place ${to}`);
  if (!state.isConnected) say("not connected");
}
