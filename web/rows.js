// Rows of episodes, and lists that are read page by page, searched, filtered and ordered.

import { briefDay, button, choice, details, excerpt, fill, h, icon, iconButton, part, time } from "./dom.js";
import { enqueue, get } from "./api.js";
import { emit, memory, on, remember } from "./state.js";
import * as sound from "./sound.js";
import { cover } from "./covers.js";
import { roomNames } from "./player.js";

/** Where everything begins. */
export const subscribing = () => ["Subscribe to a podcast in ", h("a", { href: "#/feeds" }, "Shows"), "."];

/** What an episode has left, and which share of it was heard. */
function progress({ played, position, duration }) {
  if (!duration) return { text: played ? "played" : "", share: played ? 1 : 0 };
  const share = played ? 1 : Math.min(1, (position || 0) / duration);
  return { text: !played && share ? `${time(duration - position)} left` : time(duration), share };
}

export function ring(share) {
  const circle = h("span", { class: `ring${share >= 1 ? " full" : ""}`, "aria-hidden": "true" });
  circle.style.setProperty("--share", share.toFixed(3));
  return circle;
}

/** A row of an episode; `buttons` instead of those that play and queue it. */
export function episodeRow(episode, { isOfShow = false, buttons, facts = [], key = episode.id } = {}) {
  const { id, title: name } = episode;
  const { text, share } = progress(episode);
  const isUnheard = !episode.played && !episode.position;
  return h("li", { class: `episode${episode.played ? " played" : isUnheard ? " unheard" : ""}`, "data-key": key, "data-episode": id },
    h("a", { href: `#/episode/${id}`, class: "art", tabindex: -1, "aria-hidden": "true" }, cover(`feeds/${episode.feed}`, episode.feedTitle)),
    h("span", { class: "grow" }, h("a", { class: "name", dir: "auto", href: `#/episode/${id}` }, name, episode.starred ? " ★" : ""),
      h("div", { class: "meta" }, part(episode) ? h("span", { class: "tag" }, part(episode)) : "",
        details(isOfShow ? "" : episode.feedTitle, briefDay(episode.published), episode.played ? "played" : "", episode.downloaded ? "downloaded" : "",
          episode.unplayable, ...facts), h("span", { class: "now" }), isUnheard ? h("span", { class: "unseen" }, "unheard") : ""),
      episode.excerpt?.length ? h("div", { class: "dim excerpt" }, excerpt(episode.excerpt)) : ""),
    h("span", { class: "left" }, text), ring(share),
    h("span", { class: "buttons" }, buttons ?? [
      playButton(id, name),
      iconButton("plus", `Queue ${name}`, () => enqueue(`e${id}`)), listButton(id, name),
    ]));
}

const ask = async (id, name) => (await import("./adding.js")).addToPlaylist(`e${id}`, name);
/** Buttons that ask for a playlist, and add an episode. A phone has only the one of the episode's page. */
export const listButton = (id, name) => iconButton("playlists", `Add ${name} to a playlist`, () => ask(id, name), { class: "plain wide", "aria-haspopup": "dialog" });
export const namedListButton = (id, name) => button("Add to playlist …", () => ask(id, name), { "aria-haspopup": "dialog", id: "add-to-playlist" });

/** A field that hides the rows of a list without its words. */
export function rowFilter(list, label) {
  const kept = memory().words ?? "";
  const field = h("input", { type: "search", value: kept, autocomplete: "off", placeholder: label, "aria-label": label });
  const apply = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of list.querySelectorAll(":scope > [data-key]")) row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
  };
  field.addEventListener("input", () => { remember({ words: field.value }); apply(); });
  on("drawn", "view", apply);
  return h("form", { class: "line filters", role: "search", onsubmit: (event) => event.preventDefault() }, h("label", { class: "wide-field" }, field));
}

/** A button that plays an episode from where it was left, and pauses it while it is heard. */
export const playButton = (id, name, kind = "plain") => iconButton("play", `Play ${name}`, () => (sound.isHeard(id) ? sound.toggle() : sound.play(id)), {
  class: `${kind} play`, "data-name": name,
});

// What is heard is marked in each list.
function markHeard() {
  const found = sound.heard();
  const where = sound.isHere() ? "playing here" : `playing on ${roomNames()}`;
  for (const row of document.querySelectorAll(`main :is([data-heard=on], [data-heard=off], [data-episode="${found?.id}"])`)) {
    const isHeard = found?.id !== undefined && row.dataset.episode === String(found.id);
    const state = !isHeard ? "" : found.isOn ? "on" : "off";
    const now = row.querySelector(".now");
    const text = state === "on" ? where : "";
    if (now && now.textContent !== text) now.textContent = text;
    if ((row.dataset.heard ?? "") === state) continue;
    row.classList.toggle("heard", isHeard);
    row.dataset.heard = state;
    const play = row.querySelector(".play");
    if (!play) continue;
    const label = `${state === "on" ? "Pause" : "Play"} ${play.dataset.name}`;
    play.setAttribute("aria-label", label);
    play.title = label;
    play.replaceChildren(icon(state === "on" ? "pause" : "play"));
  }
}
for (const one of ["player", "here", "outputs", "drawn"]) on(one, "marks", markHeard);

/** Buttons that come into view are pressed. */
const near = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) if (isIntersecting) target.click();
}, { rootMargin: "800px" });

const pageRows = 50;
const mostRows = 500;

/** Reads as many rows as are shown. `read(after, limit)` returns the rows, and the key of the next ones. */
export function pages(list, read, empty) {
  let wanted = memory().rows || pageRows;
  return async (isNew = false) => {
    if (isNew) wanted = pageRows;
    const rows = [];
    let after;
    do {
      const found = await read(after, Math.min(mostRows, wanted - rows.length));
      rows.push(...found.rows);
      after = found.next;
    } while (after && rows.length < wanted);
    const more = after ? button("More", () => {
      wanted = Math.min(wanted, rows.length) + (wanted < 2 * pageRows ? pageRows : 4 * pageRows);
      remember({ rows: wanted });
      emit("view");
    }) : "";
    fill(list, rows.length ? rows : h("li", { class: "dim empty" }, typeof empty === "function" ? empty() : empty), more ? h("li", { class: "more-rows" }, more) : "");
    emit("drawn");
    near.disconnect();
    const shown = list.querySelector(".more-rows button");
    if (shown) near.observe(shown);
  };
}

const filters = [["", "All"], ["unplayed", "Not played"], ["inProgress", "Started"], ["starred", "Starred"], ["downloaded", "Downloaded"], ["new", "New"]];
const orders = [["", "Newest first"], ["oldest", "Oldest first"], ["heard", "Last heard first"]];

/**
 * A list of episodes below its search, filter and order, and the function that reads it. What is searched stays in the browser's history.
 * `list` is drawn into; `extra` stands beside the fields.
 */
export function episodeList(list, path, { isOfShow = false, label, empty, given = {}, extra = "" }) {
  const kept = { search: "", filter: "", order: "", ...given, ...memory().list };
  let isNew = false;
  const start = () => {
    Object.assign(kept, { search: search.value, filter: filter.value, order: sort.value });
    remember({ list: { ...kept }, rows: undefined });
    isNew = true;
    emit("view");
  };
  const search = h("input", { type: "search", name: "search", id: "search", value: kept.search, autocomplete: "off", placeholder: label });
  const filter = choice({ name: "filter", "aria-label": "Show" }, kept.filter, filters, start);
  const sort = choice({ name: "order", "aria-label": "Order" }, kept.order, orders, start);
  let timer;
  search.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(start, 150); });
  const query = () => {
    const text = kept.search.trim();
    return {
      search: text, ...(kept.filter === "new" ? { filter: "is:new" } : kept.filter ? { [kept.filter]: true } : {}),
      // A search has the best match first.
      order: text && kept.order === "heard" ? "" : kept.order || (kept.filter === "inProgress" ? "newest" : ""),
    };
  };
  const row = (one) => episodeRow(one, { isOfShow });
  const load = pages(list, async (after, limit) => {
    const reply = await get(path, { ...query(), after, limit });
    return { rows: reply.episodes.map(row), next: reply.hasAfter && reply.next };
  }, () => (kept.search || kept.filter ? "Nothing found." : empty));
  const form = h("form", { class: "line filters", role: "search", onsubmit: (event) => { event.preventDefault(); start(); } },
    h("label", { class: "wide-field" }, h("span", { class: "unseen" }, label), search), filter, sort, extra);
  const read = () => {
    const wasNew = isNew;
    isNew = false;
    return load(wasNew);
  };
  /** Draws rows that an event changes without moving them. Returns false if the list must be read again. */
  read.patch = ({ part: changed, changes } = {}) => {
    if (!changes?.every((one) => one.kind === "update") || !["episodes", "feeds"].includes(changed)) return false;
    if (changed === "feeds") return true;
    if (kept.search || kept.filter || kept.order === "heard" || list.contains(document.activeElement) || !changes.every((one) => one.row)) return false;
    for (const one of changes) list.querySelector(`:scope > [data-key="${one.id}"]`)?.replaceWith(row(one.row));
    emit("drawn");
    return true;
  };
  return [form, read];
}
