// Covers, and the colour that a cover gives to what is about it.

import { h } from "./dom.js";
import { picture } from "./api.js";

/** Addresses of the pictures that were fetched, kept for the next time that they are shown. */
const pictures = new Map();

/** Covers that are not fetched yet, with the squares that wait for them. */
const waiting = new Map();

/** A cover is fetched when the first of its squares comes near the window. */
const near = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    const key = target.dataset.cover;
    if (!isIntersecting || !waiting.has(key)) continue;
    const squares = waiting.get(key);
    waiting.delete(key);
    for (const square of squares) near.unobserve(square);
    address(...key.split(" ")).then((source) => squares.forEach((square) => fillSquare(square, source)), () => {});
  }
}, { rootMargin: "400px" });

const fillSquare = (square, source) => square.replaceChildren(h("img", { src: source, alt: "", decoding: "async" }));

/** Shows and episodes without a cover. */
const missing = new Set();

async function address(path, size) {
  const key = `${path} ${size}`;
  if (missing.has(path)) throw new Error("no picture");
  if (!pictures.has(key)) {
    pictures.set(key, picture(path, size).then((blob) => pictures.set(key, URL.createObjectURL(blob)).get(key), (error) => {
      missing.add(path);
      throw error;
    }));
  }
  return pictures.get(key);
}

/** Up to two letters that stand for a title. */
const initials = (title) => [...(title || "").matchAll(/(?:^|\s)[^\p{L}\p{N}]*([\p{L}\p{N}])/gu)].slice(0, 2).map((found) => found[1].toUpperCase()).join("");

/** A square that shows a cover as soon as it is there, and the letters of the title until then. `path`: such as `feeds/5`; empty for none. */
export function cover(path, title = "", size = 96, kind = "") {
  const square = h("span", { class: `cover ${kind}`, "aria-hidden": "true", "data-tone": String([...title].reduce((sum, one) => sum + one.codePointAt(0), 0) % 6) },
    h("span", {}, initials(title)));
  const key = `${path} ${size}`;
  if (!path || missing.has(path)) return square;
  const known = pictures.get(key);
  if (typeof known === "string") fillSquare(square, known);
  else if (known) known.then((source) => fillSquare(square, source), () => {});
  else {
    square.dataset.cover = key;
    if (!waiting.has(key)) waiting.set(key, []);
    waiting.get(key).push(square);
    near.observe(square);
  }
  return square;
}

// MARK: colour

const linear = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
const curved = (value) => Math.round(255 * Math.min(1, Math.max(0, value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055)));

/** A colour of OKLab as red, green and blue. The lightness decides the contrast, whatever the hue is. */
function rgb(lightness, chroma, hue) {
  const [a, b] = [chroma * Math.cos(hue), chroma * Math.sin(hue)];
  const [l, m, s] = [lightness + 0.3963377774 * a + 0.2158037573 * b, lightness - 0.1055613458 * a - 0.0638541728 * b, lightness - 0.0894841775 * a - 1.291485548 * b]
    .map((one) => one ** 3);
  return [4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s, -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s, -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s]
    .map(curved).join(" ");
}

/** The hue that most of a picture's colourful pixels have, and how colourful they are. */
async function tone(source) {
  const image = Object.assign(new Image(), { src: source });
  await image.decode();
  const context = Object.assign(document.createElement("canvas"), { width: 24, height: 24 }).getContext("2d", { willReadFrequently: true });
  context.drawImage(image, 0, 0, 24, 24);
  const { data } = context.getImageData(0, 0, 24, 24);
  let [sumA, sumB, sum] = [0, 0, 0];
  for (let index = 0; index < data.length; index += 4) {
    const [red, green, blue] = [0, 1, 2].map((one) => linear(data[index + one] / 255));
    const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
    const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
    const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
    const [a, b] = [1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s, 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s];
    const weight = Math.hypot(a, b);
    [sumA, sumB, sum] = [sumA + a * weight, sumB + b * weight, sum + weight];
  }
  return { hue: Math.atan2(sumB, sumA), chroma: sum ? Math.hypot(sumA, sumB) / sum : 0 };
}

const tones = new Map();
/** Gives an element the colour of a cover, for light and dark pages; without a picture the page's own. */
export async function tint(element, path) {
  element.dataset.tint = path || "";
  const put = (light, dark) => {
    if (element.dataset.tint !== (path || "")) return;
    for (const [name, value] of [["--tint-light", light], ["--tint-dark", dark]]) {
      if (value) element.style.setProperty(name, value);
      else element.style.removeProperty(name);
    }
  };
  if (!path) return put();
  try {
    if (!tones.has(path)) {
      const source = await address(path, 96);
      await new Promise((resolve) => setTimeout(resolve, 100));
      tones.set(path, await tone(source));
    }
    const { hue, chroma } = tones.get(path);
    return put(rgb(0.44, Math.min(chroma, 0.14), hue), rgb(0.8, Math.min(chroma, 0.1), hue));
  } catch {
    return put();
  }
}
