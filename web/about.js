// What the page knows of an episode that is heard: its chapters, the parts that are left out, and the speed of its show.

import { get, isAdmin, post } from "./api.js";
import { emit, on, state } from "./state.js";

/** Seconds of a time setting such as `30`, `1:30` or `1m30s`. */
function seconds(text) {
  if (!text) return 0;
  if (/^[\d:.]+$/.test(text)) return text.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
  return [...text.matchAll(/([\d.]+)([hms])/g)].reduce((sum, [, number, unit]) => sum + Number(number) * { h: 3600, m: 60, s: 1 }[unit], 0);
}

/** The settings of a show, which only an administrator can read. */
async function settings(feed) {
  if (!isAdmin()) return () => undefined;
  const reply = await get(`feeds/${feed}/settings`).catch(() => ({ settings: [] }));
  return (key) => reply.settings.find((one) => one.key === key);
}

let last;
/** Reads an episode with `chapters`, `skips` (parts with start and end) and `speed`. `isNew`: not as it was read before. */
export function about(id, isNew = false) {
  if (last?.id !== id || isNew) {
    last = { id, found: read(id) };
    last.found.catch(() => { last = undefined; });
  }
  return last.found;
}

/** Whether an event changes the marked parts or chapters of an episode, or the settings of its show. */
const changes = (found, { part, changes: rows }) =>
  part === "settings" || (rows || []).some((one) => (part === "feeds" ? one.id === found.feed : one.id === found.id && !one.what?.includes("position")));
for (const part of ["episodes", "settings", "feeds"]) {
  on(part, "about", (event) => last?.found.then((found) => {
    if (!event || last?.id !== found.id || !changes(found, event)) return;
    last = undefined;
    emit("about");
  }, () => {}));
}

async function read(id) {
  const found = await get(`episodes/${id}`, { fetch: true });
  const [{ chapters }, of] = await Promise.all([get(`episodes/${id}/chapters`).catch(() => ({ chapters: found.chapters || [] })), settings(found.feed)]);
  const end = found.duration || 0;
  const [first, rest] = ["skip_start", "skip_end"].map((key) => seconds(of(key)?.value ?? of(key)?.inherited));
  const skips = [
    { start: 0, end: first }, { start: end - rest, end: rest ? end : 0 },
    ...(found.bookmarks || []).filter((one) => one.skipTo).map((one) => ({ start: one.position, end: one.skipTo })),
    ...chapters.map((one, index) => ({ start: one.start, end: one.skipped ? one.end ?? chapters[index + 1]?.start ?? end : 0 })),
  ].filter((one) => one.end > one.start);
  const speed = of("speed");
  const own = Number(speed?.value);
  const isThere = state.player?.feed?.id === found.feed;
  return { ...found, chapters, skips, hasOwnSpeed: Boolean(own), speed: own || Number(speed?.inherited) || (isThere ? state.player.speed : 0) || state.player?.speed || 1 };
}

/** The settings of this listener for an episode that is kept without a network. */
export const speedOf = async (id) => (await about(id)).speed;
export const addBookmark = (id, text, at) => post("bookmarks/add", { text, episode: `e${id}`, at: String(at) });
