// What the record comes to by the page's own rules, in the shape in which the server tells it.
import { MatchState } from "./rules/match.js";
import { Refusal } from "./rules/refusals.js";
import { PENDING } from "./rules/round.js";
import { LEFT, RIGHT } from "./rules/table.js";
import { LOW, OTHER, SET_SIZE, isDouble, tilesOf, written } from "./rules/tiles.js";
import { Names, sentenceOf } from "./stages.js";
import { counting, say, tileText } from "./words.js";

const letter = (seat) => "ABCD"[seat];
const lowerBits = [0, 1, 2, 3];

/**
 * The match after `rounds`, each {id, opener, hands, stock, events}, the last of them open.
 *
 * `base` is what the server told last: the sentences it made stay as they are. An event is as in
 * the record format; a typed line, which only the server reads, changes nothing here. Throws the
 * first Refusal.
 */
export function liveOf(table, base, rounds) {
  const { rules } = table;
  const { players, partnership } = rules;
  const state = new MatchState({ rules, players, partnership, rounds: rounds.map(readable) });
  const told = rounds.map((one, number) => toldOf(table, base, one, number, state.rounds[number]));
  const out = [..."ABCD"].slice(0, players).filter((_, seat) => !state.seats.includes(seat));
  return {
    ...base,
    over: state.over,
    time_over: state.timeOver,
    winner: state.winner,
    winner_name: state.winner && table.side_names[state.winner],
    totals: state.totals,
    deductions: state.deductions,
    substitutes: substitutesOf(rounds, state.rounds),
    out: rounds.length ? out : [],
    next_round: nextRound(base, state),
    can_close: base.state === "playing" && state.over && !state.rounds.some(pendingIn),
    rounds: state.rounds.map((one, number) =>
      number < base.rounds.length - 1
        ? base.rounds[number]
        : roundLine(table, rounds[number], one, state.sides.names),
    ),
    round: rounds.length ? currentRound(state, rounds.at(-1), told.at(-1)) : null,
    findings: state.findings.map((one) => findingOf(table, rounds, one)),
    infractions: state.infractions.map(infractionOf),
    offences: offencesOf(state.infractions),
  };
}

/** Why `event` cannot be the next of the last round: {code, as_infraction, message}, or null. */
export function refusalOf(table, base, rounds, event) {
  const last = rounds.at(-1);
  const number = last.events.length;
  try {
    liveOf(table, base, [...rounds.slice(0, -1), { ...last, events: [...last.events, event] }]);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.round === rounds.length - 1 && error.event === number) return explained(error);
  }
  return null;
}

/** The match once `event` is the next of the last round; null where the page cannot tell. */
export function liveAfter(table, base, rounds, event) {
  const last = rounds.at(-1);
  if (!last || last.events.some((one) => typeof one === "string")) return null;
  try {
    return liveOf(table, base, [...rounds.slice(0, -1), { ...last, events: [...last.events, event] }]);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return null;
  }
}

/** How many undos take the last round back to just before its event `number`. */
export function undosBefore(table, rounds, number) {
  const { rules } = table;
  const { players, partnership } = rules;
  const state = new MatchState({ rules, players, partnership, rounds: rounds.map(readable) });
  let { replay } = state.rounds.at(-1);
  let count = 0;
  while (replay.effective.length && replay.effective.at(-1).number >= number) {
    const before = replay.saved.get(replay.effective.at(-1).number);
    // Without an undo or a rewind no state was kept, and every event is one undo.
    if (!before) return replay.effective.filter((one) => one.number >= number).length;
    replay = before;
    count += 1;
  }
  return count;
}

/** How many of the rounds and of the last one's events the rules accept. */
export function soundPart(table, base, rounds) {
  let part = rounds;
  while (part.length) {
    try {
      return [part, liveOf(table, base, part)];
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const at = error.round ?? 0;
      const kept = part.slice(0, at);
      if (error.event === null || !part[at]) part = kept;
      else part = [...kept, { ...part[at], events: part[at].events.slice(0, error.event) }];
    }
  }
  return [part, base];
}

function explained({ code, asInfraction, name, params }) {
  return { code, as_infraction: asInfraction, message: counting(`refusal_${name}`, filling(params)) };
}

const isTile = /^[0-6]-[0-6]$/;

/** What fills an engine's sentence, as the reader writes it: tiles, and how a round ended. */
function filling(params) {
  const shown = ([key, value]) => {
    if (key === "ended") return [key, say(`ended_label_${value}`)];
    const words = typeof value === "string" ? value.split(" ") : [];
    return [key, words.length && words.every((one) => isTile.test(one)) ? words.map(tileText).join(" ") : value];
  };
  return Object.fromEntries(Object.entries(params).map(shown));
}

const readable = (one) => ({
  ...one,
  events: one.events.map((event) => (typeof event === "string" ? {} : event)),
});

const inEffect = ({ replay }) => new Set(replay.effective.map((one) => one.number));
const pendingOf = ({ replay }) =>
  replay.offences.filter((one) => one.measures === PENDING).map((one) => one.event);
const pendingIn = (one) => pendingOf(one).length > 0;

/** Is nothing more to be laid, drawn or passed? */
const playOver = ({ replay: { table, sheet } }) =>
  Boolean(table.ended || table.verdict || table.pending === -2 || sheet);

// -- the events of a round ------------------------------------------------------------------

const TYPES = [
  ...["play", "draw", "pass", "infraction", "ruling", "show", "count", "result", "time"],
  ...["leaves", "undo"],
];

/** The events of a round as lists show them; those the server has not told yet are waiting. */
function toldOf(table, base, one, number, state) {
  const known = base.round?.number === number ? base.round.events : [];
  const effective = inEffect(state);
  const names = new Names(table, base);
  const begun = { ends: null };
  return one.events.map((event, place) => {
    const counts = effective.has(place);
    if (typeof event !== "string" && "play" in event) begun.laid = true;
    if (place < known.length) return { ...known[place], in_effect: counts };
    const first = typeof event !== "string" && "play" in event && state.replay.plays[0] === place;
    return {
      number: place,
      sentence: sentenceOf(event, names, first ? { ends: null } : { ends: [0, 0] }),
      in_effect: counts,
      waiting: true,
      ...shortly(event),
    };
  });
}

function shortly(event) {
  if (typeof event === "string") return { line: event };
  const type = TYPES.find((one) => one in event);
  const words = [event.play || event.draw || event.tile || "", event.end || ""];
  if (event.deliberate) words.push("deliberate");
  if ("count" in event) words.push(String(event.count));
  return { type, seat: event.seat ?? null, line: [...words, ...(event.show || [])].join(" ").trim() };
}

function substitutesOf(rounds, states) {
  const held = {};
  rounds.forEach((one, number) => {
    const effective = inEffect(states[number]);
    one.events.forEach((event, place) => {
      if (event.leaves && effective.has(place)) held[event.seat] = event.leaves;
    });
  });
  return held;
}

// -- rounds ---------------------------------------------------------------------------------

function roundLine(table, one, state, sides) {
  const { ended, winner, points } = state.outcome;
  const side = winner < 0 || ended === "void" ? null : sides[winner];
  const name = side && table.side_names[side];
  const label = say(`ended_label_${ended}`);
  const filled = { round: state.number + 1, ended: label, winner: name, points: Math.max(0, ...points) };
  const left = state.replay.pipsLeft;
  return {
    id: one.id,
    number: state.number,
    opener: state.opener < 0 ? null : letter(state.opener),
    ended,
    ended_label: label,
    winner: side,
    winner_name: name,
    points: bySide(sides, points),
    left: Object.fromEntries(table.seats.map(({ seat }, number) => [seat, left[number]])),
    moves: state.replay.table.line.length,
    sentence: name ? say("round_won", filled) : say("round_ended", filled),
  };
}

const bySide = (sides, points) => Object.fromEntries(sides.map((one, side) => [one, points[side]]));

function currentRound(state, one, events) {
  const last = state.rounds.at(-1);
  const { table } = last.replay;
  const over = playOver(last);
  const turn = over || table.turn < 0 ? null : letter(table.turn);
  const seats = lowerBits.filter((seat) => (table.active >> seat) & 1);
  const ends = table.left < 0 ? null : [table.left, table.right];
  const sides = state.sides.names;
  const { ended, winner, points, needs } = last.outcome;
  const undone = events.filter((event) => event.in_effect).at(-1);
  return {
    id: one.id,
    number: last.number,
    blind: table.blind,
    opener: last.opener < 0 ? null : letter(last.opener),
    turn,
    play_over: over,
    ended,
    ended_label: say(`ended_label_${ended}`),
    winner: winner < 0 ? null : sides[winner],
    points: bySide(sides, points),
    next_number: events.length,
    line: layoutOf(last),
    ends,
    in_hand: Object.fromEntries(seats.map((seat) => [letter(seat), table.size(seat)])),
    hands: table.blind
      ? null
      : Object.fromEntries(seats.map((seat) => [letter(seat), tilesOf(table.hands[seat]).map(written)])),
    stock_left: table.stock,
    can_draw: !table.dry,
    can_pass: turn !== null && ends !== null && table.dry,
    must: over ? {} : boundTiles(table, seats),
    lose_turn: seats.filter((seat) => (table.skips >> seat) & 1).map(letter),
    pending: pendingOf(last),
    first_tile: table.left < 0 && table.firstTile >= 0 ? written(table.firstTile) : null,
    needs_hands: needs.map(letter),
    tiles: tilesLeft(table, over),
    events,
    undo: undone ? { number: undone.number, line: undone.line, sentence: undone.sentence } : null,
  };
}

function boundTiles(table, seats) {
  const bound = seats.map((seat) => [
    letter(seat),
    [...new Set([...table.exposed[seat], table.obliged[seat]])]
      .filter((tile) => tile >= 0)
      .map(written),
  ]);
  return Object.fromEntries(bound.filter(([, tiles]) => tiles.length));
}

/** The tiles on the table from left to right. */
function layoutOf({ replay }) {
  const laid = replay.table.line.map(({ tile, seat, end, opened, standing }, place) => {
    const inner = LOW[tile] + Number(written(tile)[0]) - opened;
    const [left, right] = end === LEFT ? [opened, inner] : [inner, opened];
    return {
      tile: written(tile),
      left,
      right,
      end: { [LEFT]: "left", [RIGHT]: "right" }[end] ?? null,
      seat: letter(seat),
      event: replay.plays[place],
      double: isDouble(tile),
      standing,
    };
  });
  const atLeft = laid.filter((one) => one.end === "left").reverse();
  return [...atLeft, ...laid.filter((one) => one.end !== "left")];
}

/** The tiles that do not lie on the table: those that fit first, the heavier first. */
function tilesLeft(table, over) {
  const tiles = [];
  for (let tile = SET_SIZE - 1; tile >= 0; tile -= 1)
    if (!((table.laid >> tile) & 1)) tiles.push({ tile: written(tile), ends: playable(table, tile, over) });
  return [...tiles.filter((one) => one.ends.length), ...tiles.filter((one) => !one.ends.length)];
}

function playable(table, tile, over) {
  if (over) return [];
  const { left, right, firstTile } = table;
  if (left < 0) return firstTile < 0 || firstTile === tile ? ["right"] : [];
  const fits = [OTHER[tile][left] >= 0, OTHER[tile][right] >= 0];
  if (fits[0] && fits[1] && left === right) return ["right"];
  return ["left", "right"].filter((_, place) => fits[place]);
}

/** What starts the next round; null while that cannot be done. */
function nextRound(base, state) {
  const last = state.rounds.at(-1);
  if (base.state !== "playing" || state.over) return null;
  if (last && pendingIn(last)) return null;
  if (last?.outcome.ended === "unfinished") {
    // A score sheet needed no opener; where it is undone, somebody has to open.
    if (last.opener >= 0) return null;
    const number = state.rounds.length - 1;
    return { number, opener: null, ask: true, rule: say("another_opener_help"), first_tile: null };
  }
  const { rule, seat, firstTile } = state.nextOpener();
  return {
    number: state.rounds.length,
    opener: seat < 0 ? null : letter(seat),
    ask: seat < 0,
    rule: say(`opens_by_${rule}`),
    first_tile: firstTile < 0 ? null : written(firstTile),
  };
}

// -- infractions and findings ---------------------------------------------------------------

/** An infraction as the server tells it: measures in notation, null while the ruling is open. */
function infractionOf(one) {
  const notation = ({ name, value }) => ({ value: value === null ? name : `${name} ${value}` });
  return { ...one, measures: one.measures === PENDING ? null : one.measures.map(notation) };
}

function offencesOf(infractions) {
  const counted = {};
  for (const { seat, kind } of infractions) {
    counted[seat] ??= {};
    counted[seat][kind] = (counted[seat][kind] || 0) + 1;
  }
  return counted;
}

function findingOf(table, rounds, one) {
  const { round, event, seat, kind, text, params } = one;
  const label = table.kinds.find((each) => each.kind === kind)?.label ?? kind;
  return {
    round,
    round_id: rounds[round].id,
    event,
    seat,
    kind,
    label,
    tile: params.tile ?? null,
    proof: say(`proof_${text}`, filling(params)),
  };
}
