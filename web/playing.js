// The screen "Now playing": cover, chapters, bookmarks, transcript and notes of what is heard.

import { button, fill, h, own, show, spoken, time } from "./dom.js";
import { act, get } from "./api.js";
import { on } from "./state.js";
import * as sound from "./sound.js";
import { addBookmark } from "./about.js";
import { cover } from "./covers.js";
import { onTick } from "./player.js";
import { marks } from "./episodes.js";
import { subscribing } from "./rows.js";
import { notes, transcript } from "./notes.js";

let list;

export function playing() {
  const place = h("div", { id: "playing" });
  let shown;
  let cues;
  const form = bookmarkForm();
  show("Now playing", place);
  return async () => {
    const heard = sound.heard();
    // Before the first answer there is no connection, or the request says why.
    if (!heard) return void (await get("status"));
    const { id } = heard;
    if (!id) {
      shown = undefined;
      return fill(place, h("p", { class: "empty" }, "Nothing plays. Choose an episode from ", h("a", { href: "#/episodes" }, "Search"), ". ", subscribing()));
    }
    const isNew = id !== shown;
    if (isNew) {
      shown = id;
      list = h("section", { "aria-label": "Chapters", "data-key": `chapters ${id}` });
      cues = h("div", { "data-key": `transcript ${id}` }, transcript(id));
    }
    const draw = (found) => fill(place, h("div", { class: "head", "data-key": "head" },
      cover(found?.picture ? `episodes/${id}` : heard.feed?.id ? `feeds/${heard.feed.id}` : "", heard.feed?.title ?? heard.title, 400, "large"),
      h("p", { class: "big" }, h("a", { class: "name", dir: "auto", href: `#/episode/${id}` }, own(heard.title ?? found?.title ?? "")),
        h("a", { class: "dim", href: `#/feed/${heard.feed?.id}` }, own(heard.feed?.title ?? found?.feedTitle ?? ""))),
      h("p", { class: "buttons" }, found ? marks(found) : "")),
    form, list, cues, found ? notes(found, sound.seek) : "");
    if (isNew) draw();
    const found = await get(`episodes/${id}`, isNew ? { fetch: true } : {});
    if (!sound.isHeard(id)) return undefined;
    draw(found);
    showChapters();
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
      const { id, position } = sound.heard();
      if (await act(() => addBookmark(id, text.value, position), (added) => `bookmark added at ${time(added.position)}`)) text.value = "";
    },
  }, h("label", {}, "Bookmark text (optional)", text), h("button", {}, "Bookmark"));
}

/** Chapters are there as soon as sound.js has read them. */
function showChapters() {
  const found = sound.details();
  const section = list;
  if (!found?.chapters.length || !section) return;
  fill(section, h("h2", {}, "Chapters"),
    h("p", { class: "buttons" }, button("Previous chapter", () => sound.goToChapter(-1)), button("Next chapter", () => sound.goToChapter(1))),
    h("ol", { class: "rows", id: "chapters" }, found.chapters.map((chapter, index) => h("li", { "data-key": index, class: chapter.skipped ? "played" : "" },
      button(time(chapter.start), () => sound.seek(chapter.start), { class: "time", "aria-label": `Play from ${spoken(chapter.start)}: ${chapter.title || "chapter"}` }),
      h("span", { class: "grow", dir: "auto" }, chapter.title || "Chapter"), chapter.skipped ? h("span", { class: "tag" }, "skipped") : ""))));
  const rows = [...section.querySelectorAll("li")];
  onTick((now) => {
    const current = found.chapters.findLastIndex((one) => one.start <= now + 0.01);
    rows.forEach((row, index) => {
      row.classList.toggle("current", index === current);
      if (index === current) row.setAttribute("aria-current", "true"); else row.removeAttribute("aria-current");
    });
    return section.isConnected && sound.details() === found;
  });
}
on("details", "chapters", showChapters);
