// Forms made from the declarations of settings.

import { button, choice, counted, fill, h, icon, show } from "./dom.js";
import { act, get, isAdmin, post, put, remove } from "./api.js";
import { emit } from "./state.js";

const needsAdmin = () => h("p", { class: "dim not-admin" }, "Changing settings needs a login with the permission admin.");

/** The input for a declared type. `take` gets the text; an empty one restores a feed's default. */
function field(setting, id, take) {
  const common = { id, disabled: setting.isClientSettable === false || !isAdmin(), "aria-describedby": id + "-help" };
  if (setting.type === "choice") return choice(common, setting.value, setting.choices.map((word) => [word, word]), take);
  if (setting.type === "flag" && setting.inherited !== undefined) {
    return choice(common, setting.value ?? "", [["", `default (${setting.inherited})`], ["yes", "yes"], ["no", "no"]], take);
  }
  if (setting.type === "flag") {
    return h("input", { ...common, type: "checkbox", role: "switch", checked: setting.value === "yes", onchange: (event) => take(event.target.checked ? "yes" : "no") });
  }
  const isNumber = ["integer", "percent", "speed"].includes(setting.type);
  const input = h("input", {
    ...common, type: isNumber ? "number" : setting.type === "secret" ? "password" : "text", value: setting.value ?? "",
    min: isNumber && setting.minimum, max: isNumber && setting.maximum,
    // A browser refuses numbers between two steps, which the daemon takes.
    step: setting.type === "speed" && setting.step,
    autocomplete: setting.type === "secret" ? "new-password" : "off", placeholder: setting.inherited ?? setting.default, onchange: () => take(input.value),
  });
  return setting.unit ? [input, " ", h("span", { class: "dim" }, setting.unit)] : input;
}

function row(setting, prefix, take, reset) {
  const id = prefix + setting.key.replace(/[^a-z0-9]/gi, "-");
  const changed = setting.clientValue ?? null;
  return h("div", { class: "setting", "data-key": setting.key },
    h("div", { class: "said" }, h("label", { for: id }, setting.label), h("div", { class: "dim", id: id + "-help" }, setting.help,
      setting.default ? ` Default: ${[setting.default, /\d$/.test(setting.default) && setting.unit].filter(Boolean).join(" ")}.` : "",
      setting.note ? ` ${setting.note}` : "", setting.isClientSettable === false ? " Set in the config file only." : "")),
    h("div", { class: "given" }, field(setting, id, async (value) => { if (!(await take(value))) emit("view"); }), " ",
      reset && isAdmin() && changed !== null ? button("Default", reset, { "aria-label": `Restore the default of ${setting.label}` }) : ""));
}

const titles = { daemon: "Service", library: "Library", output: "Sound output", playback: "Playback", queue: "Queue", cache: "Downloads and cache", network: "Network", refresh: "Refreshing", directories: "Podcast directories", control: "Local users" };
/** What users look for comes first. */
const order = ["playback", "queue", "cache", "refresh", "output", "directories", "library"];
const rank = (name) => (order.includes(name) ? order.indexOf(name) : order.length);
const words = (one) => [one.key, one.label, one.help].join(" ").toLowerCase();

/** Screens about the installation, which the navigation has no room for. */
const others = [["devices", "phone", "Phones and players"], ["logins", "users", "Users and logins"], ["activities", "activities", "Activities"], ["log", "log", "Log"], ["doctor", "doctor", "Checks"]];

export function settings() {
  const place = h("div", { id: "settings" });
  const contents = h("p", { class: "buttons", id: "contents", role: "group", "aria-label": "Sections" });
  const search = h("input", { type: "search", name: "search", value: "", placeholder: "Find a setting" });
  const result = h("p", { class: "dim", role: "status", id: "found-settings" });
  const sections = new Map();
  show("Settings", h("ul", { class: "rows menu places" }, others.map(([name, picture, text]) => h("li", {}, h("a", { href: `#/${name}` }, icon(picture), text)))),
    h("form", { class: "line filters", role: "search", onsubmit: (event) => event.preventDefault() }, h("label", { class: "wide-field" }, h("span", { class: "unseen" }, "Find a setting"), search)),
    result, contents, needsAdmin(), place);
  const filter = () => {
    const given = search.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const section of sections.values()) {
      const rows = [...section.querySelectorAll(".setting")];
      for (const one of rows) one.hidden = !given.every((word) => one.dataset.words.includes(word));
      const shown = rows.filter((one) => !one.hidden).length;
      section.hidden = !shown;
      count += shown;
    }
    contents.hidden = given.length > 0;
    result.textContent = given.length ? `${counted(count, "setting")} found.` : "";
  };
  search.addEventListener("input", filter);
  return async () => {
    const reply = await get("settings");
    const group = (setting) => setting.key.split(".")[0];
    const names = [...new Set(reply.settings.map(group))].sort((one, other) => rank(one) - rank(other));
    fill(place, names.map((name) => {
      const section = sections.get(name) ?? h("section", { "aria-label": titles[name] ?? name, id: `settings-${name}` });
      sections.set(name, section);
      const list = reply.settings.filter((one) => group(one) === name)
        .sort((one, other) => (one.isClientSettable === false) - (other.isClientSettable === false));
      fill(section, h("h2", { tabindex: -1 }, titles[name] ?? name), list.map((setting) => {
        const made = row(setting, "setting-",
          (value) => act(() => put(`settings/${setting.key}`, { value }), (saved) => saved.note || `${setting.label} saved`),
          () => act(() => remove(`settings/${setting.key}`), `${setting.label} reset`));
        made.dataset.words = words(setting);
        return made;
      }));
      return section;
    }));
    fill(contents, names.map((name) => button(titles[name] ?? name, () => {
      const heading = sections.get(name).querySelector("h2");
      heading.scrollIntoView();
      heading.focus({ preventScroll: true });
    })));
    filter();
  };
}

/** The form of a feed's settings, and a function that reads and draws them. */
export function feedForm(id) {
  // Browsers want a password within a form; each value is saved by itself.
  const form = h("form", { onsubmit: (event) => event.preventDefault() });
  return [form, async () => {
    const reply = await get(`feeds/${id}/settings`);
    fill(form, needsAdmin(), reply.settings.map((one) => row(one, `feed-${id}-`, (value) =>
      act(() => post("feeds/set", { feed: `f${id}`, key: one.key, value: value || undefined }), `${one.label} ${value ? "saved" : "reset"}`))));
  }];
}
