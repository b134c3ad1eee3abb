// Playlists: the list, a form with a preview of the filter, and the episodes of one.

import { button, choice, counted, details, entitle, fill, h, iconButton, own, remover, show } from "./dom.js";
import { act, enqueue, get, post, undoable } from "./api.js";
import { emit } from "./state.js";
import { episodeRow, pages, subscribing } from "./rows.js";

const address = (name) => `#/playlist?name=${encodeURIComponent(name)}`;
const size = ({ count, countIsExact }) => (countIsExact ? counted(count, "episode") : `${count}+ episodes`);

/** Plays the list, and then its other episodes instead of the queue. */
const play = ({ name, order }) => act(() => post("playback/play", { what: `playlist:${name}`, ...(["newest", "oldest"].includes(order) ? { [`${order}First`]: true } : {}) }));

/** Conditions to choose from; the language is the same in rules. */
export const conditions = [
  ["is:unplayed", "not played yet; also is:new, is:in-progress, is:starred, is:downloaded, is:noted"],
  ["longer:30m", "the duration; also shorter:"], ["newer:7d", "when it was published; also older:"],
  ["feed:f1", "of this show, or in quotes words of its title"], ["tag:News", "of a show with this tag"],
  ["title:\"best of\"", "words of the title"], ["weekday:sat,sun", "the day on which it was published"],
  ["season:1..3", "the season"], ["type:trailer", "also full and bonus"],
  ["not (type:trailer or title:rerun)", "not, or and brackets"],
];

/** The conditions, each with a button that adds it to a field. */
export function conditionHelp(field, id) {
  const add = (text) => {
    const place = / then /.test(` ${field.value} `) ? field.value.search(/\bthen\b/) : field.value.length;
    field.value = `${field.value.slice(0, place).trim()} ${text} ${field.value.slice(place)}`.trim();
    field.dispatchEvent(new Event("input", { bubbles: true }));
    field.focus();
  };
  return h("details", { id }, h("summary", {}, "Conditions"), h("dl", { class: "terms" }, conditions.map(([text, help]) => [
    h("dt", {}, button(text, () => add(text), { "aria-label": `Add the condition ${text}` })), h("dd", {}, help),
  ])));
}

/** The form for a new playlist, or for one that is changed. */
function form(old = { name: "", filter: "", order: "" }, done = () => {}) {
  const name = h("input", { required: true, maxlength: 100, autocomplete: "off", value: old.name, name: "name" });
  const filter = h("input", { required: true, maxlength: 2000, autocomplete: "off", autocapitalize: "off", value: old.filter, name: "filter", placeholder: "is:unplayed longer:30m", "aria-describedby": "filter-problem filter-preview" });
  const problem = h("p", { class: "problem", role: "alert", id: "filter-problem" });
  const preview = h("p", { class: "dim", id: "filter-preview", "aria-live": "polite" });
  let timer;
  let request;
  const look = async () => {
    request?.abort();
    request = new AbortController();
    const mine = request;
    const text = filter.value.trim();
    problem.textContent = "";
    fill(preview);
    // A list of episodes and its own order are no conditions.
    if (!text || /(^|\s)(by|heard|order):|^e\d/.test(text)) return undefined;
    try {
      const found = await get("episodes", { filter: text, limit: 3, order: order.value || "newest" }, mine.signal);
      fill(preview, h("b", {}, size(found)), h("span", {}, found.episodes.map((one) => [" · ", own(one.title)])));
    } catch (error) {
      if (error.name === "AbortError") return undefined;
      problem.textContent = error.message;
    }
    return undefined;
  };
  filter.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(look, 250); });
  const order = choice({ name: "order" }, old.order === "oldest" ? "oldest" : "", [["", "Newest first"], ["oldest", "Oldest first"]], look);
  const save = async (event) => {
    event.preventDefault();
    const title = name.value.trim();
    const saved = await undoable(() => post("playlists/save", { name: title, filter: filter.value.trim(), order: order.value || undefined }), (reply) => `saved: ${title}, ${size(reply)}`);
    if (!saved) return;
    if (old.name && old.name !== title) await act(() => post("playlists/remove", { name: old.name }));
    if (!old.name) event.target.reset();
    fill(preview);
    done(title);
  };
  if (old.filter) look();
  return h("form", { class: "line control", onsubmit: save }, h("label", {}, "Name", name), h("label", { class: "double" }, "Filter", filter),
    h("label", {}, "Order", order), h("button", { class: "main" }, "Save"), problem, preview, conditionHelp(filter, "conditions"));
}

export function playlists() {
  const list = h("ul", { class: "rows", id: "playlists" });
  const creation = h("details", { id: "new-playlist", class: "control fold" }, h("summary", {}, "New playlist"), form(undefined, () => { creation.open = false; }));
  show("Playlists", creation, list);
  return async () => fill(list, (await get("playlists")).playlists.map((one) => h("li", { "data-key": one.name },
    h("span", { class: "grow" }, h("a", { class: "name", dir: "auto", href: address(one.name) }, one.title), details(size(one), one.filter, one.order === "oldest" && "oldest first")),
    h("span", { class: "buttons" }, iconButton("play", `Play ${one.title}`, () => play(one), { disabled: !one.count }),
      iconButton("plus", `Queue ${one.title}`, () => enqueue(`playlist:${one.name}`), { disabled: !one.count })))));
}

export function playlist(_, query) {
  const name = query.get("name") || "";
  const head = h("div", { id: "playlist" });
  const list = h("ul", { class: "rows", id: "episodes" });
  const editor = h("div", { class: "control" });
  const heading = show("Playlist", head, editor, list);
  const loadEpisodes = pages(list, async (after, limit) => {
    const reply = await get("playlists/show", { name, after, limit });
    return { rows: reply.episodes.map((one) => episodeRow(one)), next: reply.hasAfter && reply.next };
  }, ["No episodes. ", subscribing()]);
  let isEditable;
  return async () => {
    const found = (await get("playlists")).playlists.find((one) => one.name === name);
    entitle(heading, found?.title ?? name);
    if (found) {
      fill(head, details(size(found), found.filter, found.order === "oldest" && "oldest first"), h("p", { class: "buttons" },
        button("Play", () => play(found), { class: "main", disabled: !found.count }),
        button("Add to queue", () => enqueue(`playlist:${name}`), { disabled: !found.count }),
        found.filter ? remover("Delete", async () => {
          if (await undoable(() => post("playlists/remove", { name }), `deleted: ${name}`)) location.hash = "#/playlists";
        }) : ""));
      if (!isEditable && found.filter) {
        editor.replaceChildren(h("details", { class: "fold", id: "edit-playlist" }, h("summary", {}, "Change name, filter or order"),
          form(found, (title) => { if (title === name) emit("view"); else location.replace(address(title)); })));
      }
      isEditable = Boolean(found.filter);
    }
    await loadEpisodes();
  };
}
