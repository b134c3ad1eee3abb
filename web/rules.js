// Rules: their order, forms, and what they would do with the episodes that are here.

import { button, choice, counted, day, details, fill, h, iconButton, say, show } from "./dom.js";
import { act, get, isAdmin, post, undoable } from "./api.js";
import { emit } from "./state.js";
import { pages } from "./rows.js";
import { conditionHelp } from "./playlists.js";
import { retention } from "./retention.js";

const actions = "Actions: queue, next, download, played, skip, keep; priority=N with queue or next. The first rule that matches an episode decides.";

/** A form for the text of a rule. `save` returns what the daemon answers, or fails. */
function form(id, text, label, save, ...fields) {
  const rule = h("input", { required: true, maxlength: 2000, value: text, name: "rule", autocomplete: "off", autocapitalize: "off", placeholder: "type:trailer then skip", "aria-describedby": `${id}-problem ${id}-help` });
  const problem = h("p", { class: "problem", role: "alert", id: `${id}-problem` });
  const submit = async (event) => {
    event.preventDefault();
    problem.textContent = "";
    try {
      const saved = await save(rule.value.trim());
      if (!text) event.target.reset();
      say(saved.coveredBy ? `saved; an earlier rule matches all episodes of this one, so that it never decides` : "saved; Try shows what the rules would do");
      emit("view");
    } catch (error) {
      problem.textContent = error.message;
      rule.focus();
    }
  };
  return h("form", { class: "line admin", id, onsubmit: submit }, h("label", { class: "double" }, "Conditions, then, and an action", rule), fields,
    h("button", { class: "main" }, label), problem, h("p", { class: "dim", id: `${id}-help` }, actions), conditionHelp(rule, `${id}-conditions`));
}

function creation(feeds) {
  const feed = choice({ name: "feed" }, "", [["", "All shows"], ...feeds.map((one) => [`f${one.id}`, one.title])], () => {});
  return form("add-rule", "", "Add rule", (rule) => post("rules/add", { rule, feed: feed.value || undefined }), h("label", {}, "Shows", feed));
}

/** Shows the form of a rule in place of the one for a new rule. `end` shows that one again. */
function edit(one, place, end) {
  const change = form("edit-rule", one.rule, "Save", async (rule) => {
    const saved = await post("rules/set", { rule: one.id, text: rule });
    end();
    return saved;
  }, button("Cancel", end));
  place.replaceChildren(h("h2", {}, `Rule ${one.index}`), change);
  change.querySelector("input").focus();
}

function row(one, all, place, end) {
  const move = (to) => undoable(() => post("rules/move", { rule: one.id, to }), `rule moved to place ${to}`);
  const covering = all.find((other) => other.id === one.coveredBy);
  return h("li", { "data-key": one.id }, h("span", { class: "dim place" }, one.index),
    h("span", { class: "grow" }, h("code", { class: "name" }, one.rule), details(one.feedTitle && `only ${one.feedTitle}`, covering && `never decides: rule ${covering.index} matches all its episodes`)),
    isAdmin() && h("span", { class: "buttons" },
      iconButton("up", `Move rule ${one.index} up`, () => move(one.index - 1), { disabled: one.index === 1 }),
      iconButton("down", `Move rule ${one.index} down`, () => move(one.index + 1), { disabled: one.index === all.length }),
      button("Edit", () => edit(one, place, end), { "aria-label": `Edit rule ${one.index}` }),
      iconButton("close", `Remove rule ${one.index}`, (event) => event.detail < 2 && undoable(() => post("rules/remove", { rule: one.id }), `rule removed: ${one.rule}`))));
}

/** What a rule would do with an episode, and why. */
export const trial = (one) => h("li", { "data-key": `${one.episode}` }, h("span", { class: "grow" },
  h("a", { class: "name", dir: "auto", href: `#/episode/${one.episode}` }, one.title), details(one.feedTitle, day(one.published), one.why)), h("b", { class: "tag" }, one.action));

/** Applying is possible after a dry run with the same choice. */
function application() {
  const all = h("input", { type: "checkbox", name: "all" });
  const list = h("ul", { class: "rows", id: "changes" });
  const heading = h("p", { "aria-live": "polite", id: "applied" });
  const apply = button("Apply", async () => {
    const reply = await undoable(() => post("rules/apply", { all: all.checked }), (one) => `${counted(one.changed, "episode")} changed`);
    if (reply) reset();
  }, { class: "main", hidden: true, id: "apply" });
  const reset = () => { apply.hidden = true; heading.textContent = ""; list.replaceChildren(); };
  const look = async () => {
    const reply = await act(() => post("rules/apply", { all: all.checked, try: true }));
    if (!reply) return;
    heading.textContent = `${counted(reply.changed, "episode")} of ${reply.judged} would change.`;
    list.replaceChildren(...(reply.episodes || []).map(trial));
    apply.hidden = !reply.changed;
    apply.textContent = `Apply to ${counted(reply.changed, "episode")}`;
  };
  all.addEventListener("change", reset);
  return h("section", { class: "control", "aria-label": "Apply to episodes that are here" }, h("h2", {}, "Apply to episodes that are here"),
    h("label", { class: "check" }, all, " Also unplayed episodes from before the subscription"),
    h("p", { class: "buttons" }, button("Try", look, { id: "try" }), apply), heading, list);
}

export function rules() {
  const list = h("ol", { class: "rows", id: "rules" });
  const place = h("div");
  const judged = h("ul", { class: "rows", id: "judged" });
  const loadTrials = pages(judged, async (after, limit) => {
    const reply = await get("rules/try", { limit, after });
    return { rows: reply.episodes.map(trial), next: reply.hasAfter && reply.episodes.at(-1).key };
  }, "No episodes.");
  const why = h("details", { ontoggle: () => emit("view"), id: "why" }, h("summary", {}, "Which rule decides about each episode, and why"), judged);
  const [kept, drawRetention] = retention();
  const add = async () => place.replaceChildren(h("h2", {}, "New rule"), creation((await get("feeds", { limit: 1000 })).feeds));
  show("Rules", h("p", { class: "dim" }, "What happens with new episodes."), h("p", { class: "dim not-admin" }, "Changing rules needs a login with the permission admin."),
    list, place, application(), kept, why);
  return async () => {
    const reply = await get("rules");
    fill(list, reply.rules.length ? reply.rules.map((one) => row(one, reply.rules, place, add)) : h("li", { class: "dim" }, "No rules: new episodes stay unplayed, and are not queued."));
    if (isAdmin() && !place.hasChildNodes()) await add();
    if (why.open) await loadTrials();
    await drawRetention();
  };
}
