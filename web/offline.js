// Buttons that listen in this browser, and the screen of the episodes that it keeps.

import { button, details, fill, h, own, remover, show, time } from "./dom.js";
import { act } from "./api.js";
import { emit, state } from "./state.js";
import { play } from "./here.js";
import { basics } from "./about.js";
import { canKeep, forget, keep, kept, keptEpisodes } from "./kept.js";

const keeping = new Map();

/** Buttons that play an episode here and keep its file. */
export function listeningButtons(found) {
  const { id } = found;
  const text = () => keeping.get(id) ?? (kept(id) ? "Remove from browser" : "Keep offline");
  const tell = (share) => {
    if (share === undefined) keeping.delete(id); else keeping.set(id, `Keeping ${Math.floor(share * 100)} %`);
    for (const one of document.querySelectorAll(`.keep[data-of="${id}"]`)) [one.textContent, one.disabled] = [text(), keeping.has(id)];
  };
  const keeper = button(text(), async () => {
    if (kept(id)) await act(() => forget(id), "removed from this browser");
    else {
      tell(0);
      await act(async () => keep({ ...found, speed: (await basics(id)).speed }, tell), "kept in this browser");
    }
    tell();
  }, { class: "keep", "data-of": id, disabled: keeping.has(id) });
  return [button("Play here", () => act(() => play(id)), { class: "here" }), canKeep ? keeper : ""];
}

/** The screen of kept episodes, which needs no network. */
export function offline() {
  const list = h("ul", { class: "rows", id: "offline" });
  show("Offline in this browser", list);
  return async () => fill(list, keptEpisodes().map((one) => h("li", { "data-key": one.id, "data-episode": one.id },
    h("span", { class: "grow" }, state.isConnected ? h("a", { class: "name", dir: "auto", href: `#/episode/${one.id}` }, one.title) : own(one.title),
      details(one.feedTitle, time(one.duration), `${Math.ceil(one.bytes / 1e6)} MB`)),
    h("span", { class: "buttons" }, button("Play here", () => act(() => play(one.id)), { class: "here", "aria-label": `Play ${one.title} here` }),
      remover("Remove", () => act(() => forget(one.id).then(() => emit("view")), `removed: ${one.title}`), { "aria-label": `Remove ${one.title} from this browser` })))),
  keptEpisodes().length ? "" : h("li", { class: "dim empty" }, canKeep
    ? "No episodes. An episode has a button that keeps it in this browser." : "This browser keeps episodes only for pages with https."));
}
