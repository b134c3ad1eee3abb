// The outputs: where it plays, how loud and how late.

import { button, fill, h, remover } from "./dom.js";
import { act, isAdmin, post, undoable } from "./api.js";
import { on, state } from "./state.js";

/** A section that follows the outputs. */
export function outputs() {
  const list = h("ul", { class: "rows", id: "outputs" });
  const draw = () => fill(list, (state.outputs || []).map(row));
  on("outputs", "view", draw);
  draw();
  return h("section", { "aria-label": "Outputs" }, h("h2", {}, "Outputs"), list, isAdmin() ? addition() : "");
}

function row(output) {
  const name = output.name;
  const box = h("input", {
    type: "checkbox", checked: output.enabled,
    onchange: () => undoable(() => post(box.checked ? "outputs/enable" : "outputs/disable", { name }), `${name} is ${box.checked ? "on" : "off"}`),
  });
  const percent = h("span", { class: "dim" }, `${output.volume} %`);
  const volume = h("input", {
    type: "range", min: 0, max: 100, step: 5, value: output.volume, "aria-label": `Volume of ${name}`,
    oninput: () => { percent.textContent = `${volume.value} %`; },
    onchange: () => act(() => post("outputs/volume", { name, volume: Number(volume.value) })),
  });
  const delay = h("input", {
    type: "number", min: -1000, max: 1000, step: 10, value: output.delay, class: "delay", "aria-label": `Delay of ${name} in milliseconds`,
    onchange: () => act(() => post("outputs/delay", { name, delay: `${delay.value}ms` })),
  });
  // podcast-web has the stream of the output for listeners.
  const listen = output.kind === "http" && output.enabled ? h("a", { href: "stream.mp3" }, "Listen") : "";
  return h("li", { "data-key": name },
    h("label", { class: "grow" }, box, " ", name, " ",
      h("span", { class: "dim" }, [output.specification, output.format, output.reason].filter(Boolean).join(": "))),
    listen, h("span", {}, volume, " ", percent), h("label", { class: "dim" }, "Delay ", delay, " ms"),
    button("Only here", () => undoable(() => post("outputs/only", { name }), `only ${name} plays`), { "aria-label": `Play only on ${name}` }),
    isAdmin() ? remover("✕", () => undoable(() => post("outputs/remove", { name }), `removed: ${name}`), { "aria-label": `Remove ${name}` }) : "");
}

/** The form for another output. */
function addition() {
  const name = h("input", { required: true, maxlength: 64, "aria-label": "Name of the new output", placeholder: "kitchen" });
  const kind = h("input", { required: true, maxlength: 256, "aria-label": "Kind and device of the new output", placeholder: "pulse:DEVICE, snapcast:HOST, upnp:NAME, http" });
  const add = async (event) => {
    event.preventDefault();
    if (await undoable(() => post("outputs/add", { name: name.value.trim(), specification: kind.value.trim() }), `added: ${name.value}`)) event.target.reset();
  };
  return h("form", { class: "add-output", onsubmit: add }, name, " ", kind, " ", h("button", { type: "submit" }, "Add output"));
}
