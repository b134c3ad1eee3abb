// The player's bar and the screen "Now playing".

import { button, fill, h, icon, own, say, show, spoken, time } from "./dom.js";
import { act, cover, get, post } from "./api.js";
import { on, position, state } from "./state.js";
import { notes, transcript } from "./notes.js";
import { marks, subscribing } from "./episodes.js";
import { toggleHere } from "./here.js";

const title = h("div", { class: "title" });
const played = h("span", {}, "0:00");
const total = h("span", { class: "dim" });
const slider = h("input", {
  type: "range", min: 0, max: 0, step: 1, "aria-label": "Position", id: "position",
  onchange: () => { isHeld = false; act(() => post("playback/seek", { time: Number(slider.value) })); },
  oninput: () => { isHeld = true; played.textContent = time(slider.value); },
});
const toggle = button("Play", () => act(() => post("playback/toggle")), { class: "main", id: "toggle" });
const speed = h("select", { "aria-label": "Speed", onchange: () => act(() => post("playback/speed", { speed: Number(speed.value) })) });
const volume = h("input", {
  type: "range", min: 0, max: 100, step: 5, "aria-label": "Volume",
  onchange: () => act(() => post("playback/volume", { level: Number(volume.value) })),
});
const sleep = h("select", {
  "aria-label": "Sleep timer",
  onchange: () => act(() => post("playback/sleep", { when: sleep.value }), sleep.value === "off" ? "sleep timer off" : "sleep timer set"),
}, [["off", "No sleep timer"], ["15m", "15 minutes"], ["30m", "30 minutes"], ["1h", "1 hour"],
  ["end-of-chapter", "End of chapter"], ["end-of-episode", "End of episode"]].map(([value, text]) => h("option", { value }, text)));
let isHeld = false;

// A narrow window has the less frequent controls in a row that is opened.
const more = h("div", { class: "more", id: "more-controls" },
  h("label", {}, h("span", { class: "wide dim" }, "Speed"), speed),
  h("label", {}, h("span", { class: "wide dim" }, "Volume"), h("span", { class: "narrow" }, icon("speaker")), volume),
  h("label", {}, sleep));
const opener = button("⋯", () => opener.setAttribute("aria-expanded", more.classList.toggle("open")), {
  class: "narrow", "aria-expanded": "false", "aria-controls": "more-controls", "aria-label": "Speed, volume and sleep timer",
});

const seekBy = (text, change, label) =>
  button(text, () => act(() => post("playback/seek", { time: change })), { "aria-label": label });

function addSpeed(value) {
  const option = h("option", { value: value.toFixed(2) }, `${value.toFixed(2).replace(/0$/, "")}×`);
  speed.insertBefore(option, [...speed.options].find((one) => Number(one.value) > value) ?? null);
}
for (let value = 0.5; value <= 3.01; value += 0.1) addSpeed(value);

export function startPlayer() {
  document.getElementById("player").append(
    title,
    h("div", { class: "seek" }, played, slider, total),
    h("div", { class: "bar" }, h("div", { class: "controls" },
      button(icon("previous"), () => act(() => post("playback/previous")), { "aria-label": "Previous" }),
      seekBy("−15", "-15", "Back 15 seconds"), toggle, seekBy("+30", "+30", "Forward 30 seconds"),
      button(icon("next"), () => act(() => post("playback/next")), { "aria-label": "Next" }),
      opener), more));
  on("player", "bar", draw);
  on("connection", "bar", draw);
  setInterval(tick, 500);
  document.addEventListener("keydown", (event) => {
    if (event.target.closest("input, select, textarea, button, a, dialog, [draggable]") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === " ") { event.preventDefault(); toggleHere() || toggle.click(); }
  });
}

function draw() {
  const player = state.player;
  const isOn = player && ["playing", "buffering", "loading"].includes(player.state);
  toggle.textContent = isOn ? "Pause" : "Play";
  const name = player?.episode?.title;
  const place = name ? [h("a", { href: `#/episode/${player.episode.id}` }, own(name)), ...(player.feed?.title ? [" – ", own(player.feed.title)] : [])] : ["Nothing plays"];
  const reason = !state.isConnected ? " (not connected)" : player && player.state !== "playing" ? ` (${player.state}${player.reason ? ": " + player.reason : ""})` : "";
  title.replaceChildren(h("span", {}, ...place), h("span", { class: "dim", id: "state" }, reason));
  if (!player) return;
  slider.disabled = !player.episode;
  slider.max = Math.floor(player.duration || 0);
  total.textContent = player.duration ? time(player.duration) : "";
  const wanted = player.speed.toFixed(2);
  if (![...speed.options].some((option) => option.value === wanted)) addSpeed(player.speed);
  speed.value = wanted;
  if (document.activeElement !== volume) volume.value = player.volume;
  drawSleep(player.sleep);
  if (player.error && player.error !== draw.error) say(player.error);
  draw.error = player.error;
  tick();
}

/** A timer that runs is the chosen entry, also if another client set the timer. */
function drawSleep(timer) {
  if (document.activeElement === sleep) return;
  sleep.querySelector("[data-running]")?.remove();
  if (!timer) { sleep.value = "off"; return; }
  if (timer.end !== "time" && !(timer.episodes > 1)) { sleep.value = `end-of-${timer.end}`; return; }
  const text = timer.end === "time" ? `Sleep in ${Math.ceil((timer.remaining || 0) / 60)} min` : `After ${timer.episodes} episodes`;
  const running = h("option", { value: "running", "data-running": true, disabled: true }, text);
  sleep.append(running);
  running.selected = true;
}

function tick() {
  if (isHeld) return;
  const now = position();
  played.textContent = time(now ?? 0);
  slider.value = Math.floor(now ?? 0);
  const player = state.player;
  slider.setAttribute("aria-valuetext", spoken(now) + (player?.duration ? ` of ${spoken(player.duration)}` : ""));
  if (chapters) markChapter(now);
}

// MARK: the screen

let chapters;
let list;

export function playing() {
  const place = h("div", { id: "playing" });
  chapters = undefined;
  let shown;
  let cues;
  const form = bookmarkForm();
  show("Now playing", place);
  return async () => {
    const { player } = state;
    // Without a player there is no connection yet, or the request says why.
    if (!player) return void (await get("status"));
    const id = player.episode?.id;
    if (!id) {
      [shown, chapters] = [undefined, undefined];
      return fill(place, h("p", {}, "Nothing plays. Choose an episode from ", h("a", { href: "#/episodes" }, "Episodes"), ". ", subscribing()));
    }
    const isNew = id !== shown;
    if (isNew) {
      [shown, chapters] = [id, undefined];
      list = h("section", { "aria-label": "Chapters", "data-key": `chapters ${id}` });
      cues = h("div", { "data-key": `transcript ${id}` }, transcript(id));
    }
    const draw = (found) => fill(place, h("div", { class: "head", "data-key": "head" }, found?.picture ? cover(`episodes/${id}`, true) : "",
      h("p", {}, h("a", { href: `#/episode/${id}` }, own(player.episode.title ?? found?.title ?? "")), h("br"), h("span", { class: "dim" }, own(player.feed?.title ?? found?.feedTitle ?? ""))),
      h("p", { class: "buttons" }, found ? marks(found) : "")),
    form, list, cues, found ? notes(found, (start) => act(() => post("playback/seek", { time: start }))) : "");
    if (isNew) draw();
    const found = await get(`episodes/${id}`, isNew ? { fetch: true } : {});
    if (id !== state.player?.episode?.id) return undefined;
    draw(found);
    if (!isNew) return undefined;
    const reply = await get(`episodes/${id}/chapters`);
    if (id === shown && reply.chapters.length) showChapters(reply.chapters);
    return undefined;
  };
}

/** Marks the place that is heard, with a text. */
function bookmarkForm() {
  const text = h("input", { name: "bookmark", maxlength: 4096, autocomplete: "off" });
  return h("form", {
    class: "line", "data-key": "bookmark",
    onsubmit: async (event) => {
      event.preventDefault();
      if (await act(() => post("bookmarks/add", { text: text.value }), (added) => `bookmark added at ${time(added.position)}`)) text.value = "";
    },
  }, h("label", {}, "Bookmark text (optional)", text), h("button", {}, "Bookmark"));
}

function showChapters(found) {
  chapters = found;
  list.replaceChildren(
    h("h2", {}, "Chapters"),
    h("p", { class: "buttons" },
      button("Previous chapter", () => act(() => post("playback/chapter", { chapter: "previous" }))),
      button("Next chapter", () => act(() => post("playback/chapter", { chapter: "next" })))),
    h("ol", { class: "rows", id: "chapters" }, chapters.map((chapter) => chapterRow(chapter))));
}

function chapterRow(chapter) {
  return h("li", {}, button(time(chapter.start), () => act(() => post("playback/seek", { time: chapter.start })), {
    "aria-label": `Play from ${spoken(chapter.start)}: ${chapter.title || "chapter"}`,
  }), h("span", { class: "grow", dir: "auto" }, chapter.title || "Chapter"));
}

function markChapter(now) {
  let current = -1;
  chapters.forEach((chapter, index) => { if (chapter.start <= now) current = index; });
  list.querySelectorAll("li").forEach((row, index) => {
    row.classList.toggle("current", index === current);
    if (index === current) row.setAttribute("aria-current", "true"); else row.removeAttribute("aria-current");
  });
}
