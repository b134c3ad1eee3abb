// Phones and other devices that synchronize: the list, and app passwords for new ones.

import { button, counted, day, details, fill, h, say, show, svg } from "./dom.js";
import { act, get, isAdmin, post } from "./api.js";

/** A client that waits for its login opened the screen with `flow` in the query. */
export function devices(_, query) {
  const flow = query.get("flow");
  const list = h("ul", { class: "rows", id: "devices" });
  show("Phones and other players", h("p", { class: "dim not-admin" }, "Adding a device needs a login with the permission admin."),
    flow ? connection(flow, query.get("client") || "A client without a name") : addition(), list, h("section", { id: "accounts", "aria-label": "Other servers" }));
  const accounts = document.getElementById("accounts");
  return async () => {
    const [reply, others] = await Promise.all([get("devices"), get("sync/accounts")]);
    fill(accounts, others.accounts.length ? [h("h2", {}, "Other servers"), h("ul", { class: "rows" }, others.accounts.map(account)),
      h("p", { class: "buttons control" }, button("Synchronize now", () => act(() => post("sync/now"), "synchronized")),
        button("Show what would change", () => act(() => post("sync/preview"), (one) => one.accounts.map(({ name, message }) => `${name}: ${message || "nothing"}`).join("; "))))] : "");
    fill(list, reply.devices.length ? reply.devices.map(row) : h("li", { class: "dim" }, "No device has synchronized yet."));
  };
}

/** A server with which podcast-sync synchronizes. */
const account = (one) => h("li", { "data-key": one.name }, h("span", { class: "grow" }, h("b", { class: "name" }, one.name),
  details(one.server, one.state, one.lastSync && `synchronized ${new Date(one.lastSync).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" })}`, `${one.received} received, ${one.sent} sent`),
  one.message && h("div", { class: ["failed", "refused"].includes(one.state) ? "problem" : "dim" }, one.message)));

function row({ name, caption, type, lastContact, acts, owner }) {
  const remove = () => window.confirm(`Remove ${caption}? ${owner ? "Its app password stops working at once. " : ""}What it did stays.`)
    && act(() => post("sync/removeDevice", { name }), `removed: ${caption}`);
  return h("li", { "data-key": name },
    h("span", { class: "grow" }, h("b", {}, caption), h("div", { class: "dim" },
      [name, type, `seen ${day(lastContact)}`, counted(acts, "act"), owner && `app password of ${owner}`].filter(Boolean).join(" · "))),
    isAdmin() ? button("Remove", remove, { "aria-label": `Remove ${caption}` }) : "");
}

function addition() {
  const caption = h("input", { required: true, maxlength: 100, placeholder: "Anna's phone", autocomplete: "off" });
  const login = h("div", { "aria-live": "polite", id: "login" });
  const add = async (event) => {
    event.preventDefault();
    const made = await act(() => post("devices", { caption: caption.value.trim() }));
    if (!made) return;
    caption.value = "";
    login.replaceChildren(...shown(made));
  };
  return [h("form", { class: "line admin", id: "add-device", onsubmit: add }, h("label", {}, "Name of the phone", caption), " ",
    h("button", { class: "main" }, "Add a phone")), login];
}

function shown({ server, user, password, size, outline }) {
  const code = outline && svg("qr", `-4 -4 ${size + 8} ${size + 8}`, "path", { d: outline });
  code?.setAttribute("role", "img");
  code?.setAttribute("aria-label", "QR code of the login, for apps that read Nextcloud's");
  code?.removeAttribute("aria-hidden");
  const isHere = ["localhost", "127.0.0.1", "[::1]"].includes(new URL(server).hostname);
  const fact = (name, value) => [h("dt", {}, name), h("dd", {}, h("code", {}, value))];
  return [
    h("h2", {}, "Enter this on the phone"), h("p", {}, "The password is shown only now. It opens nothing but synchronization."),
    h("dl", {}, fact("Address", server), fact("User", user), fact("App password", password)), isHere ? h("p", {}, "A phone cannot reach this address: open this page by this machine's name in your network, and add the phone there.") : "", code || "",
    h("ul", {},
      h("li", {}, "AntennaPod: Settings, Synchronization, gpodder.net; enter address, user and password. With Nextcloud it needs the address only, and opens this page."),
      h("li", {}, "gPodder: Preferences, gpodder.net; enter address, user and password."),
      h("li", {}, "Kasts: Settings, Synchronization, gpodder.net or Nextcloud; enter address, user and password.")),
  ];
}

/** Asks whether the client may have an app password. */
function connection(flow, client) {
  const caption = h("input", { required: true, maxlength: 100, value: client.slice(0, 100), autocomplete: "off" });
  const connect = async (event) => {
    event.preventDefault();
    const made = await act(() => post("devices", { caption: caption.value.trim(), flow }));
    if (!made) return;
    location.hash = "#/devices";
    say(`${caption.value} is connected; return to the app`);
  };
  return h("form", { class: "line admin", id: "connect", onsubmit: connect },
    h("p", {}, h("b", {}, client), " asks for an app password, to read and change subscriptions and positions. Connect only an app that you have just set up."),
    h("label", {}, "Name of the device", caption), " ", h("button", { class: "main" }, "Connect"),
    h("a", { href: "#/devices" }, "Refuse"));
}
