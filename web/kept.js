// Episodes whose files this browser keeps; worker.js serves them.

import { audio, file, post } from "./api.js";
import { on, state } from "./state.js";

/** Browsers have service workers only for pages from this machine and for https. */
export const canKeep = "serviceWorker" in navigator && "caches" in window;
if (canKeep) {
  navigator.serviceWorker.register("worker.js");
  navigator.serviceWorker.ready.then(({ active }) => setTimeout(() => active.postMessage("refresh"), 3000));
}

const all = () => JSON.parse(localStorage.getItem("kept") || "{}");
const store = (episodes) => localStorage.setItem("kept", JSON.stringify(episodes));

export const keptEpisodes = () => Object.values(all());
export const kept = (id) => all()[id];
export const keptAudio = (id) => audio(id) + "?kept";

/** Updates what is known of a kept episode. */
export function note(id, members) {
  const episodes = all();
  if (episodes[id]) store({ ...episodes, [id]: { ...episodes[id], ...members } });
}

/** Reads the positions while the daemon can be reached. */
async function refresh() {
  const ids = keptEpisodes().map((one) => one.id);
  if (!state.isConnected || !ids.length) return;
  const reply = await post("episodes/get", { ids }).catch(() => ({ episodes: [] }));
  for (const { id, position, played } of reply.episodes) note(id, { position: played ? 0 : position });
}
on("connection", "kept", refresh);
on("episodes", "kept", refresh);

/** Stores the file of an episode. `progress` gets the share that is there. */
export async function keep({ id, title, feedTitle, duration, position, speed }, progress) {
  const response = await file(id);
  const total = Number(response.headers.get("Content-Length"));
  let bytes = 0;
  const counted = response.body.pipeThrough(new TransformStream({
    transform(piece, next) {
      bytes += piece.length;
      if (total) progress(bytes / total);
      next.enqueue(piece);
    },
  }));
  const cache = await caches.open("episodes");
  await cache.put(keptAudio(id), new Response(counted, { headers: { "Content-Type": response.headers.get("Content-Type") } }));
  if (total && bytes !== total) {
    await cache.delete(keptAudio(id));
    throw new Error("the file is not complete");
  }
  store({ ...all(), [id]: { id, title, feedTitle, duration, position, speed, bytes } });
  await refresh();
  // The browser then asks before it removes files because its disk is full.
  navigator.storage?.persist?.();
  return true;
}

export async function forget(id) {
  const episodes = all();
  delete episodes[id];
  store(episodes);
  await (await caches.open("episodes")).delete(keptAudio(id));
  return true;
}
