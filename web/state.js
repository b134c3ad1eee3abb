// What the daemon reports, and who wants to know.

export const state = { player: null, queue: { length: 0 }, activities: [], outputs: [], isConnected: false };

let base = 0;
const listeners = new Map();

/** Calls `handler` whenever a part changes; with a key, the last one of that key only. */
export function on(part, key, handler) {
  if (!listeners.has(part)) listeners.set(part, new Map());
  listeners.get(part).set(key, handler);
}

export function off(key) {
  for (const handlers of listeners.values()) handlers.delete(key);
}

/** Reports a change of a part, or "view" for what the screen shows. `event`: what the daemon says of the change. */
export function emit(part, event) {
  for (const handler of [...(listeners.get(part) || new Map()).values()]) handler(event);
}

export function take(name, data) {
  if (name === "lost" || name === "login") {
    state.isConnected = false;
    emit("connection");
    return;
  }
  state.isConnected = true;
  if (name === "snapshot") {
    for (const [part, value] of Object.entries(data.parts)) set(part, value);
    for (const part of ["player", "queue", "activities", "feeds", "episodes", "downloads", "settings", "outputs", "sync"]) emit(part);
    emit("connection");
  } else if (name === "change") {
    set(data.part, data.value);
    emit(data.part, data);
  }
}

function set(part, value) {
  if (value === null) return;
  state[part] = value;
  if (part === "player") base = performance.now();
}

/** What the present entry of the browser's history keeps of its screen: what was searched, how many rows, and the row at the top. */
export const memory = () => history.state || {};
export const remember = (members) => history.replaceState({ ...history.state, ...members }, "");

/** Where the daemon's playback is now. */
export function position() {
  const player = state.player;
  if (!player || player.position === null) return null;
  const now = player.position + ((performance.now() - base) / 1000) * player.pace;
  return player.duration ? Math.min(now, Math.max(player.duration, player.position)) : now;
}
