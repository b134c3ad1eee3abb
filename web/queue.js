// The queue: rows that are moved with the keyboard or by dragging.

import { button, counted, fill, h, icon, iconButton, remover, say, show, time } from "./dom.js";
import { act, get, post, remove, undoable } from "./api.js";
import { emit, position, state } from "./state.js";
import { episodeRow, rowFilter } from "./rows.js";
import * as sound from "./sound.js";

let rows = [];
let dragged;
let timer;
let turn = Promise.resolve();
/** Runs reads and changes one after the other, so that each change sees the present order. */
const inTurn = (action) => (turn = turn.then(action, action));

export function queue() {
  const list = h("ol", { class: "rows", id: "queue", "aria-describedby": "queue-help" });
  show("Queue",
    h("p", { class: "buttons" },
      button("Shuffle", () => act(() => post("queue/shuffle"), "shuffled")),
      button("Undo", () => act(() => post("playback/undo"), "undone")),
      button("Clear", () => undoable(() => remove("queue"), "queue cleared"))),
    // The line has its height also while it is empty, so that no row moves under a finger.
    h("p", { class: "dim", id: "queue-time" }),
    h("p", { class: "dim", id: "queue-help" }, "Move an entry with Alt and the arrow keys, by its buttons, or drag it."),
    rowFilter(list, "Find in the queue"), list);
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
  fill(place, rows.length ? rows.map(row) : h("li", { class: "dim empty" }, "The queue is empty."),
    found.hasAfter ? h("li", { class: "dim empty" }, counted(found.length - rows.length, "more episode")) : "");
  emit("drawn");
}

function row(entry) {
  const name = entry.episode?.title ?? "removed";
  const buttons = [
    iconButton("play", `Play ${name}`, () => (sound.isHere() && entry.episode ? sound.play(entry.episode.id) : act(() => post("playback/play", { what: `#${entry.index}` }))), { class: "plain play" }),
    iconButton("up", `Move ${name} up`, () => move(entry.id, -1)), iconButton("down", `Move ${name} down`, () => move(entry.id, 1)),
    remover(icon("close"), () => change(entry.id, ({ index }) => undoable(() => remove(`queue/${index}`), `removed: ${name}`)), { class: "plain", "aria-label": `Remove ${name}` }),
  ];
  const made = entry.episode ? episodeRow(entry.episode, { buttons, key: entry.id }) : h("li", { "data-key": entry.id }, h("span", { class: "grow" }, name), h("span", { class: "buttons" }, buttons));
  const props = { draggable: "true", tabindex: "0", "aria-label": `${entry.index}: ${name}`, ...(entry.current ? { "aria-current": "true" } : {}) };
  for (const [one, value] of Object.entries(props)) made.setAttribute(one, value);
  made.prepend(h("span", { class: "dim number" }, entry.index));
  made.classList.toggle("current", entry.current);
  const handlers = {
    keydown: (event) => {
      if (!event.altKey) return;
      if (event.key === "ArrowUp") { event.preventDefault(); move(entry.id, -1); }
      if (event.key === "ArrowDown") { event.preventDefault(); move(entry.id, 1); }
    },
    dragstart: (event) => { dragged = entry; event.dataTransfer.effectAllowed = "move"; event.dataTransfer.setData("text/plain", name); },
    dragend: () => { dragged = undefined; },
    dragover: (event) => { if (dragged) { event.preventDefault(); event.currentTarget.classList.add("over"); } },
    dragleave: (event) => event.currentTarget.classList.remove("over"),
    drop: (event) => { event.preventDefault(); if (dragged) change(dragged.id, (one) => moveTo(one, entry.index)); },
  };
  for (const [one, handler] of Object.entries(handlers)) made.addEventListener(one, handler);
  return made;
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
