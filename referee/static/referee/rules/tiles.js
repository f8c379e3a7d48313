// Tiles as bits. A tile is a number 0 to 27 (0-0, 1-0, 1-1, 2-0, …), a set of tiles a mask.
//
// This folder is the rules of `engine/` once more, for a page without a network. Each file has
// the name and the order of the Python module it follows; `tests/browser/test_page_rules.py`
// holds both to the same answers.

export const HAND_SIZE = 7;
export const SET_SIZE = 28;
export const SET_PIPS = 168;
export const ALL = (1 << SET_SIZE) - 1;

export const LOW = [];
export const HIGH = [];
for (let high = 0; high <= 6; high += 1)
  for (let low = 0; low <= high; low += 1) {
    LOW.push(low);
    HIGH.push(high);
  }

/** The half beside `number`, -1 where the tile has no such half: OTHER[tile][number]. */
export const OTHER = LOW.map((low, tile) =>
  [0, 1, 2, 3, 4, 5, 6].map((number) =>
    number === low ? HIGH[tile] : number === HIGH[tile] ? low : -1,
  ),
);

export const HAVING = [0, 1, 2, 3, 4, 5, 6].map((number) =>
  LOW.reduce((mask, _, tile) => (OTHER[tile][number] >= 0 ? mask | (1 << tile) : mask), 0),
);

/** The number of the tile written `6-3`, `3-6`, `63` or `36`; -1 for other text. */
export function tileOf(text) {
  const found = /^([0-6])-?([0-6])$/.exec(text);
  if (!found) return -1;
  const [low, high] = [Number(found[1]), Number(found[2])].sort((one, two) => one - two);
  return (high * (high + 1)) / 2 + low;
}

export const written = (tile) => `${HIGH[tile]}-${LOW[tile]}`;
export const isDouble = (tile) => LOW[tile] === HIGH[tile];
export const pips = (tile) => LOW[tile] + HIGH[tile];

/** How many tiles a mask holds. */
export function size(mask) {
  let left = mask;
  let count = 0;
  for (; left; left &= left - 1) count += 1;
  return count;
}

/** The tiles of a mask, lowest first. */
export function tilesOf(mask) {
  const tiles = [];
  for (let tile = 0; tile < SET_SIZE; tile += 1) if (mask & (1 << tile)) tiles.push(tile);
  return tiles;
}

export const maskOf = (tiles) => tiles.reduce((mask, tile) => mask | (1 << tile), 0);
export const pipsOf = (mask) => tilesOf(mask).reduce((sum, tile) => sum + pips(tile), 0);

/** The tiles of a mask as text, heaviest first. */
export const named = (mask) => tilesOf(mask).reverse().map(written).join(" ") || "–";
