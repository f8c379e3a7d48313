/* Tiles and the line of play as SVG text, as `tournaments/drawing.py` draws them on the server. */

const UNIT = 40; // half the length of a tile
const APART = 11; // from the middle of a half to its outer pips
const NARROWEST = 7;

const CORNERS = [[-1, -1], [1, -1], [-1, 1], [1, 1]];
const DIAGONAL = [[-1, -1], [1, 1]];
const PIPS = [
  [],
  [[0, 0]],
  DIAGONAL,
  [...DIAGONAL, [0, 0]],
  CORNERS,
  [...CORNERS, [0, 0]],
  [[-1, -1], [0, -1], [1, -1], [-1, 1], [0, 1], [1, 1]],
];
// Digits of the languages that write their own, from the heads of the catalogs: "ar:٠١٢… fa:۰۱۲…".
const written = (document.documentElement.dataset.digits || "").split(" ");
const DIGITS = Object.fromEntries(written.map((one) => one.split(":")));

/** Write the digits of `text` as the page's language does. */
export function localDigits(text, language = document.documentElement.lang) {
  const digits = DIGITS[language.split("-")[0]];
  return digits ? String(text).replace(/[0-9]/g, (digit) => digits[digit]) : String(text);
}

/** Return `text` with Arabic and Persian digits replaced by 0 to 9. */
export function latinDigits(text) {
  return text.replace(/[٠-٩۰-۹]/g, (digit) => digit.charCodeAt(0) & 15);
}

/** Name a tile in words; the page carries the names from `{% tile_names_script %}`. */
export function tileName(a, b) {
  const names = document.getElementById("tile-names");
  const notation = `${Math.max(a, b)}-${Math.min(a, b)}`;
  return names ? JSON.parse(names.textContent)[notation] : notation;
}

/** Draw one tile; without a label it is hidden from screen readers. */
export function tileSvg(a, b, { vertical = false, size = "", label = "" } = {}) {
  const kinds = ["tile", vertical && "vertical", size].filter(Boolean).join(" ");
  const box = vertical ? "-21 -41 42 82" : "-41 -21 82 42";
  const drawn = vertical ? `<g transform="rotate(90)">${tile(a, b)}</g>` : tile(a, b);
  return `<svg class="${kinds}" viewBox="${box}"${spoken(label)}>${drawn}</svg>`;
}

/** Draw one half of a tile. */
export function pipsSvg(number, label = "") {
  return (
    `<svg class="half" viewBox="-21 -21 42 42"${spoken(label)}>` +
    '<rect class="face" x="-19" y="-19" width="38" height="38" rx="7"/>' +
    `<path class="pips" d="${dots(number, 0)}"/></svg>`
  );
}

/**
 * Draw the line of play. `line` holds the tiles from left to right as they lie:
 * `{left, right, event, standing}`; `width` counts halves of a tile.
 */
export function lineOfPlay(line, width) {
  if (!line.length) return "";
  const events = line.map((laid) => laid.event);
  const first = events.indexOf(Math.min(...events));
  const last = events.indexOf(Math.max(...events));
  const drawing = layOut(line, first, width);
  const tiles = line.map((laid, index) => {
    const { x, y, turn } = drawing.places[index];
    const kinds = ["laid", index === last && "last", laid.standing && "standing"];
    return (
      `<g class="${kinds.filter(Boolean).join(" ")}"` +
      ` transform="translate(${Math.round(x * UNIT)} ${Math.round(y * UNIT)}) rotate(${turn})">` +
      tile(laid.left, laid.right) +
      (index === 0 ? openHalf(laid, true) : "") +
      (index === line.length - 1 ? openHalf(laid, false) : "") +
      "</g>"
    );
  });
  const box = `-4 -4 ${Math.round(drawing.width * UNIT) + 8} ${Math.round(drawing.height * UNIT) + 8}`;
  return `<svg class="line-drawing" viewBox="${box}" aria-hidden="true">${tiles.join("")}</svg>`;
}

/** Place the tiles around the first one laid; see `tournaments/layout_of_line.py`. */
export function layOut(line, first, wanted) {
  const width = Math.max(wanted, NARROWEST);
  const isDouble = (laid) => laid.left === laid.right;
  const edge = (width - 1) / 2; // a double at a bend reaches half a unit further
  const crosswise = isDouble(line[first]);
  const start = crosswise ? 0.5 : 1;
  const right = arm(line.slice(first + 1).map(isDouble), start, edge);
  const left = arm(line.slice(0, first).reverse().map(isDouble), start, edge);
  const places = [
    ...left.reverse().map(({ x, y, turn }) => ({ x: -x, y: -y, turn })),
    { x: 0, y: 0, turn: crosswise ? 90 : 0 },
    ...right,
  ];
  const down = ({ turn }) => (turn % 180 === 0 ? 0.5 : 1);
  const top = Math.min(...places.map((place) => place.y - down(place)));
  const bottom = Math.max(...places.map((place) => place.y + down(place)));
  return {
    width,
    height: bottom - top,
    places: places.map(({ x, y, turn }) => ({ x: x + width / 2, y: y - top, turn })),
  };
}

function arm(doubles, start, edge) {
  const places = [];
  let way = 1; // 1 to the right, -1 to the left
  let x = start;
  let y = 0; // middle of the open edge of the last tile
  let below = start === 0.5 ? 1 : 0.5; // from y down to the lower edge of the last tile
  let column = null; // of a tile that hangs at a bend, until the next row starts
  doubles.forEach((double, index) => {
    const flat = (direction) => (direction === 1 ? 0 : 180);
    if (column !== null) {
      way = -way;
      y += 0.5;
      places.push({ x: column + way * (double ? 0 : 0.5), y, turn: flat(way) });
      x = column + way * (double ? 1 : 1.5);
      below = 0.5;
      column = null;
      return;
    }
    const length = double ? 1 : 2;
    const leftOver = edge - way * x - length;
    if (leftOver >= (doubles[index + 1] && !double ? 1 : 0)) {
      const turn = double ? (way === 1 ? 90 : 270) : flat(way);
      places.push({ x: x + (way * length) / 2, y, turn });
      x += way * length;
      below = double ? 1 : 0.5;
    } else {
      column = x - way * 0.5;
      places.push({ x: column, y: y + below + 1, turn: 90 });
      y += below + 2;
    }
  });
  return places;
}

function dots(number, middle) {
  return PIPS[number].map(([x, y]) => `M${middle + APART * x} ${APART * y}h.1`).join("");
}

function tile(left, right) {
  return (
    '<rect class="face" x="-39" y="-19" width="78" height="38" rx="7"/>' +
    '<path class="bar" d="M0-13V13"/><path class="pin" d="M0 0h.1"/>' +
    `<path class="pips" d="${dots(left, -20)}${dots(right, 20)}"/>`
  );
}

function openHalf({ left, right }, isLeft) {
  if (left === right) {
    return '<rect class="open" x="-39" y="-19" width="78" height="38" rx="7"/>';
  }
  return `<rect class="open" x="${isLeft ? -39 : 0}" y="-19" width="39" height="38" rx="7"/>`;
}

function spoken(label) {
  if (!label) return ' aria-hidden="true"';
  const safe = label.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;");
  return ` role="img" aria-label="${safe}"`;
}
