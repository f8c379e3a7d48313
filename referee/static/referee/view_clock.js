// The match clock at the table: what is left, what the bell means, time given back.
import { button, h } from "./dom.js";
import { put, problemOf, Unreachable } from "./network.js";
import { openSheet } from "./sheet.js";
import { digits, say } from "./words.js";

const MINUTES = [1, 2, 3, 5, 10];
const LABELS = { before: "time_begins", running: "time_left", soon: "time_left", over: "time_is_over" };

/** What is left, large; nothing where the round has no clock. */
export function clockFace({ clock }) {
  const { phase } = clock;
  if (phase === "none") return null;
  return h(
    "span",
    { class: `match-clock ${phase}`, role: "timer" },
    h("span", { class: "match-clock-label" }, say(LABELS[phase])),
    phase !== "over" &&
      h("span", { class: "match-clock-digits", dir: "ltr", "data-match-clock": true }, clock.text),
  );
}

/** What this table's rules say happens at the bell. */
export const bellRule = ({ table }) => say(table.rules.elimination ? "bell_lowest" : "bell_higher");

/** Time is over: the rule in words and one tap that records it. */
export function bellView(recorder) {
  const { live, clock, stage } = recorder;
  if (live.over || stage === "waiting" || stage === "closed") return null;
  // Said once, it takes a line: the rest of the round has to be recorded below it.
  if (live.time_over)
    return h(
      "details",
      { class: "alert warning bell recorded" },
      h("summary", { "data-key": "bell-rule" }, say("time_recorded")),
      h("p", {}, bellRule(recorder)),
    );
  if (clock.phase !== "over") return null;
  return h(
    "div",
    { class: "alert warning bell" },
    h("strong", {}, say("time_is_over")),
    h("p", {}, live.round && stage === "between" ? say("bell_between") : bellRule(recorder)),
    live.round &&
      button(
        "bell",
        "primary block",
        () => recorder.record({ time: "over" }),
        say("record_time_over"),
      ),
  );
}

/** Give the table time back, with a reason; the server keeps the deadline. */
export function extraTimeSheet(recorder) {
  const { clock } = recorder;
  const reason = h("textarea", { rows: 2, maxlength: 500, required: true, "data-key": "reason" });
  const problem = h("p", { class: "alert danger", role: "alert", hidden: true });
  let minutes = 2;
  const give = async (close) => {
    if (!reason.value.trim()) return reason.focus();
    const seconds = clock.extra + 60 * minutes;
    try {
      await put(clock.extend, { seconds, reason: reason.value.trim() });
    } catch (error) {
      problem.textContent = error instanceof Unreachable ? say("unreachable") : problemOf(error);
      problem.hidden = false;
      return undefined;
    }
    close();
    await clock.ask();
    return recorder.draw();
  };
  const sheet = openSheet(say("give_time"), (close) => [
    h("p", { class: "muted" }, say("time_given", { minutes: Math.round(clock.extra / 60) })),
    h(
      "fieldset",
      {},
      h("legend", {}, say("how_many_minutes")),
      h(
        "div",
        { class: "picks" },
        MINUTES.map((one) =>
          h(
            "label",
            { class: "pick" },
            h("input", {
              type: "radio",
              name: "minutes",
              value: one,
              checked: one === minutes,
              "data-key": `minutes-${one}`,
              onchange: () => {
                minutes = one;
                sheet.refresh();
              },
            }),
            h("span", {}, digits(one)),
          ),
        ),
      ),
    ),
    h("label", { class: "field" }, h("span", {}, say("reason")), reason),
    problem,
    h(
      "div",
      { class: "sheet-actions" },
      button("confirm-extra", "primary block big", () => give(close), say("give_time")),
      button("not-yet", "block", close, say("not_yet")),
    ),
  ]);
}
