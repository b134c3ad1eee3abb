// The bar of what is heard.

import { button, choice, fill, h, icon, iconButton, own, say, spoken, time } from "./dom.js";
import { isReader } from "./api.js";
import { on, state } from "./state.js";
import * as sound from "./sound.js";
import { cover, tint } from "./covers.js";

const place = document.getElementById("player");
const art = h("a", { href: "#/playing", class: "art", tabindex: -1, "aria-hidden": "true" });
const title = h("div", { class: "title" });
const played = h("span", {}, "0:00");
const total = h("span", {});
let isHeld = false;
const slider = h("input", {
  type: "range", min: 0, max: 0, step: 1, "aria-label": "Position", id: "position",
  onchange: () => { isHeld = false; sound.seek(Number(slider.value)); },
  oninput: () => { isHeld = true; played.textContent = time(slider.value); paint(Number(slider.value)); },
});
const parts = h("span", { class: "parts", "aria-hidden": "true" });
const toggle = h("button", { type: "button", class: "main round", id: "toggle", onclick: () => sound.toggle() });
const speed = choice({ "aria-label": "Speed" }, "", [], (value) => sound.setSpeed(Number(value)));
const volume = h("input", {
  type: "range", min: 0, max: 100, step: 5, "aria-label": "Volume", onchange: () => sound.setVolume(Number(volume.value)),
});
const sleep = choice({ "aria-label": "Sleep timer" }, "off", [["off", "No sleep timer"], ["15m", "15 minutes"], ["30m", "30 minutes"], ["1h", "1 hour"],
  ["end-of-chapter", "End of chapter"], ["end-of-episode", "End of episode"]],
async (when) => { if (await sound.setSleep(when)) say(when === "off" ? "sleep timer off" : "sleep timer set"); });

// One press moves the sound.
const inBrowser = button([icon("browser"), h("span", {}, "This browser")], () => sound.move(true), { id: "here" });
const rooms = h("span", {});
// While the sound is there already, the button leads to the choice of outputs.
const onOutputs = button([icon("speaker"), rooms], () => { if (sound.isHere()) sound.move(false); else location.hash = "#/outputs"; }, { id: "there" });
const where = h("div", { class: "where", role: "group", "aria-label": "Where it is heard" }, inBrowser, onOutputs);

// A narrow window has the less frequent controls in a row that is opened.
const more = h("div", { class: "more", id: "more-controls" },
  h("label", { class: "chip" }, icon("speed"), speed), h("label", { class: "chip" }, icon("sleep"), sleep),
  h("label", { class: "chip" }, icon("speaker"), volume));
const opener = iconButton("settings", "Speed, volume and sleep timer", () => opener.setAttribute("aria-expanded", place.classList.toggle("open")), {
  class: "plain narrow", "aria-expanded": "false", "aria-controls": "more-controls",
});

function addSpeed(value) {
  const option = h("option", { value: value.toFixed(2) }, `${value.toFixed(2).replace(/0$/, "")}×`);
  speed.insertBefore(option, [...speed.options].find((one) => Number(one.value) > value) ?? null);
}
for (let value = 0.5; value <= 3.01; value += 0.1) addSpeed(value);

export function startPlayer() {
  place.append(
    h("div", { class: "what" }, art, title),
    h("div", { class: "controls" },
      iconButton("previous", "Previous", sound.previous, { class: "plain extra" }),
      iconButton("back", "Back 15 seconds", () => sound.seekBy(-15)), toggle,
      iconButton("forward", "Forward 30 seconds", () => sound.seekBy(30)),
      iconButton("next", "Next", sound.next, { class: "plain extra" })),
    h("div", { class: "seek" }, played, h("div", { class: "track" }, parts, slider), total),
    h("div", { class: "side" }, more, where, opener));
  for (const part of ["player", "here", "connection", "outputs", "details"]) on(part, "bar", draw);
  setInterval(tick, 500);
  document.addEventListener("keydown", (event) => {
    if (event.target.closest("input, select, textarea, button, a, dialog, [draggable]") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === " ") { event.preventDefault(); sound.toggle(); }
  });
  draw();
}

/** The names of the outputs that are on. */
export function roomNames() {
  const names = state.outputs.filter((one) => one.enabled).map((one) => one.name);
  if (!names.length) return "Outputs";
  return names.length > 2 ? `${names[0]} + ${names.length - 1}` : names.join(" + ");
}

let shownError;
function draw() {
  const found = sound.heard();
  const isHere = sound.isHere();
  place.classList.toggle("here", isHere);
  place.hidden = false;
  const label = found?.isOn ? "Pause" : "Play";
  if (toggle.textContent !== label) toggle.replaceChildren(icon(found?.isOn ? "pause" : "play"), h("span", { class: "unseen" }, label));
  const reason = !state.isConnected ? "not connected" : found?.reason;
  fill(title, found?.title
    ? h("a", { class: "name", dir: "auto", href: found.id ? "#/playing" : undefined }, found.title) : h("span", { class: "name" }, "Nothing plays"),
  h("span", { class: "sub dim" }, [reason ? h("span", { id: "state" }, reason) : h("span", { id: "chapter" }), reason && found?.feed?.title ? " · " : "", found?.feed?.title ? own(found.feed.title) : ""]));
  inBrowser.setAttribute("aria-pressed", isHere);
  onOutputs.setAttribute("aria-pressed", !isHere);
  inBrowser.disabled = !isHere && !found?.id;
  onOutputs.disabled = isHere && (isReader() || !state.isConnected);
  rooms.textContent = roomNames();
  drawArt(found);
  if (!found) return;
  slider.disabled = !found.id;
  slider.max = Math.floor(found.duration || 0);
  const wanted = found.speed.toFixed(2);
  if (![...speed.options].some((option) => option.value === wanted)) addSpeed(found.speed);
  speed.value = wanted;
  if (document.activeElement !== volume) volume.value = found.volume;
  drawSleep(found.sleep);
  drawParts(found);
  drawSession(found, isHere);
  if (found.error && found.error !== shownError) say(found.error);
  shownError = found.error;
  tick();
}

let shownArt;
function drawArt(found) {
  const { id, picture } = sound.details() ?? {};
  const path = id && picture ? `episodes/${id}` : found?.feed?.id ? `feeds/${found.feed.id}` : "";
  const key = `${path} ${found?.title}`;
  if (key === shownArt) return;
  shownArt = key;
  art.replaceChildren(cover(path, found?.feed?.title ?? found?.title ?? ""));
  tint(document.documentElement, path);
}

/** A timer that runs is the chosen entry, also if another client set the timer. */
function drawSleep(timer) {
  if (document.activeElement === sleep) return;
  sleep.querySelector("[data-running]")?.remove();
  sleep.parentNode.classList.toggle("on", Boolean(timer));
  if (!timer) { sleep.value = "off"; return; }
  if (timer.end !== "time" && !(timer.episodes > 1)) { sleep.value = `end-of-${timer.end}`; return; }
  const text = timer.end === "time" ? `Sleep in ${Math.ceil((timer.remaining || 0) / 60)} min` : `After ${timer.episodes} episodes`;
  const running = h("option", { value: "running", "data-running": true, disabled: true }, text);
  sleep.append(running);
  running.selected = true;
}

/** Chapters are gaps of the track, parts that are left out are hatched. */
function drawParts({ duration }) {
  const found = sound.details();
  const share = (seconds) => `${(100 * Math.min(seconds, duration)) / duration}%`;
  const span = (name, start, end) => {
    const one = h("i", { class: name });
    one.style.left = share(start);
    if (end !== undefined) one.style.width = share(end - start);
    return one;
  };
  fill(parts, duration && found ? [...found.skips.map((one) => span("skip", one.start, one.end)), ...found.chapters.slice(1).map((one) => span("gap", one.start))] : "");
}

const paint = (now) => slider.parentNode.style.setProperty("--played", `${(100 * now) / (Number(slider.max) || 1)}%`);

let ticks = new Set();
/** Calls `handler` with the position, twice a second, as long as it returns true. */
export const onTick = (handler) => ticks.add(handler);

function tick() {
  const found = sound.heard();
  const now = found?.position ?? 0;
  const chapter = sound.details()?.chapters.findLast((one) => one.start <= now + 0.01);
  const place = document.getElementById("chapter");
  if (place) {
    const text = chapter?.title ? `${chapter.title} · ` : "";
    if (place.textContent !== text) place.textContent = text;
  }
  for (const handler of ticks) if (!handler(now, found)) ticks.delete(handler);
  if (isHeld) return;
  played.textContent = time(now);
  total.textContent = found?.duration ? `−${time(Math.max(0, found.duration - now) / (found.speed || 1))}` : "";
  slider.value = Math.floor(now);
  paint(now);
  slider.setAttribute("aria-valuetext", spoken(now) + (found?.duration ? ` of ${spoken(found.duration)}` : ""));
}

// MARK: media keys and lock screens, for the sound of this browser

let shownSession;
function drawSession(found, isHere) {
  const session = navigator.mediaSession;
  if (!session) return;
  session.playbackState = !isHere || !found.id ? "none" : found.isOn ? "playing" : "paused";
  if (!isHere || !found.id) return;
  const hasPicture = Boolean(sound.details()?.picture);
  if (shownSession !== `${found.id} ${hasPicture}`) {
    shownSession = `${found.id} ${hasPicture}`;
    session.metadata = new MediaMetadata({
      title: found.title, artist: found.feed.title || "", artwork: hasPicture ? [{ src: `api/v1/episodes/${found.id}/picture?size=400`, sizes: "400x400" }] : [],
    });
  }
  if (found.duration) session.setPositionState({ duration: found.duration, position: Math.min(found.position, found.duration), playbackRate: found.speed });
}
for (const [name, action] of Object.entries({
  play: () => sound.toggle(), pause: () => sound.toggle(), seekto: (event) => sound.seek(event.seekTime), previoustrack: sound.previous, nexttrack: sound.next,
  seekbackward: (event) => sound.seekBy(-(event.seekOffset || 15)), seekforward: (event) => sound.seekBy(event.seekOffset || 30),
})) navigator.mediaSession?.setActionHandler(name, action);
