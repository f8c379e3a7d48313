// What was recorded here and is on its way: sent one after the other, in order, kept until the
// server has answered. Each entry has a key of its own, so nothing is ever stored twice.
import { newKey } from "./dom.js";
import { Refused, Unreachable } from "./network.js";

const LONGEST_WAIT = 15_000;

/** Whoever sends may not, or not any more: what is here waits until they have signed in again. */
const isTurnedAway = (error) => error.status === 401 || error.status === 403;

export class Outbox {
  #timer = null;
  #sending = false;
  #wait = 500;

  /**
   * `entries` are what an earlier visit left unsent. `post(entry)` sends one, `stored(entry,
   * answer)` is called when it is stored, `refused(entry, error, rest)` when it is not,
   * `changed()` whenever the count moves.
   */
  constructor(entries, { post, stored, refused, changed }) {
    Object.assign(this, { entries, post, stored, refused, changed });
    this.waiting = false;
    this.turnedAway = null;
    addEventListener("online", () => this.send());
    document.addEventListener("visibilitychange", () => document.hidden || this.send());
  }

  get size() {
    return this.entries.length;
  }

  add(entry) {
    this.entries = [...this.entries, { client_key: newKey(), at: Date.now(), ...entry }];
    this.changed();
    this.send();
  }

  /** Forget the last event if it has certainly not been sent; say whether there was one. */
  dropLast() {
    if (this.size < 2 || !this.entries.at(-1).event) return false;
    this.entries = this.entries.slice(0, -1);
    this.changed();
    return true;
  }

  /** Take out what waits and is no longer wanted; what is on its way just then arrives. */
  drop(unwanted) {
    const dropped = this.entries.filter(unwanted);
    if (dropped.length) this.entries = this.entries.filter((one) => !unwanted(one));
    return dropped;
  }

  async send() {
    if (this.#sending || !this.size) return;
    clearTimeout(this.#timer);
    this.#sending = true;
    const [entry] = this.entries;
    try {
      const answer = await this.post(entry);
      this.entries = this.entries.filter((one) => one !== entry);
      this.#wait = 500;
      Object.assign(this, { waiting: false, turnedAway: null });
      await this.stored(entry, answer);
    } catch (error) {
      if (error instanceof Unreachable) this.#later();
      else if (error instanceof Refused && isTurnedAway(error)) this.#later(error);
      else if (error instanceof Refused) this.#giveBack(entry, error);
      else throw error;
      return;
    } finally {
      this.#sending = false;
    }
    this.changed();
    this.send();
  }

  #later(turnedAway = null) {
    Object.assign(this, { waiting: true, turnedAway });
    this.#timer = setTimeout(() => this.send(), this.#wait);
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT);
    this.changed();
  }

  #giveBack(entry, error) {
    const rest = this.entries.filter((one) => one !== entry);
    this.entries = [];
    this.waiting = false;
    this.refused(entry, error, rest);
    this.changed();
  }
}
