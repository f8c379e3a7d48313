// What is needed seldom: all events, turning the table, the clock, a substitute.
import { button, h } from "./dom.js";
import { seatChoice } from "./seat_choice.js";
import { openSheet } from "./sheet.js";
import { askForScore } from "./sheet_score.js";
import { bellRule, extraTimeSheet } from "./view_clock.js";
import { logView } from "./view_log.js";
import { timerSettings } from "./view_timer.js";
import { say } from "./words.js";

export function moreView(recorder, { turnTable }) {
  const { stage, live } = recorder;
  const open = stage === "recording" || stage === "hands";
  return h(
    "div",
    { class: "recorder-more" },
    logView(recorder),
    stage !== "closed" &&
      h(
        "div",
        { class: "cluster more-acts" },
        stage !== "between" &&
          stage !== "over" &&
          button("turn-table", "small", turnTable, say("turn_table")),
        stage === "recording" &&
          !live.round.events.length &&
          h(
            "button",
            {
              type: "button",
              class: "button small",
              "data-key": "reopen",
              onclick: () => {
                recorder.draft = { reopen: true };
                recorder.draw();
              },
            },
            say("another_opener"),
          ),
        (open || (stage === "between" && live.round)) &&
          button("time-over", "small", () => timeOver(recorder), say("time_over")),
        recorder.clock.extend &&
          recorder.clock.phase !== "none" &&
          button("give-time", "small", () => extraTimeSheet(recorder), say("give_time")),
        stage === "between" &&
          button("set-score", "small", () => askForScore(recorder), say("set_score")),
        open && button("leaves", "small", () => leaves(recorder), say("player_leaves")),
        recorder.table.may.reopen &&
          stage !== "waiting" &&
          stage !== "over" &&
          button("close-early", "small", () => closeEarly(recorder), say("close_early")),
        live.rounds.length > 0 &&
          h(
            "a",
            { class: "button small", href: document.getElementById("recorder").dataset.sheet },
            say("match_sheet"),
          ),
      ),
    open && timerSettings(recorder),
  );
}

function closeEarly(recorder) {
  recorder.ask.reason(recorder, {
    title: say("close_early"),
    help: say("close_early_help"),
    send: (reason) => recorder.closeMatch({ reason }),
  });
}

function timeOver(recorder) {
  openSheet(say("time_over"), (close) => [
    h("p", {}, bellRule(recorder)),
    h(
      "div",
      { class: "sheet-actions" },
      h(
        "button",
        {
          type: "button",
          class: "button primary block big",
          "data-key": "confirm-time",
          onclick: () => {
            close();
            recorder.record({ time: "over" });
          },
        },
        say("record_time_over"),
      ),
      button("not-yet", "block", close, say("not_yet")),
    ),
  ]);
}

function leaves(recorder) {
  let seat = null;
  const name = h("input", { name: "substitute", maxlength: 80, "data-key": "substitute" });
  const sheet = openSheet(say("player_leaves"), (close) => [
    h("p", { class: "muted" }, say("player_leaves_help")),
    seatChoice(recorder, {
      key: "leaves",
      label: "player_leaves",
      chosen: seat,
      pick: (letter) => {
        seat = letter;
        sheet.refresh();
      },
    }),
    h("label", { class: "field" }, h("span", {}, say("substitute_name")), name),
    h(
      "div",
      { class: "sheet-actions" },
      h(
        "button",
        {
          type: "button",
          class: "button primary block big",
          "data-key": "confirm-leaves",
          disabled: !seat,
          onclick: () => {
            close();
            recorder.record({ seat, leaves: name.value.trim() || "robot" });
          },
        },
        say("record_substitute"),
      ),
    ),
  ]);
}
