// The outputs: where it plays, and how loud.

import { button, h } from "./dom.js";
import { act, post } from "./api.js";
import { on, state } from "./state.js";

/** A section that follows the outputs. */
export function outputs() {
  const list = h("ul", { class: "rows", id: "outputs" });
  const draw = () => {
    // A slider that is being moved stays.
    if (list.contains(document.activeElement) && document.activeElement.type === "range") return;
    const held = list.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
    list.replaceChildren(...(state.outputs || []).map(row));
    if (held) list.querySelector(`[data-key="${CSS.escape(held)}"]`)?.focus();
  };
  on("outputs", "view", draw);
  draw();
  return h("section", { "aria-label": "Outputs" }, h("h2", {}, "Outputs"), list);
}

function row(output) {
  const name = output.name;
  const box = h("input", {
    type: "checkbox", checked: output.enabled, "data-key": `on ${name}`,
    onchange: () => act(() => post(box.checked ? "outputs/enable" : "outputs/disable", { name })),
  });
  const volume = h("input", {
    type: "range", min: 0, max: 100, step: 5, value: output.volume, "aria-label": `Volume of ${name}`, "data-key": `volume ${name}`,
    onchange: () => act(() => post("outputs/volume", { name, volume: Number(volume.value) })),
  });
  return h("li", {},
    h("label", { class: "grow" }, box, " ", name, " ",
      h("span", { class: "dim" }, [output.specification, output.reason].filter(Boolean).join(": "))),
    volume,
    button("Only here", () => act(() => post("outputs/only", { name })), { "aria-label": `Play only on ${name}`, "data-key": `only ${name}` }));
}
