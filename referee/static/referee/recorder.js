// One match being recorded: what the server knows, what is on its way, what the referee drafts.
import { Calls } from "./calls.js";
import { merged } from "./changes.js";
import { tremble } from "./device.js";
import { deviceName } from "./device_key.js";
import { liveAfter, refusalOf, soundPart, undosBefore } from "./live.js";
import { MatchClock } from "./match_clock.js";
import { MoveTimer } from "./move_timer.js";
import { Unreachable, get, post, problemOf } from "./network.js";
import { Outbox } from "./outbox.js";
import { announce } from "./speech.js";
import { Names, endsSentence, sentenceOf, stageOf, turnSentence } from "./stages.js";
import { say } from "./words.js";

const LOOK_AGAIN = 15_000;
const LONGEST_AGE = 24 * 60 * 60 * 1000;
// Whoever reads along wants to see the next tile soon.
const READ_ALONG = 3_000;

// What the page announces at once; of all else the server's sentence says more.
const FORESEEN = ["play", "pass", "draw", "show", "count"];

/** How far a record has come: what fell away counts too, so it only grows. */
const lengthOf = ({ record, live }) =>
  record.reduce((sum, one) => sum + 1 + one.events.length, live.out_of_use ?? 0);

export class Recorder {
  #drawn = {};

  /**
   * Take up the match of `state`, and what this device kept of it in `store` under `name`.
   *
   * `draw()` redraws the page, `ask` opens the sheets that put a question, `giveBack(text)` puts
   * into its field what was typed there and not recorded.
   */
  static async takenUp(state, store, name, tools) {
    const kept = await store.read(name);
    const later = kept && lengthOf(kept.state) > lengthOf(state);
    const known = later ? { ...kept.state, hall: state.hall } : state;
    return new Recorder(known, kept?.entries ?? [], {
      ...tools,
      kept: kept?.kept ?? [],
      signAgain: kept?.signAgain ?? [],
      keep: (value) => store.write(name, value),
    });
  }

  constructor(state, entries, { draw, ask, giveBack, keep, kept = [], signAgain = [] }) {
    this.#take(state);
    Object.assign(this, { draw, ask, giveBack, keep });
    this.draft = {};
    this.kept = kept;
    // Sides that signed what is recorded no longer.
    this.signAgain = signAgain;
    this.problem = "";
    this.refusal = null;
    this.fromField = false;
    this.busy = false;
    this.tappedAt = 0;
    this.outbox = new Outbox(entries, {
      post: (entry) => this.#post(entry),
      stored: (entry, answer) => this.#stored(entry, answer),
      refused: (entry, error, rest) => this.#refused(entry, error, rest),
      changed: () => this.#changed(),
    });
    this.clock = new MatchClock(this.table, () => this.draw());
    this.timer = new MoveTimer(this);
    this.calls = new Calls(this);
    this.looked = Date.now();
    setInterval(() => {
      if (this.reading || Date.now() - this.looked >= LOOK_AGAIN) this.look();
    }, READ_ALONG);
  }

  /** Send what an earlier visit left, and see what others did since. */
  start() {
    if (this.outbox.size) this.outbox.send();
    else this.look();
    this.calls.send();
  }

  #take({ table, live, record, hall }) {
    const written = record ?? this.written;
    Object.assign(this, { table, base: live, written, hall: hall ?? this.hall });
  }

  /** The device that records this table, as others may know it; null where none does yet. */
  get holder() {
    return this.hall?.holder ?? null;
  }

  /** Another device records: this one reads along. */
  get reading() {
    const { holder } = this;
    return Boolean(holder) && holder.device !== deviceName() && this.base.state !== "closed";
  }

  /** Record this table on this device from now on; true where that is so. */
  takeOver() {
    return this.send(this.table.addresses.holder, {});
  }

  /** A referee has been called to this table. */
  called(call) {
    this.hall = { ...this.hall, call };
  }

  /** Nothing is recorded by a device that reads along: say so, true where that is the case. */
  #readsOnly(typed = null) {
    if (!this.reading) return false;
    if (typed) this.giveBack(typed);
    this.draft = {};
    this.complain(say("held_help"), Boolean(typed));
    return true;
  }

  #changed() {
    const { table, base, written, outbox } = this;
    const state = { table, live: base, record: written };
    this.keep({ state, entries: outbox.entries, kept: this.kept, signAgain: this.signAgain });
    this.draw();
  }

  /** The state with everything still on its way in it. */
  get live() {
    const { base, outbox } = this;
    if (this.#drawn.base !== base || this.#drawn.entries !== outbox.entries)
      this.#drawn = { base, entries: outbox.entries, live: this.#withUnsent() };
    return this.#drawn.live;
  }

  #withUnsent() {
    const { table, base, outbox } = this;
    if (!outbox.size) return base;
    return soundPart(table, base, this.#rounds())[1];
  }

  /** The rounds as they are once everything has arrived. */
  #rounds() {
    const rounds = [...this.written];
    for (const entry of this.outbox.entries) {
      if (entry.sign) continue;
      const { round, event, opener, result } = entry;
      const { id = null, events = [] } = rounds[round] ?? {};
      if (event === undefined)
        rounds[round] = { id, opener: opener ?? null, events: result ? [...events, { result }] : events };
      else if (rounds[round])
        rounds[round] = { ...rounds[round], events: [...rounds[round].events, event] };
    }
    return rounds;
  }

  #post(entry) {
    const { round, number, event, opener, result, client_key, at } = entry;
    const { addresses } = this.table;
    if (entry.sign) return post(addresses.sign, entry.sign);
    // How long ago, not when: the clock of this device may be wrong.
    const age = Math.min(Math.max(0, Date.now() - at), LONGEST_AGE);
    if (event === undefined)
      return post(addresses.rounds, { number: round, client_key, ...(result ? { result } : { opener }) });
    const address = addresses.events.replace("/0/", `/${this.written[round]?.id}/`);
    return post(address, { number, client_key, event, age });
  }

  get stage() {
    return this.draft.reopen ? "between" : stageOf(this.live);
  }

  get names() {
    return new Names(this.table, this.live);
  }

  /** Record one event of the open round. The page shows it at once; the server decides. */
  record(event) {
    const before = this.live.round;
    const typed = typeof event === "string";
    if (this.#readsOnly(typed ? event : null)) return undefined;
    const refusal = typed ? null : refusalOf(this.table, this.base, this.#rounds(), event);
    Object.assign(this, { draft: {}, problem: "" });
    if (refusal) return this.#refusedHere(event, refusal);
    this.#unsign();
    const sentence = sentenceOf(event, this.names, before);
    const { stage } = this;
    tremble();
    this.outbox.add({ round: before.number, number: before.next_number, event });
    const cutOff = this.outbox.waiting || !navigator.onLine;
    // The server says more about these; without it the page says what it knows.
    const told = typed || event.infraction || "ruling" in event;
    if (told && !cutOff) return undefined;
    const round = this.live.round;
    if (told || (cutOff && stage !== this.stage)) {
      announce(sentence);
      return this.#sayWhereWeAre();
    }
    return announce(
      sentence,
      event.play && endsSentence(round),
      (event.play || event.pass || event.undo) && turnSentence(round, this.names),
    );
  }

  /** The match as it would be once `event` is recorded; null where the page cannot tell. */
  foreseen(event) {
    return liveAfter(this.table, this.base, this.#rounds(), event);
  }

  /** How many undos go back to just before event `number` of the open round. */
  undosBefore(number) {
    return undosBefore(this.table, this.#rounds(), number);
  }

  /** Anything that is not an event of a round: seats, opening and closing. */
  async send(address, body) {
    if (this.busy) return false;
    if (address !== this.table.addresses.holder && this.#readsOnly()) return false;
    Object.assign(this, { busy: true, problem: "", refusal: null, unreached: false });
    this.draw();
    try {
      const answer = await post(address, body);
      if (answer.live) this.#take(answer);
      else await this.#reload();
      return true;
    } catch (error) {
      this.refusal = error.answer?.code ?? null;
      this.unreached = error instanceof Unreachable;
      const problem = this.unreached ? say("unreachable") : problemOf(error);
      this.complain(problem);
      this.#takeStateOf(error.answer);
      return false;
    } finally {
      this.busy = false;
      this.#changed();
    }
  }

  openMatch(seats) {
    return this.send(this.table.addresses.seats, seats)
      .then((seated) => seated && this.send(this.table.addresses.open, {}))
      .then(() => this.#reload());
  }

  /** Start the next round, or the open one anew while nothing is recorded in it. */
  openRound(body) {
    if (this.#readsOnly()) return;
    const round = this.live.next_round?.number ?? this.live.round.number;
    Object.assign(this, { draft: {}, problem: "" });
    this.#unsign();
    this.outbox.add({ round, ...body });
    this.#sayWhereWeAre();
  }

  /** The signatures that are still on this device: what each of these sides said last. */
  get unsentSignatures() {
    const waiting = this.outbox.entries.filter((one) => one.sign);
    return Object.fromEntries(waiting.map(({ sign }) => [sign.side, sign]));
  }

  /** What a side sees of the record: a word on anything else does not count. */
  #seen() {
    const rounds = this.#rounds();
    const events = rounds.reduce((sum, one) => sum + one.events.length, 0);
    return { rounds: rounds.length, events, totals: this.live.totals };
  }

  /**
   * What one side says of the sheet; true where it is kept, on the server or, without a network,
   * on this device. A PIN is only sent, never kept.
   */
  async sign(said) {
    if (this.#readsOnly()) return false;
    const body = { ...said, seen: this.#seen() };
    const again = this.signAgain;
    this.signAgain = again.filter((side) => side !== said.side);
    const waits = said.how !== "pin" && (this.outbox.size > 0 || !navigator.onLine);
    if (!waits) {
      if (await this.send(this.table.addresses.sign, body)) return true;
      if (this.refusal || said.how === "pin" || !this.unreached) {
        this.signAgain = again;
        return false;
      }
      this.problem = "";
    }
    this.outbox.add({ sign: body });
    return true;
  }

  /** The record goes on: what sides said of it so far, and is still here, no longer counts. */
  #unsign() {
    const dropped = this.outbox.drop((one) => one.sign).map(({ sign }) => sign.side);
    this.signAgain = [...new Set([...this.signAgain, ...dropped])];
  }

  closeMatch(body) {
    return this.send(this.table.addresses.close, body);
  }

  /** Send again what was kept when somebody else had gone on. */
  sendKept() {
    const kept = this.kept;
    this.kept = [];
    for (const event of kept) {
      if (event.opener || event.result) this.openRound(event);
      else this.record(event);
    }
  }

  /** Whose turn has passed, when what was kept can no longer be recorded as it stands. */
  get keptLate() {
    const [first] = this.kept;
    const inTurn = first && ["play", "pass", "draw"].some((act) => act in Object(first));
    return inTurn && first.seat !== this.live.round?.turn ? this.names.player(first.seat) : null;
  }

  dropKept() {
    this.kept = [];
    this.#changed();
  }

  /** See whether somebody else recorded meanwhile. */
  async look() {
    if (document.hidden || this.outbox.size || this.busy || document.querySelector("dialog[open]"))
      return;
    this.looked = Date.now();
    this.calls.send();
    const { base: before, hall, reading } = this;
    const seen = await get(this.table.addresses.match).catch(() => ({}));
    const { live } = seen;
    if (!live || this.outbox.size || this.busy || this.base !== before) return;
    const moved =
      live.state !== before.state ||
      live.rounds.length !== before.rounds.length ||
      live.out_of_use !== before.out_of_use ||
      live.round?.next_number !== before.round?.next_number;
    const told = seen.hall && JSON.stringify(seen.hall) !== JSON.stringify(hall);
    if (!moved && !told) return;
    this.#take(seen);
    if (moved || this.reading) this.draft = {};
    this.#changed();
    if (this.reading && !reading) announce(say("table_went"));
    if (!moved) return;
    announce(say("somebody_recorded"), live.round?.events.at(-1)?.sentence);
  }

  async #reload() {
    this.#take(await get(this.table.addresses.match));
    this.#changed();
  }

  /** The match as a refusal tells it. */
  #takeStateOf(answer) {
    if (answer?.holder) this.hall = { ...this.hall, holder: answer.holder };
    if (answer?.state?.rounds)
      this.#take({ table: this.table, live: answer.state, record: answer.record });
  }

  #stored(entry, answer) {
    const before = stageOf(this.base);
    if (answer.live) this.#take(answer);
    else if (!this.#extended(entry, answer)) return this.#reload();
    const { round } = this.base;
    const unforeseen = entry.event
      ? round.events.slice(answer.number).filter((one) => !FORESEEN.includes(one.type))
      : [];
    announce(...unforeseen.map((one) => one.sentence));
    if (entry.event && before !== this.stage && !this.outbox.size) this.#sayWhereWeAre();
    else if (unforeseen.length && round.turn) announce(turnSentence(round, this.names));
    return undefined;
  }

  /** Put what an event changed into the state; false where events in between are unknown here. */
  #extended({ round }, { number, changes }) {
    const { written, ...now } = changes;
    const live = merged(this.base, now);
    if (!live || !this.written[round]) return false;
    const events = [...this.written[round].events.slice(0, number), ...written];
    const extended = (one, place) => (place === round ? { ...one, events } : one);
    Object.assign(this, { base: live, written: this.written.map(extended) });
    return true;
  }

  #sayWhereWeAre() {
    const { live, stage, names } = this;
    if (live.round?.pending.length) announce(say("table_stopped"));
    else if (stage === "recording") announce(turnSentence(live.round, names));
    else if (stage === "hands") announce(say("show_hands"));
    else
      announce(
        live.rounds.at(-1)?.sentence,
        stage === "over" && live.winner && say("match_won", { name: names.side(live.winner) }),
      );
  }

  /** The page's own rules have something against it: nothing was sent. */
  #refusedHere(event, refusal) {
    tremble(true);
    if (refusal.code === "end_required") this.draft = { tile: event.play };
    else this.ask.refused(this, event, refusal);
    this.draw();
  }

  #refused(entry, error, rest) {
    const { answer, status } = error;
    this.#takeStateOf(answer);
    tremble(true);
    const signed = [entry, ...rest].filter((one) => one.sign).map(({ sign }) => sign.side);
    this.signAgain = [...new Set([...this.signAgain, ...signed])];
    if (entry.sign) return this.complain(problemOf(error));
    const event = act(entry);
    const later = rest.filter((one) => !one.sign).map(act);
    const typed = typeof event === "string";
    if (status === 409 && answer.code === "record_moved_on") {
      this.kept = [event, ...later];
      this.ask.movedOn(this, answer);
    } else if (status === 409 && answer.code === "table_held") {
      // Another device took over: it stays here until this one does, or it is dropped.
      this.kept = [...this.kept, event, ...later];
      announce(say("table_went"));
    } else if (status === 409 && answer.code === "end_required") {
      this.draft = { tile: event.play };
      this.kept = later;
    } else if (status === 409 && entry.event) {
      this.kept = later;
      if (typed && !answer.as_infraction) this.giveBack(event);
      this.ask.refused(this, event, answer);
    } else {
      this.kept = typed || !entry.event ? later : [event, ...later];
      if (typed) this.giveBack(event);
      this.complain(problemOf(error), typed);
    }
  }

  /** Say why something was not recorded: beside the field where it was typed there. */
  complain(problem, fromField = false) {
    Object.assign(this, { problem, fromField });
    announce(problem);
    this.draw();
  }
}

/** What an entry recorded: an event, or the start of a round. */
const act = ({ event, opener, result }) => event ?? (result ? { result } : { opener });
