// A whole match: who opens each round, the running score, and when it is over (engine/match.py).
import { bestOpeningTile, findings } from "./findings.js";
import { finished, outcome, sidesOf } from "./outcome.js";
import { Refusal, bad } from "./refusals.js";
import { PENDING, RoundReplay, seatNumber } from "./round.js";
import { Table } from "./table.js";
import { HAND_SIZE, SET_SIZE, maskOf, tileOf } from "./tiles.js";

const BY_DOUBLE = "highest_double";
const SAME = "same";
const letter = (seat) => "ABCD"[seat];

/** The sides of a table, written as in the record. */
export const sideNames = (players, partnership) =>
  partnership ? ["AC", "BD"] : [..."ABCD"].slice(0, players);

/** A match as far as its record goes. */
export class MatchState {
  /** Replay `rounds` (as in the record format); throws the first refusal with its place. */
  constructor({ rules, players, partnership, rounds }) {
    this.rules = rules;
    this.players = players;
    this.sides = sidesOf(sideNames(players, partnership));
    this.rounds = [];
    this.findings = [];
    this.over = false;
    this.missingOpener = null;
    this.timeOver = false;
    this.oneMore = false;
    this.winnerSide = -1;
    this.seats = [0, 1, 2, 3].slice(0, players);
    this.points = this.sides.names.map(() => 0);
    this.awards = this.sides.names.map(() => 0);
    this.deducted = [0, 0, 0, 0];
    this.prior = new Map();
    this.lostSide = -1;
    this.before = null;
    rounds.forEach((one, number) => this.add(number, one));
  }

  get winner() {
    return this.winnerSide >= 0 ? this.sides.names[this.winnerSide] : null;
  }

  /** The running score: points and awards, less deductions where they count in it. */
  get totals() {
    const totals = this.#totals();
    return Object.fromEntries(this.sides.names.map((name, side) => [name, totals[side]]));
  }

  get deductions() {
    return Object.fromEntries(
      this.deducted.slice(0, this.players).map((points, seat) => [letter(seat), points]),
    );
  }

  get infractions() {
    return this.rounds.flatMap(({ replay }) =>
      replay.offences.map((one) => ({
        round: replay.number,
        event: one.event,
        seat: letter(one.seat),
        kind: one.act.infraction,
        offence: one.offence,
        measures: one.measures,
      })),
    );
  }

  /** Who opens the next round, dealt `hands` (seat to tiles) where they are known. */
  nextOpener(hands = null) {
    const masks = hands && [..."ABCD"].map((seat) => maskOf((hands[seat] || []).map(tileOf)));
    const [rule, decided] = this.#decided(masks);
    return { rule, seat: decided, firstTile: this.#forced(rule, decided, masks) };
  }

  // -- replaying ----------------------------------------------------------------------------

  add(number, one) {
    this.#requireReady(number);
    const hands = this.#hands(number, one);
    const [rule, decided] = this.#decided(hands);
    const said = one.opener ? seatNumber(one.opener) : -1;
    let opener = said < 0 ? decided : said;
    if (opener >= 0 && !this.seats.includes(opener)) throw this.#bad(number, "opener");
    if (opener < 0 && !one.events.some((event) => "result" in event))
      throw this.#bad(number, "opener");
    const forced =
      opener === decided || decided < 0 ? this.#forced(rule, decided, hands) : -1;
    const table = new Table({
      seats: this.seats,
      opener,
      hands,
      order: one.stock ? one.stock.map(tileOf) : null,
      reserve: this.rules.options.stock_reserve,
      firstTile: forced,
    });
    const { rules, prior } = this;
    const replay = new RoundReplay({ number, rules, table, prior }).run(one.events);
    if (replay.sheet && said < 0) opener = -1;
    else if (opener < 0 && this.missingOpener === null) this.missingOpener = number;
    const result = outcome(replay, rules, this.sides, opener);
    this.findings.push(
      ...findings(replay, {
        opener,
        decided,
        byHighestDouble: rule === BY_DOUBLE,
        forced: this.#mayForce(rule),
        dealt: hands,
      }),
    );
    this.rounds.push({ number, written: one, replay, outcome: result, opener, firstTile: forced });
    this.#count(replay, result);
    this.before = {
      rule,
      opener,
      opensNext: result.opensNext,
      void: result.ended === "void",
      sheet: Boolean(replay.sheet),
    };
    this.#end(replay, result);
  }

  /** Refuse a round after an unfinished one, after the end, or with a ruling open. */
  #requireReady(number) {
    const last = this.rounds.at(-1);
    if (!last) return;
    if (last.outcome.ended === "unfinished" && !this.over)
      throw new Refusal("AfterUnfinished", { path: `rounds[${number}]` }).at(number, null);
    if (this.over) throw new Refusal("MatchOver").at(number, null);
    const pending = last.replay.offences.find((one) => one.measures === PENDING);
    if (pending) throw new Refusal("RulingPending", { pending: pending.event }).at(number, null);
  }

  #hands(number, one) {
    if (!one.hands) return null;
    const hands = [0, 0, 0, 0];
    for (const [seat, tiles] of Object.entries(one.hands)) {
      hands[seatNumber(seat)] = maskOf(tiles.map(tileOf));
      if (tiles.length && !this.seats.includes(seatNumber(seat)))
        throw this.#bad(number, `hands.${seat}`);
    }
    return hands;
  }

  /** The rule that says who opens, and the seat (-1 where it does not decide). */
  #decided(hands) {
    const { before } = this;
    const { options } = this.rules;
    let rule = options.next_opener;
    if (!before) rule = options.first_opener;
    else if (before.void) rule = before.rule === BY_DOUBLE ? BY_DOUBLE : SAME;
    if (rule === BY_DOUBLE) {
      const best = hands ? bestOpeningTile(hands.reduce((all, one) => all | one, 0)) : -1;
      const holder = this.seats.find((seat) => best >= 0 && (hands[seat] >> best) & 1);
      return [rule, holder ?? -1];
    }
    if (rule === "lot" || !before || before.sheet || before.opener < 0) return [rule, -1];
    if (rule === SAME) return [rule, this.#inMatchFrom(before.opener)];
    if (rule === "winner" && before.opensNext >= 0)
      return [rule, this.#inMatchFrom(before.opensNext)];
    return [rule, this.#inMatchFrom((before.opener + 1) % this.players)];
  }

  #inMatchFrom(start) {
    let seat = start;
    while (!this.seats.includes(seat)) seat = (seat + 1) % this.players;
    return seat;
  }

  #mayForce(rule) {
    return rule === BY_DOUBLE && this.rules.options.opening_tile === "forced";
  }

  /** The only tile that may open, -1 for any or not known. */
  #forced(rule, decided, hands) {
    if (!this.#mayForce(rule)) return -1;
    if (hands) return decided >= 0 ? bestOpeningTile(hands[decided]) : -1;
    return HAND_SIZE * this.seats.length === SET_SIZE ? SET_SIZE - 1 : -1;
  }

  #bad(number, key) {
    return bad(`rounds[${number}].${key}`).at(number, null);
  }

  // -- score and end ------------------------------------------------------------------------

  #count(replay, result) {
    result.points.forEach((points, side) => (this.points[side] += points));
    const { rules } = this;
    const award = rules.options.points_to === "award" && !rules.elimination;
    for (const { seat, act, measures } of replay.offences) {
      const key = `${seat} ${act.infraction}`;
      this.prior.set(key, (this.prior.get(key) || 0) + 1);
      if (measures === PENDING) continue;
      for (const { name, value } of measures) {
        if (name !== "points" && name !== "percent") continue;
        const points = name === "points" ? value : Math.floor((rules.target * value) / 100);
        if (award) this.awards[1 - this.sides.of[seat]] += points;
        else this.deducted[seat] += points;
      }
    }
  }

  #totals() {
    if (this.lostSide >= 0)
      return this.points.map((_, side) => (side === this.lostSide ? 0 : this.rules.target));
    const totals = this.points.map((points, side) => points + this.awards[side]);
    if (this.rules.options.deduct_from === "total") {
      const sign = this.rules.elimination ? 1 : -1;
      for (let seat = 0; seat < this.players; seat += 1)
        totals[this.sides.of[seat]] += sign * this.deducted[seat];
    }
    return totals;
  }

  #end(replay, result) {
    this.timeOver ||= replay.timeOver;
    if (this.rules.elimination) {
      this.#endElimination(replay, result);
    } else if (replay.lostMatch.length) {
      this.lostSide = this.sides.of[replay.lostMatch[0]];
      this.#over(result.winner);
    } else if (finished(result)) {
      const [one, two] = this.#totals();
      if (one !== two && (Math.max(one, two) >= this.rules.target || this.timeOver))
        this.#over(one > two ? 0 : 1);
    }
  }

  #endElimination(replay, result) {
    const { survivors } = this.rules.options;
    const alone = () => (this.seats.length === 1 ? this.seats[0] : -1);
    if (replay.lostMatch.length) {
      this.seats = this.seats.filter((seat) => !replay.lostMatch.includes(seat));
      if (this.seats.length <= survivors) this.#over(alone());
      return;
    }
    if (!finished(result)) return;
    const totals = this.#totals();
    const reached = this.seats.filter((seat) => totals[seat] >= this.rules.target);
    const lowest = Math.min(...this.seats.map((seat) => totals[seat]));
    const tooFew = this.seats.length - reached.length < survivors;
    if (this.rules.options.limit_together === "play_on" && (tooFew || this.oneMore)) {
      this.#playOneMore(totals);
      return;
    }
    // All who are left reach the limit in one round: the lowest total stays.
    this.seats =
      reached.length === this.seats.length
        ? this.seats.filter((seat) => totals[seat] === lowest)
        : this.seats.filter((seat) => !reached.includes(seat));
    const leaders = this.seats.filter((seat) => totals[seat] === lowest);
    if (this.seats.length <= survivors) this.#over(alone());
    else if (this.timeOver && leaders.length === 1) this.#over(leaders[0]);
  }

  /** Those who reached the limit at once play one more round; then the lowest totals stay. */
  #playOneMore(totals) {
    const { survivors } = this.rules.options;
    const ranked = this.seats.map((seat) => totals[seat]).sort((one, other) => one - other);
    const [lastIn, firstOut] = [ranked[survivors - 1], ranked[survivors]];
    if ((this.oneMore || this.timeOver) && lastIn < firstOut) {
      this.seats = this.seats.filter((seat) => totals[seat] <= lastIn);
      this.#over(this.seats.length === 1 ? this.seats[0] : -1);
    }
    this.oneMore = true;
  }

  #over(winner) {
    this.over = true;
    this.winnerSide = winner;
  }
}
