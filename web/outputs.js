// The outputs: where the sound is heard, how loud and how late; groups, and devices that could be outputs.

import { button, choice, counted, fill, h, icon, iconButton, own, show } from "./dom.js";
import { act, isAdmin, post, undoable } from "./api.js";
import { on, state } from "./state.js";

const group = ({ name }) => (name.includes("/") ? name.slice(0, name.indexOf("/")) : "");
const label = ({ name }) => name.slice(name.indexOf("/") + 1);

const phase = (one) => (one.enabled ? { idle: "", ready: "playing here", opening: "is being opened", failed: "failed" }[one.state] ?? one.state : "off");

/** The switch, volume, delay and "Only here" of an output, or of all outputs of a group. */
function controls(name, { enabled, volume: level, delay: late }) {
  const box = h("input", {
    type: "checkbox", role: "switch", checked: enabled, "aria-label": `${name} plays`,
    onchange: () => undoable(() => post(box.checked ? "outputs/enable" : "outputs/disable", { name }), `${name} is ${box.checked ? "on" : "off"}`),
  });
  const percent = h("span", { class: "dim number" }, `${level} %`);
  const volume = h("input", {
    type: "range", min: 0, max: 100, step: 5, value: level, "aria-label": `Volume of ${name}`,
    oninput: () => { percent.textContent = `${volume.value} %`; },
    onchange: () => act(() => post("outputs/volume", { name, volume: Number(volume.value) })),
  });
  const delay = h("input", {
    type: "number", min: -1000, max: 1000, step: 10, value: late, class: "delay", "aria-label": `Delay of ${name} in milliseconds`,
    onchange: () => act(() => post("outputs/delay", { name, delay: `${delay.value || 0}ms` })),
  });
  return { box, rest: [h("span", { class: "volume" }, icon("speaker"), volume, percent), h("label", { class: "dim" }, "Delay ", delay, " ms"),
    button("Only here", () => undoable(() => post("outputs/only", { name }), `only ${name} plays`), { "aria-label": `Play only on ${name}` })] };
}

function row(output) {
  const name = output.name;
  const { box, rest } = controls(name, output);
  // podcast-web has the stream of the output for listeners.
  const listen = output.kind === "http" && output.enabled ? h("a", { href: "stream.mp3" }, "Listen in this browser") : "";
  return h("li", { "data-key": name, class: output.enabled ? "output on" : "output" }, box,
    h("span", { class: "grow" }, h("span", { class: "name" }, own(label(output))),
      h("div", { class: output.reason ? "problem" : "dim" }, [phase(output), output.specification, output.format, output.reason].filter(Boolean).join(" · "))),
    listen, rest, isAdmin() && button("Group", () => regroup(output), { "aria-label": `Group of ${name}`, "aria-haspopup": "dialog" }),
    isAdmin() && iconButton("close", `Remove ${name}`, (event) => event.detail < 2 && undoable(() => post("outputs/remove", { name }), `removed: ${name}`)));
}

/** A group has one row above those of its outputs. */
function groupRow(name, members) {
  const [first] = members;
  const { box, rest } = controls(name, { ...first, enabled: members.some((one) => one.enabled) });
  return h("li", { "data-key": `${name}/`, class: "group" }, box, h("span", { class: "grow" }, h("b", { class: "name" }, own(name)), h("div", { class: "dim" }, counted(members.length, "output"))), rest);
}

/** An output gets another group by another name, with its volume and delay. */
async function rename(old, name) {
  await post("outputs/remove", { name: old.name });
  await post("outputs/add", { name, specification: old.specification });
  if (old.volume !== 100) await post("outputs/volume", { name, volume: old.volume });
  if (old.delay) await post("outputs/delay", { name, delay: `${old.delay}ms` });
  return post(old.enabled ? "outputs/enable" : "outputs/disable", { name });
}

const groupNames = () => [...new Set((state.outputs || []).map(group).filter(Boolean))];
let lists = 0;
/** A field that offers the groups that there are. */
function groupField(value = "", props = {}) {
  lists += 1;
  return [h("input", { name: "group", maxlength: 40, value, autocomplete: "off", list: `groups-${lists}`, placeholder: "group, or none", ...props }),
    h("datalist", { id: `groups-${lists}` }, groupNames().map((one) => h("option", { value: one })))];
}
const full = (name, given) => [given.replaceAll("/", " ").trim(), name.replaceAll("/", " ").trim()].filter(Boolean).join("/");

function regroup(output) {
  const dialog = document.getElementById("dialog");
  const [field, known] = groupField(group(output));
  const end = () => dialog.close();
  const save = async (event) => {
    event.preventDefault();
    const name = full(label(output), field.value);
    const present = (state.outputs || []).find((one) => one.name === output.name);
    end();
    if (present && name !== output.name) await undoable(() => rename(present, name), `${output.name} is ${name} now`);
  };
  dialog.replaceChildren(h("form", { onsubmit: save }, h("h2", {}, `Group of ${label(output)}`),
    h("p", { class: "dim" }, "The outputs of a group have one switch, volume and delay. An empty field means no group."),
    h("label", {}, "Group", field, known), h("div", { class: "buttons" }, h("button", { class: "main" }, "Save"), button("Cancel", end))));
  dialog.oncancel = null;
  dialog.showModal();
  field.focus();
}

async function add(name, specification) {
  return undoable(() => post("outputs/add", { name, specification }), `added: ${name}`);
}

/** A device that was found, with a name for its output. */
function found(one) {
  const name = h("input", { value: one.name, maxlength: 64, "aria-label": `Name of the output for ${one.title}`, autocomplete: "off" });
  const [groupName, known] = groupField("", { "aria-label": `Group of the output for ${one.title}` });
  const use = async () => { if (await add(full(name.value, groupName.value), one.specification)) await look(); };
  return h("li", { "data-key": one.specification }, h("span", { class: "grow" }, h("span", { class: "name" }, own(one.title)), h("div", { class: "dim" }, one.specification)),
    one.output ? h("span", { class: "dim" }, `is the output ${one.output}`) : [name, groupName, known, button("Add", use, { class: "main", "aria-label": `Add ${one.title}` })]);
}

let devices;
let result;
async function look() {
  result.textContent = "Looking for sinks of the sound server, sound cards, renderers and snapservers; this takes three seconds…";
  const reply = await act(() => post("outputs/find"));
  result.textContent = reply ? [`${counted(reply.found.length, "device")} found.`, ...reply.failures].join(" ") : "";
  fill(devices, (reply?.found || []).map(found));
}

/** The form for an output that is not found. */
function addition() {
  const kinds = [["pulse", "PulseAudio or PipeWire", "device, or empty"], ["alsa", "Sound card (ALSA)", "default"], ["snapcast", "Snapcast", "host"], ["upnp", "UPnP renderer", "name"],
    ["icecast", "Icecast", "host/mount"], ["http", "Browsers and radios (http)", "name, or empty"], ["null", "Without sound (null)", ""]];
  const name = h("input", { required: true, maxlength: 64, name: "name", placeholder: "kitchen", autocomplete: "off" });
  const device = h("input", { maxlength: 256, name: "device", autocomplete: "off", autocapitalize: "off" });
  const [groupName, known] = groupField();
  const hint = () => { device.placeholder = kinds.find(([value]) => value === kind.value)[2]; };
  const kind = choice({ name: "kind" }, "pulse", kinds.map(([value, text]) => [value, text]), hint);
  hint();
  const save = async (event) => {
    event.preventDefault();
    const specification = [kind.value, device.value.trim()].filter(Boolean).join(":");
    if (await add(full(name.value, groupName.value), specification)) event.target.reset();
  };
  return h("details", { class: "fold", id: "add-output" }, h("summary", {}, "Add by hand"),
    h("form", { class: "line", onsubmit: save }, h("label", {}, "Name", name), h("label", {}, "Kind", kind), h("label", {}, "Device", device), h("label", {}, "Group", groupName, known),
      h("button", { class: "main" }, "Add output")));
}

export function outputs() {
  const list = h("ul", { class: "rows", id: "outputs" });
  devices = h("ul", { class: "rows", id: "found-outputs" });
  result = h("p", { class: "dim", role: "status" });
  show("Outputs", list, isAdmin() ? h("section", { class: "admin", "aria-label": "New outputs" }, h("h2", {}, "New outputs"),
    h("p", { class: "buttons" }, button("Look for devices", look, { class: "main", id: "find" })), result, devices, addition()) : "");
  const draw = () => {
    const all = state.outputs || [];
    const names = groupNames();
    fill(list, all.filter((one) => !group(one)).map(row), names.map((name) => {
      const members = all.filter((one) => group(one) === name);
      return [groupRow(name, members), members.map(row)];
    }), all.length ? "" : h("li", { class: "dim" }, "No outputs."));
  };
  on("outputs", "view", draw);
  return async () => draw();
}
