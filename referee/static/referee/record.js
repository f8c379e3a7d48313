// The recording page: draws the stage the match is in and listens.
import { hallActs, hallView } from "./calls.js";
import { embedded, h, redraw, remember, remembered } from "./dom.js";
import { keepAwake } from "./device.js";
import { heldView } from "./holder.js";
import { listen } from "./keys.js";
import { Recorder } from "./recorder.js";
import { ask } from "./sheet_refused.js";
import { Store } from "./store.js";
import { closedView, closingView, openingView, resultView, scoreSheet } from "./view_between.js";
import { bellView } from "./view_clock.js";
import { handsView } from "./view_hands.js";
import { deliveryView, findingsView, lastEvent, logView, pendingView } from "./view_log.js";
import { moreView } from "./view_more.js";
import { actionBar, tilePad, turnBar } from "./view_pad.js";
import { robotView } from "./view_robot.js";
import { seatsView } from "./view_seats.js";
import { scoreBar, tableView } from "./view_table.js";
import { lateView } from "./view_timer.js";

const root = document.getElementById("recorder");
const typed = document.getElementById("typed");
const typedProblem = document.getElementById("typed-problem");
const told = document.getElementById("told");
const state = embedded("referee-state");
const seatBelow = `domino-below-${state.table.match.id}`;

let below = remembered(seatBelow) || "A";
let shownStage = null;
let wasStopped = false;
let shownProblem = "";

/** Turn the table: the next seat comes to lie below. */
function turnTable() {
  const seats = recorder.table.seats.map((one) => one.seat);
  below = seats[(seats.indexOf(below) + 1) % seats.length];
  remember(seatBelow, below);
  draw();
}

const stages = {
  waiting: () => [seatsView(recorder, below)],
  between: () => [
    scoreBar(recorder),
    deliveryView(recorder),
    bellView(recorder),
    pendingView(recorder),
    resultView(recorder),
    openingView(recorder),
    scoreSheet(recorder),
    recorder.live.round && actionBar(recorder),
  ],
  recording: () => [
    scoreBar(recorder),
    deliveryView(recorder),
    bellView(recorder),
    pendingView(recorder),
    findingsView(recorder),
    tableView(recorder, below),
    lastEvent(recorder),
    lateView(recorder),
    robotView(recorder),
    recorder.live.round.pending.length ? null : [turnBar(recorder), tilePad(recorder)],
    actionBar(recorder),
  ],
  hands: () => [
    scoreBar(recorder),
    deliveryView(recorder),
    bellView(recorder),
    pendingView(recorder),
    handsView(recorder),
    lastEvent(recorder),
    findingsView(recorder),
    tableView(recorder, below),
    actionBar(recorder),
  ],
  ended: () => [
    scoreBar(recorder),
    deliveryView(recorder),
    bellView(recorder),
    pendingView(recorder),
    tableView(recorder, below),
    findingsView(recorder),
    actionBar(recorder),
  ],
  over: () => [
    scoreBar(recorder),
    deliveryView(recorder),
    pendingView(recorder),
    resultView(recorder),
    closingView(recorder),
    scoreSheet(recorder),
    recorder.live.round && actionBar(recorder),
  ],
  closed: () => [
    scoreBar(recorder),
    deliveryView(recorder),
    closedView(recorder),
    scoreSheet(recorder),
  ],
};

/** What somebody sees who reads along while another device records. */
const readAlong = () => [
  scoreBar(recorder),
  heldView(recorder),
  deliveryView(recorder),
  ["recording", "hands", "ended"].includes(recorder.stage) && [
    tableView(recorder, below),
    lastEvent(recorder),
  ],
  recorder.stage !== "waiting" && scoreSheet(recorder),
];

function draw() {
  const { stage, reading } = recorder;
  Object.assign(root.dataset, { stage, unsent: recorder.outbox.size, reading });
  root.setAttribute("aria-busy", String(recorder.busy));
  redraw(
    root,
    h("div", { class: "recorder-stage" }, hallView(recorder), reading ? readAlong() : stages[stage]()),
    reading ? logView(recorder) : moreView(recorder, { turnTable }),
    hallActs(recorder),
  );
  typed.hidden = reading || stage !== "recording" || recorder.live.round.pending.length > 0;
  const stopped = recorder.live.round?.pending.length > 0;
  if (shownStage && (shownStage !== stage || (stopped && !wasStopped))) {
    root.scrollIntoView();
    if (document.activeElement === document.body)
      root.querySelector("[data-focus-next], .stage-title")?.focus({ preventScroll: true });
  }
  shownStage = stage;
  wasStopped = stopped;
  showProblem();
}

/** A refusal stands where the eye is: beside the field it was typed in, otherwise on top. */
function showProblem() {
  const { problem, fromField } = recorder;
  typedProblem.textContent = fromField ? problem : "";
  typedProblem.hidden = !typedProblem.textContent;
  typed.elements.line.setAttribute("aria-invalid", String(!typedProblem.hidden));
  if (problem && problem !== shownProblem)
    (fromField ? typed : root.querySelector(".problem"))?.scrollIntoView({ block: "nearest" });
  shownProblem = problem;
}

/** What was typed and not recorded goes back into its field, unless the next is there already. */
function giveBack(text) {
  const field = typed.elements.line;
  if (field.value) return;
  field.value = text;
  field.select();
}

function show(text) {
  told.textContent = text;
  told.hidden = false;
  clearTimeout(show.timer);
  show.timer = setTimeout(() => {
    told.hidden = true;
  }, 6000);
}

const tools = { draw: () => draw(), ask, giveBack };
const name = `${root.dataset.reader} ${state.table.match.id}`;
const recorder = await Recorder.takenUp(state, new Store(), name, tools);
draw();
recorder.start();
// A low screen shows the table, not the site's head.
if (innerHeight < 720) root.scrollIntoView({ behavior: "instant" });
keepAwake();
listen(recorder, { form: typed, show });
document.documentElement.classList.add("recording-live");
