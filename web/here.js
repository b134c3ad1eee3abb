// Plays in this browser from the daemon's position, and reports it back.

import { button, details, fill, h, own, remover, say, show, spoken, time } from "./dom.js";
import { act, audio, file, get, isAdmin, isReader, post } from "./api.js";
import { emit, on, position, state } from "./state.js";
import { heard, sendHeard, unsent } from "./heard.js";
import { canKeep, forget, keep, kept, keptAudio, keptEpisodes, note } from "./kept.js";

const player = new Audio();
let current;
let reported = 0;
/** The position that the daemon has from here, or had at the start. */
let known = 0;
let failedAt;

const place = document.getElementById("here");
const title = h("span", {});
const reader = h("div", { class: "dim" });
const now = h("span", {}, "0:00");
const total = h("span", { class: "dim" });
const slider = h("input", {
  type: "range", min: 0, max: 0, step: 1, "aria-label": "Position in this browser", id: "here-position",
  onchange: () => { isHeld = false; seek(Number(slider.value)); },
  oninput: () => { isHeld = true; now.textContent = time(slider.value); },
});
let isHeld = false;
const toggle = button("Play", () => toggleHere(), { class: "main", id: "here-toggle" });
const there = button("Play there", () => act(playThere), { id: "there" });
place.append(h("div", { class: "title" }, title), reader, h("div", { class: "seek" }, now, slider, total), h("div", { class: "buttons" },
  button("−15", () => seek(player.currentTime - 15), { "aria-label": "Back 15 seconds in this browser" }), toggle,
  button("+30", () => seek(player.currentTime + 30), { "aria-label": "Forward 30 seconds in this browser" }), there,
  button("✕", close, { "aria-label": "Stop in this browser" })));

const duration = () => (Number.isFinite(player.duration) ? player.duration : current?.duration || 0);
const isThere = (id) => state.isConnected && state.player?.episode?.id === id;

// MARK: commands

/** Plays an episode here, from where it was heard to on any device. */
export async function playHere(id) {
  close();
  const found = await find(id);
  let start = found.played ? 0 : found.position || 0;
  if (isThere(id)) {
    start = position() ?? start;
    if (["playing", "buffering", "loading"].includes(state.player.state) && !isReader()) start = (await post("playback/pause")).position ?? start;
  }
  if (found.duration && start >= found.duration - 1) start = 0;
  current = found;
  known = start;
  failedAt = undefined;
  draw();
  await load(start);
  return true;
}

/** The episode as the daemon knows it; as it was kept, without a network. */
async function find(id) {
  await sendHeard();
  try {
    const found = await get(`episodes/${id}`);
    const rate = await speed(found);
    note(id, { position: found.position, speed: rate });
    return { ...found, speed: rate };
  } catch (error) {
    if (error.status || !kept(id)) throw error;
    return { ...kept(id), ...unsent(id) };
  }
}

/** The speed of the feed, which only an administrator can read, or else of all feeds. */
async function speed({ id, feed }) {
  if (isThere(id) || !isAdmin()) return state.player?.speed;
  const reply = await get(`feeds/${feed}/settings`).catch(() => undefined);
  return Number(reply?.settings.find((one) => one.key === "speed")?.value) || state.player?.speed;
}

async function load(start) {
  player.src = kept(current.id) && navigator.serviceWorker.controller ? keptAudio(current.id) : audio(current.id);
  player.currentTime = start;
  player.defaultPlaybackRate = current.speed || 1;
  player.playbackRate = current.speed || 1;
  // A browser may want another press first.
  await player.play().catch((error) => { if (error.name === "NotAllowedError") say("Press Play: this browser does not play by itself."); });
}

/** Pauses or resumes. Whether something plays here. */
export function toggleHere() {
  if (!current) return false;
  if (player.error) {
    failedAt = undefined;
    act(() => load(player.currentTime || known));
  } else if (player.paused) player.play().catch(() => {});
  else player.pause();
  return true;
}

function seek(seconds) {
  player.currentTime = Math.max(0, Math.min(seconds, duration() || seconds));
}

/** Lets the daemon continue at the same place. */
async function playThere() {
  const { id } = current;
  const start = player.currentTime;
  close();
  await post("playback/play", { what: `e${id}`, position: start });
}

/** Stops, and reports the place. */
function close() {
  if (!current) return;
  if (!player.ended) report();
  current = undefined;
  player.removeAttribute("src");
  player.load();
  draw();
}

// MARK: what the element does

function report(isEnd = false) {
  // What was not heard here must not hide what another device reports.
  if (!current || !player.readyState || (!isEnd && Math.abs(player.currentTime - known) < 0.01)) return;
  reported = performance.now();
  known = player.currentTime;
  note(current.id, { position: isEnd ? 0 : player.currentTime });
  heard(current.id, isEnd ? 0 : player.currentTime, isEnd);
}

player.addEventListener("timeupdate", () => {
  tick();
  if (!player.paused && performance.now() - reported >= 5000) report();
});
// One tab is heard at a time.
const tabs = new BroadcastChannel("here");
tabs.onmessage = () => player.pause();
player.addEventListener("play", () => { reported = performance.now(); tabs.postMessage("playing"); draw(); });
document.addEventListener("logout", (event) => { close(); event.detail.push(sendHeard()); });
player.addEventListener("pause", () => { draw(); if (!player.ended) report(); });
player.addEventListener("seeked", () => report());
player.addEventListener("durationchange", draw);
player.addEventListener("ended", () => { report(true); close(); });
window.addEventListener("pagehide", () => report());
// A phone may end a hidden page without a further event.
document.addEventListener("visibilitychange", () => { if (document.hidden) report(); });

/** Tries once more from the same place: the connection or session may have ended. */
player.addEventListener("error", async () => {
  if (!current) return;
  const start = player.currentTime || known;
  if (failedAt === start) return say(`This browser cannot play the file: ${player.error?.message || "unknown kind"}`);
  failedAt = start;
  if (!(await act(() => file(current.id, "bytes=0-0")))) return;
  if (current) await load(start);
});

// MARK: what the person sees

function draw() {
  // The controls of the bar that is left go on there.
  if (!current && place.contains(document.activeElement)) document.getElementById("toggle").focus();
  place.hidden = !current;
  if ("mediaSession" in navigator) navigator.mediaSession.playbackState = !current ? "none" : player.paused ? "paused" : "playing";
  if (!current) return;
  title.replaceChildren("In this browser: ", h("a", { href: `#/episode/${current.id}` }, own(current.title)));
  reader.textContent = isReader() ? "The position is not saved: log in with the permission control." : "";
  toggle.textContent = player.paused ? "Play" : "Pause";
  toggle.setAttribute("aria-label", `${toggle.textContent} in this browser`);
  there.hidden = isReader() || !state.isConnected;
  slider.max = Math.floor(duration());
  total.textContent = duration() ? time(duration()) : "";
  if ("mediaSession" in navigator) {
    navigator.mediaSession.metadata = new MediaMetadata({ title: current.title, artist: current.feedTitle || "" });
  }
  tick();
}

function tick() {
  if (!current || isHeld) return;
  now.textContent = time(player.currentTime);
  slider.value = Math.floor(player.currentTime);
  slider.setAttribute("aria-valuetext", spoken(player.currentTime) + (duration() ? ` of ${spoken(duration())}` : ""));
  if (Number.isFinite(player.duration)) {
    const { duration, playbackRate } = player;
    navigator.mediaSession?.setPositionState({ duration, position: Math.min(player.currentTime, duration), playbackRate });
  }
}

on("connection", "here", draw);
for (const [name, action] of Object.entries({
  play: () => player.play().catch(() => {}), pause: () => player.pause(), seekto: (event) => seek(event.seekTime),
  seekbackward: (event) => seek(player.currentTime - (event.seekOffset || 15)),
  seekforward: (event) => seek(player.currentTime + (event.seekOffset || 30)),
})) navigator.mediaSession?.setActionHandler(name, action);

const keeping = new Map();

/** Buttons that play an episode here and keep its file. */
export function hereButtons(found) {
  const { id } = found;
  const text = () => keeping.get(id) ?? (kept(id) ? "Remove from browser" : "Keep offline");
  const tell = (share) => {
    if (share === undefined) keeping.delete(id); else keeping.set(id, `Keeping ${Math.floor(share * 100)} %`);
    for (const one of document.querySelectorAll(`.keep[data-of="${id}"]`)) [one.textContent, one.disabled] = [text(), keeping.has(id)];
  };
  const keeper = button(text(), async () => {
    if (kept(id)) await act(() => forget(id), "removed from this browser");
    else {
      tell(0);
      await act(async () => keep({ ...found, speed: await speed(found) }, tell), "kept in this browser");
    }
    tell();
  }, { class: "keep", "data-of": id, disabled: keeping.has(id) });
  return [button("Play here", () => act(() => playHere(id)), { class: "here" }), canKeep ? keeper : ""];
}

/** The screen of kept episodes, which needs no network. */
export function offline() {
  const list = h("ul", { class: "rows", id: "offline" });
  show("Offline", list);
  return async () => fill(list, keptEpisodes().map((one) => h("li", { "data-key": one.id },
    h("span", { class: "grow" }, state.isConnected ? h("a", { class: "name", dir: "auto", href: `#/episode/${one.id}` }, one.title) : own(one.title),
      details(one.feedTitle, time(one.duration), `${Math.ceil(one.bytes / 1e6)} MB`)),
    h("span", { class: "buttons" }, button("Play here", () => act(() => playHere(one.id)), { "aria-label": `Play ${one.title} here` }),
      remover("Remove", () => act(() => forget(one.id).then(() => emit("view")), `removed: ${one.title}`), { "aria-label": `Remove ${one.title} from this browser` })))),
  keptEpisodes().length ? "" : h("li", { class: "dim" }, canKeep
    ? "No episodes. An episode has a button that keeps it in this browser." : "This browser keeps episodes only for pages with https."));
}
