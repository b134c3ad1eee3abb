// What an episode says: the publisher's notes with their links, and the transcript.

import { button, h, own, spoken, time } from "./dom.js";
import { get } from "./api.js";
import { playFrom } from "./sound.js";

const kept = new Set(("P H1 H2 H3 H4 H5 H6 BLOCKQUOTE DL DT DD TABLE THEAD TBODY TFOOT TR TD TH FIGURE FIGCAPTION HR DIV BR UL OL LI "
  + "PRE B STRONG I EM U S DEL INS SUB SUP CODE KBD Q CITE SMALL").split(" "));

/** Elements whose text begins a line, and has its own direction. */
const blocks = new Set("P H1 H2 H3 H4 H5 H6 BLOCKQUOTE DT DD TD TH LI PRE DIV FIGCAPTION UL OL".split(" "));

const link = (url, ...content) => h("a", { href: url, rel: "noreferrer noopener", target: "_blank" }, ...content);

/** Text whose times within the episode are buttons that play from there. */
const timed = (text, { seek, duration }) => text.split(/(?<![\d:.,])((?:\d{1,2}:)?[0-5]?\d:[0-5]\d)(?![\d:])/).map((piece, index) => {
  const start = index % 2 && piece.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
  return index % 2 && seek && start < (duration || Infinity) ? button(piece, () => seek(start), { class: "time", "aria-label": `Play from ${spoken(start)}` }) : piece;
});

/** Text whose addresses and times can be followed. */
const linked = (text, to) => text.split(/(https?:\/\/[^\s<>"]*[^\s<>"().,;:!?'\]])/i).map((piece, index) => (index % 2 ? link(piece, piece) : timed(piece, to)));

/** A copy of nodes with text, its structure and links only, whatever a server sends. */
const copies = (nodes, to, isLink = false) => [...nodes].map((node) => {
  if (node.nodeType === Node.TEXT_NODE) return isLink ? node.data : linked(node.data, to);
  if (node.nodeType !== Node.ELEMENT_NODE) return "";
  const url = node.tagName === "A" ? node.getAttribute("href") || "" : "";
  if (/^(https?:\/\/|mailto:)/i.test(url)) return link(url, copies(node.childNodes, to, true));
  if (["SCRIPT", "STYLE", "TEMPLATE"].includes(node.tagName)) return "";
  // Headings are below that of the section.
  const name = /^H[1-6]$/.test(node.tagName) ? "h3" : node.tagName;
  return kept.has(node.tagName) ? h(name, blocks.has(node.tagName) ? { dir: "auto" } : {}, copies(node.childNodes, to, isLink)) : copies(node.childNodes, to, isLink);
});

/** The publisher's notes and details. `seek` plays from a time in the notes. */
export function notes(found, seek) {
  const to = { seek, duration: found.duration };
  const text = found.content || found.summary || "None.";
  return h("section", { class: "notes", "aria-label": "Notes of the publisher" }, h("h2", {}, "Notes of the publisher"),
    found.html ? copies(new DOMParser().parseFromString(found.html, "text/html").body.childNodes, to) : h("p", { class: "text", dir: "auto" }, linked(text, to)),
    found.link && /^https?:/.test(found.link) ? h("p", {}, link(found.link, "Web page of the episode")) : "");
}

/** A transcript that is fetched when it is opened. Its times play the episode from there. */
export function transcript(id) {
  const place = h("div", { class: "cues" });
  let next;
  const load = async () => {
    const found = await get(`episodes/${id}/transcript`, { limit: 200, after: next }).catch((error) => {
      place.append(h("p", { class: "dim" }, error.message));
    });
    if (!found) return;
    for (const cue of found.cues) {
      place.append(h("p", {}, cue.start !== null
        ? button(time(cue.start), () => playFrom(Number(id), cue.start), { "aria-label": `Play from ${spoken(cue.start)}` }) : "", " ",
      cue.speaker ? h("b", {}, own(cue.speaker), ": ") : "", own(cue.text)));
      next = cue.index;
    }
    if (found.hasAfter) {
      const more = button("More", () => { more.remove(); load(); });
      place.append(more);
    }
  };
  return h("details", { ontoggle: (event) => { if (event.target.open && !place.childNodes.length) load(); } },
    h("summary", {}, "Transcript"), place);
}
