// Playlists: the list, a form with a preview of the filter, and the episodes of one.

import { button, choice, counted, details, entitle, fill, h, iconButton, own, remover, show } from "./dom.js";
import { act, enqueue, get, post, undoable } from "./api.js";
import { emit } from "./state.js";
import { orderedList } from "./order.js";
import { episodeRow, pages, subscribing } from "./rows.js";

const address = (name) => `#/playlist?name=${encodeURIComponent(name)}`;
const size = ({ count, countIsExact }) => (countIsExact ? counted(count, "episode") : `${count}+ episodes`);

const facts = (one) => details(size(one), one.filter?.replace("by:hand heard:leave", "by hand, until heard").replace("by:hand", "by hand"), one.order === "oldest" && "oldest first");

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

/** Whether a text has its own order. With several it is a mix, whose filters take turns. */
const isOrdered = (text) => /(^|\s)order:/.test(text);

/** The form for a new playlist, or for one that is changed. Of one by hand only the name is changed here. */
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
    order.disabled = isOrdered(text);
    // A list of episodes is no condition.
    if (!text || /(^|\s)(by|heard):|^e\d/.test(text)) return undefined;
    try {
      const found = isOrdered(text) ? await get("playlists/show", { name: `filter:${text}`, limit: 6 }, mine.signal)
        : await get("episodes", { filter: text, limit: 3, order: order.value || "newest" }, mine.signal);
      fill(preview, h("b", {}, size(found)), h("span", {}, found.episodes.map((one) => [" · ", own(one.title)])));
    } catch (error) {
      if (error.name === "AbortError") return undefined;
      problem.textContent = error.message;
    }
    return undefined;
  };
  filter.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(look, 250); });
  const kept = ["", "newest", "oldest", null].includes(old.order) ? [] : [[old.order, `By ${old.order}`]];
  const order = choice({ name: "order" }, old.order === "newest" ? "" : old.order || "", [["", "Newest first"], ["oldest", "Oldest first"], ...kept], look);
  const help = conditionHelp(filter, "conditions");
  help.append(h("p", { class: "dim" }, "Filters that each begin with an order take turns, such as ", h("code", {}, "order:newest feed:f1 order:any feed:f2"), "."));
  const ofFilter = [h("label", { class: "double" }, "Filter", filter), h("label", {}, "Order", order), help];
  const kind = choice({ name: "kind" }, old.byHand ? "hand" : "", [["", "Of a filter or a mix"], ["hand", "By hand"]], () => showKind());
  const showKind = () => {
    for (const one of ofFilter) one.hidden = kind.value === "hand";
    filter.required = kind.value !== "hand";
  };
  showKind();
  const store = async (title) => {
    const [text, isByHand] = [filter.value.trim(), kind.value === "hand"];
    const sort = isByHand || isOrdered(text) ? undefined : order.value || undefined;
    const renamed = old.name && old.name !== title ? await post("playlists/rename", { name: old.name, to: title }) : undefined;
    const isChanged = text !== old.filter || (sort ?? "newest") !== (old.order || "newest");
    return old.name && (isByHand || (renamed && !isChanged)) ? renamed ?? old : post("playlists/save", { name: title, filter: isByHand ? "by:hand" : text, order: sort });
  };
  const save = async (event) => {
    event.preventDefault();
    const title = name.value.trim();
    const saved = await undoable(() => store(title), (reply) => `saved: ${title}, ${size(reply)}`);
    if (!saved) return;
    if (!old.name) { event.target.reset(); showKind(); }
    fill(preview);
    done(title, saved);
  };
  if (old.filter && !old.byHand) look();
  return h("form", { class: "line control", onsubmit: save }, h("label", {}, "Name", name), old.name ? "" : h("label", {}, "Episodes", kind), ofFilter.slice(0, 2),
    h("button", { class: "main" }, "Save"), problem, preview, help);
}

export function playlists() {
  const list = h("ul", { class: "rows", id: "playlists" });
  const creation = h("details", { id: "new-playlist", class: "control fold" }, h("summary", {}, "New playlist"), form(undefined, (title, { byHand }) => {
    creation.open = false;
    if (byHand) location.hash = address(title);
  }));
  show("Playlists", creation, list);
  return async () => fill(list, (await get("playlists")).playlists.map((one) => h("li", { "data-key": one.name },
    h("span", { class: "grow" }, h("a", { class: "name", dir: "auto", href: address(one.name) }, one.title), facts(one)),
    h("span", { class: "buttons" }, iconButton("play", `Play ${one.title}`, () => play(one), { disabled: !one.count }),
      iconButton("plus", `Queue ${one.title}`, () => enqueue(`playlist:${one.name}`), { disabled: !one.count })))));
}

/** The rows of a playlist by hand. */
const entries = (name) => orderedList({
  id: "entries", empty: ["No episodes. Each episode's page has a button that adds it: ", h("a", { href: "#/episodes" }, "Search"), "."],
  read: async () => {
    const { episodes, count } = await get("playlists/show", { name, limit: 500 });
    return { entries: episodes.map((episode, index) => ({ id: episode.key, index: index + 1, episode })), length: count };
  },
  play: ({ index }) => ({ what: `playlist:${name}`, from: index }),
  move: ({ index }, to) => post("playlists/move", { name, from: `#${index}`, to }), drop: ({ index }) => post("playlists/drop", { name, what: [`#${index}`] }),
});

export function playlist(_, query) {
  const name = query.get("name") || "";
  const head = h("div", { id: "playlist" });
  const list = h("ul", { class: "rows", id: "episodes" });
  const place = h("div", {}, list);
  const editor = h("div", { class: "control" });
  const heading = show("Playlist", head, editor, place);
  const loadEpisodes = pages(list, async (after, limit) => {
    const reply = await get("playlists/show", { name, after, limit });
    return { rows: reply.episodes.map((one) => episodeRow(one)), next: reply.hasAfter && reply.next };
  }, ["No episodes. ", subscribing()]);
  let isEditable;
  let order;
  return async () => {
    const found = (await get("playlists")).playlists.find((one) => one.name === name);
    entitle(heading, found?.title ?? name);
    if (found) {
      fill(head, facts(found), h("p", { class: "buttons" },
        button("Play", () => play(found), { class: "main", disabled: !found.count }),
        button("Add to queue", () => enqueue(`playlist:${name}`), { disabled: !found.count }),
        found.filter ? remover("Delete", async () => {
          if (await undoable(() => post("playlists/remove", { name }), `deleted: ${name}`)) location.hash = "#/playlists";
        }) : ""));
      if (!isEditable && found.filter) {
        editor.replaceChildren(h("details", { class: "fold", id: "edit-playlist" }, h("summary", {}, found.byHand ? "Rename" : "Change name, filter or order"),
          form(found, (title) => { if (title === name) emit("view"); else location.replace(address(title)); })));
      }
      isEditable = Boolean(found.filter);
    }
    if (!found?.byHand) return loadEpisodes();
    if (!order) {
      order = entries(name);
      place.replaceChildren(order.help, order.list);
    }
    return order.read();
  };
}
