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
export function svg(kind, box, inner, props) {
  const [picture, part] = ["svg", inner].map((name) => document.createElementNS("http://www.w3.org/2000/svg", name));
  if (box) picture.setAttribute("viewBox", box);
  picture.setAttribute("aria-hidden", "true");
  picture.classList.add(kind);
  for (const [name, value] of Object.entries(props)) part.setAttribute(name, value);
  picture.append(part);
  return picture;
}

/** A picture of icons.svg. */
export const icon = (name) => svg("icon", "", "use", { href: `icons.svg#${name}` });

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

/** A button that shows only an icon; screen readers say the label. */
export const iconButton = (name, label, action, props = {}) => h("button", { type: "button", onclick: action, "aria-label": label, title: label, class: "plain", ...props }, icon(name));

/** Season and number of an episode, such as `S2 E5`; empty without a number. */
export const part = ({ season, episode, kind }) => [
  kind === "trailer" ? "Trailer" : kind === "bonus" ? "Bonus" : "", episode ? (season ? `S${season} E${episode}` : `E${episode}`) : ""].filter(Boolean).join(" · ");

// Making a format takes longer than a row of a list.
const dayFormat = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const yearFormat = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric" });

/** A day in few words, such as `today` or `27 Nov`. */
export function briefDay(instant) {
  if (!instant) return "";
  const date = new Date(instant);
  const days = Math.round((new Date().setHours(0, 0, 0, 0) - new Date(date).setHours(0, 0, 0, 0)) / 86400000);
  if (days === 0 || days === 1) return ["today", "yesterday"][days];
  return (new Date().getFullYear() === date.getFullYear() ? dayFormat : yearFormat).format(date);
}

/** A select element with values and their labels. */
export function choice(props, value, options, take) {
  const select = h("select", { ...props, onchange: () => take(select.value) }, options.map(([option, label]) => h("option", { value: option }, label)));
  select.value = value;
  return select;
}

/** A button that ignores the second click of a double click, which would hit the next row. */
export const remover = (text, action, props) => button(text, (event) => { if (event.detail < 2) action(); }, props);

let timer;
/** Shows a message for a while; one with a button stays longer, to be reached. */
export function say(text, action = "") {
  const place = document.getElementById("message");
  place.textContent = text;
  place.parentNode.replaceChildren(place, action);
  clearTimeout(timer);
  timer = setTimeout(() => { place.textContent = ""; place.parentNode.replaceChildren(place); }, action ? 20000 : 6000);
}

/** Text in which every second piece is a match. */
export const excerpt = (pieces) => own((pieces || []).map((piece, index) => (index % 2 ? h("mark", {}, piece) : piece)));

/** Why the screen cannot be read. */
const trouble = h("p", { role: "alert", class: "problem", id: "trouble" });

/** Shows the failure of reading the screen, or none. */
export function fail(error) {
  const isMissing = error?.status === 404;
  trouble.textContent = error ? (isMissing ? "This is not in the library: " : "") + error.message : "";
  trouble.parentNode?.classList.toggle("missing", isMissing);
}

export function show(title, ...children) {
  const heading = h("h1", { tabindex: -1, dir: "auto" });
  fail();
  document.getElementById("main").replaceChildren(heading, trouble, ...children.flat(9).filter(Boolean));
  entitle(heading, title);
  return heading;
}

export function entitle(heading, title) {
  heading.textContent = title;
  if (heading.isConnected) document.title = `${title} – podcastd`;
}

/** The field whose new text is not stored yet. */
let typed;
document.addEventListener("input", (event) => { typed = event.target; }, true);
document.addEventListener("change", () => { typed = undefined; }, true);

const values = (one) => [...one.querySelectorAll("input, select, textarea")].map((field) => (field.type === "checkbox" ? field.checked : field.value)).join("\n");
const controls = (one) => [...one.querySelectorAll("a, button, input, select, textarea, summary, [tabindex]")].filter((found) => !found.closest("[aria-hidden=true]"));
const name = (one) => one.dataset.key || one.getAttribute("aria-label") || one.id || one.textContent;

/** Replaces children that differ, matched by `data-key`. The focus stays at its place. */
export function fill(place, ...children) {
  const held = place.contains(document.activeElement) ? document.activeElement : undefined;
  const key = held?.closest("[data-key]")?.dataset.key;
  const scope = () => [...place.querySelectorAll("[data-key]")].find((one) => one.dataset.key === key);
  const [inScope, inPlace] = [scope(), place].map((one) => (held && one ? controls(one).indexOf(held) : 0));
  const old = new Map([...place.children].map((one, index) => [one.dataset.key ?? index, one]));
  const next = children.flat(9).filter(Boolean).map((one, index) => {
    const known = old.get(one.dataset.key ?? index);
    return known && (known.contains(typed) || (known.isEqualNode(one) && values(known) === values(one))) ? known : one;
  });
  const kept = new Set(next);
  for (const one of [...place.children]) if (!kept.has(one)) one.remove();
  next.forEach((one, index) => { if (place.children[index] !== one) place.insertBefore(one, place.children[index] ?? null); });
  if (!held || document.activeElement === held) return;
  const same = key && scope();
  const all = controls(same || place);
  const found = held.isConnected ? held : same && [same, ...all].find((one) => name(one) === name(held));
  (found || all[Math.min(same ? inScope : inPlace, all.length - 1)] || document.querySelector("main h1")).focus({ preventScroll: true });
}
