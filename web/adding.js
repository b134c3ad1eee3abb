// The dialog that adds episodes to a playlist by hand, or to a new one.

import { button, counted, h, own } from "./dom.js";
import { act, get, post, undoable } from "./api.js";

/** Asks for a playlist, and adds what a word names. `title`: its name for the user. */
export async function addToPlaylist(what, title) {
  const reply = await act(() => get("playlists"));
  if (!reply) return;
  const known = reply.playlists.filter((one) => one.byHand);
  const dialog = document.getElementById("dialog");
  const end = () => dialog.close();
  const add = (name) => {
    end();
    return undoable(() => post("playlists/add", { name, what: [what] }), ({ length, entries }) =>
      (entries.length ? `${name}: ${counted(length, "episode")}` : `${title} is in ${name} already`));
  };
  const name = h("input", { name: "playlist", required: true, maxlength: 100, autocomplete: "off" });
  const create = (event) => {
    event.preventDefault();
    const wanted = name.value.trim();
    if (wanted) add(wanted);
  };
  dialog.replaceChildren(h("form", { onsubmit: create }, h("h2", {}, "Add to playlist"), h("p", { class: "dim", dir: "auto" }, title),
    known.length ? h("div", { class: "buttons", role: "group", "aria-label": "Playlists" }, known.map((one) => button(own(one.title), () => add(one.name)))) : "",
    h("label", {}, "New playlist", name), h("div", { class: "buttons" }, h("button", { class: "main" }, "Create and add"), button("Cancel", end))));
  dialog.oncancel = null;
  dialog.showModal();
  (dialog.querySelector("[role=group] button") ?? name).focus();
}
