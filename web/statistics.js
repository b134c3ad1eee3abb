// Hours heard by show and by month, and the time saved, as plots that are tables.

import { choice, fill, h, own, show, spoken } from "./dom.js";
import { get } from "./api.js";
import { emit } from "./state.js";
import { subscribing } from "./rows.js";

const space = "http://www.w3.org/2000/svg";
/** An element of a plot; screen readers read the table instead. */
function part(tag, props, ...children) {
  const element = document.createElementNS(space, tag);
  for (const [name, value] of Object.entries(props)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

const total = (one) => one.savedBySpeed + one.savedBySilence;
/** Hours with one digit below ten, else whole ones; minutes below an hour. */
const hours = (seconds) => (seconds < 3600 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(seconds < 36000 ? 1 : 0)} h`);
const cell = (seconds) => h("td", {}, h("span", { "aria-hidden": "true" }, hours(seconds)), h("span", { class: "unseen" }, spoken(Math.round(seconds / 60) * 60)));

/** A heading of columns. */
const columns = (...names) => h("thead", {}, h("tr", {}, names.map((name) => h("th", { scope: "col" }, name))));

/** One bar for each show, in the table itself. */
function shows(feeds) {
  const most = Math.max(...feeds.map((one) => one.heard), 1);
  const bar = (one) => part("svg", { class: "bar", viewBox: "0 0 100 6", preserveAspectRatio: "none", "aria-hidden": "true" },
    part("rect", { class: "back", width: 100, height: 6, rx: 1 }), part("rect", { class: "heard", width: Math.max(0.5, (one.heard / most) * 100), height: 6, rx: 1 }));
  return h("table", { class: "plot", id: "by-show" }, h("caption", {}, "By show"), columns("Show", "Heard", "Time saved"),
    h("tbody", {}, feeds.map((one) => h("tr", {}, h("th", { scope: "row", dir: "auto" }, one.feed ? h("a", { href: `#/feed/${one.feed}` }, own(one.name)) : own(one.name), bar(one)), cell(one.heard), cell(total(one))))));
}

const monthName = (name, style) => new Date(`${name}-15T12:00:00`).toLocaleDateString(undefined, { month: style, ...(style === "long" ? { year: "numeric" } : {}) });

/** A column for each month: what was heard, and on top of it what was saved. The same numbers are a table for screen readers. */
function months(list) {
  const shown = list.slice(-24);
  const room = Math.min(document.getElementById("main").clientWidth, 960) - 110;
  const [width, height, base] = [Math.max(shown.length * 40, Math.min(room, shown.length * 90), 200), 180, 150];
  const most = Math.max(...shown.map((one) => one.heard + total(one)), 3600);
  const scale = (seconds) => (seconds / most) * (base - 20);
  const step = [1, 2, 5, 10, 20, 50, 100, 200].find((one) => most / 3600 / one <= 5) || 500;
  const lines = [];
  for (let value = step; value * 3600 <= most; value += step) {
    const y = base - scale(value * 3600);
    lines.push(part("line", { class: "grid", x1: 34, x2: width + 40, y1: y, y2: y }), part("text", { x: 30, y: y + 4, "text-anchor": "end" }, `${value} h`));
  }
  const columnsOf = shown.map((one, index) => {
    const x = 40 + index * (width / shown.length);
    const wide = Math.min(width / shown.length - 8, 36);
    const [heard, saved] = [scale(one.heard), scale(total(one))];
    return part("g", {}, part("title", {}, `${monthName(one.name, "long")}: ${hours(one.heard)} heard, ${hours(total(one))} saved`),
      part("rect", { class: "heard", x, width: wide, y: base - heard, height: heard, rx: 2 }),
      part("rect", { class: "saved", x, width: wide, y: base - heard - saved, height: saved, rx: 2 }),
      part("text", { x: x + wide / 2, y: base + 14, "text-anchor": "middle" }, monthName(one.name, "short")),
      one.name.endsWith("-01") || !index ? part("text", { x: x + wide / 2, y: base + 28, "text-anchor": "middle" }, one.name.slice(0, 4)) : "");
  });
  return h("figure", { class: "months" }, h("figcaption", {}, "By month ", h("span", { class: "legend", "aria-hidden": "true" }, h("i", { class: "heard" }), "heard ", h("i", { class: "saved" }), "saved")),
    h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Plot by month" },
      part("svg", { viewBox: `0 0 ${width + 44} ${height}`, width: width + 44, height, "aria-hidden": "true" }, ...lines, part("line", { class: "grid", x1: 34, x2: width + 40, y1: base, y2: base }), ...columnsOf)),
    h("div", { class: "unseen" }, h("table", { id: "by-month" }, h("caption", {}, "By month"), columns("Month", "Heard", "Saved by speed", "Saved by shortened silence"),
      h("tbody", {}, list.map((one) => h("tr", {}, h("th", { scope: "row" }, monthName(one.name, "long")), cell(one.heard), cell(one.savedBySpeed), cell(one.savedBySilence)))))));
}

const tile = (name, seconds, detail) => h("div", { class: "tile" }, h("dt", {}, name), h("dd", {}, h("b", { "aria-hidden": "true" }, hours(seconds)), h("span", { class: "unseen" }, spoken(Math.round(seconds / 60) * 60)), detail && h("div", { class: "dim" }, detail)));

const two = (number) => String(number).padStart(2, "0");
/** The beginnings of the periods, as `since` takes them. */
function periods(now = new Date()) {
  const week = new Date(now - 6 * 86400000);
  return [["", "All time"], [`${now.getFullYear()}`, "This year"], [`${now.getFullYear()}-${two(now.getMonth() + 1)}`, "This month"],
    [`${week.getFullYear()}-${two(week.getMonth() + 1)}-${two(week.getDate())}`, "Seven days"]];
}

export function statistics() {
  const place = h("div", { id: "statistics" });
  const since = choice({ "aria-label": "Period" }, "", periods(), () => emit("view"));
  show("Statistics", h("p", { class: "line filters" }, since), place);
  return async () => {
    const found = await get("library/stats", { since: since.value });
    if (!found.heard) return fill(place, h("p", { class: "dim" }, "Nothing was heard in this time. ", found.libraryDuration ? "" : subscribing()));
    const saved = total(found);
    fill(place,
      h("dl", { class: "tiles" }, tile("Heard", found.heard, `of ${hours(found.libraryDuration)} in the library`),
        tile("Saved by speed", found.savedBySpeed), tile("Saved by shortened silence", found.savedBySilence),
        tile("Without both", found.heard + saved, saved ? `${Math.round((saved / (found.heard + saved)) * 100)} % less time` : "")),
      found.months.length > 1 ? months(found.months) : "", shows(found.feeds),
      found.years.length > 1 ? h("table", { class: "plot" }, h("caption", {}, "By year"), columns("Year", "Heard", "Time saved"),
        h("tbody", {}, found.years.map((one) => h("tr", {}, h("th", { scope: "row" }, one.name), cell(one.heard), cell(total(one)))))) : "");
    // The last months are in view.
    const plot = place.querySelector(".scroll");
    if (plot && !plot.scrollLeft) plot.scrollLeft = plot.scrollWidth;
    return undefined;
  };
}
