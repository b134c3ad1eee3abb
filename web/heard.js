// Positions of episodes played in this browser, stored until the daemon confirms them.

import { isReader, report } from "./api.js";
import { say, spoken } from "./dom.js";
import { on, state } from "./state.js";

const all = () => JSON.parse(localStorage.getItem("heard") || "{}");
const store = (positions) => localStorage.setItem("heard", JSON.stringify(positions));

/** The name by which 'podcastctl devices' lists this browser. */
function device() {
  if (!localStorage.getItem("device")) {
    const [number] = crypto.getRandomValues(new Uint16Array(1));
    localStorage.setItem("device", `browser-${number.toString(16).padStart(4, "0")}`);
  }
  return localStorage.getItem("device");
}

/** The position of an episode that the daemon does not have yet. */
export const unsent = (id) => all()[id];

/** Reports a position or the end as soon as the daemon can be reached. */
export function heard(id, position, played = false) {
  // A user with the permission read reports nothing.
  if (isReader()) return;
  const one = { position: Math.floor(position * 1000) / 1000, played, at: Date.now() };
  store({ ...all(), [id]: one });
  send(id, one);
}

/** Sends a position. Returns false if it must be sent again. */
async function send(id, { position, played, at }) {
  // The clock of this machine counts only for what was heard before.
  const time = Date.now() - at > 5000 ? new Date(at).toISOString() : undefined;
  try {
    await report(id, { position, played, time, device: device() });
  } catch (error) {
    if (!error.status || error.status === 401 || error.status >= 429) return false;
    // The episode was removed, or the user may no longer change positions.
    say(`The position ${spoken(position)} of episode ${id} is not saved: ${error.message}`);
  }
  const left = all();
  if (left[id]?.at === at) delete left[id];
  store(left);
  return true;
}

let sending;
/** Sends the stored positions. */
export function sendHeard() {
  sending ||= (async () => {
    for (const [id, one] of Object.entries(all())) if (!(await send(id, one))) break;
  })().finally(() => { sending = undefined; });
  return sending;
}

on("connection", "heard", () => { if (state.isConnected) sendHeard(); });
window.addEventListener("online", sendHeard);
