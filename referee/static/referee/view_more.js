// What is needed seldom: all events, turning the table, the clock, a substitute.
import { h } from "./dom.js";
import { openSheet } from "./sheet.js";
import { logView } from "./view_log.js";
import { say } from "./words.js";

export function moreView(recorder, { turnTable }) {
  const { stage, live } = recorder;
  const open = stage === "recording" || stage === "hands";
  return h("div", { class: "recorder-more" },
    logView(recorder),
    stage !== "closed" && h("div", { class: "cluster more-acts" },
      stage !== "between" && stage !== "over" && h("button", { type: "button", class: "button small", "data-key": "turn-table", onclick: turnTable }, say("turn_table")),
      stage === "recording" && !live.round.events.length && h("button", { type: "button", class: "button small", "data-key": "reopen", onclick: () => { recorder.draft = { reopen: true }; recorder.draw(); } }, say("another_opener")),
      open && h("button", { type: "button", class: "button small", "data-key": "time-over", onclick: () => timeOver(recorder) }, say("time_over")),
      open && h("button", { type: "button", class: "button small", "data-key": "leaves", onclick: () => leaves(recorder) }, say("player_leaves")),
      live.rounds.length > 0 && h("a", { class: "button small", href: document.getElementById("recorder").dataset.sheet }, say("match_sheet"))));
}

function timeOver(recorder) {
  openSheet(say("time_over"), (close) => [
    h("p", {}, say("time_over_help")),
    h("div", { class: "sheet-actions" }, h("button", { type: "button", class: "button primary block big", "data-key": "confirm-time", onclick: () => { close(); recorder.record({ time: "over" }); } }, say("record_time_over")),
      h("button", { type: "button", class: "button block", "data-key": "not-yet", onclick: close }, say("not_yet"))),
  ]);
}

function leaves(recorder) {
  const { table, names } = recorder;
  let seat = null;
  const sheet = openSheet(say("player_leaves"), (close) => [
    h("p", { class: "muted" }, say("player_leaves_help")),
    h("div", { class: "seat-choice" }, table.seats.map((one) => h("button", { type: "button", class: `seat side-${table.sides.indexOf(one.side) + 1} ${seat === one.seat ? "chosen" : ""}`, "data-key": `leaves-${one.seat}`,
      "aria-pressed": seat === one.seat ? "true" : "false", onclick: () => { seat = one.seat; sheet.refresh(); } }, h("span", { class: "seat-letter" }, one.seat), h("bdi", { class: "seat-name" }, names.player(one.seat))))),
    h("div", { class: "sheet-actions" }, h("button", { type: "button", class: "button primary block big", "data-key": "confirm-leaves", disabled: !seat, onclick: () => { close(); recorder.record({ seat, leaves: "robot" }); } }, say("record_robot"))),
  ]);
}
