// Elements, times and messages.

export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.className = value;
    else if (name === "value" || name === "checked" || name === "disabled" || name === "hidden") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(9).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const button = (text, action, props = {}) => h("button", { type: "button", onclick: action, ...props }, text);

/** A publisher's text in a line of others, in its own direction. */
export const own = (text) => h("bdi", {}, text);

/** A line of texts and numbers, each in its own direction. */
export const details = (...parts) => h("div", { class: "dim" }, parts.filter(Boolean).flatMap((part, index) => [index ? " · " : "", own(part)]));

export const counted = (count, one) => `${count} ${one}${count === 1 ? "" : "s"}`;

/** A picture, which screen readers skip. */
export function svg(outline, box, kind) {
  const [picture, path] = ["svg", "path"].map((name) => document.createElementNS("http://www.w3.org/2000/svg", name));
  picture.setAttribute("viewBox", box);
  picture.setAttribute("aria-hidden", "true");
  picture.classList.add(kind);
  path.setAttribute("d", outline);
  picture.append(path);
  return picture;
}

/** A picture of 24 by 24 units, drawn here because fonts lack the characters. */
export const icon = (outline) => svg(outline, "0 0 24 24", "icon");

export function time(seconds) {
  if (seconds === null || seconds === undefined) return "";
  const whole = Math.max(0, Math.floor(seconds));
  const two = (number) => String(number).padStart(2, "0");
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** The time as a screen reader says it. */
export function spoken(seconds) {
  const whole = Math.max(0, Math.floor(seconds || 0));
  const parts = [[Math.floor(whole / 3600), "hour"], [Math.floor(whole / 60) % 60, "minute"], [whole % 60, "second"]];
  const said = parts.filter(([number]) => number).map(([number, unit]) => `${number} ${unit}${number === 1 ? "" : "s"}`);
  return said.join(" ") || "0 seconds";
}

export const day = (instant) => (instant ? new Date(instant).toLocaleDateString(undefined, { dateStyle: "medium" }) : "");

let timer;
/** Shows a message for a while; one with a button stays longer, because a person has to read and reach the button. */
export function say(text, action = "") {
  const place = document.getElementById("message");
  place.textContent = text;
  place.parentNode.replaceChildren(place, action);
  clearTimeout(timer);
  timer = setTimeout(() => { place.textContent = ""; place.parentNode.replaceChildren(place); }, action ? 20000 : 6000);
}

/** Text in which every second piece is a match. */
export const excerpt = (pieces) => own((pieces || []).map((piece, index) => (index % 2 ? h("mark", {}, piece) : piece)));

export function show(title, ...children) {
  const heading = h("h1", { tabindex: -1, dir: "auto" }, title);
  document.getElementById("main").replaceChildren(heading, ...children.flat(9).filter(Boolean));
  document.title = `${title} – podcastd`;
  return heading;
}
