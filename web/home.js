// The first screen: what was begun, and what is new.

import { fill, h, show } from "./dom.js";
import { get } from "./api.js";
import { episodeRow } from "./episodes.js";

export function home() {
  const begun = h("ul", { class: "rows", id: "begun" });
  const fresh = h("ul", { class: "rows", id: "new" });
  show("Home", h("h2", {}, "Continue listening"), begun, h("h2", {}, "New"), fresh);
  return async () => {
    const [started, unplayed] = await Promise.all([get("episodes", { inProgress: true, limit: 6 }), get("episodes", { unplayed: true, limit: 20 })]);
    fill(begun, started.episodes.map(episodeRow));
    fill(fresh, unplayed.episodes.map(episodeRow));
  };
}
