// The queue: rows that are moved with the keyboard or by dragging.

import { button, counted, details, fill, h, own, remover, say, show, time } from "./dom.js";
import { act, get, play, post, remove, undoable } from "./api.js";
import { position, state } from "./state.js";

let rows = [];
let dragged;
let timer;
let turn = Promise.resolve();
/** Runs reads and changes one after the other, so that each change sees the present order. */
const inTurn = (action) => (turn = turn.then(action, action));

export function queue() {
  show("Queue",
    h("p", { class: "buttons" },
      button("Shuffle", () => act(() => post("queue/shuffle"), "shuffled")),
      button("Undo", () => act(() => post("playback/undo"), "undone")),
      button("Clear", () => undoable(() => remove("queue"), "queue cleared"))),
    h("p", { class: "dim", id: "queue-time" }),
    h("p", { class: "dim", id: "queue-help" }, "Move an entry with Alt and the arrow keys, by its buttons, or drag it."),
    h("ol", { class: "rows", id: "queue", "aria-describedby": "queue-help" }));
  clearInterval(timer);
  timer = setInterval(drawTime, 1000);
  drawTime();
  return () => inTurn(load);
}

/** Draws the remaining time of the queue. */
function drawTime() {
  const [place, player] = [document.getElementById("queue-time"), state.player];
  if (!place || !player?.queueRemaining) return;
  const { time: seconds, exact } = player.queueRemaining;
  const heard = player.remaining ? Math.max(0, position() - player.position) / player.speed : 0;
  place.textContent = seconds ? `${exact ? "" : "at least "}${time(seconds - heard)} left` : "";
}

async function load() {
  const found = await get("queue", { limit: 500 });
  rows = found.entries;
  const place = document.getElementById("queue");
  if (!place) return;
  fill(place, rows.length ? rows.map(row) : h("li", { class: "dim" }, "The queue is empty."),
    found.hasAfter ? h("li", { class: "dim" }, counted(found.length - rows.length, "more episode")) : "");
}

function row(entry) {
  const name = entry.episode?.title ?? "removed";
  return h("li", {
    "data-key": entry.id, draggable: "true", tabindex: 0, class: entry.current ? "current" : "",
    "aria-current": entry.current ? "true" : undefined, "aria-label": `${entry.index}: ${name}`,
    onkeydown: (event) => {
      if (!event.altKey) return;
      if (event.key === "ArrowUp") { event.preventDefault(); move(entry.id, -1); }
      if (event.key === "ArrowDown") { event.preventDefault(); move(entry.id, 1); }
    },
    ondragstart: (event) => { dragged = entry; event.dataTransfer.effectAllowed = "move"; event.dataTransfer.setData("text/plain", name); },
    ondragend: () => { dragged = undefined; },
    ondragover: (event) => { if (dragged) { event.preventDefault(); event.currentTarget.classList.add("over"); } },
    ondragleave: (event) => event.currentTarget.classList.remove("over"),
    ondrop: (event) => { event.preventDefault(); if (dragged) change(dragged.id, (one) => moveTo(one, entry.index)); },
  },
  h("span", { class: "dim" }, entry.index),
  h("span", { class: "grow" }, entry.episode ? h("a", { class: "name", dir: "auto", href: `#/episode/${entry.episode.id}` }, name) : own(name),
    entry.episode ? details(entry.episode.feedTitle, time(entry.episode.duration)) : ""),
  h("span", { class: "buttons" },
    button("Play", () => play(`#${entry.index}`), { "aria-label": `Play ${name}` }),
    button("↑", () => move(entry.id, -1), { "aria-label": `Move ${name} up` }),
    button("↓", () => move(entry.id, 1), { "aria-label": `Move ${name} down` }),
    remover("✕", () => change(entry.id, ({ index }) => undoable(() => remove(`queue/${index}`), `removed: ${name}`)), { "aria-label": `Remove ${name}` })));
}

/** Changes an entry at the place that it has when it is its turn. */
const change = (id, action) => inTurn(() => act(async () => {
  await load();
  const entry = rows.find((one) => one.id === id);
  if (entry) await action(entry);
  await load();
}));

const move = (id, by) => change(id, (entry) => moveTo(entry, entry.index + by)).then(() =>
  document.querySelector(`#queue li[data-key="${id}"]`)?.scrollIntoView({ block: "nearest" }));

async function moveTo({ index }, to) {
  if (to < 1 || to > rows.length || to === index) return;
  await post("queue/move", { from: `#${index}`, to });
  say(`moved to place ${to}`);
}
