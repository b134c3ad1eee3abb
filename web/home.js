// The first screen: what was begun, what is new, and what follows.

import { details, fill, h, part, show, time } from "./dom.js";
import { get } from "./api.js";
import { emit } from "./state.js";
import { cover } from "./covers.js";
import { episodeRow, playButton, subscribing } from "./rows.js";

function greeting() {
  const hour = new Date().getHours();
  return hour < 5 ? "Good night" : hour < 12 ? "Good morning" : hour < 18 ? "Good afternoon" : "Good evening";
}

/** An episode that was begun, with what is left of it. */
function card(episode) {
  const { id, title, duration, position } = episode;
  const bar = h("span", { class: "progress", "aria-hidden": "true" }, h("i"));
  bar.firstChild.style.width = `${duration ? (100 * position) / duration : 0}%`;
  return h("li", { class: "card", "data-key": id, "data-episode": id },
    h("a", { href: `#/episode/${id}`, class: "art", tabindex: -1, "aria-hidden": "true" }, cover(`feeds/${episode.feed}`, episode.feedTitle, 200)),
    h("div", { class: "grow" }, h("a", { class: "name", dir: "auto", href: `#/episode/${id}` }, title),
      details(duration ? `${time(duration - position)} left` : "", part(episode), episode.feedTitle)),
    playButton(id, title, "plain round soft"), bar);
}

export function home() {
  const place = h("div", { id: "home" });
  show(greeting(), place);
  return async () => {
    const [begun, fresh, { feeds }] = await Promise.all([
      get("episodes", { inProgress: true, limit: 9 }), get("episodes", { filter: "is:new", limit: 30 }), get("feeds", { limit: 1 })]);
    const title = (text, link, label) => h("div", { class: "section" }, h("h2", {}, text), h("a", { href: link, "aria-label": `${text}: ${label}` }, label));
    if (!feeds.length) {
      return fill(place, h("p", { class: "empty" }, "No podcasts yet. ", subscribing()));
    }
    fill(place,
      begun.episodes.length ? [title("Continue listening", "#/episodes?filter=inProgress", "All"), h("ul", { class: "cards", id: "begun" }, begun.episodes.map(card))] : "",
      title("New", "#/episodes?filter=new", fresh.hasAfter ? `All ${fresh.count}` : "All"),
      h("ul", { class: "rows", id: "new" }, fresh.episodes.length ? fresh.episodes.map((one) => episodeRow(one)) : h("li", { class: "dim empty" }, "Nothing new.")));
    return emit("drawn");
  };
}
