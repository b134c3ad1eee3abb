// Requests to podcast-web and its events. Nothing else is contacted.

import { button, h, say } from "./dom.js";

const root = "api/v1/";
let login = sessionStorage.getItem("login");

function headers(more = {}) {
  return login ? { Authorization: login, ...more } : more;
}

export class Problem extends Error {
  constructor(status, data) {
    super([data.detail || data.title || `HTTP ${status}`, data.hint].filter(Boolean).join(" — "));
    this.status = status;
    this.data = data;
  }
}

let permission = "";
/** Whether the user may only read, so that nothing is changed by listening here. */
export const isReader = () => permission === "read";

/** Sends a request; asks for a login if the server wants one, then tries once more. */
async function send(method, path, { query, body, signal, keepalive, range } = {}, again = true) {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query || {})) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null && one !== "") parameters.append(name, one);
    }
  }
  const text = parameters.toString();
  const response = await fetch(root + path + (text ? "?" + text : ""), {
    method, signal, keepalive,
    headers: headers({ ...(body === undefined ? {} : { "Content-Type": "application/json" }), ...(range ? { Range: range } : {}) }),
    body: body === undefined ? undefined : JSON.stringify(body),
  }).catch((error) => { throw error.name === "AbortError" ? error : new Problem(0, { detail: "no connection to podcast-web" }); });
  if (response.status === 401 && again && (await refused(response))) return send(method, path, { query, body, signal, range }, false);
  permission = response.headers.get("X-Permission") || permission;
  // Who is not logged in may still log in with another permission.
  document.documentElement.dataset.permission = login ? permission : "";
  if (!response.ok) {
    const data = await response.json().catch(() => ({}));
    throw new Problem(response.status, data);
  }
  return response;
}

export const get = async (path, query, signal) => (await send("GET", path, { query, signal })).json();
export const post = async (path, body = {}) => (await send("POST", path, { body })).json();
export const put = async (path, body = {}) => (await send("PUT", path, { body })).json();
export const remove = async (path) => (await send("DELETE", path)).json();

/** Sends a position without asking for a login, also while the page closes. */
export const report = (id, body) => send("PUT", `episodes/${id}/position`, { body, keepalive: true }, false);

export const audio = (id) => `${root}episodes/${id}/audio`;
/** The file of an episode, or its first byte, which shows whether the file can be read. */
export const file = (id, range) => send("GET", `episodes/${id}/audio`, { range });
/** An audio element sends no login but the cookie that it gets here. */
export const openSession = () => (login ? send("POST", "session") : undefined);

/** Asks for a login after an answer with 401; whether there is one now. */
async function refused(response) {
  if (!login) return askForLogin();
  const { detail } = await response.clone().json().catch(() => ({}));
  setLogin(null);
  return askForLogin(detail);
}

/** Whether the user may change settings and subscriptions, or can log in for it. */
export const isAdmin = () => !["read", "control"].includes(document.documentElement.dataset.permission);

/** Runs an action and reports its failure. */
export async function act(action, done) {
  try {
    const result = await action();
    if (done) say(typeof done === "function" ? done(result) : done);
    return result;
  } catch (error) {
    if (error.name !== "AbortError") say(error.message);
    return undefined;
  }
}

/** Runs an action and offers to undo it. */
export async function undoable(action, done) {
  const result = await act(action);
  if (result === undefined) return undefined;
  const { acts: [last] } = await get("playback/undoable").catch(() => ({ acts: [] }));
  const text = typeof done === "function" ? done(result) : done;
  say(text, last && !last.reason ? button("Undo", () => act(() => post("playback/undo", { act: last.id }), "undone")) : "");
  return result;
}

/** A button that logs in or out. */
export const loginButton = (props) =>
  button(login ? "Log out" : "Log in", () => (login ? logOut() : askForLogin()), { "data-login": true, ...props });

/** After a log-out the page shows only what everybody may see. */
function logOut() {
  document.dispatchEvent(new Event("logout"));
  sessionStorage.removeItem("login");
  fetch(root + "session", { method: "DELETE", keepalive: true }).catch(() => {});
  location.reload();
}

function setLogin(text) {
  login = text;
  permission = "";
  if (text) sessionStorage.setItem("login", text);
  else {
    sessionStorage.removeItem("login");
    fetch(root + "session", { method: "DELETE" }).catch(() => {});
  }
  for (const one of document.querySelectorAll("[data-login]")) one.textContent = text ? "Log out" : "Log in";
  restart();
}

let asking;
/** Asks until the login is right or the user gives up. `reason` is why the server refused a login that was right before. */
function askForLogin(reason = "") {
  asking = asking || new Promise((resolve) => {
    const dialog = document.getElementById("dialog");
    const name = h("input", { name: "name", autocomplete: "username", required: true });
    const password = h("input", { name: "password", type: "password", autocomplete: "current-password", required: true, "aria-describedby": "login-problem" });
    const problem = h("p", { role: "alert", class: "problem", id: "login-problem" }, reason);
    const finish = (isIn) => {
      dialog.close();
      asking = undefined;
      resolve(isIn);
    };
    const form = h("form", {
      onsubmit: async (event) => {
        event.preventDefault();
        const bytes = new TextEncoder().encode(`${name.value}:${password.value}`);
        const text = "Basic " + btoa(String.fromCharCode(...bytes));
        problem.textContent = await refusal(text);
        if (problem.textContent) return password.select();
        setLogin(text);
        return finish(true);
      },
    }, h("h2", {}, "Log in"), h("label", {}, "Name", name), h("label", {}, "Password", password), problem,
    h("div", { class: "buttons" }, h("button", { class: "main" }, "Log in"),
      button("Cancel", () => finish(false))));
    dialog.replaceChildren(form);
    dialog.oncancel = (event) => { event.preventDefault(); finish(false); };
    dialog.showModal();
    name.focus();
  });
  return asking;
}

/** Why the server refuses a login, with the remedy; empty if the login is right. */
async function refusal(authorization) {
  try {
    const response = await fetch(root + "server/version", { headers: { Authorization: authorization } });
    if (response.ok || response.status === 503) return "";
    const { detail } = await response.json().catch(() => ({}));
    const remedy = response.status === 401
      ? "Names are below [users] in web.conf; podcast-web --hash-password makes the hash of a new password." : "";
    return [`${detail || `HTTP ${response.status}`}.`, remedy].filter(Boolean).join(" ");
  } catch {
    return "podcast-web does not answer; check that it runs.";
  }
}

// Pictures need the login, which an img element does not send.
const pictures = new Map();
export function cover(path, large = false) {
  const image = h("img", { class: large ? "cover large" : "cover", alt: "", width: large ? 192 : 48, height: large ? 192 : 48 });
  const url = `${path}/picture?size=${large ? 400 : 96}`;
  if (!pictures.has(url)) {
    pictures.set(url, fetch(root + url, { headers: headers() })
      .then((response) => (response.ok ? response.blob() : Promise.reject(new Error("no picture"))))
      .then((blob) => URL.createObjectURL(blob)));
  }
  pictures.get(url).then((source) => (image.src = source), () => { image.hidden = large; });
  return image;
}

// MARK: events

let stream;
let watch;
let loggedIn = () => {};
/** Opens the stream again, with another login. */
function restart() {
  stream?.abort();
  loggedIn();
}

// A browser keeps pages that were left, with their connections, of which it opens six to a server.
window.addEventListener("pagehide", () => stream?.abort());

/** Calls `handler(name, data)` for each event, from now on. */
export async function listen(handler) {
  watch = handler;
  let delay = 500;
  for (;;) {
    stream = new AbortController();
    try {
      const response = await fetch("events", { headers: headers(), signal: stream.signal });
      if (response.status === 401) {
        handler("login", {});
        if (!(await refused(response))) await new Promise((resolve) => { loggedIn = resolve; });
        delay = 0;
      } else if (response.ok) {
        delay = 500;
        await read(response.body.getReader());
      }
    } catch (error) {
      if (error.name === "AbortError") delay = 100;
    }
    watch("lost", {});
    await new Promise((resolve) => setTimeout(resolve, delay));
    delay = Math.min(Math.max(delay, 250) * 2, 30000);
  }
}

async function read(reader) {
  const decoder = new TextDecoder();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += decoder.decode(value, { stream: true });
    let end;
    while ((end = text.indexOf("\n\n")) >= 0) {
      take(text.slice(0, end));
      text = text.slice(end + 2);
    }
  }
}

function take(event) {
  let name = "message";
  let data = "";
  for (const line of event.split("\n")) {
    if (line.startsWith("event: ")) name = line.slice(7);
    if (line.startsWith("data: ")) data += line.slice(6);
  }
  if (data) watch(name, JSON.parse(data));
}
