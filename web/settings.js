// Forms made from the declarations of settings.

import { button, fill, h, show } from "./dom.js";
import { act, get, isAdmin, loginButton, post, put, remove } from "./api.js";
import { outputs } from "./outputs.js";
import { emit } from "./state.js";

const needsAdmin = () => h("p", { class: "dim not-admin" }, "Changing settings needs a login with the permission admin.");

/** A choice of values with their labels. */
function choice(props, value, options, take) {
  const select = h("select", { ...props, onchange: () => take(select.value) },
    options.map(([option, label]) => h("option", { value: option }, label)));
  select.value = value;
  return select;
}

/** The input for a declared type. `take` gets the text; an empty one restores a feed's default. */
function field(setting, id, take) {
  const common = { id, disabled: setting.isClientSettable === false || !isAdmin(), "aria-describedby": id + "-help" };
  if (setting.type === "choice") return choice(common, setting.value, setting.choices.map((word) => [word, word]), take);
  if (setting.type === "flag" && setting.inherited !== undefined) {
    return choice(common, setting.value ?? "", [["", `default (${setting.inherited})`], ["yes", "yes"], ["no", "no"]], take);
  }
  if (setting.type === "flag") {
    return h("input", { ...common, type: "checkbox", checked: setting.value === "yes", onchange: (event) => take(event.target.checked ? "yes" : "no") });
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
  return h("div", { class: "setting", "data-key": setting.key },
    h("label", { for: id }, setting.label), field(setting, id, async (value) => { if (!(await take(value))) emit("view"); }), " ",
    reset && isAdmin() ? button("Default", reset, { "aria-label": `Restore the default of ${setting.label}` }) : "",
    h("div", { class: "dim", id: id + "-help" }, setting.help, setting.default ? ` Default: ${setting.default}.` : "",
      setting.note ? ` ${setting.note}` : "", setting.isClientSettable === false ? " Set in the config file only." : ""));
}

export function settings() {
  const place = h("div", { id: "settings" });
  const sections = new Map();
  show("Settings", loginButton({ class: "narrow" }), h("p", {}, h("a", { href: "#/devices" }, "Phones and other players")), outputs(), needsAdmin(), place);
  return async () => {
    const reply = await get("settings");
    const group = (setting) => setting.key.split(".")[0];
    fill(place, [...new Set(reply.settings.map(group))].map((name) => {
      const section = sections.get(name) ?? h("section", { "aria-label": name, id: `settings-${name}` });
      sections.set(name, section);
      const list = reply.settings.filter((one) => group(one) === name)
        .sort((one, other) => (one.isClientSettable === false) - (other.isClientSettable === false));
      fill(section, h("h2", {}, name), list.map((setting) => row(setting, "setting-",
        (value) => act(() => put(`settings/${setting.key}`, { value }), (saved) => saved.note || `${setting.key} saved`),
        setting.clientValue ?? null ? () => act(() => remove(`settings/${setting.key}`), `${setting.key} reset`) : undefined)));
      return section;
    }));
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
