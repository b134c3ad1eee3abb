// Feeds: the list, subscribing, and one feed with its episodes and settings.

import { button, h, show } from "./dom.js";
import { act, cover, get, post, remove } from "./api.js";
import { on } from "./state.js";
import { episodeRow, pages } from "./episodes.js";
import { feedForm } from "./settings.js";

export function feeds() {
  const address = h("input", { name: "url", required: true, autocapitalize: "off", placeholder: "https://…, or words of a title" });
  const found = h("ul", { class: "rows", id: "found" });
  show("Feeds",
    h("form", {
      class: "line", id: "subscribe",
      onsubmit: (event) => { event.preventDefault(); submit(address, found); },
    }, h("label", {}, "Subscribe to an address, or search directories", address), h("button", { class: "main" }, "Subscribe or search")),
    found,
    h("p", { class: "buttons" }, button("Refresh all", () => act(() => post("feeds/refresh"), (reply) => `${reply.newEpisodes} new episodes`))),
    h("ul", { class: "rows", id: "feeds" }));
  on("feeds", "view", load);
  load();
}

async function submit(address, found) {
  const text = address.value.trim();
  const isAddress = /^[a-z]+:\/\//i.test(text) || (!text.includes(" ") && /[.:]/.test(text));
  if (isAddress) {
    await subscribe(text);
    address.value = "";
    return;
  }
  const reply = await act(() => post("feeds/find", { name: text }));
  if (!reply) return;
  found.replaceChildren(...reply.shows.map((result) => h("li", {},
    h("span", { class: "grow" }, h("b", {}, result.title), h("div", { class: "dim" }, [result.author, result.url].filter(Boolean).join(" · "))),
    button("Subscribe", () => subscribe(result.url), { "aria-label": `Subscribe to ${result.title}` }))));
  if (!reply.shows.length) found.replaceChildren(h("li", { class: "dim" }, "Nothing found."));
}

const subscribe = (url) => act(() => post("feeds", { urls: [url] }), (reply) => {
  const first = reply.feeds[0] || {};
  if (first.error) return first.error.what;
  return first.feed ? `subscribed: ${first.feed.title}` : `${first.imported ?? 0} feeds imported`;
});

async function load() {
  const place = document.getElementById("feeds");
  if (!place) return;
  const reply = await act(() => get("feeds", { limit: 1000 }));
  if (!reply) return;
  place.replaceChildren(...reply.feeds.map((feed) => h("li", {}, cover(`feeds/${feed.id}`),
    h("span", { class: "grow" }, h("a", { href: `#/feed/${feed.id}` }, feed.title),
      h("div", { class: "dim" }, `${feed.unplayed} unplayed of ${feed.episodes}`, feed.health && feed.health.error ? ` · ${feed.health.error}` : "")))));
  if (!reply.feeds.length) place.replaceChildren(h("li", { class: "dim" }, "No feeds yet."));
}

export async function feed(id) {
  show("Feed", h("p", {}, "Loading…"));
  const found = await act(() => get(`feeds/${id}`));
  if (!found) return;
  const list = h("ul", { class: "rows" });
  const settings = h("div", {});
  show(found.title, cover(`feeds/${id}`, true),
    h("p", { class: "dim" }, [found.author, `${found.unplayed} unplayed of ${found.episodes}`].filter(Boolean).join(" · ")),
    found.health && found.health.error ? h("p", { role: "alert" }, found.health.error) : "",
    h("p", { class: "text" }, (found.summary || "").slice(0, 2000)),
    h("p", { class: "buttons" },
      button("Play unplayed", () => act(() => post("playback/play", { what: `f${id}`, oldestFirst: true })), { class: "main" }),
      button("Add to queue", () => act(() => post("queue", { what: [`f${id}`] }), (reply) => `queue: ${reply.length} entries`)),
      button("Refresh", () => act(() => post("feeds/refresh", { feeds: [`f${id}`], force: true }), (reply) => `${reply.newEpisodes} new episodes`)),
      button("Unsubscribe", async () => {
        if (await act(() => remove(`feeds/${id}`), "unsubscribed; Undo in the queue brings it back")) location.hash = "#/feeds";
      })),
    h("details", { ontoggle: (event) => { if (event.target.open && !settings.childNodes.length) feedForm(id, settings); } },
      h("summary", {}, "Settings of this feed"), settings),
    h("h2", {}, "Episodes"), list);
  pages(list, `feeds/${id}/episodes`, {}, episodeRow);
}
