// The score as it is on paper: after a lost device nobody enters every round again.
import { button, h } from "./dom.js";
import { openSheet } from "./sheet.js";
import { announce } from "./speech.js";
import { western } from "./typed.js";
import { say } from "./words.js";

/** Ask for the points of each side and why; what was typed stays until it is recorded. */
export function askForScore(recorder) {
  const { table, live, names } = recorder;
  const points = Object.fromEntries(
    table.sides.map((side) => [
      side,
      h("input", {
        inputmode: "numeric",
        autocomplete: "off",
        maxlength: 6,
        dir: "ltr",
        value: String(Math.max(0, live.totals[side] ?? 0)),
        "data-key": `points-${side}`,
      }),
    ]),
  );
  const reason = h("textarea", { rows: 2, dir: "auto", "data-key": "score-reason" });
  const problem = h("p", { class: "alert danger", role: "alert", hidden: true });
  openSheet(say("set_score"), (close) => {
    const submit = async (event) => {
      event.preventDefault();
      problem.hidden = true;
      const totals = Object.fromEntries(
        table.sides.map((side) => [side, western(points[side].value.trim())]),
      );
      if (await recorder.send(table.addresses.score, { totals, reason: reason.value.trim() })) {
        announce(say("score_is_set"));
        return close();
      }
      problem.textContent = recorder.problem;
      problem.hidden = false;
      recorder.problem = "";
      return undefined;
    };
    return [
      h("p", { class: "muted" }, say("set_score_help")),
      problem,
      h(
        "form",
        { class: "sheet-form", onsubmit: submit },
        table.sides.map((side) =>
          h(
            "label",
            { class: "field" },
            h("span", {}, say("points_for", { name: names.side(side) })),
            points[side],
          ),
        ),
        h("label", { class: "field" }, h("span", {}, say("reason")), reason),
        h("button", { class: "button primary block big", "data-key": "confirm-score" }, say("set_score")),
        button("not-yet", "block", close, say("not_yet")),
      ),
    ];
  });
}
