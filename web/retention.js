// How many episodes stay in lists: a policy for all shows, and own ones. It is tried before it is set.

import { button, choice, counted, details, fill, h, iconButton } from "./dom.js";
import { get, isAdmin, post, undoable } from "./api.js";
import { trial } from "./rules.js";

const help = "newest:10 keeps the ten latest, for:30d those of thirty days, until:played those that are not played; several limits may stand together. "
  + "all keeps everything. What is starred, noted, bookmarked, queued or begun always stays, and nothing leaves the library.";

const row = (one) => h("li", { "data-key": one.feed ?? "all" }, h("span", { class: "grow" }, h("b", { class: "name" }, one.feedTitle || "All shows"),
  details(one.isUnused && "applies to no show, because each has its own")), h("code", {}, one.keep),
isAdmin() && iconButton("close", `Remove the policy of ${one.feedTitle || "all shows"}`, (event) => event.detail < 2
  && undoable(() => post("retention/set", { keep: "off", feed: one.feed ? `f${one.feed}` : undefined }), "policy removed")));

function form(feeds, draw) {
  const feed = choice({ name: "kept-feed" }, "", [["", "All shows without their own"], ...feeds.map((one) => [`f${one.id}`, one.title])], () => reset());
  const keep = h("input", { name: "keep", required: true, maxlength: 200, value: "", placeholder: "newest:10", autocomplete: "off", autocapitalize: "off", "aria-describedby": "keep-problem keep-help" });
  const problem = h("p", { class: "problem", role: "alert", id: "keep-problem" });
  const result = h("p", { "aria-live": "polite", id: "keep-result" });
  const list = h("ul", { class: "rows", id: "kept-trial" });
  const given = () => ({ keep: keep.value.trim(), feed: feed.value || undefined });
  const set = button("Set", async () => {
    if (!(await undoable(() => post("retention/set", given()), (reply) => `set; ${counted(reply.hidden ?? 0, "episode")} hidden from lists`))) return;
    keep.value = "";
    reset();
    await draw();
  }, { class: "main", hidden: true, id: "set-retention" });
  const reset = () => { set.hidden = true; problem.textContent = ""; result.textContent = ""; list.replaceChildren(); };
  const look = async (event) => {
    event.preventDefault();
    reset();
    try {
      const found = await get("retention/try", { ...given(), limit: 20 });
      result.textContent = `${counted(found.count, "episode")} would be hidden from lists${found.released ? `, and ${counted(found.released, "downloaded file")} deleted` : ""}.`;
      list.replaceChildren(...found.episodes.map(trial));
      set.hidden = false;
    } catch (error) {
      problem.textContent = error.message;
      keep.focus();
    }
  };
  keep.addEventListener("input", reset);
  return h("form", { class: "line admin", id: "retention-form", onsubmit: look }, h("label", { class: "double" }, "What stays", keep), h("label", {}, "Shows", feed),
    h("button", {}, "Try"), set, problem, result, h("p", { class: "dim", id: "keep-help" }, help), h("div", { class: "whole" }, list));
}

/** A section, and the function that reads it. */
export function retention() {
  const list = h("ul", { class: "rows", id: "retention" });
  const place = h("div");
  const draw = async () => {
    const reply = await get("retention/list");
    fill(list, reply.retention.length ? reply.retention.map(row) : h("li", { class: "dim" }, "All episodes stay in lists."));
    if (isAdmin() && !place.hasChildNodes()) place.replaceChildren(form((await get("feeds", { limit: 1000 })).feeds, draw));
  };
  return [h("section", { "aria-label": "What stays in lists" }, h("h2", {}, "What stays in lists"), list, place), draw];
}
