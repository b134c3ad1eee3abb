// The search in all episodes, and one episode with note and star.

import { button, day, entitle, fill, h, iconButton, own, part, show, spoken, time } from "./dom.js";
import { act, enqueue, get, post, put, remove, undoable } from "./api.js";
import * as sound from "./sound.js";
import { episodeList, namedListButton, subscribing } from "./rows.js";
import { cover, tint } from "./covers.js";
import { listeningButtons } from "./offline.js";
import { noteForm } from "./note.js";
import { notes, transcript } from "./notes.js";

export function episodes(_, query) {
  const list = h("ul", { class: "rows", id: "episodes" });
  const search = () => document.getElementById("search");
  const [form, load] = episodeList(list, "episodes", {
    given: { filter: query.get("filter") || "" }, label: "Search titles, notes and transcripts", empty: ["No episodes. ", subscribing()],
    extra: iconButton("play", "Play what the field says, such as e12, #3, an address or words of a title", () => {
      const words = search().value.trim();
      return words ? sound.playWord(words) : search().focus();
    }),
  });
  show("Search", form, list);
  return load;
}

/** Buttons that change the marks and the download of an episode with its details. */
export function marks(found) {
  const id = found.id;
  const played = found.played ? "unplayed" : "played";
  return [
    button("★ Star", () => act(() => (found.starred ? remove : put)(`episodes/${id}/star`), found.starred ? "star removed" : "starred"), { "aria-pressed": String(found.starred), id: "star" }),
    button(`Mark as ${played}`, () => act(() => post("episodes/mark", { as: played, what: [`e${id}`] }), `marked as ${played}`), { id: "mark" }),
    found.downloaded ? button("Delete download", () => undoable(() => remove(`episodes/${id}/download`), "download deleted"), { id: "download" })
      : button("Download", () => act(() => put(`episodes/${id}/download`), "downloading"), { id: "download" }),
    namedListButton(id, found.title), ...listeningButtons(found),
  ];
}

export function episode(id) {
  const place = h("div", {}, h("p", {}, "Loading…"));
  const heading = show("Episode", place);
  const drawNote = noteForm(id);
  const cues = h("div", {}, transcript(id));
  let isRead = false;
  return async () => {
    const found = await get(`episodes/${id}`, isRead ? {} : { fetch: true });
    isRead = true;
    const from = (start) => sound.playFrom(found.id, start);
    entitle(heading, found.title);
    tint(place, found.picture ? `episodes/${id}` : `feeds/${found.feed}`);
    fill(place, h("div", { class: "head", "data-key": "head" }, cover(found.picture ? `episodes/${id}` : `feeds/${found.feed}`, found.feedTitle, 400, "large"),
      h("p", { class: "dim" }, h("a", { href: `#/feed/${found.feed}` }, own(found.feedTitle)), " · ",
        [part(found), day(found.published), time(found.duration), found.position ? `at ${time(found.position)}` : ""].filter(Boolean).join(" · ")),
      h("p", { class: "buttons" },
        button("Play", () => sound.play(found.id), { class: "main" }),
        button("Play next", () => enqueue(`e${id}`, "queue/insert")),
        button("Add to queue", () => enqueue(`e${id}`)),
        marks(found))),
    drawNote(found.note || ""),
    (found.chapters || []).length ? h("section", { "data-key": "chapters" }, h("h2", {}, "Chapters"), h("ol", { class: "rows" }, found.chapters.map((chapter) => h("li", {},
      button(time(chapter.start), () => from(chapter.start), { class: "time", "aria-label": `Play from ${spoken(chapter.start)}: ${chapter.title || "chapter"}` }), h("span", { class: "grow", dir: "auto" }, chapter.title || "Chapter"))))) : "",
    cues, notes(found, from));
  };
}
