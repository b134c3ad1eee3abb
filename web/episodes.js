// Episodes: search as you type, and one episode with note and star.

import { button, counted, day, details, excerpt, h, own, show, time } from "./dom.js";
import { act, cover, get, post, put, remove, undoable } from "./api.js";
import { on, state } from "./state.js";
import { hereButtons } from "./here.js";
import { notes, transcript } from "./notes.js";

/** Fills a list with pages; a button at the end fetches the next one. */
export async function pages(list, path, query, row, signal) {
  const reply = await act(() => get(path, query, signal));
  if (!reply || signal?.aborted) return;
  if (!query.after) list.replaceChildren();
  list.append(...reply.episodes.map(row));
  if (!list.childNodes.length) list.append(h("li", { class: "dim" }, "No episodes. ", query.search ? "" : subscribing()));
  if (reply.hasAfter && reply.next) {
    const more = button("More", () => { more.parentNode.remove(); pages(list, path, { ...query, after: reply.next }, row, signal); });
    list.append(h("li", {}, more));
  }
}

/** Where everything begins. */
export const subscribing = () => ["Subscribe to a podcast in ", h("a", { href: "#/feeds" }, "Feeds"), "."];

export function episodeRow(episode) {
  const name = episode.title;
  return h("li", { class: episode.played ? "played" : "" },
    h("span", { class: "grow" }, h("a", { class: "name", dir: "auto", href: `#/episode/${episode.id}` }, name, episode.starred ? " ★" : ""),
      details(episode.feedTitle, day(episode.published), time(episode.duration), episode.played ? "played" : "", episode.downloaded ? "downloaded" : ""),
      episode.excerpt && episode.excerpt.length ? h("div", { class: "dim" }, excerpt(episode.excerpt)) : ""),
    h("span", { class: "buttons" },
      button("Play", () => act(() => post("playback/play", { what: `e${episode.id}` })), { "aria-label": `Play ${name}` }),
      button("Queue", () => act(() => post("queue", { what: [`e${episode.id}`] }), (reply) => `queue: ${counted(reply.length, "episode")}`), { "aria-label": `Queue ${name}` })));
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
  show("Episodes", h("p", {}, h("span", { class: "narrow" }, h("a", { href: "#/downloads" }, "Downloads"), " · ", h("a", { href: "#/bookmarks" }, "Bookmarks"), " · "), h("a", { href: "#/offline" }, "Offline in this browser")), h("form", { class: "line", role: "search", onsubmit: (event) => { event.preventDefault(); load(); } },
    h("label", {}, "Search titles, notes and transcripts", search), h("label", {}, "Show", filter),
    button("Play", () => (search.value.trim() ? act(() => post("playback/play", { what: search.value.trim() })) : search.focus()), { "aria-label": "Play what the field says, such as e12, #3, an address or words of a title" })), list);
  load();
}

/** Buttons that change the marks and the download of an episode with its details. */
export function marks(found) {
  const id = found.id;
  const star = button("★ Star", async () => {
    const isOn = star.getAttribute("aria-pressed") !== "true";
    if (await act(() => (isOn ? put : remove)(`episodes/${id}/star`), isOn ? "starred" : "star removed")) star.setAttribute("aria-pressed", isOn);
  }, { "aria-pressed": String(found.starred), id: "star" });
  const names = { played: "Mark as played", unplayed: "Mark as unplayed" };
  const played = button(names[found.played ? "unplayed" : "played"], async () => {
    const as = played.textContent === names.played ? "played" : "unplayed";
    if (await act(() => post("episodes/mark", { as, what: [`e${id}`] }), `marked as ${as}`)) played.textContent = names[as === "played" ? "unplayed" : "played"];
  });
  const load = button(found.downloaded ? "Delete download" : "Download", async () => {
    const isLoad = load.textContent === "Download";
    const path = `episodes/${id}/download`;
    if (await (isLoad ? act(() => put(path), "downloading") : undoable(() => remove(path), "download deleted"))) load.textContent = isLoad ? "Delete download" : "Download";
  });
  return [star, played, load, ...hereButtons(found)];
}

export async function episode(id) {
  const heading = show("Episode", h("p", {}, "Loading…"));
  const found = await act(() => get(`episodes/${id}`, { fetch: true }));
  if (!heading.isConnected) return; // Another screen was opened meanwhile.
  if (!found) return show("Episode", h("p", {}, "This episode is not in the library. Choose one from ", h("a", { href: "#/episodes" }, "Episodes"), "."));
  const note = h("textarea", { name: "note", id: "note", maxlength: 65536, value: found.note || "" });
  const isCurrent = () => state.player && state.player.episode && state.player.episode.id === found.id;
  const from = (start) => act(() => (isCurrent() ? post("playback/seek", { time: start }) : post("playback/play", { what: `e${id}`, position: start })));
  show(found.title, h("div", { class: "head" }, found.picture ? cover(`episodes/${id}`, true) : "",
    h("p", { class: "dim" }, h("a", { href: `#/feed/${found.feed}` }, own(found.feedTitle)), " · ",
      [day(found.published), time(found.duration), found.position ? `at ${time(found.position)}` : ""].filter(Boolean).join(" · ")),
    h("p", { class: "buttons" },
      button("Play", () => act(() => post("playback/play", { what: `e${id}` })), { class: "main" }),
      button("Play next", () => act(() => post("queue/insert", { what: [`e${id}`] }), (reply) => `queue: ${counted(reply.length, "episode")}`)),
      button("Add to queue", () => act(() => post("queue", { what: [`e${id}`] }), (reply) => `queue: ${counted(reply.length, "episode")}`)),
      marks(found))),
    h("form", { onsubmit: (event) => { event.preventDefault(); act(() => put(`episodes/${id}/note`, { text: note.value }), "note saved"); } },
      h("label", {}, "Note", note), h("p", { class: "buttons" }, h("button", {}, "Save note"))),
    (found.chapters || []).length ? [h("h2", {}, "Chapters"), h("ol", { class: "rows" }, found.chapters.map((chapter) => h("li", {},
      button(time(chapter.start), () => from(chapter.start), { "aria-label": `Play from ${chapter.title || "chapter"}` }), h("span", { class: "grow", dir: "auto" }, chapter.title || "Chapter"))))] : "",
    transcript(id, false), notes(found, from));
}
