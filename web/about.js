// Chapters, skipped parts and speed of an episode.

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
/** Reads an episode with `chapters`, `skips` (parts with start and end) and `speed`. `base`: the episode as `basics` has just read it. */
export async function about(id, base) {
  if (last?.id !== id || base) {
    last = { id, found: base ? complete(base) : basics(id).then(complete) };
    last.found.catch(() => { last = undefined; });
  }
  const reading = last.found;
  const found = await reading;
  // After a change it is read again; the former answer may come later than the new one.
  return last?.id === id && last.found !== reading ? about(id) : found;
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

const parts = (list) => list.filter((one) => one.end > one.start);

/** An episode with the speed of its show and the parts that are known without reading its file. */
export async function basics(id) {
  const found = await get(`episodes/${id}`, { fetch: true });
  const of = await settings(found.feed);
  const end = found.duration || 0;
  const [first, rest] = ["skip_start", "skip_end"].map((key) => seconds(of(key)?.value ?? of(key)?.inherited));
  const skips = parts([{ start: 0, end: first }, { start: end - rest, end: rest ? end : 0 },
    ...(found.bookmarks || []).filter((one) => one.skipTo).map((one) => ({ start: one.position, end: one.skipTo }))]);
  const speed = of("speed");
  const own = Number(speed?.value);
  const isThere = state.player?.feed?.id === found.feed;
  return {
    ...found, chapters: found.chapters || [], skips, hasOwnSpeed: Boolean(own),
    speed: own || Number(speed?.inherited) || (isThere ? state.player.speed : 0) || state.player?.speed || 1,
  };
}

/** Adds the chapters of the file, for which podcastd may have to ask its host, and those that are skipped. */
async function complete(found) {
  const { chapters } = await get(`episodes/${found.id}/chapters`).catch(() => found);
  const skipped = chapters.map((one, index) => ({ start: one.start, end: one.skipped ? one.end ?? chapters[index + 1]?.start ?? found.duration ?? 0 : 0 }));
  return { ...found, chapters, skips: [...found.skips, ...parts(skipped)] };
}

/** Marks a place of an episode. */
export const addBookmark = (id, text, at) => post("bookmarks/add", { text, episode: `e${id}`, at: String(at) });
