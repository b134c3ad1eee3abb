// The user's note of an episode. What is typed stays in this browser until it is saved.

import { button, fill, h, own, say } from "./dom.js";
import { act, get, put } from "./api.js";

/** A function that draws the form with the note that is stored now. */
export function noteForm(id) {
  const key = `note ${id}`;
  const draft = () => JSON.parse(sessionStorage.getItem(key));
  const forget = () => sessionStorage.removeItem(key);
  const text = h("textarea", { name: "note", id: "note", maxlength: 65536 });
  const warning = h("div", { role: "status" });
  let stored = "";
  const begin = (base) => sessionStorage.setItem(key, JSON.stringify({ text: text.value, base }));
  text.oninput = () => { begin(draft()?.base ?? stored); draw(stored); };
  const save = async () => {
    // Another client may have changed the note since it was read.
    draw((await get(`episodes/${id}`)).note || "");
    if (draft() && draft().base !== stored) return say("not saved: the note was changed elsewhere");
    await put(`episodes/${id}/note`, { text: text.value });
    forget();
    draw(text.value);
    return say("note saved");
  };
  const form = h("form", { "data-key": "note", onsubmit: (event) => { event.preventDefault(); act(save); } },
    h("label", {}, "Note", text), warning, h("p", { class: "buttons" }, h("button", {}, "Save note")));

  function draw(note) {
    stored = note;
    if (draft()?.text === note) forget();
    const mine = draft();
    const shown = mine ? mine.text : note;
    if (text.value !== shown) text.value = shown;
    const isChanged = mine && mine.base !== note;
    fill(warning, !mine ? "" : [h("p", { class: isChanged ? "problem" : "dim" }, isChanged ? ["The note was changed elsewhere: ", own(note || "(empty)")] : "Not saved yet."),
      h("p", { class: "buttons" }, isChanged ? button("Keep my text", () => { begin(note); draw(note); text.focus(); }) : "",
        button(isChanged ? "Take the other text" : "Discard", () => { forget(); draw(stored); text.focus(); }))]);
    return form;
  }
  return draw;
}
