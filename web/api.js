// Requests to podcast-web and its events. Nothing else is contacted.

import { button, counted, h, say } from "./dom.js";

const root = "api/v1/";
/** Whether the browser has the cookie of a login; unknown before the first answer. */
let isLoggedIn = false;

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
    headers: { ...(body === undefined ? {} : { "Content-Type": "application/json" }), ...(range ? { Range: range } : {}) },
    body: body === undefined ? undefined : JSON.stringify(body),
  }).catch((error) => { throw error.name === "AbortError" ? error : new Problem(0, { detail: "no connection to podcast-web" }); });
  if (response.status === 401 && again && (await refused(response))) return send(method, path, { query, body, signal, range }, false);
  note(response);
  if (!response.ok) {
    const data = await response.json().catch(() => ({}));
    throw new Problem(response.status, data);
  }
  return response;
}

/** Updates the login state from a response. */
function note(response) {
  const given = response.headers.get("X-Permission");
  if (!given) return;
  permission = given;
  isLoggedIn = response.headers.has("X-Login");
  // Without a login, keep the login button even if reading is allowed.
  document.documentElement.dataset.permission = isLoggedIn ? permission : "";
  drawLogin();
}

const drawLogin = () => {
  for (const one of document.querySelectorAll("[data-login]")) one.textContent = isLoggedIn ? "Log out" : "Log in";
};

export const get = async (path, query, signal) => (await send("GET", path, { query, signal })).json();
export const post = async (path, body = {}) => (await send("POST", path, { body })).json();
export const put = async (path, body = {}) => (await send("PUT", path, { body })).json();
export const remove = async (path) => (await send("DELETE", path)).json();

/** Sends a position without asking for a login, also while the page closes. */
export const report = (id, body) => send("PUT", `episodes/${id}/position`, { body, keepalive: true }, false);

export const audio = (id) => `${root}episodes/${id}/audio`;
/** The file of an episode, or its first byte, which shows whether the file can be read. */
export const file = (id, range) => send("GET", `episodes/${id}/audio`, { range });

/** Asks for a login after an answer with 401; whether there is one now. */
async function refused(response) {
  const { detail, hint } = await response.clone().json().catch(() => ({}));
  const wasLoggedIn = isLoggedIn;
  isLoggedIn = false;
  drawLogin();
  return askForLogin(hint || (wasLoggedIn ? detail : ""));
}

/** Uses the address that podcast-web --link prints, before anything else is asked. */
export async function useLink() {
  const [, key] = /^#key=([0-9a-f]+)$/.exec(location.hash) || [];
  if (!key) return;
  history.replaceState(null, "", "#/");
  const problem = await refusal(`Bearer link.${key}`, true);
  if (problem) askForLogin(`${problem} An address logs in once: podcast-web --link prints another one.`);
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

/** Adds what a word names to the queue, or inserts it. */
export const enqueue = (what, path = "queue") => act(() => post(path, { what: [what] }), (reply) => `queue: ${counted(reply.length, "episode")}`);

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
  button(isLoggedIn ? "Log out" : "Log in", () => (isLoggedIn ? logOut() : askForLogin()), { "data-login": true, ...props });

// All tabs have the same login.
const tabs = new BroadcastChannel("login");
tabs.onmessage = () => leave();

/** Stops playback in this browser and reloads the page without a login. */
async function leave(end = () => {}) {
  const reports = [];
  document.dispatchEvent(new CustomEvent("logout", { detail: reports }));
  await Promise.allSettled(reports);
  await end();
  location.reload();
}

const logOut = () => leave(async () => {
  await fetch(root + "session", { method: "DELETE" }).catch(() => {});
  tabs.postMessage("out");
});

let asking;
/** Asks until the login is right or the user gives up. `reason`: why one was refused. */
function askForLogin(reason = "") {
  asking = asking || new Promise((resolve) => {
    const dialog = document.getElementById("dialog");
    const name = h("input", { name: "name", autocomplete: "username", required: true });
    const password = h("input", { name: "password", type: "password", autocomplete: "current-password", required: true, "aria-describedby": "login-problem" });
    const stay = h("input", { name: "stay", type: "checkbox" });
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
        problem.textContent = await refusal(text, stay.checked);
        if (problem.textContent) return password.select();
        isLoggedIn = true;
        drawLogin();
        finish(true);
        return restart();
      },
    }, h("h2", {}, "Log in"), h("label", {}, "Name", name), h("label", {}, "Password", password), problem,
    h("label", { class: "check" }, stay, " Stay logged in for 30 days"),
    h("div", { class: "buttons" }, h("button", { class: "main" }, "Log in"),
      button("Cancel", () => finish(false))));
    dialog.replaceChildren(form);
    dialog.oncancel = (event) => { event.preventDefault(); finish(false); };
    dialog.showModal();
    name.focus();
  });
  return asking;
}

/** Logs in. Returns why the server refuses; empty if it does not. */
async function refusal(authorization, stay) {
  try {
    const response = await fetch(root + "session", {
      method: "POST", headers: { Authorization: authorization, "Content-Type": "application/json" }, body: JSON.stringify({ stay }),
    });
    if (response.ok) return "";
    const { detail } = await response.json().catch(() => ({}));
    const remedy = response.status === 401 && authorization.startsWith("Basic")
      ? "Names are below [users] in web.conf; podcast-web --hash-password makes the hash of a new password." : "";
    return [`${detail || `HTTP ${response.status}`}.`, remedy].filter(Boolean).join(" ");
  } catch {
    return "podcast-web does not answer; check that it runs.";
  }
}

/** A cover picture, of at most `size` pixels a side. */
export const picture = (path, size) => fetch(`${root}${path}/picture?size=${size}`)
  .then((response) => (response.ok ? response.blob() : Promise.reject(new Error("no picture"))));

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
      const response = await fetch("events", { signal: stream.signal });
      note(response);
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
