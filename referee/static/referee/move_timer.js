// The time of one move: a quiet ring that the referee starts, and that proposes a ruling.
import { remember, remembered } from "./dom.js";
import { announce } from "./speech.js";
import { digits, say } from "./words.js";

const LENGTH = "domino-move-timer";
const SOUND = "domino-move-sound";
const TICK = 200;
const BY_CHOICES = "choices";

// femundo 11: 5 s to pass or with one choice, 20 s with more, 60 s for a move that blocks.
const ONE_CHOICE = 5;
const MORE_CHOICES = 20;
export const BLOCKING = 60;
export const LENGTHS = [BY_CHOICES, "5", "15", "20", "60"];

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

  get length() {
    const usual = this.recorder.table.rules.profile === "femundo" ? BY_CHOICES : "15";
    return remembered(LENGTH) || usual;
  }

  set length(chosen) {
    remember(LENGTH, chosen);
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
      const seconds = choices(round) > 1 ? MORE_CHOICES : ONE_CHOICE;
      this.#running = {
        seat: round.turn,
        number: round.next_number,
        started: performance.now(),
        limit: this.byChoices ? seconds : Number(this.length),
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
