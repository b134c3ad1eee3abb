// Users, tokens and browsers that are logged in; and how to make a user.

import { button, choice, day, details, fill, h, own, say, show } from "./dom.js";
import { act, get, isAdmin, remove } from "./api.js";
import { emit } from "./state.js";

const permissions = [["read", "may look and listen in the browser"], ["control", "may also play, queue and mark"], ["admin", "may also subscribe, change settings and log others out"]];

const account = (one) => h("li", { "data-key": one.name }, h("span", { class: "grow" }, h("b", { class: "name" }, own(one.name)),
  details(permissions.find(([name]) => name === one.permission)?.[1], one.expiry && `until ${day(one.expiry)}`)), h("span", { class: "tag" }, one.permission));

/** What a browser calls itself in few words: Firefox on Linux. */
function agent(text) {
  const browser = [["Edg/", "Edge"], ["OPR/", "Opera"], ["Firefox/", "Firefox"], ["Chrom", "Chromium or Chrome"], ["Safari/", "Safari"]].find(([mark]) => text.includes(mark));
  const system = [["Android", "Android"], ["iPhone", "iPhone"], ["iPad", "iPad"], ["Windows", "Windows"], ["Mac OS", "macOS"], ["Linux", "Linux"]].find(([mark]) => text.includes(mark));
  return browser ? [browser[1], system?.[1]].filter(Boolean).join(" on ") : text.slice(0, 60) || "A browser without a name";
}

function browser(one) {
  const name = agent(one.client);
  const end = async () => {
    if (await act(() => remove(`logins/${one.id}`), `logged out: ${name}`)) emit("view");
  };
  return h("li", { "data-key": one.id, class: one.isOwn ? "current" : "" }, h("span", { class: "grow" }, h("b", { class: "name", title: one.client }, own(name)),
    details(one.user || "by podcast-web --link", one.address, `seen ${new Date(one.seen).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" })}`, `until ${day(one.end)}`)),
    one.isOwn ? h("span", { class: "tag" }, "this browser") : button("Log out", end, { "aria-label": `Log out ${name} of ${one.user || "--link"}` }));
}

/** The lines that an administrator types for a new user, because web.conf belongs to the machine's administrator. */
function addition() {
  const name = h("input", { name: "user", maxlength: 60, value: "", placeholder: "anna", autocomplete: "off", autocapitalize: "off" });
  const lines = h("ol", { class: "steps", "aria-live": "polite" });
  const permission = choice({ name: "permission" }, "control", permissions.map(([value, text]) => [value, `${value}: ${text}`]), () => draw());
  const draw = () => fill(lines, h("li", {}, "On the machine of podcastd, make the hash of a password: ", h("code", {}, "podcast-web --hash-password")),
    h("li", {}, "Add the line below ", h("code", {}, "[users]"), " in ", h("code", {}, "~/.config/podcastd/web.conf"), ": ", h("code", {}, `${name.value.trim() || "anna"} = ${permission.value} HASH`)),
    h("li", {}, "Start podcast-web again: ", h("code", {}, "systemctl --user restart podcast-web")));
  name.addEventListener("input", draw);
  draw();
  const copy = async () => {
    await navigator.clipboard?.writeText(`${name.value.trim() || "anna"} = ${permission.value} HASH`);
    say("The line is copied; put the hash in it.");
  };
  return h("section", { class: "fold", "aria-label": "New user" }, h("h2", {}, "New user"), h("form", { class: "line", onsubmit: (event) => event.preventDefault() }, h("label", {}, "Name", name), h("label", {}, "Permission", permission)),
    lines, h("p", { class: "dim" }, "The system's service reads /etc/podcastd-web.conf, and is restarted without --user."), navigator.clipboard ? h("p", {}, button("Copy the line", () => act(copy))) : "");
}

export function logins() {
  const [users, tokens, browsers] = ["users", "tokens", "browsers"].map((id) => h("ul", { class: "rows", id }));
  const empty = (text) => h("li", { class: "dim" }, text);
  show("Users", h("p", { class: "dim not-admin" }, "Users are shown to a login with the permission admin."),
    isAdmin() ? h("div", { class: "admin" }, users, addition(), h("h2", {}, "Browsers that are logged in"), browsers, h("p", { class: "dim" }, "Each browser is listed from its next request on."), h("h2", {}, "Tokens of programs"), tokens,
      h("p", {}, h("a", { href: "#/devices" }, "App passwords of phones and other players"))) : "");
  return async () => {
    if (!isAdmin()) return;
    const found = await get("logins");
    fill(users, found.users.length ? found.users.map(account) : empty("There are no users yet: this browser is logged in by podcast-web --link, or needs no login. The lines below make the first one."));
    fill(browsers, found.browsers.length ? found.browsers.map(browser) : empty("None."));
    fill(tokens, found.tokens.length ? found.tokens.map(account) : empty("None; podcast-web --new-token NAME makes one."));
  };
}
