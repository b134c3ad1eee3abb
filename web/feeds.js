// Feeds: the list, subscribing, and one feed with its episodes and settings.

import { button, choice, counted, details, entitle, fail, fill, h, iconButton, own, say, show } from "./dom.js";
import { act, enqueue, get, isAdmin, post, Problem, remove, undoable } from "./api.js";
import { emit, memory, remember } from "./state.js";
import { cover, tint } from "./covers.js";
import { episodeList } from "./rows.js";
import { playShow } from "./sound.js";
import { feedForm } from "./settings.js";
import { transfers } from "./library.js";

const orders = [["", "By title"], ["new", "New first"], ["unplayed", "Most unplayed"]];

export function feeds() {
  const input = (name, type, props) => h("input", { name, type, autocomplete: "off", autocapitalize: "off", ...props });
  const kept = { words: "", order: "", isUnplayed: false, ...memory().feeds };
  const form = {
    address: input("url", "text", { required: true, placeholder: "Find a show, or enter an address", "aria-describedby": "subscribe-problem", value: kept.words }),
    user: input("user", "text"), password: input("password", "password", { autocomplete: "new-password" }),
    problem: h("p", { role: "alert", class: "problem", id: "subscribe-problem" }), found: h("ul", { class: "rows", id: "found" }),
  };
  form.login = h("details", { hidden: !isAddress(kept.words) }, h("summary", {}, "The feed is private"),
    h("div", { class: "line" }, h("label", {}, "Name", form.user), h("label", {}, "Password", form.password)));
  let all = [];
  const change = (members) => {
    Object.assign(kept, members);
    remember({ feeds: { ...kept } });
    draw(all, kept);
  };
  form.address.addEventListener("input", () => {
    form.login.hidden = !isAddress(form.address.value);
    change({ words: form.address.value });
  });
  form.clear = () => { form.address.value = ""; change({ words: "" }); };
  const order = choice({ name: "order", "aria-label": "Order" }, kept.order, orders, (value) => change({ order: value }));
  const filter = choice({ name: "filter", "aria-label": "Show" }, kept.isUnplayed ? "unplayed" : "", [["", "All shows"], ["unplayed", "With unplayed"]],
    (value) => change({ isUnplayed: value === "unplayed" }));
  show("Shows",
    h("form", {
      class: "line filters", id: "subscribe", role: "search", onsubmit: (event) => { event.preventDefault(); submit(form); },
    }, h("label", { class: "wide-field" }, h("span", { class: "unseen" }, "Words of a title, or the address of a show"), form.address), h("button", { class: "main admin" }, "Find"), filter, order,
    form.problem, h("div", { class: "admin whole" }, form.login)),
    form.found,
    h("ul", { class: "rows grid", id: "feeds" }),
    h("p", { class: "buttons" }, button("Refresh all", refreshAll), transfers()));
  return async () => {
    all = (await get("feeds", { limit: 1000 })).feeds;
    draw(all, kept);
  };
}

/** Shows the subscribed feeds whose titles or authors have the words. */
function draw(all, { words, order, isUnplayed }) {
  const place = document.getElementById("feeds");
  if (!place) return;
  const plain = (text) => (text || "").normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const parts = isAddress(words) ? [] : plain(words).split(/\s+/).filter(Boolean);
  const shown = all.filter((feed) => parts.every((part) => plain(`${feed.title} ${feed.author} ${(feed.tags || []).join(" ")}`).includes(part)) && (!isUnplayed || feed.unplayed));
  if (order) shown.sort((one, other) => other[order] - one[order]);
  fill(place, shown.map(tile), shown.length ? "" : h("li", { class: "dim empty" }, !all.length ? "No feeds yet."
    : words ? "None of your shows. Press Find to search the directories." : "No show has unplayed episodes."));
}

const tile = (feed) => h("li", { "data-key": feed.id },
  h("a", { href: `#/feed/${feed.id}`, class: "art", tabindex: -1, "aria-hidden": "true" }, cover(feed.image ? `feeds/${feed.id}` : "", feed.title, 300),
    feed.new ? h("span", { class: "badge" }, feed.new) : ""),
  h("span", { class: "grow" }, h("a", { class: "name", dir: "auto", href: `#/feed/${feed.id}` }, feed.mark ? `${feed.title} (${feed.mark})` : feed.title),
    feed.new ? h("span", { class: "unseen" }, `${feed.new} new`) : "",
    details(`${feed.unplayed} unplayed of ${feed.episodes}`, feed.health?.error)));

/** Fetches the feeds that are due; if none is, offers to fetch all. */
async function refreshAll() {
  const reply = await act(() => post("feeds/refresh"));
  if (!reply) return;
  const fetched = reply.changed + reply.unchanged + reply.failed;
  if (fetched) say(refreshed(reply));
  else say("No feed was due.", button("Fetch all the same", () => act(() => post("feeds/refresh", { force: true }), refreshed)));
}

const refreshed = (reply) => `${counted(reply.newEpisodes, "new episode")}${reply.failed ? `, ${counted(reply.failed, "feed")} failed` : ""}`;

const isAddress = (text) => /^[a-z]+:\/\//i.test(text) || (!text.includes(" ") && /[.:]/.test(text));

async function submit(form) {
  const text = form.address.value.trim();
  form.problem.textContent = "";
  if (isAddress(text)) return subscribe(form, text);
  if (!isAdmin()) return undefined;
  const reply = await act(() => post("feeds/find", { name: text }));
  if (!reply) return undefined;
  form.found.replaceChildren(h("li", { class: "head-row" }, h("h2", {}, "In the directories"), iconButton("close", "Close the results", () => form.found.replaceChildren())),
    ...reply.shows.map((result) => h("li", {},
      cover("", result.title), h("span", { class: "grow" }, h("b", { class: "name" }, own(result.title)), details(result.author, result.url)),
      button("Subscribe", () => subscribe(form, result.url), { "aria-label": `Subscribe to ${result.title}` }))));
  if (!reply.shows.length) form.found.append(h("li", { class: "dim empty" }, "Nothing found."));
  return undefined;
}

/** Subscribes; shows a failure at the form, with login fields if needed. */
async function subscribe(form, url) {
  const login = form.user.value ? { username: form.user.value, password: form.password.value } : {};
  try {
    const reply = await post("feeds", { urls: [url], ...login });
    const first = reply.feeds[0] || {};
    if (first.error) throw new Problem(0, { detail: first.error.what, login: first.error.login });
    say(first.feed ? `${first.isNew === false ? "already subscribed to" : "subscribed to"} ${first.feed.title}` : `${counted(first.imported ?? 0, "feed")} imported`);
    form.clear();
    for (const one of [form.user, form.password]) one.value = "";
    form.found.replaceChildren();
    form.login.open = false;
  } catch (error) {
    const data = error.data || {};
    const isPrivate = data.login || /HTTP 401/.test(data.detail || "");
    form.problem.textContent = isPrivate
      ? `${data.detail}. ${login.username ? "Check name and password of the feed." : "Enter name and password of the feed, then subscribe again."}` : error.message;
    if (!isPrivate) return;
    [form.login.hidden, form.login.open] = [false, true];
    (login.username ? form.password : form.user).focus();
  }
}

export function feed(id) {
  const list = h("ul", { class: "rows", id: "of-show" });
  const [form, drawSettings] = feedForm(id);
  const settings = h("details", { id: "feed-settings", ontoggle: () => emit("view") }, h("summary", {}, "Settings of this feed"), form);
  const place = h("div", {}, h("p", {}, "Loading…"));
  const heading = show("Show", place);
  const [search, loadEpisodes] = episodeList(list, `feeds/${id}/episodes`, { isOfShow: true, label: "Search in this show", empty: "No episodes." });
  document.getElementById("main").append(search, list, settings);
  const drawHead = async () => {
    const found = await get(`feeds/${id}`);
    entitle(heading, found.title);
    tint(document.getElementById("main"), found.image ? `feeds/${id}` : "");
    fill(place, h("div", { class: "head", "data-key": "head" }, cover(found.image ? `feeds/${id}` : "", found.title, 400, "large"),
      details(found.author, `${found.unplayed} unplayed of ${found.episodes}`),
      h("p", { class: "buttons" },
        button("Play unplayed", () => playShow(id), { class: "main" }),
        button("Add to queue", () => enqueue(`f${id}`)),
        button("Refresh", () => act(() => post("feeds/refresh", { feeds: [`f${id}`], force: true }), refreshed)),
        button("Unsubscribe", async () => {
          if (await undoable(() => remove(`feeds/${id}`), `unsubscribed: ${found.title}`)) location.hash = "#/feeds";
        }, { class: "admin" }))),
    found.health?.error ? h("p", { role: "alert" }, found.health.error) : "",
    found.summary ? h("details", { "data-key": "summary" }, h("summary", {}, "About this show"), h("p", { class: "text", dir: "auto" }, found.summary.slice(0, 2000))) : "");
    if (settings.open) await drawSettings();
  };
  // The list does not wait for what is above it.
  const load = async () => {
    const rows = loadEpisodes();
    rows.catch(() => {});
    await drawHead();
    await rows;
  };
  load.patch = (event) => {
    if (!loadEpisodes.patch(event)) return false;
    drawHead().catch(fail);
    return true;
  };
  return load;
}
