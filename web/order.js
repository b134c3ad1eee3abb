// Lists that the user orders: the queue and playlists by hand. Rows are moved with the keyboard, by buttons or by dragging.

import { counted, fill, h, icon, iconButton, remover, say } from "./dom.js";
import { act, post, undoable } from "./api.js";
import { emit } from "./state.js";
import { episodeRow } from "./rows.js";
import * as sound from "./sound.js";

let dragged;
let turn = Promise.resolve();
/** Runs reads and changes one after the other, so that each change sees the present order. */
const inTurn = (action) => (turn = turn.then(action, action));

/**
 * Draws a list with the id `id`. `read()` returns its `entries`, each with `id`, `index` and `episode`, and the length of the whole list.
 * `play(entry)` returns the request that plays an entry on the outputs; `move(entry, to)` and `drop(entry)` change the list.
 * Returns the elements, and the function that reads the list.
 */
export function orderedList({ id, empty, read, play, move, drop }) {
  let rows = [];
  const list = h("ol", { class: "rows ordered", id, "aria-describedby": `${id}-help` });
  const help = h("p", { class: "dim", id: `${id}-help` }, "Move an entry with Alt and the arrow keys, by its buttons, or drag it.");

  const load = async () => {
    const { entries, length } = await read();
    rows = entries;
    if (!list.isConnected) return;
    fill(list, rows.length ? rows.map(row) : h("li", { class: "dim empty" }, empty),
      length > rows.length ? h("li", { class: "dim empty" }, counted(length - rows.length, "more episode")) : "");
    emit("drawn");
  };
  /** Changes an entry at the place that it has when it is its turn. */
  const change = (key, action) => inTurn(() => act(async () => {
    await load();
    const entry = rows.find((one) => one.id === key);
    if (entry) await action(entry);
    await load();
  }));
  const moveTo = async (entry, to) => {
    if (to < 1 || to > rows.length || to === entry.index) return;
    await move(entry, to);
    say(`moved to place ${to}`);
  };
  const moveBy = (key, by) => change(key, (entry) => moveTo(entry, entry.index + by)).then(() =>
    list.querySelector(`:scope > li[data-key="${key}"]`)?.scrollIntoView({ block: "nearest" }));

  function row(entry) {
    const name = entry.episode?.title ?? "removed";
    const buttons = [
      iconButton("play", `Play ${name}`, () => (sound.isHere() && entry.episode ? sound.play(entry.episode.id) : act(() => post("playback/play", play(entry)))), { class: "plain play" }),
      iconButton("up", `Move ${name} up`, () => moveBy(entry.id, -1)), iconButton("down", `Move ${name} down`, () => moveBy(entry.id, 1)),
      remover(icon("close"), () => change(entry.id, (one) => undoable(() => drop(one), `removed: ${name}`)), { class: "plain", "aria-label": `Remove ${name}` }),
    ];
    const made = entry.episode ? episodeRow(entry.episode, { buttons, key: entry.id }) : h("li", { "data-key": entry.id }, h("span", { class: "grow" }, name), h("span", { class: "buttons" }, buttons));
    const props = { draggable: "true", tabindex: "0", "aria-label": `${entry.index}: ${name}`, ...(entry.current ? { "aria-current": "true" } : {}) };
    for (const [one, value] of Object.entries(props)) made.setAttribute(one, value);
    made.prepend(h("span", { class: "dim number" }, entry.index));
    made.classList.toggle("current", Boolean(entry.current));
    const handlers = {
      keydown: (event) => {
        if (!event.altKey) return;
        if (event.key === "ArrowUp") { event.preventDefault(); moveBy(entry.id, -1); }
        if (event.key === "ArrowDown") { event.preventDefault(); moveBy(entry.id, 1); }
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

  return { help, list, read: () => inTurn(load) };
}
