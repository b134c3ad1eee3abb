// Episodes: search as you type, and one episode with note and star.

import { button, day, details, entitle, excerpt, fill, h, own, show, time } from "./dom.js";
import { act, cover, enqueue, get, play, post, put, remove, undoable } from "./api.js";
import { emit, state } from "./state.js";
import { hereButtons } from "./here.js";
import { noteForm } from "./note.js";
import { notes, transcript } from "./notes.js";

/** Reads as many pages as are shown. `read` returns the rows after a key, and the next key. */
export function pages(list, read, empty) {
  let count = 1;
  return async (isNew = false) => {
    if (isNew) count = 1;
    const rows = [];
    let after;
    for (let page = 0; page < count && (!page || after); page += 1) {
      const found = await read(after);
      rows.push(...found.rows);
      after = found.next;
    }
    fill(list, rows.length ? rows : h("li", { class: "dim" }, empty),
      after ? h("li", {}, button("More", () => { count += 1; emit("view"); })) : "");
  };
}

/** Reads pages of episodes. */
export const episodePages = (list, path, query) => pages(list, async (after) => {
  const reply = await get(path, { ...query(), after });
  return { rows: reply.episodes.map(episodeRow), next: reply.hasAfter && reply.next };
}, ["No episodes. ", subscribing()]);

/** Where everything begins. */
export const subscribing = () => ["Subscribe to a podcast in ", h("a", { href: "#/feeds" }, "Feeds"), "."];

export function episodeRow(episode) {
  const name = episode.title;
  return h("li", { class: episode.played ? "played" : "", "data-key": episode.id },
    h("span", { class: "grow" }, h("a", { class: "name", dir: "auto", href: `#/episode/${episode.id}` }, name, episode.starred ? " ★" : ""),
      details(episode.feedTitle, day(episode.published), time(episode.duration), episode.played ? "played" : "", episode.downloaded ? "downloaded" : ""),
      episode.excerpt?.length ? h("div", { class: "dim" }, excerpt(episode.excerpt)) : ""),
    h("span", { class: "buttons" },
      button("Play", () => play(`e${episode.id}`), { "aria-label": `Play ${name}` }),
      button("Queue", () => enqueue(`e${episode.id}`), { "aria-label": `Queue ${name}` })));
}

export function episodes() {
  const list = h("ul", { class: "rows", id: "episodes" });
  const search = h("input", { type: "search", name: "search", id: "search", value: episodes.search || "" });
  const filter = h("select", { name: "filter" }, [["", "All"], ["unplayed", "Unplayed"], ["inProgress", "Started"], ["starred", "Starred"], ["downloaded", "Downloaded"]]
    .map(([value, text]) => h("option", { value }, text)));
  filter.value = episodes.filter || "";
  let timer;
  const load = episodePages(list, "episodes", () => ({ limit: 50, search: search.value.trim(), ...(filter.value ? { [filter.value]: true } : {}) }));
  let isNew = false;
  const start = () => {
    [episodes.search, episodes.filter, isNew] = [search.value, filter.value, true];
    emit("view");
  };
  search.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(start, 150); });
  filter.addEventListener("change", start);
  show("Episodes", h("p", {}, h("span", { class: "narrow" }, h("a", { href: "#/downloads" }, "Downloads"), " · ", h("a", { href: "#/bookmarks" }, "Bookmarks"), " · "), h("a", { href: "#/offline" }, "Offline in this browser")), h("form", { class: "line", role: "search", onsubmit: (event) => { event.preventDefault(); start(); } },
    h("label", {}, "Search titles, notes and transcripts", search), h("label", {}, "Show", filter),
    button("Play", () => (search.value.trim() ? play(search.value.trim()) : search.focus()), { "aria-label": "Play what the field says, such as e12, #3, an address or words of a title" })), list);
  return () => {
    const wasNew = isNew;
    isNew = false;
    return load(wasNew);
  };
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
    ...hereButtons(found),
  ];
}

export function episode(id) {
  const place = h("div", {}, h("p", {}, "Loading…"));
  const heading = show("Episode", place);
  const drawNote = noteForm(id);
  const cues = h("div", {}, transcript(id, false));
  let isRead = false;
  return async () => {
    const found = await get(`episodes/${id}`, isRead ? {} : { fetch: true });
    isRead = true;
    const isCurrent = () => state.player?.episode?.id === found.id;
    const from = (start) => act(() => (isCurrent() ? post("playback/seek", { time: start }) : post("playback/play", { what: `e${id}`, position: start })));
    entitle(heading, found.title);
    fill(place, h("div", { class: "head", "data-key": "head" }, found.picture ? cover(`episodes/${id}`, true) : "",
      h("p", { class: "dim" }, h("a", { href: `#/feed/${found.feed}` }, own(found.feedTitle)), " · ",
        [day(found.published), time(found.duration), found.position ? `at ${time(found.position)}` : ""].filter(Boolean).join(" · ")),
      h("p", { class: "buttons" },
        button("Play", () => play(`e${id}`), { class: "main" }),
        button("Play next", () => enqueue(`e${id}`, "queue/insert")),
        button("Add to queue", () => enqueue(`e${id}`)),
        marks(found))),
    drawNote(found.note || ""),
    (found.chapters || []).length ? h("section", { "data-key": "chapters" }, h("h2", {}, "Chapters"), h("ol", { class: "rows" }, found.chapters.map((chapter) => h("li", {},
      button(time(chapter.start), () => from(chapter.start), { "aria-label": `Play from ${chapter.title || "chapter"}` }), h("span", { class: "grow", dir: "auto" }, chapter.title || "Chapter"))))) : "",
    cues, notes(found, from));
  };
}
