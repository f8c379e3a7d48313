// Robot substitute: a legal, sensible act for a seat whose hand is known (engine/robot.py).
import { tileOf } from "./tiles.js";

// What a choice is worth, in pips: a number still in hand, a tile that fits the ends left behind,
// and getting rid of a double, which fits one number only.
const VARIETY = 2;
const FOLLOW_UP = 3;
const DOUBLE = 4;

const halves = (tile) => tile.split("-").map(Number);

/**
 * The act of the seat on turn in `round`, as the state tells it, or null where its hand is not
 * known: the robot never guesses.
 */
export function proposal(round, hand = round.hands?.[round.turn]) {
  const seat = round.turn;
  if (!seat || !hand) return null;
  const [best] = choices(round, hand)
    .map((choice) => ({ ...choice, worth: worth(round, hand, choice), index: tileOf(choice.tile) }))
    .sort((one, other) => other.worth - one.worth || other.index - one.index);
  if (best) return { seat, play: best.tile, ...(best.end && { end: best.end }) };
  return round.can_draw ? { seat, draw: null } : { seat, pass: true };
}

/** What may be laid: the tile that binds, or every tile at every end it fits. */
function choices(round, hand) {
  const playable = (tile) => round.tiles.find((one) => one.tile === tile)?.ends ?? [];
  if (!round.ends)
    return hand.filter((tile) => playable(tile).length).map((tile) => ({ tile, end: null, at: null }));
  const bound = (round.must[round.turn] ?? []).filter(
    (tile) => hand.includes(tile) && playable(tile).length,
  );
  return (bound.length ? bound.slice(0, 1) : hand).flatMap((tile) => {
    const ends = playable(tile);
    return ends.map((at) => ({ tile, end: ends.length > 1 ? at : null, at }));
  });
}

function worth(round, hand, { tile, at }) {
  const [high, low] = halves(tile);
  const rest = hand.filter((other) => other !== tile).map(halves);
  const ends = endsAfter(round, high, low, at);
  const numbers = new Set(rest.flat()).size;
  const followUps = rest.filter((other) => other.some((half) => ends.includes(half))).length;
  const double = high === low ? DOUBLE : 0;
  return high + low + VARIETY * numbers + FOLLOW_UP * followUps + double;
}

function endsAfter({ ends }, high, low, at) {
  if (!ends) return [high, low];
  const [left, right] = ends;
  const other = (number) => (high === number ? low : high);
  return at === "left" ? [other(left), right] : [left, other(right)];
}
