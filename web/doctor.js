// Checks of the installation, with what to do about a problem.

import { button, counted, fill, h, show } from "./dom.js";
import { post } from "./api.js";
import { emit } from "./state.js";

const words = { ok: "OK", notice: "Notice", "needs-a-person": "Problem" };
const order = Object.keys(words).reverse();
/** Kept while the page is open, because the checks contact hosts of feeds. */
let found;

const row = (one) => h("li", { class: `check ${one.outcome}` }, h("b", { class: "tag" }, words[one.outcome] ?? one.outcome),
  h("span", { class: "grow" }, h("span", { class: "name" }, one.check), h("div", {}, one.finding), one.fix && h("div", { class: "fix" }, "To do: ", one.fix)));

export function doctor() {
  const result = h("p", { role: "status", id: "result" });
  const list = h("ul", { class: "rows", id: "checks" });
  let isRunning = false;
  const start = button("Check now", () => { isRunning = true; emit("view"); }, { class: "main control", id: "check" });
  show("Checks", h("p", { class: "dim" }, "Outputs, library, disk space, decoders, feeds and clocks. Checks change nothing, and contact only hosts of subscribed feeds."),
    h("p", { class: "dim reader" }, "Checks need a login with the permission control."), h("p", {}, start), result, list);
  return async () => {
    if (isRunning) {
      isRunning = false;
      start.disabled = true;
      result.textContent = "Checking…";
      try {
        found = (await post("doctor/run")).checks;
      } finally {
        start.disabled = false;
        result.textContent = "";
      }
    }
    if (!found) return;
    const rest = found.filter((one) => one.outcome !== "ok").length;
    result.textContent = rest ? `${counted(rest, "finding")} of ${counted(found.length, "check")}.` : `All ${found.length} checks are OK.`;
    fill(list, [...found].sort((one, other) => order.indexOf(one.outcome) - order.indexOf(other.outcome)).map(row));
  };
}
