// Events on their way: sent one after the other, kept until the server has answered.
import { newKey, remember, remembered } from "./dom.js";
import { Refused, Unreachable, post } from "./network.js";

const LONGEST_WAIT = 15_000;

export class Outbox {
  #timer = null;
  #sending = false;
  #wait = 500;

  /**
   * `name` finds what an earlier visit left unsent. `stored(answer)` is called after each event
   * stored, `refused(entry, error, rest)` when one is not, `changed()` whenever the count moves.
   */
  constructor(name, { stored, refused, changed }) {
    this.name = name;
    this.stored = stored;
    this.refused = refused;
    this.changed = changed;
    this.waiting = false;
    this.entries = this.#read();
    addEventListener("online", () => this.send());
    document.addEventListener("visibilitychange", () => document.hidden || this.send());
  }

  get size() {
    return this.entries.length;
  }

  add(address, number, event) {
    this.entries = [...this.entries, { address, number, event, client_key: newKey() }];
    this.#keep();
    this.send();
  }

  /** Forget the last entry if it has certainly not been sent; say whether there was one. */
  dropLast() {
    if (this.size < 2) return false;
    this.entries = this.entries.slice(0, -1);
    this.#keep();
    this.changed();
    return true;
  }

  /** Send what is there; the same client key again, so nothing is ever stored twice. */
  async send() {
    if (this.#sending || !this.size) return;
    clearTimeout(this.#timer);
    this.#sending = true;
    const { address, ...body } = this.entries[0];
    try {
      const answer = await post(address, body);
      this.entries = this.entries.slice(1);
      this.#wait = 500;
      this.waiting = false;
      this.#keep();
      this.stored(answer);
    } catch (error) {
      if (error instanceof Unreachable) this.#later();
      else if (error instanceof Refused) this.#giveBack(error);
      else throw error;
      return;
    } finally {
      this.#sending = false;
    }
    this.changed();
    this.send();
  }

  #later() {
    this.waiting = true;
    this.#timer = setTimeout(() => this.send(), this.#wait);
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT);
    this.changed();
  }

  #giveBack(error) {
    const [entry, ...rest] = this.entries;
    this.entries = [];
    this.waiting = false;
    this.#keep();
    this.refused(entry, error, rest);
    this.changed();
  }

  #read() {
    try {
      return JSON.parse(remembered(this.name)) || [];
    } catch {
      return [];
    }
  }

  #keep() {
    remember(this.name, this.size ? JSON.stringify(this.entries) : null);
  }
}
