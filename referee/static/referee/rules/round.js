// A round event by event: what undo, rewind and rulings make of it (engine/replay.py).
import { Refusal, bad } from "./refusals.js";
import { LEFT, MATCH_IS_OVER, NONE_PENDING, RIGHT, SAID_NOTHING } from "./table.js";
import { OTHER, maskOf, pips, pipsOf, size, tileOf, written } from "./tiles.js";

const NOT_ON_A_SHEET = ["stand", "rewind", "lose_round"];
const NEEDS_TILE = ["must_play", "expose", "stand"];
const ENDS_MATCH = ["lose_match", "disqualify"];
const LISTS = ["offences", "shown", "plays", "passes", "draws", "effective"];

export const PENDING = "pending";
export const seatNumber = (letter) => "ABCD".indexOf(letter);
const endNumber = (end) => (end === "left" ? LEFT : end === "right" ? RIGHT : SAID_NOTHING);

/** A measure's name and value, however it is written: `"warning"`, `{"points": 20}`. */
export function measureOf(one) {
  if (typeof one === "string") return { name: one, value: null };
  const [[name, value]] = Object.entries(one);
  return { name, value };
}

/** What an event is: its first key that names an act. */
const ACTS = [
  ...["play", "draw", "pass", "infraction", "ruling", "show", "count", "result", "time"],
  ...["leaves", "undo"],
];
export const actOf = (event) => ACTS.find((key) => key in event);

/** What a rewind takes back; infractions, rulings and all else stay in effect. */
const AT_THE_TABLE = ["play", "draw", "pass", "show", "count"];

const given = (value) => value !== undefined && value !== null;

export class RoundReplay {
  /** Round `number`; `prior` counts earlier offences, `${seat} ${kind}` to how many. */
  constructor({ number, rules, table, prior }) {
    this.number = number;
    this.rules = rules;
    this.table = table;
    this.inPlay = table.active;
    this.prior = prior;
    this.offences = [];
    this.lostMatch = [];
    this.sheet = null;
    this.timeOver = false;
    this.shown = [];
    this.plays = [];
    this.passes = [];
    this.draws = [];
    // For every event in effect: its number, whether a rewind leaves it so, the state before it.
    this.effective = [];
    this.saved = new Map();
  }

  /** Apply `events` and return the state they lead to; throws the first refusal with its place. */
  run(events) {
    const back = goesBack(events);
    let state = this;
    let number = -1;
    try {
      for (const event of events) {
        number += 1;
        const act = actOf(event);
        if (act === "undo" && back) {
          state = state.#undone(number, event.undo);
          continue;
        }
        const before = back ? state.copied() : null;
        this.saved.set(number, before);
        state.effective.push({ number, lasts: !AT_THE_TABLE.includes(act), before });
        state.#apply(act, number, event);
      }
    } catch (error) {
      throw error instanceof Refusal ? error.at(this.number, number) : error;
    }
    return state;
  }

  copied() {
    const twin = Object.assign(new RoundReplay({ table: this.table }), this);
    twin.table = this.table.copy();
    for (const name of LISTS) twin[name] = [...this[name]];
    return twin;
  }

  #undone(number, count) {
    let state = this;
    for (let done = 0; done < count; done += 1) {
      if (!state.effective.length)
        throw new Refusal("UndoTooFar", {
          path: this.#path(number, "undo"),
          asked: count,
          possible: done,
        });
      state = this.saved.get(state.effective.at(-1).number);
    }
    return state.copied();
  }

  #path(number, key) {
    return `rounds[${this.number}].events[${number}].${key}`;
  }

  #apply(act, number, event) {
    switch (act) {
      case "play":
        this.#requireOpener(number, act);
        this.table.play(seatNumber(event.seat), tileOf(event.play), endNumber(event.end));
        this.plays.push(number);
        break;
      case "draw":
        this.#draw(number, event);
        break;
      case "pass":
        this.#pass(number, event);
        break;
      case "infraction":
        this.#commit(number, event);
        break;
      case "ruling":
        this.#rule(number, event);
        break;
      case "show":
        this.#show(number, event);
        break;
      case "count":
        this.#requireNoSheet(number, act);
        this.#see(number, this.#seatInPlay(number, event.seat), null, event.count);
        break;
      case "result":
        this.#writeSheet(number, event.result);
        break;
      case "time":
        this.timeOver = true;
        break;
      default: // `leaves`: a substitute holds the seat, nothing changes for the rules.
    }
  }

  // -- acts at the table --------------------------------------------------------------------

  #draw(number, event) {
    this.#requireOpener(number, "draw");
    const { left, right } = this.table;
    const seat = seatNumber(event.seat);
    const tile = this.table.draw(seat, given(event.draw) ? tileOf(event.draw) : -1);
    this.draws.push({ event: number, seat, tile, left, right });
  }

  #pass(number, event) {
    this.#requireOpener(number, "pass");
    const { left, right } = this.table;
    const seat = seatNumber(event.seat);
    if (this.table.sayPass(seat)) this.passes.push({ event: number, seat, tile: -1, left, right });
  }

  #show(number, event) {
    this.#requireNoSheet(number, "show");
    const seat = this.#seatInPlay(number, event.seat);
    const tiles = event.show.map(tileOf);
    const lies = tiles.find((tile) => this.table.laid & (1 << tile));
    if (lies !== undefined) throw new Refusal("TileAlreadyPlayed", { tile: written(lies) });
    this.#see(number, seat, maskOf(tiles), tiles.reduce((sum, tile) => sum + pips(tile), 0));
  }

  #see(event, seat, tiles, counted) {
    const { table } = this;
    const hand = table.blind || table.hidden[seat] ? null : table.hands[seat];
    this.shown.push({ event, seat, tiles, pips: counted, held: table.size(seat), hand });
  }

  #writeSheet(number, sheet) {
    if (this.sheet || [this.plays, this.draws, this.passes, this.shown].some((one) => one.length))
      throw new Refusal("BesideSheet", { path: this.#path(number, "result") });
    for (const offence of this.offences)
      if (offence.measures !== PENDING) this.#requireSheetAllows(number, offence.measures);
    if (this.rules.elimination)
      for (const seat of Object.keys(sheet.points))
        if (!((this.inPlay >> seatNumber(seat)) & 1)) throw bad(this.#path(number, "result.points"));
    this.sheet = sheet;
  }

  // -- infractions and rulings --------------------------------------------------------------

  #commit(number, event) {
    const seat = seatNumber(event.seat);
    const kind = event.infraction;
    const same = this.offences.filter((one) => one.act.infraction === kind && one.seat === seat);
    const offence = (this.prior.get(`${seat} ${kind}`) || 0) + same.length + 1;
    const act = { ...event, offence };
    const measures =
      event.measures === PENDING ? PENDING : this.#measures(number, event.measures, act);
    this.offences.push({ event: number, act: event, seat, offence, measures });
    if (measures === PENDING) this.#halt();
    else this.#carryOut(number, event, measures);
  }

  #rule(number, event) {
    const place = this.offences.findIndex(
      (one) => one.event === event.ruling && one.measures === PENDING,
    );
    if (place < 0)
      throw new Refusal("NothingPending", {
        path: this.#path(number, "ruling"),
        asked: event.ruling,
      });
    const offence = this.offences[place];
    const { act } = offence;
    const measures = this.#measures(number, event.measures, { ...act, offence: offence.offence });
    this.offences[place] = { ...offence, measures };
    this.#halt();
    this.#carryOut(number, act, measures);
  }

  /** The measures written, or those of the schedule for this offence. */
  #measures(number, listed, act) {
    if (given(listed)) return listed.map(measureOf);
    const measures = scheduled(this.rules.schedule, act);
    if (!measures) throw bad(this.#path(number, "measures"));
    return measures;
  }

  #carryOut(number, act, measures) {
    if (this.sheet) this.#requireSheetAllows(number, measures);
    for (const { name } of measures)
      if (NEEDS_TILE.includes(name) && !given(act.tile)) throw bad(this.#path(number, "tile"));
    for (const { name, value } of measures) if (name === "rewind") this.#rewind(number, value);
    for (const { name } of measures) {
      if (name === "stand") {
        this.#halt();
        this.#stand(number, act);
      } else {
        this.#effect(name, act);
      }
    }
    this.#halt();
  }

  #effect(name, act) {
    const seat = seatNumber(act.seat);
    const { table } = this;
    if (name === "lose_turn") table.loseTurn(seat);
    else if (name === "must_play" || name === "expose") {
      if (table.ended || table.verdict) return;
      if (name === "expose") table.expose(seat, tileOf(act.tile));
      else table.oblige(seat, tileOf(act.tile));
    } else if (name === "void_round") table.decide("void");
    else if (name === "lose_round") table.decide("lost", seat);
    else if (ENDS_MATCH.includes(name) && !this.lostMatch.includes(seat))
      this.lostMatch = [...this.lostMatch, seat];
  }

  /** Take play back to just before `target`; infractions from there on still count. */
  #rewind(number, target) {
    let back = null;
    const kept = [];
    for (const one of this.effective) {
      if (!back && one.number === target && one.number < number) back = one.before;
      if (!back) kept.push(one);
      else if (one.lasts) kept.push({ ...one, before: back });
    }
    if (!back) throw bad(this.#path(number, "measures"));
    this.table = back.table.copy();
    for (const name of ["shown", "plays", "passes", "draws"]) this[name] = [...back[name]];
    this.effective = kept;
    this.#halt();
  }

  #stand(number, act) {
    const tile = given(act.tile) ? tileOf(act.tile) : -1;
    if (tile < 0 || !given(act.end) || !given(act.open) || OTHER[tile][act.open] < 0)
      throw bad(this.#path(number, "open"));
    if (this.table.left < 0) throw bad(this.#path(number, "measures"));
    this.table.play(seatNumber(act.seat), tile, endNumber(act.end), act.open);
    this.plays.push(number);
  }

  /** Tell the table whether play is stopped: by a pending ruling, or by a lost match. */
  #halt() {
    const pending = this.offences.find((one) => one.measures === PENDING)?.event ?? NONE_PENDING;
    let over = this.lostMatch.length > 0;
    if (over && this.rules.elimination) {
      this.table.decide("void");
      const out = this.lostMatch.filter((seat) => (this.inPlay >> seat) & 1).length;
      over = size(this.inPlay) - out <= this.rules.options.survivors;
    }
    this.table.halt(over ? MATCH_IS_OVER : pending);
  }

  // -- score sheets -------------------------------------------------------------------------

  #requireNoSheet(number, key) {
    if (this.sheet) throw new Refusal("BesideSheet", { path: this.#path(number, key) });
  }

  #requireOpener(number, key) {
    this.#requireNoSheet(number, key);
    if (this.table.turn < 0) throw bad(`rounds[${this.number}].opener`);
  }

  #requireSheetAllows(number, measures) {
    if (measures.some(({ name }) => NOT_ON_A_SHEET.includes(name)))
      throw bad(this.#path(number, "measures"));
  }

  #seatInPlay(number, letter) {
    const seat = seatNumber(letter);
    if (!((this.inPlay >> seat) & 1)) throw bad(this.#path(number, "seat"));
    return seat;
  }

  // -- what the record tells ----------------------------------------------------------------

  /** The pips in each of the four hands, null where the record does not tell. */
  get pipsLeft() {
    const { table } = this;
    if (this.sheet) return [null, null, null, null];
    const known = [0, 1, 2, 3].map(
      (seat) => !table.size(seat) || !(table.blind || table.hidden[seat]),
    );
    const left = known.map((is, seat) => (is ? pipsOf(table.hands[seat]) : null));
    for (const one of this.shown) {
      if (known[one.seat]) continue;
      if (one.tiles !== null) left[one.seat] = pipsOf(one.tiles & ~table.laid);
      else if (!this.shown.some(({ seat, tiles }) => seat === one.seat && tiles !== null))
        left[one.seat] = one.pips;
    }
    return left;
  }
}

/** The measures a schedule gives for an act that has its `offence`; null for a kind it lacks. */
export function scheduled(schedule, { infraction, offence, deliberate }) {
  const penalty = Object.hasOwn(schedule, infraction) ? schedule[infraction] : null;
  if (!penalty) return null;
  const steps = deliberate && penalty.deliberate.length ? penalty.deliberate : penalty.offences;
  return steps[Math.min(offence, steps.length) - 1].map(measureOf);
}

function goesBack(events) {
  return events.some(
    (event) =>
      "undo" in event ||
      (Array.isArray(event.measures) &&
        event.measures.some((one) => measureOf(one).name === "rewind")),
  );
}
