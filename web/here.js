// Plays in this browser, and reports the position to the daemon. Draws nothing: player.js shows what is heard.

import { say } from "./dom.js";
import { act, audio, file, get, isAdmin, isReader, post, put, remove } from "./api.js";
import { emit, on, state } from "./state.js";
import { heard, sendHeard, unsent } from "./heard.js";
import { kept, keptAudio, note } from "./kept.js";
import { about, basics } from "./about.js";

const player = new Audio();
player.preload = "auto";
let current;
let reported = 0;
/** The position that the daemon has from here, or had at the start. */
let known = 0;
let failedAt;
/** A part that a seek led into: it is heard. */
let entered;
/** The sleep timer: `end` as the daemon's, `left`: seconds of playing time. */
let sleep;
let ticked = 0;
/** Episodes that were heard here before the current one. */
const before = [];

/** Whether the sound is here: an episode is loaded, or the user has moved the sound here. */
let isHere = false;
export const isInBrowser = () => isHere;

const duration = () => (Number.isFinite(player.duration) ? player.duration : current?.duration || 0);
const changed = () => emit("here");

/** What is heard here, as `heard` in sound.js describes it. */
export function heardHere() {
  return {
    id: current?.id, title: current?.title, feed: { id: current?.feed, title: current?.feedTitle },
    isOn: Boolean(current) && !player.paused, reason: isReader() && current ? "the position is not saved: log in with the permission control" : "",
    position: current ? player.currentTime : null, duration: duration(), speed: player.playbackRate, volume: Math.round(player.volume * 100),
    sleep: sleep && { end: sleep.end, remaining: sleep.left },
  };
}

// MARK: commands

/** The episode that is read, to be played here. Another command meanwhile takes its place. */
let coming;

/** Plays an episode here, from where it was heard to on any device, or from a place. */
export async function play(id, at) {
  if (current && current.id !== id) before.push(current.id);
  leave();
  const mine = { id };
  coming = mine;
  const found = await find(id);
  const isThere = state.isConnected && state.player?.episode?.id === id;
  let start = found.played ? 0 : found.position || 0;
  if (isThere && !isReader() && ["playing", "buffering", "loading"].includes(state.player.state)) start = (await post("playback/pause")).position ?? start;
  else if (isThere && !found.played) start = state.player.position ?? start;
  if (found.duration && start >= found.duration - 1) start = 0;
  if (coming !== mine) return false;
  coming = undefined;
  begin(found);
  known = start;
  [failedAt, entered] = [undefined, undefined];
  isHere = true;
  sessionStorage.setItem("here", id);
  changed();
  await load(at ?? (start ? start : found.skips.find((one) => one.start === 0)?.end ?? 0));
  return true;
}

/** The episode as the daemon knows it; as it was kept, without a network. */
async function find(id) {
  await sendHeard();
  try {
    const found = await basics(id);
    note(id, { position: found.position, speed: found.speed });
    return found;
  } catch (error) {
    if (error.status || !kept(id)) throw error;
    return { skips: [], chapters: [], ...kept(id), ...unsent(id) };
  }
}

/** Loads the episode that was heard here before the page was loaded again. */
export async function restore() {
  const id = Number(sessionStorage.getItem("here"));
  const found = id && await find(id).catch(() => undefined);
  if (!found || isHere) return;
  // Until it plays, its place is not the user's: another device may go on meanwhile.
  begin({ ...found, isWaiting: true });
  isHere = true;
  known = found.played ? 0 : found.position || 0;
  prepare(known);
  changed();
}

function begin(found) {
  current = found;
  // An episode that is kept without a network has no show.
  if (found.feed) about(found.id, found).then(learn, () => {});
}

function prepare(start) {
  player.src = kept(current.id) && navigator.serviceWorker?.controller ? keptAudio(current.id) : audio(current.id);
  player.currentTime = start;
  player.defaultPlaybackRate = current.speed || 1;
  player.playbackRate = current.speed || 1;
}

async function load(start) {
  prepare(start);
  // A browser may want another press first.
  await player.play().catch((error) => { if (error.name === "NotAllowedError") say("Press Play: this browser does not play by itself."); });
}

export function toggle() {
  if (!current) return;
  if (current.isWaiting) act(() => play(current.id));
  else if (player.error) {
    failedAt = undefined;
    act(() => load(player.currentTime || known));
  } else if (player.paused) player.play().catch(() => {});
  else player.pause();
}

/** Goes to a place, also into a part that is left out otherwise. */
export function seek(seconds) {
  const place = Math.max(0, Math.min(seconds, duration() || seconds));
  entered = current?.skips.find((one) => one.start <= place && place < one.end);
  if (current) current.isWaiting = false;
  player.currentTime = place;
}

/** The entry of the queue that follows. The daemon says what follows its own episode, also from a feed or a playlist. */
async function following() {
  if (state.player?.episode?.id === current.id && state.player.next) return state.player.next.id;
  const { entries } = await get("queue", { limit: 1000 });
  const index = entries.findIndex((one) => one.episode?.id === current.id);
  return entries.slice(index + 1).find((one) => one.episode && one.episode.id !== current.id)?.episode.id;
}

export async function next() {
  const id = await following();
  if (!id) return say("Nothing follows in the queue.");
  return play(id);
}

export async function previous() {
  if (player.currentTime >= 5 || !before.length) return seek(0);
  const id = before.pop();
  leave();
  return play(id);
}

/** Sets the speed of the show, or of all shows if this one has none of its own. */
export async function setSpeed(speed) {
  player.playbackRate = speed;
  current.speed = speed;
  changed();
  if (!isAdmin() || !state.isConnected) return;
  if (current.hasOwnSpeed) await post("feeds/set", { feed: `f${current.feed}`, key: "speed", value: String(speed) });
  else await put("settings/playback.speed", { value: String(speed) });
}

export function setVolume(level) {
  player.volume = level / 100;
  localStorage.setItem("volume", level);
}
player.volume = Math.min(1, Number(localStorage.getItem("volume") ?? 100) / 100);

/** Pauses later: `when` as the daemon takes it. */
export function setSleep(when) {
  const minutes = { "15m": 15, "30m": 30, "1h": 60 }[when];
  sleep = minutes ? { end: "time", left: minutes * 60 } : when === "off" ? undefined : { end: when.replace("end-of-", "") };
  changed();
}

/** Lets the daemon continue at the same place. */
export async function moveToOutputs() {
  const [one, start] = [current ?? coming, current && !current.isWaiting ? player.currentTime : undefined];
  coming = undefined;
  leave();
  isHere = false;
  sessionStorage.removeItem("here");
  changed();
  if (one) await post("playback/play", { what: `e${one.id}`, position: start });
}

/** Moves the sound here: what the daemon plays, if anything. */
export async function moveHere() {
  isHere = true;
  changed();
  if (state.player?.episode) await play(state.player.episode.id);
}

/** Ends the episode here, and reports the place. */
function leave() {
  if (!current) return;
  if (!player.ended) report();
  current = undefined;
  player.removeAttribute("src");
  player.load();
  changed();
}

/** Ends playback here. */
export function stop() {
  coming = undefined;
  leave();
  isHere = false;
  sessionStorage.removeItem("here");
  changed();
}

// MARK: what the element does

function report(isEnd = false) {
  // What was not heard here must not hide what another device reports.
  if (!current || current.isFinished || current.isWaiting || !player.readyState || (!isEnd && Math.abs(player.currentTime - known) < 0.01)) return;
  reported = performance.now();
  known = player.currentTime;
  note(current.id, { position: isEnd ? 0 : player.currentTime });
  heard(current.id, isEnd ? 0 : player.currentTime, isEnd);
}

/** The episode was heard to its end: it leaves the queue, and the next one plays. */
async function finish() {
  if (!current || current.isFinished) return;
  report(true);
  current.isFinished = true;
  player.pause();
  const { id } = current;
  const follower = await following().catch(() => undefined);
  if (sleep?.end === "episode") sleep = undefined;
  else if (follower) {
    await act(() => play(follower));
    return leaveQueue(id);
  }
  leave();
  sessionStorage.removeItem("here");
  return leaveQueue(id);
}

async function leaveQueue(id) {
  if (isReader() || !state.isConnected) return;
  const { entries } = await get("queue", { limit: 1000 }).catch(() => ({ entries: [] }));
  const entry = entries.find((one) => one.episode?.id === id);
  if (entry) await remove(`queue/${entry.index}`).catch(() => {});
}

/** Leaves out the parts that are skipped, and ends the timer. */
function follow() {
  const now = player.currentTime;
  const seconds = (performance.now() - ticked) / 1000;
  ticked = performance.now();
  if (player.paused || !current) return;
  if (sleep?.end === "time") {
    sleep.left -= Math.min(seconds, 2);
    if (sleep.left <= 0) fallAsleep();
  }
  const chapter = current.chapters.findLast((one) => one.start <= now);
  if (sleep?.end === "chapter") {
    if (sleep.chapter && chapter && sleep.chapter !== chapter) fallAsleep();
    else sleep.chapter = chapter;
  }
  const part = current.skips.find((one) => one.start <= now && now < one.end - 0.1);
  if (part !== entered) {
    if (part && part.end >= duration() - 0.5) return void finish();
    entered = undefined;
    if (part) player.currentTime = part.end;
  }
  if (performance.now() - reported >= 5000) report();
}

// Marked parts and settings may change while an episode plays.
on("about", "parts", async () => {
  if (current) await about(current.id).then(learn, () => {});
});

/** Takes over chapters and parts of the current episode. */
function learn(found) {
  if (found.id !== current?.id) return;
  entered = entered && found.skips.find((one) => one.start === entered.start && one.end === entered.end);
  Object.assign(current, { skips: found.skips, chapters: found.chapters });
}

function fallAsleep() {
  sleep = undefined;
  player.pause();
}

player.addEventListener("timeupdate", follow);
// One tab is heard at a time.
const tabs = new BroadcastChannel("here");
tabs.onmessage = () => player.pause();
player.addEventListener("play", () => {
  [reported, ticked] = [performance.now(), performance.now()];
  tabs.postMessage("playing");
  changed();
});
document.addEventListener("logout", (event) => { stop(); event.detail.push(sendHeard()); });
player.addEventListener("pause", () => { changed(); if (!player.ended) report(); });
player.addEventListener("seeked", () => { report(); changed(); });
for (const name of ["durationchange", "ratechange", "volumechange"]) player.addEventListener(name, changed);
player.addEventListener("ended", finish);
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
