// Do the hands add up? 28 tiles and 168 pips, over all seats of a blind round together.

const pipsOf = (tile) => tile.split("-").reduce((sum, half) => sum + Number(half), 0);

/** The pips of `tiles` together. */
export const sum = (tiles) => tiles.reduce((all, tile) => all + pipsOf(tile), 0);

const inEffect = (round, type) => round.events.filter((one) => one.in_effect && one.type === type);
const tilesIn = ({ line }) => line.match(/\d-\d/g) || [];

/** The tiles that neither lie on the table nor were shown in a hand. */
export function notShown(round) {
  const shown = inEffect(round, "show").flatMap(tilesIn);
  return round.tiles.map((one) => one.tile).filter((tile) => !shown.includes(tile));
}

/** Seat to the pips counted for it, where its tiles were not shown. */
function countedHands(round) {
  const shown = inEffect(round, "show").map((one) => one.seat);
  const counts = inEffect(round, "count").map((one) => [one.seat, Number(one.line.match(/\d+/)[0])]);
  return new Map(counts.filter(([seat]) => !shown.includes(seat)));
}

/** The fewest and the most pips that `count` of these tiles can make. */
function range(tiles, count) {
  const pips = tiles.map(pipsOf).sort((one, other) => one - other);
  const all = (some) => some.reduce((total, one) => total + one, 0);
  return { least: all(pips.slice(0, count)), most: all(count ? pips.slice(-count) : []) };
}

/** How many tiles lie in hands nobody has shown or counted, and in the stock; without `seat`. */
function elsewhere(round, seat) {
  const shown = inEffect(round, "show").map((one) => one.seat);
  const known = [seat, ...shown, ...countedHands(round).keys()];
  const hidden = Object.entries(round.in_hand).filter(([one]) => !known.includes(one));
  return hidden.reduce((all, [, held]) => all + held, round.stock_left);
}

/** What the hand of `seat` can count, by the tiles left and what was said of the other hands. */
export function countRange(round, seat) {
  const tiles = notShown(round);
  const alone = range(tiles, round.in_hand[seat]);
  const others = [...countedHands(round)].filter(([one]) => one !== seat);
  const rest = sum(tiles) - others.reduce((all, [, pips]) => all + pips, 0);
  const free = range(tiles, elsewhere(round, seat));
  return {
    least: Math.max(alone.least, rest - free.most),
    most: Math.min(alone.most, rest - free.least),
  };
}

/**
 * What the tiles `hand` of `seat` leave for the hands that were only counted, where that cannot
 * be: {rest, counted} in pips; null where it adds up.
 */
export function leftForCounted(round, seat, hand) {
  const others = [...countedHands(round)].filter(([one]) => one !== seat);
  if (!others.length) return null;
  const rest = notShown(round).filter((tile) => !hand.includes(tile));
  const counted = others.reduce((all, [, pips]) => all + pips, 0);
  const held = others.reduce((all, [one]) => all + round.in_hand[one], 0);
  const { least, most } = range(rest, held);
  return counted < least || counted > most ? { rest: sum(rest), counted } : null;
}
