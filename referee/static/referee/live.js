// What the page expects an event to do, drawn at once; the server's answer replaces it.
//
// This is no second set of rules: it knows how the line grows and who is next, nothing else.

/** The ends a tile fits; both when it can be laid at either and the ends differ. */
function fitting(tile, ends) {
  const [high, low] = tile.split("-").map(Number);
  const fits = (end) => end === high || end === low;
  const [left, right] = ends;
  if (left === right) return fits(left) ? ["right"] : [];
  return [fits(left) && "left", fits(right) && "right"].filter(Boolean);
}

/** The seat after `seat`, passing over those out of the match. */
export function seatAfter(seat, table, live) {
  const order = table.seats.map((one) => one.seat).filter((one) => !live.out.includes(one));
  return order[(order.indexOf(seat) + 1) % order.length];
}

function turnPassed(live, table, seat) {
  let next = seatAfter(seat, table, live);
  const skips = [...(live.round.lose_turn || [])];
  while (skips.includes(next)) {
    skips.splice(skips.indexOf(next), 1);
    next = seatAfter(next, table, live);
  }
  return { turn: next, lose_turn: skips };
}

function laid(line, ends, { seat, play, end, number }) {
  const [high, low] = play.split("-").map(Number);
  const one = { tile: play, seat, event: number, double: high === low, standing: false };
  if (!ends) return [{ ...one, left: high, right: low }];
  const [left, right] = ends;
  if (end === "left") return [{ ...one, left: left === high ? low : high, right: left }, ...line];
  return [...line, { ...one, left: right, right: right === high ? low : high }];
}

/** The event that one undo takes back. */
export const lastInEffect = (round) =>
  round.events.filter((one) => one.in_effect && one.type !== "undo").at(-1);

/** The round as it was before its last play or pass; other events wait for the server. */
function withoutLast(round) {
  const last = lastInEffect(round);
  if (!last || !["play", "pass"].includes(last.type)) return round;
  const events = round.events.map((one) => (one === last ? { ...one, in_effect: false } : one));
  const back = { ...round, events, turn: last.seat, play_over: false };
  if (last.type === "pass") return back;
  const line = round.line.filter((one) => one.event !== last.number);
  const ends = line.length ? [line[0].left, line.at(-1).right] : null;
  const [{ tile }] = round.line.filter((one) => one.event === last.number);
  const tiles = [{ tile }, ...round.tiles].map((one) => ({
    tile: one.tile,
    ends: ends ? fitting(one.tile, ends) : [],
  }));
  const inHand = { ...round.in_hand, [last.seat]: round.in_hand[last.seat] + 1 };
  return { ...back, line, ends, tiles, in_hand: inHand };
}

/** The live state as it should look once `event` (a JSON event) is stored as number `number`. */
export function echoed(live, table, event, number) {
  const round = { ...live.round, next_number: number + 1 };
  const inHand = { ...round.in_hand };
  if (event.undo) return { ...live, round: withoutLast(round) };
  if (!foreseeable(event, live.round)) return { ...live, round };
  if (event.play) {
    const end = event.end || round.tiles.find((one) => one.tile === event.play)?.ends[0] || "right";
    round.line = laid(round.line, round.ends, { ...event, end, number });
    round.ends = [round.line[0].left, round.line.at(-1).right];
    round.tiles = round.tiles
      .filter((one) => one.tile !== event.play)
      .map(({ tile }) => ({ tile, ends: fitting(tile, round.ends) }));
    round.first_tile = null;
    if (inHand[event.seat] > 0) inHand[event.seat] -= 1;
    Object.assign(round, turnPassed(live, table, event.seat));
    if (inHand[event.seat] === 0) Object.assign(round, { turn: null, play_over: true });
  } else if (event.pass) {
    Object.assign(round, turnPassed(live, table, event.seat));
  } else if ("draw" in event) {
    inHand[event.seat] += 1;
    round.stock_left -= 1;
  } else if (event.show || "count" in event) {
    round.needs_hands = round.needs_hands.filter((seat) => seat !== event.seat);
    if (event.show) round.tiles = round.tiles.filter((one) => !event.show.includes(one.tile));
  }
  round.in_hand = inHand;
  return { ...live, round };
}

/** Whether the page can say beforehand what the event does to the table. */
export function foreseeable(event, round) {
  if (typeof event === "string") return false;
  if ("show" in event || "count" in event) return true;
  if (event.seat !== round.turn || round.pending.length) return false;
  if (!event.play) return "pass" in event || "draw" in event;
  if (!round.line.length) return !round.first_tile || round.first_tile === event.play;
  const { ends } = round.tiles.find((one) => one.tile === event.play) || { ends: [] };
  return event.end
    ? ends.includes(event.end) || (round.ends[0] === round.ends[1] && ends.length > 0)
    : ends.length === 1;
}
