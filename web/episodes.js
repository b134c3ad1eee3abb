// Episodes: search as you type, and one episode with note and star.

import { button, day, excerpt, h, show, time } from "./dom.js";
import { act, cover, get, post, put, remove } from "./api.js";
import { on, state } from "./state.js";
import { transcript } from "./player.js";

/** Fills a list with pages; a button at the end fetches the next one. */
export async function pages(list, path, query, row, signal) {
  const reply = await act(() => get(path, query, signal));
  if (!reply || signal?.aborted) return;
  if (!query.after) list.replaceChildren();
  list.append(...reply.episodes.map(row));
  if (!list.childNodes.length) list.append(h("li", { class: "dim" }, "No episodes."));
  if (reply.hasAfter && reply.next) {
    const more = button("More", () => { more.parentNode.remove(); pages(list, path, { ...query, after: reply.next }, row, signal); });
    list.append(h("li", {}, more));
  }
}

export function episodeRow(episode) {
  const name = episode.title;
  const marks = [episode.starred ? "★" : "", episode.downloaded ? "⭳" : ""].filter(Boolean).join(" ");
  return h("li", { class: episode.played ? "played" : "" },
    h("span", { class: "grow" }, h("a", { href: `#/episode/${episode.id}` }, name), marks ? ` ${marks}` : "",
      h("div", { class: "dim" }, [episode.feedTitle, day(episode.published), time(episode.duration), episode.played ? "played" : ""].filter(Boolean).join(" · ")),
      episode.excerpt && episode.excerpt.length ? h("div", { class: "dim" }, excerpt(episode.excerpt)) : ""),
    h("span", { class: "buttons" },
      button("Play", () => act(() => post("playback/play", { what: `e${episode.id}` })), { "aria-label": `Play ${name}` }),
      button("Queue", () => act(() => post("queue", { what: [`e${episode.id}`] }), (reply) => `queue: ${reply.length} entries`), { "aria-label": `Queue ${name}` })));
}

let pending;
export function episodes() {
  const list = h("ul", { class: "rows", id: "episodes" });
  const search = h("input", { type: "search", name: "search", id: "search", value: episodes.search || "" });
  const filter = h("select", { name: "filter" }, [["", "All"], ["unplayed", "Unplayed"], ["inProgress", "Started"], ["starred", "Starred"], ["downloaded", "Downloaded"]]
    .map(([value, text]) => h("option", { value }, text)));
  filter.value = episodes.filter || "";
  let timer;
  const load = () => {
    if (pending) pending.abort();
    pending = new AbortController();
    episodes.search = search.value;
    episodes.filter = filter.value;
    const query = { limit: 50, search: search.value.trim() };
    if (filter.value) query[filter.value] = true;
    pages(list, "episodes", query, episodeRow, pending.signal);
  };
  search.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(load, 150); });
  filter.addEventListener("change", load);
  show("Episodes", h("form", { class: "line", role: "search", onsubmit: (event) => { event.preventDefault(); load(); } },
    h("label", {}, "Search titles, notes and transcripts", search), h("label", {}, "Show", filter)), list);
  load();
}

export async function episode(id) {
  show("Episode", h("p", {}, "Loading…"));
  const found = await act(() => get(`episodes/${id}`));
  if (!found) return;
  const star = button("★ Star", async () => {
    const isOn = star.getAttribute("aria-pressed") !== "true";
    if (await act(() => (isOn ? put : remove)(`episodes/${id}/star`), isOn ? "starred" : "star removed")) star.setAttribute("aria-pressed", isOn);
  }, { "aria-pressed": String(found.starred), id: "star" });
  const played = button("Played", async () => {
    const isOn = played.getAttribute("aria-pressed") !== "true";
    if (await act(() => post("episodes/mark", { as: isOn ? "played" : "unplayed", what: [`e${id}`] }), isOn ? "marked as played" : "marked as unplayed")) played.setAttribute("aria-pressed", isOn);
  }, { "aria-pressed": String(found.played) });
  const load = button(found.downloaded ? "Delete download" : "Download", () => act(
    () => (load.textContent === "Download" ? put : remove)(`episodes/${id}/download`),
    () => { const isLoad = load.textContent === "Download"; load.textContent = isLoad ? "Delete download" : "Download"; return isLoad ? "downloading" : "download deleted"; }));
  const note = h("textarea", { name: "note", id: "note", maxlength: 65536, value: found.note || "" });
  const isCurrent = () => state.player && state.player.episode && state.player.episode.id === found.id;
  const from = (start) => act(() => (isCurrent() ? post("playback/seek", { time: start }) : post("playback/play", { what: `e${id}`, position: start })));
  show(found.title, cover(`episodes/${id}`, true),
    h("p", { class: "dim" }, h("a", { href: `#/feed/${found.feed}` }, found.feedTitle), " · ",
      [day(found.published), time(found.duration), found.position ? `at ${time(found.position)}` : ""].filter(Boolean).join(" · ")),
    h("p", { class: "buttons" },
      button("Play", () => act(() => post("playback/play", { what: `e${id}` })), { class: "main" }),
      button("Play next", () => act(() => post("queue/insert", { what: [`e${id}`] }), (reply) => `queue: ${reply.length} entries`)),
      button("Add to queue", () => act(() => post("queue", { what: [`e${id}`] }), (reply) => `queue: ${reply.length} entries`)),
      star, played, load),
    h("form", { onsubmit: (event) => { event.preventDefault(); act(() => put(`episodes/${id}/note`, { text: note.value }), "note saved"); } },
      h("label", {}, "Note", note), h("p", { class: "buttons" }, h("button", {}, "Save note"))),
    (found.chapters || []).length ? [h("h2", {}, "Chapters"), h("ol", { class: "rows" }, found.chapters.map((chapter) => h("li", {},
      button(time(chapter.start), () => from(chapter.start), { "aria-label": `Play from ${chapter.title || "chapter"}` }), h("span", { class: "grow" }, chapter.title || "Chapter"))))] : "",
    transcript(id, false),
    h("h2", {}, "Notes of the publisher"),
    h("p", { class: "text" }, found.content || found.summary || "None."),
    found.link && /^https?:/.test(found.link) ? h("p", {}, h("a", { href: found.link, rel: "noreferrer noopener", target: "_blank" }, "Web page of the episode")) : "");
  on("episodes", "view", () => {});
}
