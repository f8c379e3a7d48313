// Tiles as the referee's page uses them: drawings, names in words, keys to tap.
import { lineOfPlay, pipsSvg, tileSvg } from "../tournaments/tiles.js";
import { embedded, h } from "./dom.js";

const names = embedded("tile-names");

const made = new Map();

/** Markup as elements; what was drawn once is copied, which is many times faster. */
function drawn(markup) {
  if (!made.has(markup)) {
    const holder = document.createElement("template");
    holder.innerHTML = markup;
    made.set(markup, holder.content);
  }
  return made.get(markup).cloneNode(true);
}

/** A tile in words: "six-three", "double six". */
export const tileName = (tile) => names[tile] || tile;

/** The drawing alone; what it means is said by the element around it. */
export function picture(tile, options = {}) {
  const [high, low] = tile.split("-").map(Number);
  return h(
    "span",
    { class: "tile-picture", "aria-hidden": "true" },
    drawn(tileSvg(high, low, { ...options, label: "" })),
  );
}

export const pips = (number) =>
  h("span", { class: "pips-picture", "aria-hidden": "true" }, drawn(pipsSvg(number)));

/** The drawing of the line of play, bent where it reaches `width` halves of a tile. */
export const lineDrawing = (layout, width) => drawn(lineOfPlay(layout, width));

/** A button showing a tile. */
export function tileKey(tile, { label = tileName(tile), ...attributes }, ...marks) {
  return h(
    "button",
    {
      type: "button",
      "data-key": `tile-${tile}`,
      "data-tile": tile,
      "aria-label": label,
      ...attributes,
      class: `tile-key ${attributes.class || ""}`,
    },
    picture(tile),
    marks,
  );
}
