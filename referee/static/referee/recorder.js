// One match being recorded: what the server knows, what is on its way, what the referee drafts.
import { merged } from "./changes.js";
import { echoed, foreseeable } from "./echo.js";
import { tremble } from "./device.js";
import { newKey } from "./dom.js";
import { Unreachable, get, post } from "./network.js";
import { Outbox } from "./outbox.js";
import { announce } from "./speech.js";
import { Names, endsSentence, sentenceOf, stageOf, turnSentence } from "./stages.js";
import { say } from "./words.js";

const LOOK_AGAIN = 15_000;

export class Recorder {
  #echo = {};

  /** `draw()` redraws the page, `ask` opens the sheets that put a question, `giveBack(text)`
   *  puts into its field what was typed there and not recorded. */
  constructor({ table, live }, { draw, ask, giveBack }) {
    this.table = table;
    this.base = live;
    this.draw = draw;
    this.ask = ask;
    this.giveBack = giveBack;
    this.draft = {};
    this.kept = [];
    this.problem = "";
    this.refusal = null;
    this.fromField = false;
    this.busy = false;
    this.tappedAt = 0;
    this.outbox = new Outbox(`domino-match-${table.match.id}`, {
      stored: (answer) => this.#stored(answer.changes),
      refused: (entry, error, rest) => this.#refused(entry, error, rest),
      changed: () => this.draw(),
    });
    this.outbox.send();
    setInterval(() => this.look(), LOOK_AGAIN);
  }

  /** The state with everything still on its way drawn in. */
  get live() {
    const { base, outbox } = this;
    if (this.#echo.base !== base || this.#echo.entries !== outbox.entries)
      this.#echo = { base, entries: outbox.entries, live: this.#withUnsent() };
    return this.#echo.live;
  }

  #withUnsent() {
    let live = this.base;
    for (const { address, number, event } of this.outbox.entries) {
      if (!live.round || address !== live.round.events_address || number < live.round.next_number)
        continue;
      const sentence = sentenceOf(event, new Names(this.table, live), live.round);
      live = echoed(live, this.table, event, number);
      const events = [
        ...live.round.events,
        { number, sentence, in_effect: true, waiting: true, ...told(event) },
      ];
      live = { ...live, round: { ...live.round, events } };
    }
    return live;
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
    const sentence = sentenceOf(event, this.names, before);
    tremble();
    Object.assign(this, { draft: {}, problem: "" });
    this.outbox.add(before.events_address, before.next_number, event);
    this.draw();
    if (!foreseeable(event, before)) return;
    const round = this.live.round;
    announce(
      sentence,
      event.play && endsSentence(round),
      (event.play || event.pass) && turnSentence(round, this.names),
    );
  }

  /** Anything that is not an event of a round: seats, opening and closing. */
  async send(address, body) {
    if (this.busy) return false;
    Object.assign(this, { busy: true, problem: "", refusal: null });
    this.draw();
    try {
      const answer = await post(address, body);
      if (answer.state?.round !== undefined) this.base = answer.state;
      else await this.#reload();
      return true;
    } catch (error) {
      this.refusal = error.answer?.code ?? null;
      const problem = error instanceof Unreachable ? say("unreachable") : problemOf(error);
      this.complain(problem);
      if (error.answer?.state?.rounds) this.base = error.answer.state;
      return false;
    } finally {
      this.busy = false;
      this.draw();
    }
  }

  openMatch(seats) {
    return this.send(this.table.addresses.seats, seats)
      .then((seated) => seated && this.send(this.table.addresses.open, {}))
      .then(() => this.#reload());
  }

  async openRound(body) {
    const number = this.live.next_round?.number ?? this.live.round.number;
    if (await this.send(this.table.addresses.rounds, { number, client_key: newKey(), ...body })) {
      this.draft = {};
      this.draw();
      this.#sayWhereWeAre();
    }
  }

  closeMatch(body) {
    return this.send(this.table.addresses.close, body);
  }

  /** Send again what was kept when somebody else had gone on. */
  sendKept() {
    const kept = this.kept;
    this.kept = [];
    for (const event of kept) this.record(event);
  }

  /** Whose turn has passed, when what was kept can no longer be recorded as it stands. */
  get keptLate() {
    const [first] = this.kept;
    const inTurn = first && ["play", "pass", "draw"].some((act) => act in Object(first));
    return inTurn && first.seat !== this.live.round?.turn ? this.names.player(first.seat) : null;
  }

  dropKept() {
    this.kept = [];
    this.draw();
  }

  /** See whether somebody else recorded meanwhile. */
  async look() {
    if (document.hidden || this.outbox.size || this.busy || document.querySelector("dialog[open]"))
      return;
    const before = this.base;
    const { live } = await get(this.table.addresses.match).catch(() => ({}));
    if (!live || this.outbox.size || this.busy || this.base !== before) return;
    const moved =
      live.state !== before.state ||
      live.rounds.length !== before.rounds.length ||
      live.round?.next_number !== before.round?.next_number;
    if (!moved) return;
    this.base = live;
    this.draft = {};
    this.draw();
    announce(say("somebody_recorded"), live.round?.events.at(-1)?.sentence);
  }

  async #reload() {
    const { table, live } = await get(this.table.addresses.match);
    Object.assign(this, { table, base: live });
    this.draw();
  }

  #stored(changes) {
    const state = merged(this.base, changes);
    if (!state) return this.#reload();
    const before = stageOf(this.base);
    const last = this.base.round.events.length;
    this.base = state;
    const after = this.stage;
    const unforeseen = state.round.events
      .slice(last)
      .filter((one) => !["play", "pass", "draw", "show", "count"].includes(one.type));
    announce(...unforeseen.map((one) => one.sentence));
    if (before !== after && !this.outbox.size) this.#sayWhereWeAre();
    else if (unforeseen.length && state.round.turn)
      announce(turnSentence(state.round, this.names));
  }

  #sayWhereWeAre() {
    const { live, stage, names } = this;
    if (stage === "recording") announce(turnSentence(live.round, names));
    else if (stage === "hands") announce(say("show_hands"));
    else
      announce(
        live.rounds.at(-1)?.sentence,
        stage === "over" && live.winner && say("match_won", { name: names.side(live.winner) }),
      );
  }

  #refused(entry, error, rest) {
    const { answer, status } = error;
    if (answer.state?.rounds) this.base = answer.state;
    const event = entry.event;
    tremble(true);
    const later = rest.map((one) => one.event);
    if (status === 409 && answer.code === "record_moved_on") {
      this.kept = [event, ...later];
      this.ask.movedOn(this, answer);
    } else if (status === 409 && answer.code === "end_required") {
      this.draft = { tile: event.play };
      this.kept = later;
    } else if (status === 409) {
      this.kept = later;
      if (typeof event === "string" && !answer.as_infraction) this.giveBack(event);
      this.ask.refused(this, event, answer);
    } else {
      const typed = typeof event === "string";
      this.kept = typed ? later : [event, ...later];
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

/** An event on its way, as the list of events names it. */
function told(event) {
  if (typeof event === "string") return { line: event };
  const type = ["play", "pass", "draw", "infraction", "ruling", "show", "count", "undo"].find(
    (act) => act in event,
  );
  return {
    type,
    seat: event.seat,
    line: [event.play || event.draw || "", ...(event.show || [])].join(" "),
  };
}

/** The first sentence of a refusal, whatever its shape. */
export function problemOf({ status, answer }) {
  if (answer.message) return answer.message;
  if (status === 401 || status === 403) return say("not_allowed");
  const first = Object.values(answer)
    .flat(Infinity)
    .find((one) => typeof one === "string");
  return first || say("not_understood");
}
