// Requests to podcast-web and its events. Nothing else is contacted.

import { h, say } from "./dom.js";

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

/** Sends a request; asks for a login if the server wants one, then tries once more. */
async function send(method, path, { query, body, signal } = {}, again = true) {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query || {})) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null && one !== "") parameters.append(name, one);
    }
  }
  const text = parameters.toString();
  const response = await fetch(root + path + (text ? "?" + text : ""), {
    method, signal,
    headers: headers(body === undefined ? {} : { "Content-Type": "application/json" }),
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  if (response.status === 401 && again && (await askForLogin())) return send(method, path, { query, body, signal }, false);
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

let asking;
/** Calls `handler` with whether there is a login, now and whenever that changes. */
let onLogin = () => {};
export function watchLogin(handler) {
  onLogin = handler;
  handler(Boolean(login));
}

export function logOut() {
  login = null;
  sessionStorage.removeItem("login");
  onLogin(false);
  restart();
}

export function askForLogin() {
  asking = asking || new Promise((resolve) => {
    const dialog = document.getElementById("dialog");
    const name = h("input", { name: "name", autocomplete: "username", required: true });
    const password = h("input", { name: "password", type: "password", autocomplete: "current-password", required: true });
    const finish = (text) => {
      if (text !== undefined) {
        login = text;
        sessionStorage.setItem("login", text);
        onLogin(true);
        restart();
      }
      dialog.close();
      asking = undefined;
      resolve(text !== undefined);
    };
    const form = h("form", {
      onsubmit: (event) => {
        event.preventDefault();
        const bytes = new TextEncoder().encode(`${name.value}:${password.value}`);
        finish("Basic " + btoa(String.fromCharCode(...bytes)));
      },
    }, h("h2", {}, "Log in"), h("label", {}, "Name", name), h("label", {}, "Password", password),
    h("div", { class: "buttons" }, h("button", { class: "main" }, "Log in"),
      h("button", { type: "button", onclick: () => finish() }, "Cancel")));
    dialog.replaceChildren(form);
    dialog.oncancel = (event) => { event.preventDefault(); finish(); };
    dialog.showModal();
    name.focus();
  });
  return asking;
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
function restart() {
  if (stream) stream.abort();
}

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
        if (!(await askForLogin())) delay = 30000;
      } else if (response.ok) {
        delay = 500;
        await read(response.body.getReader());
      }
    } catch (error) {
      if (error.name === "AbortError") delay = 0;
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
