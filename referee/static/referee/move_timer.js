// The time of one move: a quiet ring that the referee starts, and that proposes a ruling.
import { remember, remembered } from "./dom.js";
import { announce } from "./speech.js";
import { digits, say } from "./words.js";

const SOUND = "domino-move-sound";
const TICK = 200;
const BY_CHOICES = "choices";

const LENGTHS = ["5", "15", "20", "60"];
// What this device kept of an earlier version of the page knows no times.
const USUAL = { seconds: 15, by_choices: null };

const still = matchMedia("(prefers-reduced-motion: reduce)");

/** How many tiles the seat on turn can lay, as far as the record knows. */
function choices(round) {
  const held = round.hands?.[round.turn];
  const known = ({ tile }) => !held || held.includes(tile);
  return round.tiles.filter((one) => one.ends.length && known(one)).length;
}

function ring() {
  try {
    const audio = new AudioContext();
    const tone = audio.createOscillator();
    tone.frequency.value = 440;
    tone.connect(audio.destination);
    tone.start();
    tone.stop(audio.currentTime + 0.3);
  } catch {
    // A browser that plays nothing shows the end all the same.
  }
}

export class MoveTimer {
  #running = null;
  /** Who took too long, {seat, seconds, round}, until a ruling or a no. */
  late = null;

  constructor(recorder) {
    this.recorder = recorder;
    setInterval(() => this.#tick(), TICK);
  }

  /** What the rules of this table, or those of its event, allow for a move. */
  get #allowed() {
    return this.recorder.table.move_time ?? USUAL;
  }

  /** Another length chosen here holds for this match alone: the next may have other rules. */
  get #name() {
    return `domino-move-timer-${this.recorder.table.match.id}`;
  }

  get #usual() {
    const { seconds, by_choices: choices } = this.#allowed;
    return choices ? BY_CHOICES : String(seconds);
  }

  /** The lengths to choose from, those of the rules first. */
  get lengths() {
    const rest = LENGTHS.filter((one) => one !== this.#usual);
    return [this.#usual, ...rest];
  }

  get length() {
    const chosen = remembered(this.#name);
    return this.lengths.includes(chosen) ? chosen : this.#usual;
  }

  set length(chosen) {
    remember(this.#name, chosen === this.#usual ? null : chosen);
  }

  /** The seconds to pass or with one tile that fits, with several, and for a move that blocks. */
  get choices() {
    return this.#allowed.by_choices;
  }

  get sounds() {
    return remembered(SOUND) === "on";
  }

  set sounds(on) {
    remember(SOUND, on ? "on" : null);
  }

  get byChoices() {
    return this.length === BY_CHOICES;
  }

  /** {seat, limit, left} in seconds while a move is timed; null otherwise. */
  get running() {
    const { round } = this.recorder.live;
    const one = this.#running;
    // Whatever is recorded ends the move that was timed.
    if (one && (round?.turn !== one.seat || round.next_number !== one.number)) this.#running = null;
    return this.#running && { ...one, left: this.#left };
  }

  get #left() {
    const { started, limit } = this.#running;
    return Math.max(0, limit - (performance.now() - started) / 1000);
  }

  /** Start the ring for the seat on turn, or stop it. */
  toggle() {
    const { round } = this.recorder.live;
    if (this.running) this.#running = null;
    else {
      const [oneChoice, moreChoices] = this.choices ?? [];
      const byChoices = choices(round) > 1 ? moreChoices : oneChoice;
      this.#running = {
        seat: round.turn,
        number: round.next_number,
        started: performance.now(),
        limit: this.byChoices ? byChoices : Number(this.length),
      };
      this.late = null;
    }
    this.recorder.draw();
  }

  /** Give the move that is timed another limit, counted from the same start. */
  extend(seconds) {
    if (!this.running) return;
    this.#running.limit = seconds;
    this.recorder.draw();
  }

  forget() {
    this.late = null;
    this.recorder.draw();
  }

  #tick() {
    const { recorder } = this;
    const one = this.running;
    if (!one) return;
    if (one.left > 0) return showLeft(one);
    this.#running = null;
    this.late = { seat: one.seat, seconds: one.limit, round: recorder.live.round.number };
    if (this.sounds) ring();
    announce(say("move_too_long", { name: recorder.names.player(one.seat), seconds: one.limit }));
    recorder.draw();
  }
}

/** Show what is left in place, without drawing the page anew. */
function showLeft({ left, limit }) {
  const seconds = digits(Math.ceil(left));
  const number = document.querySelector("[data-move-left]");
  if (!number) return;
  const moved = number.textContent !== seconds;
  if (moved) number.textContent = seconds;
  if (moved || !still.matches)
    document
      .querySelector("[data-move-ring]")
      ?.setAttribute("stroke-dashoffset", String(100 - (100 * left) / limit));
}
