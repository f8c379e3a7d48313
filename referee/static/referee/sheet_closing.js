// Closing a match writes its result; closing it early or opening it again needs a reason.
import { button, h } from "./dom.js";
import { openSheet } from "./sheet.js";
import { say } from "./words.js";

/** Closing writes the result: once more, in words. */
export function closingSheet(recorder) {
  const { live, table, names } = recorder;
  openSheet(say("close_match"), (close) => [
    h(
      "p",
      {},
      live.winner ? say("match_won", { name: names.side(live.winner) }) : say("match_over"),
    ),
    h(
      "ul",
      { class: "result-points" },
      table.sides.map((side, index) =>
        h(
          "li",
          { class: `side-${index + 1} ${live.winner === side ? "winner" : ""}` },
          h("bdi", {}, names.side(side)),
          h(
            "b",
            { class: "result-number" },
            say("points_total", { points: live.totals[side] ?? 0 }),
          ),
        ),
      ),
    ),
    live.findings.length > 0 &&
      h(
        "div",
        { class: "alert warning" },
        h("strong", {}, say("unruled", { count: live.findings.length })),
        live.findings.map((one) => h("p", {}, one.sentence)),
      ),
    h("p", { class: "muted" }, say("close_confirm")),
    h(
      "div",
      { class: "sheet-actions" },
      button(
        "confirm-close",
        "primary block big",
        () => {
          close();
          recorder.closeMatch({});
        },
        say("write_result"),
      ),
      button("not-yet", "block", close, say("not_yet")),
    ),
  ]);
}

/** Ask a director why: `send(reason)` closes the match early, or opens it again. */
export function reasonSheet(recorder, { title, help, reason = "", send }) {
  const field = h("textarea", { rows: 3, maxlength: 500, value: reason, "data-key": "reason" });
  openSheet(title, (close) => [
    h("p", { class: "muted" }, help),
    h("label", { class: "field" }, h("span", {}, say("reason")), field),
    h(
      "div",
      { class: "sheet-actions" },
      button(
        "give-reason",
        "primary block big",
        () => {
          if (!field.value.trim()) return field.focus();
          close();
          return send(field.value.trim());
        },
        title,
      ),
      button("not-yet", "block", close, say("not_yet")),
    ),
  ]);
}
