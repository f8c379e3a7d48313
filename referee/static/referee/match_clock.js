// The clock of the match: one deadline, the server's; this only counts what is left of it.
import { remember, remembered } from "./dom.js";
import { get } from "./network.js";
import { announce } from "./speech.js";
import { digits, say } from "./words.js";

const TICK = 250;
const ASK_AGAIN = 60_000;
const SOON = 5 * 60_000;

/** Two digits each, as clocks show them: 05:00. */
function written(milliseconds) {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const two = (number) => (number < 10 ? digits(0) : "") + digits(number);
  return `${two(Math.floor(seconds / 60))}:${two(seconds % 60)}`;
}

export class MatchClock {
  #table;
  #name;
  #known;
  #shown = null;

  /** Count for `table`; `changed()` is called when time begins, runs short or is over. */
  constructor(table, changed) {
    this.#table = table.match.table;
    this.#name = `domino-clock-${table.match.id}`;
    // What this device kept of an earlier version of the page knows no clock.
    const told = table.clock ?? {};
    const { starts_at: starts, ends_at: ends, extra_seconds: extra = 0, now = "" } = told;
    this.address = told.address;
    this.extend = told.extend;
    this.changed = changed;
    const embedded = { starts, ends, extra, now, offset: 0 };
    const kept = JSON.parse(remembered(this.#name) || "null");
    // A page out of this device's store is older than what was asked since.
    this.#known = kept && kept.now > now ? kept : { ...embedded, offset: kept?.offset ?? 0 };
    this.#shown = this.phase;
    setInterval(() => this.#tick(), TICK);
    setInterval(() => document.hidden || this.ask(), ASK_AGAIN);
    document.addEventListener("visibilitychange", () => document.hidden || this.ask());
    this.ask();
  }

  /** How far the server's clock is; without a network what was known so far goes on. */
  async ask() {
    if (!this.address) return;
    const asked = Date.now();
    const answer = await get(this.address).catch(() => null);
    if (!answer) return;
    const offset = Date.parse(answer.now) - (asked + Date.now()) / 2;
    const own = answer.tables.find((one) => one.table === this.#table);
    this.#known = {
      starts: answer.starts_at,
      ends: own?.ends_at ?? answer.ends_at,
      extra: own?.extra_seconds ?? 0,
      now: answer.now,
      offset,
    };
    remember(this.#name, JSON.stringify(this.#known));
    this.#tick();
  }

  /** Seconds of extra time this table has in all. */
  get extra() {
    return this.#known.extra;
  }

  get #now() {
    return Date.now() + this.#known.offset;
  }

  /** none · before · running · soon · over */
  get phase() {
    const { starts, ends } = this.#known;
    if (!ends) return "none";
    if (this.#now < Date.parse(starts)) return "before";
    const left = Date.parse(ends) - this.#now;
    if (left <= 0) return "over";
    return left <= SOON ? "soon" : "running";
  }

  get text() {
    const { starts, ends } = this.#known;
    const { phase } = this;
    if (phase === "none") return "";
    return written(Date.parse(phase === "before" ? starts : ends) - this.#now);
  }

  #tick() {
    const { phase } = this;
    if (phase !== this.#shown) {
      this.#shown = phase;
      this.changed();
      if (phase === "soon") announce(say("time_soon"));
      if (phase === "over") announce(say("time_is_over"));
    }
    for (const face of document.querySelectorAll("[data-match-clock]"))
      if (face.textContent !== this.text) face.textContent = this.text;
  }
}
