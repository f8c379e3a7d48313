// What a referee types: 63, 63r, 63l, p, d31, d, u. Eastern digits and other layouts too.

const EASTERN = "٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹";

// The letters that stand on the same keys of the Arabic and Persian keyboards.
const SAME_KEY = { ق: "r", م: "l", ح: "p", ي: "d", ی: "d", ع: "u", ف: "t", ؤ: "c", ز: "c" };

/** Eastern digits as Western ones. */
export const western = (text) =>
  String(text ?? "").replace(/[٠-٩۰-۹]/g, (sign) => EASTERN.indexOf(sign) % 10);

/** Eastern digits to Western ones, letters to lower case Latin, no spaces or dashes. */
export function plain(text) {
  return [...western(text).trim().toLowerCase()]
    .map((sign) => SAME_KEY[sign] || sign)
    .join("")
    .replace(/[\s\-–:/]/g, "");
}

const tile = (one, other) => `${Math.max(one, other)}-${Math.min(one, other)}`;

// A seat may stand first, apart by a space: `d 31` is seat D playing 3-1, `d31` a drawn tile.
const SEAT_FIRST = /^\s*([a-d])\s+(?=[0-6p])/i;

/**
 * The act that was typed, or null when it cannot be read.
 *
 * {act: "play", tile, end} · {act: "draw", tile} · {act: "pass"} · {act: "undo"}
 * · {act: "replace", tile, end}, which the last tile was instead
 * · {act: "turn"} · {act: "table"}; a play or a pass may name its `seat`.
 */
export function readTyped(text) {
  const first = western(text).match(SEAT_FIRST);
  if (first) return { ...readTyped(text.slice(first[0].length)), seat: first[1].toUpperCase() };
  const typed = plain(text);
  const play = typed.match(/^([0-6])([0-6])([rl])?$/);
  if (play) {
    const end = { r: "right", l: "left" }[play[3]] || null;
    return { act: "play", tile: tile(+play[1], +play[2]), end };
  }
  const other = typed.match(/^u([0-6])([0-6])([rl])?$/);
  if (other) return { ...readTyped(typed.slice(1)), act: "replace" };
  const draw = typed.match(/^d(?:([0-6])([0-6])|\?)?$/);
  if (draw) return { act: "draw", tile: draw[1] ? tile(+draw[1], +draw[2]) : null };
  return (
    { p: { act: "pass" }, u: { act: "undo" }, t: { act: "turn" }, c: { act: "table" } }[typed] ||
    null
  );
}
