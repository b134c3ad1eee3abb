// What is heard, and the commands on it, wherever the sound is: in this browser, or on the outputs of the daemon.

import { say } from "./dom.js";
import { act, get, post } from "./api.js";
import { emit, on, position, state } from "./state.js";
import * as browser from "./here.js";
import { about } from "./about.js";

/** The daemon, with the same commands as here.js. */
const outputs = {
  heard() {
    const player = state.player;
    if (!player) return undefined;
    const wait = player.state !== "playing" ? `${player.state}${player.reason ? ": " + player.reason : ""}` : "";
    return {
      id: player.episode?.id, title: player.episode?.title ?? player.announcement, feed: player.feed, isOn: ["playing", "buffering", "loading"].includes(player.state), reason: wait,
      position: position(), duration: player.duration || 0, speed: player.speed, volume: player.volume, sleep: player.sleep, error: player.error,
    };
  },
  toggle: () => post("playback/toggle"),
  seek: (seconds) => post("playback/seek", { time: seconds }),
  previous: () => post("playback/previous"),
  next: () => post("playback/next"),
  setSpeed: (speed) => post("playback/speed", { speed }),
  setVolume: (level) => post("playback/volume", { level }),
  setSleep: (when) => post("playback/sleep", { when }),
  play: (id, at) => post("playback/play", { what: `e${id}`, position: at }),
};
const here = {
  heard: browser.heardHere, toggle: browser.toggle, seek: browser.seek, previous: browser.previous, next: browser.next,
  setSpeed: browser.setSpeed, setVolume: browser.setVolume, setSleep: browser.setSleep, play: browser.play,
};

const place = () => (browser.isInBrowser() ? here : outputs);
export const isHere = browser.isInBrowser;

/** The episode that is heard, or nothing before the daemon was asked. `id` is missing while nothing is loaded. */
export const heard = () => place().heard();
export const isHeard = (id) => heard()?.id === id;

/** Runs a command where the sound is. Returns whether it succeeded. */
const run = (name, ...values) => act(async () => {
  await place()[name](...values);
  return true;
});
export const toggle = () => run("toggle");
export const seek = (seconds) => run("seek", seconds);
export const next = () => run("next");
export const previous = () => run("previous");
export const setSpeed = (speed) => run("setSpeed", speed);
export const setVolume = (level) => run("setVolume", level);
export const setSleep = (when) => run("setSleep", when);

/** Goes forward or back. The daemon counts from what is heard there, not from what this page knows. */
export const seekBy = (change) => (isHere() ? seek(heard().position + change) : run("seek", (change < 0 ? "" : "+") + change));

/** Plays an episode where the sound is. */
export const play = (id, at) => run("play", id, at);
/** Plays what a word names on the outputs; an episode where the sound is. */
export const playWord = (what) => (/^e\d+$/.test(what) ? play(Number(what.slice(1))) : act(() => post("playback/play", { what })));
/** Plays a show from its oldest episode that is not played; on the outputs its others follow, in the browser the queue. */
export const playShow = (feed) => act(async () => {
  if (!isHere()) return post("playback/play", { what: `f${feed}`, oldestFirst: true });
  const { episodes: [first] } = await get(`feeds/${feed}/episodes`, { unplayed: true, order: "oldest", limit: 1 });
  return first ? browser.play(first.id) : say("No episode is unplayed.");
});
/** Plays from a time of an episode. */
export const playFrom = (id, start) => (isHeard(id) ? seek(start) : play(id, start));

/** Moves the sound to this browser, or back. */
export const move = (toBrowser) => act(() => (toBrowser ? browser.moveHere() : browser.moveToOutputs()));

/** Goes to the next chapter, or back to the beginning of this one; in its first five seconds to the one before. */
export function goToChapter(step) {
  const { position: now } = heard();
  const starts = known?.chapters.map((one) => one.start) ?? [];
  const at = starts.findLastIndex((start) => start <= now + 0.01);
  const target = step > 0 ? starts[at + 1] : starts[now - starts[at] < 5 ? Math.max(0, at - 1) : at];
  if (target === undefined) return say(starts.length ? "This is the last chapter." : "The episode has no chapters.");
  return seek(target);
}

// MARK: chapters and parts that are left out

let known;
/** Chapters and parts of what is heard, once they are read. */
export const details = () => (known && isHeard(known.id) ? known : undefined);

/** What the first screen reads goes before the details of what is heard. */
const settled = new Promise((resolve) => setTimeout(resolve, 500));
let lastID = null;
async function read() {
  const id = heard()?.id;
  if (id !== lastID && heard()) {
    lastID = id;
    emit("heard");
  }
  if (!id || known?.id === id) return;
  known = undefined;
  await settled;
  if (!isHeard(id) || known?.id === id) return;
  const found = await about(id).catch(() => undefined);
  if (found && isHeard(found.id)) {
    known = found;
    emit("details");
  }
}
for (const part of ["player", "here"]) on(part, "details", read);
on("about", "details", () => { known = undefined; read(); });
