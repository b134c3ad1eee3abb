// The queue, with the time that it still plays.

import { button, h, say, show, time } from "./dom.js";
import { act, get, post, remove, undoable } from "./api.js";
import { position, state } from "./state.js";
import { addToPlaylist } from "./adding.js";
import { orderedList } from "./order.js";
import { rowFilter } from "./rows.js";

let timer;

export function queue() {
  const order = orderedList({
    id: "queue", empty: "The queue is empty.", read: () => get("queue", { limit: 500 }), play: ({ index }) => ({ what: `#${index}` }),
    move: ({ index }, to) => post("queue/move", { from: `#${index}`, to }), drop: ({ index }) => remove(`queue/${index}`),
  });
  show("Queue",
    h("p", { class: "buttons" },
      button("Shuffle", () => act(() => post("queue/shuffle"), "shuffled")),
      button("Undo", () => act(() => post("playback/undo"), "undone")),
      button("Clear", () => undoable(() => remove("queue"), "queue cleared")),
      button("Save as playlist …", () => (state.queue.length ? addToPlaylist(`#1-#${state.queue.length}`, "the queue") : say("The queue is empty.")), { "aria-haspopup": "dialog", id: "save-queue" })),
    // The line has its height also while it is empty, so that no row moves under a finger.
    h("p", { class: "dim", id: "queue-time" }), order.help, rowFilter(order.list, "Find in the queue"), order.list);
  clearInterval(timer);
  timer = setInterval(drawTime, 1000);
  drawTime();
  return order.read;
}

/** Draws the remaining time of the queue. */
function drawTime() {
  const [place, player] = [document.getElementById("queue-time"), state.player];
  if (!place || !player?.queueRemaining) return;
  const { time: seconds, exact } = player.queueRemaining;
  const heard = player.remaining ? Math.max(0, position() - player.position) / player.speed : 0;
  place.textContent = seconds ? `${exact ? "" : "at least "}${time(seconds - heard)} left` : "";
}
