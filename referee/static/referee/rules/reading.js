// The JSON document of a match read, every fault with its path (engine/reading.py, profiles.py).
//
// `tables` are the engine's own: `profiles` (players, partnership, elimination, target, options,
// schedule, version) and `options` (choices, or lowest and highest), as `referee/page_rules.py`
// gives them.
import { bad } from "./refusals.js";
import { actOf, measureOf, PENDING } from "./round.js";
import { OTHER, SET_PIPS, SET_SIZE, tileOf } from "./tiles.js";

const MOST_ROUNDS = 5_000;
export const MOST_EVENTS = 1_000;
const MOST_EVENTS_IN_ALL = 100_000;
const LONGEST_NOTE = 2_000;
const LONGEST_NAME = 200;
const LONGEST_KIND = 100;
const LARGEST_NUMBER = 1_000_000_000;

const PLAIN = [
  ...["warning", "formal_warning", "retract", "stand", "lose_turn", "must_play", "expose"],
  ...["void_round", "lose_round", "lose_match", "disqualify"],
];
const WITH_NUMBER = ["rewind", "points", "percent"];
const CARDS = ["yellow", "red", "black"];
const NEEDS_TILE = ["must_play", "expose", "stand"];

const isObject = (one) => typeof one === "object" && one !== null && !Array.isArray(one);
const missing = (one) => one === undefined || one === null;
const inRange = (one, lowest, highest) =>
  Number.isInteger(one) && lowest <= one && one <= highest;

function object(one, path, keys) {
  if (!isObject(one) || Object.keys(one).some((key) => !keys.includes(key))) throw bad(path);
  return one;
}

function whole(one, path, lowest, highest) {
  if (!inRange(one, lowest, highest)) throw bad(path);
  return one;
}

function text(one, path, longest) {
  if (typeof one !== "string" || [...one].length > longest || /\p{Surrogate}/u.test(one))
    throw bad(path);
  return one;
}

function tile(one, path) {
  if (typeof one !== "string" || one.length !== 3 || tileOf(one) < 0) throw bad(path);
  return tileOf(one);
}

function tiles(one, path, most) {
  if (!Array.isArray(one) || one.length > most) throw bad(path);
  const read = one.map((each, place) => tile(each, `${path}[${place}]`));
  if (new Set(read).size < read.length) throw bad(path);
  return read;
}

/** The rules of a document settled: {profile, target, elimination, options, schedule}. */
export function readRules(one, tables) {
  object(one, "rules", ["profile", "version", "target", "options"]);
  const known = typeof one.profile === "string" && Object.hasOwn(tables.profiles, one.profile);
  if (!known) throw bad("rules.profile");
  const profile = tables.profiles[one.profile];
  if ("version" in one && one.version !== profile.version) throw bad("rules.version");
  const target = missing(one.target) ? profile.target : one.target;
  if (!inRange(target, 1, LARGEST_NUMBER)) throw bad("rules.target");
  const options = missing(one.options) ? {} : one.options;
  if (!isObject(options)) throw bad("rules.options");
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(tables.options, name)) throw bad("rules.options");
    const { choices, lowest, highest } = tables.options[name];
    if (choices.length ? !choices.includes(value) : !inRange(value, lowest, highest))
      throw bad(`rules.options.${name}`);
  }
  return { ...profile, target, options: { ...profile.options, ...options } };
}

/** A document as `MatchState` takes it: {rules, players, partnership, names, rounds}. */
export function readRecord(one, tables) {
  const keys = ["format", "version", "rules", "players", "partnership", "names", "rounds"];
  object(one, "$", keys);
  if (one.format !== "domino-record") throw bad("format");
  if (one.version !== 1) throw bad("version");
  const rules = readRules(one.rules, tables);
  const { players } = one;
  if (!Number.isInteger(players) || !rules.players.includes(players)) throw bad("players");
  if (rules.elimination && rules.options.survivors >= players)
    throw bad("rules.options.survivors");
  const partnership = players === 4 && rules.partnership;
  if (!missing(one.partnership) && one.partnership !== partnership) throw bad("partnership");
  const seats = [..."ABCD"].slice(0, players);
  const names = missing(one.names) ? {} : object(one.names, "names", seats);
  for (const [seat, name] of Object.entries(names)) text(name, `names.${seat}`, LONGEST_NAME);
  if (!Array.isArray(one.rounds) || one.rounds.length > MOST_ROUNDS) throw bad("rounds");
  const reader = new Reader(rules, seats, partnership ? ["AC", "BD"] : seats);
  one.rounds.forEach((each, number) => reader.round(number, each));
  return { rules, players, partnership, names, rounds: one.rounds };
}

/** Check one event at a table of `rules` and `players`; throws bad_record with its path. */
export function checkEvent(one, { rules, players, partnership }, path = "event") {
  const seats = [..."ABCD"].slice(0, players);
  new Reader(rules, seats, partnership ? ["AC", "BD"] : seats).event(one, path);
}

class Reader {
  constructor(rules, seats, sides) {
    Object.assign(this, { rules, seats, sides, read: 0 });
  }

  round(number, one) {
    const path = `rounds[${number}]`;
    const at = (place, act) => {
      try {
        return act();
      } catch (error) {
        throw error.at?.(number, place) ?? error;
      }
    };
    at(null, () => {
      object(one, path, ["hands", "stock", "opener", "events"]);
      this.#hands(one.hands, `${path}.hands`);
      this.#stock(one.stock, one.hands, `${path}.stock`);
      if (!missing(one.opener)) this.#seat(one.opener, `${path}.opener`);
      this.#listed(one.events, `${path}.events`);
    });
    one.events.forEach((event, place) =>
      at(place, () => this.event(event, `${path}.events[${place}]`)),
    );
  }

  #listed(one, path) {
    if (!Array.isArray(one) || one.length > MOST_EVENTS) throw bad(path);
    this.read += one.length;
    if (this.read > MOST_EVENTS_IN_ALL) throw bad(path);
  }

  #hands(one, path) {
    if (missing(one)) return;
    object(one, path, this.seats);
    const seen = new Set();
    for (const seat of this.seats)
      for (const each of tiles(one[seat], `${path}.${seat}`, SET_SIZE)) {
        if (seen.has(each)) throw bad(`${path}.${seat}`);
        seen.add(each);
      }
  }

  #stock(one, hands, path) {
    if (missing(one)) return;
    if (missing(hands)) throw bad(path);
    const stock = tiles(one, path, SET_SIZE);
    const dealt = this.seats.flatMap((seat) => hands[seat].map(tileOf));
    if (stock.some((each) => dealt.includes(each)) || dealt.length + stock.length !== SET_SIZE)
      throw bad(path);
  }

  event(one, path) {
    if (!isObject(one) || Object.keys(EVENTS).filter((key) => key in one).length !== 1)
      throw bad(path);
    const act = actOf(one);
    object(one, path, EVENTS[act]);
    this[act](one, path);
  }

  #seat(one, path) {
    if (typeof one !== "string" || !this.seats.includes(one)) throw bad(path);
  }

  #end(one, path) {
    if (!missing(one) && one !== "left" && one !== "right") throw bad(path);
  }

  play(one, path) {
    this.#seat(one.seat, `${path}.seat`);
    tile(one.play, `${path}.play`);
    this.#end(one.end, `${path}.end`);
  }

  draw(one, path) {
    this.#seat(one.seat, `${path}.seat`);
    if (one.draw !== null) tile(one.draw, `${path}.draw`);
  }

  pass(one, path) {
    if (one.pass !== true) throw bad(`${path}.pass`);
    this.#seat(one.seat, `${path}.seat`);
  }

  infraction(one, path) {
    this.#seat(one.seat, `${path}.seat`);
    if (!isKind(one.infraction)) throw bad(`${path}.infraction`);
    if (!missing(one.tile)) tile(one.tile, `${path}.tile`);
    if (!missing(one.open)) whole(one.open, `${path}.open`, 0, 6);
    if ("deliberate" in one && typeof one.deliberate !== "boolean")
      throw bad(`${path}.deliberate`);
    if (one.measures !== PENDING) this.#measures(one.measures, `${path}.measures`);
    this.#end(one.end, `${path}.end`);
    if ("note" in one) text(one.note, `${path}.note`, LONGEST_NOTE);
    this.#requireWhole(one, path);
  }

  /** Refuse measures that lack what they are about. */
  #requireWhole(one, path) {
    if (missing(one.measures) && !Object.hasOwn(this.rules.schedule, one.infraction))
      throw bad(`${path}.measures`);
    if (!Array.isArray(one.measures)) return;
    for (const { name } of one.measures.map(measureOf)) {
      if (NEEDS_TILE.includes(name) && missing(one.tile)) throw bad(`${path}.tile`);
      if (name !== "stand" || missing(one.tile)) continue;
      if (missing(one.end)) throw bad(`${path}.end`);
      if (missing(one.open) || OTHER[tileOf(one.tile)][one.open] < 0) throw bad(`${path}.open`);
    }
  }

  #measures(one, path) {
    if (missing(one)) return;
    if (!Array.isArray(one) || one.length > 20) throw bad(path);
    one.forEach((each, place) => measure(each, `${path}[${place}]`));
  }

  ruling(one, path) {
    whole(one.ruling, `${path}.ruling`, 0, MOST_EVENTS);
    this.#measures(one.measures, `${path}.measures`);
    if ("note" in one) text(one.note, `${path}.note`, LONGEST_NOTE);
  }

  show(one, path) {
    this.#seat(one.seat, `${path}.seat`);
    tiles(one.show, `${path}.show`, SET_SIZE);
  }

  count(one, path) {
    this.#seat(one.seat, `${path}.seat`);
    whole(one.count, `${path}.count`, 0, SET_PIPS);
  }

  result(one, outer) {
    const path = `${outer}.result`;
    const sheet = object(one.result, path, ["winner", "points", "ended"]);
    if (sheet.ended !== "out" && sheet.ended !== "blocked") throw bad(`${path}.ended`);
    if (!("winner" in sheet)) throw bad(`${path}.winner`);
    if (sheet.winner !== null && !this.sides.includes(sheet.winner)) throw bad(`${path}.winner`);
    const bySeat = isObject(sheet.points);
    if (bySeat !== this.rules.elimination) throw bad(`${path}.points`);
    if (bySeat) {
      object(sheet.points, `${path}.points`, this.seats);
      for (const [seat, points] of Object.entries(sheet.points))
        whole(points, `${path}.points.${seat}`, 0, LARGEST_NUMBER);
    } else {
      whole(sheet.points, `${path}.points`, 0, LARGEST_NUMBER);
      if (sheet.winner === null && sheet.points) throw bad(`${path}.points`);
    }
  }

  time(one, path) {
    if (one.time !== "over") throw bad(`${path}.time`);
  }

  leaves(one, path) {
    if (!text(one.leaves, `${path}.leaves`, LONGEST_NAME).trim()) throw bad(`${path}.leaves`);
    this.#seat(one.seat, `${path}.seat`);
  }

  undo(one, path) {
    whole(one.undo, `${path}.undo`, 1, MOST_EVENTS);
  }
}

function measure(one, path) {
  if (typeof one === "string" && PLAIN.includes(one)) return;
  const pairs = isObject(one) ? Object.entries(one) : [];
  const [[name, value]] = pairs.length === 1 ? pairs : [[null, null]];
  if (name === "card" && CARDS.includes(value)) return;
  if (!WITH_NUMBER.includes(name)) throw bad(path);
  const most = { percent: 1000, rewind: MOST_EVENTS }[name] ?? LARGEST_NUMBER;
  whole(value, `${path}.${name}`, 0, most);
}

/** Can `text` name a kind of infraction: printable, not empty, no space at its edges? */
function isKind(one) {
  if (typeof one !== "string" || !one || [...one].length > LONGEST_KIND) return false;
  return one === one.trim() && !/[\p{C}\p{Z}]/u.test(one.replaceAll(" ", ""));
}

const EVENTS = {
  play: ["seat", "play", "end"],
  draw: ["seat", "draw"],
  pass: ["seat", "pass"],
  infraction: [
    ...["seat", "infraction", "tile", "end", "open", "measures", "deliberate", "note"],
  ],
  ruling: ["ruling", "measures", "note"],
  show: ["seat", "show"],
  count: ["seat", "count"],
  result: ["result"],
  time: ["time"],
  leaves: ["seat", "leaves"],
  undo: ["undo"],
};
