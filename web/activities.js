// What the daemon and its helpers do now: loading, refreshing, downloading, synchronizing.

import { button, counted, details, fill, h, own, say, show } from "./dom.js";
import { act, get, post } from "./api.js";
import { on, state } from "./state.js";

const since = (instant) => {
  const seconds = Math.max(0, Math.round((Date.now() - new Date(instant)) / 1000));
  return seconds < 90 ? `for ${seconds} s` : `for ${Math.round(seconds / 60)} minutes`;
};

/** An activity, with those that are a part of it. */
function row(one, all) {
  const parts = all.filter((other) => other.parent === one.id);
  const text = [one.message, one.subject].filter(Boolean).join(": ");
  const hasProgress = one.progress !== null && one.progress !== undefined;
  return h("li", { "data-key": one.id }, h("span", { class: "grow" }, h("span", { class: "name" }, own(text)),
    details(one.kind, since(one.since), hasProgress && `${Math.round(one.progress * 100)} %`),
    hasProgress && h("progress", { max: 1, value: one.progress, "aria-label": text }),
    parts.length ? h("ul", { class: "rows" }, parts.map((other) => row(other, all))) : ""));
}

/** Feeds that failed when they were fetched last. */
const failing = (one) => h("li", { "data-key": one.id }, h("span", { class: "grow" }, h("a", { class: "name", dir: "auto", href: `#/feed/${one.id}` }, one.title), details(one.health.error)),
  h("span", { class: "buttons" }, button("Try again", () => act(() => post("feeds/refresh", { feeds: [`f${one.id}`], force: true }), (reply) => (reply.failed ? "failed again" : counted(reply.newEpisodes, "new episode"))),
    { "aria-label": `Fetch ${one.title} again` })));

/** Downloads that are not finished. */
const waiting = (one) => h("li", { "data-key": one.id }, h("span", { class: "grow" }, h("a", { class: "name", dir: "auto", href: `#/episode/${one.id}` }, one.title),
  details(one.feedTitle, one.state, one.reason), one.progress ? h("progress", { max: 1, value: one.progress, "aria-label": `Download of ${one.title}` }) : ""));

async function refresh() {
  const reply = await act(() => post("feeds/refresh", { force: true }));
  if (reply) say(`${counted(reply.newEpisodes, "new episode")}${reply.failed ? `, ${counted(reply.failed, "feed")} failed` : ""}`);
}

export function activities() {
  const [now, downloads, feeds] = ["running", "waiting", "failing"].map((id) => h("ul", { class: "rows", id }));
  const draw = () => {
    const all = state.activities || [];
    const roots = all.filter((one) => !all.some((other) => other.id === one.parent));
    fill(now, roots.length ? roots.map((one) => row(one, all)) : h("li", { class: "dim" }, "Nothing is being loaded, refreshed or downloaded."));
  };
  show("Activities", h("p", { class: "buttons control" }, button("Refresh all shows", refresh)), now,
    h("h2", {}, "Downloads that wait"), downloads, h("h2", {}, "Shows that failed"), feeds);
  on("activities", "view", draw);
  return async () => {
    draw();
    const [stored, subscribed] = await Promise.all([get("downloads", { limit: 200 }), get("feeds", { limit: 1000 })]);
    const open = stored.downloads.filter((one) => !["cached", "done", "downloaded"].includes(one.state));
    fill(downloads, open.length ? open.map(waiting) : h("li", { class: "dim" }, "None."));
    const failed = subscribed.feeds.filter((one) => one.health?.error);
    fill(feeds, failed.length ? failed.map(failing) : h("li", { class: "dim" }, "None."));
  };
}
