// Feeds: the list, subscribing, and one feed with its episodes and settings.

import { button, counted, details, entitle, fill, h, own, say, show } from "./dom.js";
import { act, cover, enqueue, get, post, Problem, remove, undoable } from "./api.js";
import { emit } from "./state.js";
import { episodePages } from "./episodes.js";
import { feedForm } from "./settings.js";
import { transfers } from "./library.js";

export function feeds() {
  const input = (name, type, props) => h("input", { name, type, autocomplete: "off", autocapitalize: "off", ...props });
  const form = {
    address: input("url", "text", { required: true, placeholder: "https://…, or words of a title", "aria-describedby": "subscribe-problem" }),
    user: input("user", "text"), password: input("password", "password", { autocomplete: "new-password" }),
    problem: h("p", { role: "alert", class: "problem", id: "subscribe-problem" }), found: h("ul", { class: "rows", id: "found" }),
  };
  form.login = h("details", {}, h("summary", {}, "The feed is private"),
    h("div", { class: "line" }, h("label", {}, "Name", form.user), h("label", {}, "Password", form.password)));
  show("Feeds",
    h("form", {
      class: "line admin", id: "subscribe",
      onsubmit: (event) => { event.preventDefault(); submit(form); },
    }, h("label", {}, "Address, or words of a title", form.address), h("button", { class: "main" }, "Subscribe or search"),
    form.problem, form.login),
    form.found,
    h("p", { class: "buttons" }, button("Refresh all", refreshAll), transfers()),
    h("ul", { class: "rows", id: "feeds" }));
  return load;
}

/** Fetches the feeds that are due; if none is, offers to fetch all. */
async function refreshAll() {
  const reply = await act(() => post("feeds/refresh"));
  if (!reply) return;
  const fetched = reply.changed + reply.unchanged + reply.failed;
  if (fetched) say(refreshed(reply));
  else say("No feed was due.", button("Fetch all the same", () => act(() => post("feeds/refresh", { force: true }), refreshed)));
}

const refreshed = (reply) => `${counted(reply.newEpisodes, "new episode")}${reply.failed ? `, ${counted(reply.failed, "feed")} failed` : ""}`;

async function submit(form) {
  const text = form.address.value.trim();
  const isAddress = /^[a-z]+:\/\//i.test(text) || (!text.includes(" ") && /[.:]/.test(text));
  form.problem.textContent = "";
  if (isAddress) return subscribe(form, text);
  const reply = await act(() => post("feeds/find", { name: text }));
  if (!reply) return undefined;
  form.found.replaceChildren(...reply.shows.map((result) => h("li", {},
    h("span", { class: "grow" }, h("b", {}, own(result.title)), details(result.author, result.url)),
    button("Subscribe", () => { form.address.value = result.url; subscribe(form, result.url); }, { "aria-label": `Subscribe to ${result.title}` }))));
  if (!reply.shows.length) form.found.replaceChildren(h("li", { class: "dim" }, "Nothing found."));
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
    for (const one of [form.address, form.user, form.password]) one.value = "";
    form.login.open = false;
  } catch (error) {
    const data = error.data || {};
    const isPrivate = data.login || /HTTP 401/.test(data.detail || "");
    form.problem.textContent = isPrivate
      ? `${data.detail}. ${login.username ? "Check name and password of the feed." : "Enter name and password of the feed, then subscribe again."}` : error.message;
    if (!isPrivate) return;
    form.login.open = true;
    (login.username ? form.password : form.user).focus();
  }
}

async function load() {
  const place = document.getElementById("feeds");
  const reply = await get("feeds", { limit: 1000 });
  if (!place) return;
  fill(place, reply.feeds.map((feed) => h("li", { "data-key": feed.id }, feed.image ? cover(`feeds/${feed.id}`) : h("span", { class: "cover" }),
    h("span", { class: "grow" }, h("a", { class: "name", dir: "auto", href: `#/feed/${feed.id}` }, feed.mark ? `${feed.title} (${feed.mark})` : feed.title),
      details(`${feed.unplayed} unplayed of ${feed.episodes}`, feed.health?.error)))), reply.feeds.length ? "" : h("li", { class: "dim" }, "No feeds yet."));
}

export function feed(id) {
  const list = h("ul", { class: "rows" });
  const [form, drawSettings] = feedForm(id);
  const settings = h("details", { ontoggle: () => emit("view") }, h("summary", {}, "Settings of this feed"), form);
  const place = h("div", {}, h("p", {}, "Loading…"));
  const heading = show("Feed", place, settings, h("h2", {}, "Episodes"), list);
  const loadEpisodes = episodePages(list, `feeds/${id}/episodes`, () => ({}));
  return async () => {
    const found = await get(`feeds/${id}`);
    entitle(heading, found.title);
    fill(place, h("div", { class: "head", "data-key": "head" }, found.image ? cover(`feeds/${id}`, true) : "",
      details(found.author, `${found.unplayed} unplayed of ${found.episodes}`),
      h("p", { class: "buttons" },
        button("Play unplayed", () => act(() => post("playback/play", { what: `f${id}`, oldestFirst: true })), { class: "main" }),
        button("Add to queue", () => enqueue(`f${id}`)),
        button("Refresh", () => act(() => post("feeds/refresh", { feeds: [`f${id}`], force: true }), refreshed)),
        button("Unsubscribe", async () => {
          if (await undoable(() => remove(`feeds/${id}`), `unsubscribed: ${found.title}`)) location.hash = "#/feeds";
        }, { class: "admin" }))),
    found.health?.error ? h("p", { role: "alert" }, found.health.error) : "",
    h("p", { class: "text", dir: "auto" }, (found.summary || "").slice(0, 2000)));
    if (settings.open) await drawSettings();
    await loadEpisodes();
  };
}
