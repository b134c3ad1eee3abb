// Downloads, bookmarks, and lists of subscriptions as files.

import { button, counted, details, h, iconButton, remover, say, show, time } from "./dom.js";
import { act, get, post, remove, undoable } from "./api.js";
import { cover } from "./covers.js";
import { listButton, pages, rowFilter } from "./rows.js";
import * as sound from "./sound.js";

function screen(title, empty, read) {
  const list = h("ul", { class: "rows", id: title.toLowerCase() });
  show(title, rowFilter(list, `Find in ${title.toLowerCase()}`), list);
  return pages(list, read, empty);
}

const row = (key, id, feed, title, facts, ...buttons) => h("li", { "data-key": key, "data-episode": id },
  cover(feed ? `feeds/${feed}` : `episodes/${id}`, facts[0] || title), h("span", { class: "grow" }, h("a", { class: "name", dir: "auto", href: `#/episode/${id}` }, title), details(...facts)),
  h("span", { class: "buttons" }, buttons, listButton(id, title)));

export const downloads = () => screen("Downloads", "No downloads. An episode has a button that downloads it.", async (after, limit) => {
  const reply = await get("downloads", { limit, after });
  return {
    next: reply.hasAfter && reply.downloads.at(-1).key,
    rows: reply.downloads.map((one) => row(one.id, one.id, one.feed, one.title, [
      one.feedTitle, one.state === "cached" ? "in the cache until its space is needed" : one.state,
      one.progress !== null && one.progress !== undefined ? `${Math.floor(one.progress * 100)} %` : "", one.reason,
    ],
    one.state === "failed"
      ? button("Try again", () => act(() => post("episodes/download", { what: [`e${one.id}`] }), "downloading"), { "aria-label": `Download ${one.title} again` })
      : iconButton("play", `Play ${one.title}`, () => sound.play(one.id)),
    remover("Delete", () => undoable(() => remove(`episodes/${one.id}/download`), `download deleted: ${one.title}`), { "aria-label": `Delete the download of ${one.title}` }))),
  };
});

export const bookmarks = () => screen("Bookmarks", "No bookmarks. Playing has a form that adds one.", async (after, limit) => {
  const reply = await get("bookmarks", { limit, after });
  return {
    next: reply.hasAfter && reply.bookmarks.at(-1).id,
    rows: reply.bookmarks.map((one) => row(one.id, one.episode, one.feed, one.text || one.title, [
      one.text ? one.title : "", one.feedTitle, one.skipTo ? `skips ${time(one.position)} to ${time(one.skipTo)}` : `at ${time(one.position)}`,
    ],
    iconButton("play", `Play from ${one.text || one.title}`, () => sound.play(one.episode, one.position)),
    remover("Delete", () => undoable(() => post("bookmarks/remove", { bookmarks: [one.id] }), `bookmark deleted: ${one.text || one.title}`), { "aria-label": `Delete the bookmark ${one.text || one.title}` }))),
  };
});

/** Splits a list of subscriptions for several requests; undefined if that is not possible. */
function parts(text) {
  const size = (one) => new Blob([one]).size;
  const largest = 960000;
  const all = size(text);
  if (all <= largest) return [text];
  const list = new DOMParser().parseFromString(text.replace(/>\s+</g, "><"), "text/xml");
  const count = list.querySelectorAll("outline[xmlUrl]").length;
  if (!count || list.querySelector("parsererror")) return undefined;
  const share = Math.ceil(count * largest / all / 2);
  const found = [];
  for (let start = 0; start < count; start += share) {
    const part = list.cloneNode(true);
    part.querySelectorAll("outline[xmlUrl]").forEach((one, index) => {
      if (index < start || index >= start + share) one.replaceWith(...one.childNodes);
    });
    found.push(new XMLSerializer().serializeToString(part));
  }
  return found.every((one) => size(one) <= largest) ? found : undefined;
}

async function importList(chosen) {
  const all = chosen.size <= 20000000 ? parts(await chosen.text()) : undefined;
  if (!all) return say(`${chosen.name} is too long for the browser, which imports OPML of at most 20,000,000 bytes; import it with: podcastctl import ${chosen.name}`);
  const sum = { added: 0, known: 0, errors: [] };
  for (const [index, document] of all.entries()) {
    if (index) say(`importing part ${index + 1} of ${all.length}`);
    const reply = await act(() => post("feeds/import", { document, name: chosen.name }));
    if (!reply) return sum;
    sum.added += reply.added;
    sum.known += reply.known;
    sum.errors.push(...reply.errors);
  }
  say([`imported ${counted(sum.added, "new feed")}, ${sum.known} known before`, ...sum.errors.map((error) => `${error.url}: ${error.what}`)].join("; "));
  return sum;
}

/** Buttons that import a list of subscriptions and export one. */
export function transfers() {
  const file = h("input", { type: "file", accept: ".opml,.xml,.json,text/xml,text/x-opml,application/json", "aria-label": "File with subscriptions", hidden: true, onchange: async () => {
    const [chosen] = file.files;
    if (!chosen) return;
    const reply = await act(() => importList(chosen));
    file.value = "";
    if (reply?.added) act(() => post("feeds/refresh"), (one) => counted(one.newEpisodes, "new episode"));
  } });
  return [file, button("Import OPML", () => file.click(), { class: "admin" }), button("Export OPML", () => act(exportList, "subscriptions exported"), { class: "admin" })];
}

async function exportList() {
  let text = "";
  for (let offset = 0; offset !== null;) {
    const reply = await post("feeds/export", { offset });
    text += reply.document;
    offset = reply.next ?? null;
  }
  const url = URL.createObjectURL(new Blob([text], { type: "text/x-opml" }));
  h("a", { href: url, download: "podcasts.opml" }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60000);
  return true;
}
