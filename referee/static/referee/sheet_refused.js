// What the page asks when the server said no.
import { button, h } from "./dom.js";
import { backSheet } from "./sheet_back.js";
import { closingSheet, reasonSheet } from "./sheet_closing.js";
import { earlierSheet } from "./sheet_earlier.js";
import { infractionSheet, rulingSheet } from "./sheet_infraction.js";
import { openSheet } from "./sheet.js";
import { sentenceOf } from "./stages.js";
import { readTyped } from "./typed.js";
import { digits, say } from "./words.js";

/** A refused act: a slip of the pen, or an infraction that happened at the table? */
function refused(recorder, event, { message, as_infraction: kind }) {
  openSheet(say("not_recorded"), (close) => [
    h("p", { class: "refusal" }, message),
    kind && h("p", { class: "question" }, say("slip_or_infraction")),
    h(
      "div",
      { class: "sheet-actions" },
      button("slip", "primary block big", close, kind ? say("slip") : say("understood")),
      kind &&
        button(
          "happened",
          "danger block big",
          () => {
            close();
            infractionSheet(recorder, accused(recorder, event, kind));
          },
          say("happened"),
        ),
    ),
  ]);
}

/** What the infraction's form starts with: the act as it was tapped. */
function accused(recorder, event, kind) {
  if (typeof event === "string") return { ...readTyped(event), kind, act: undefined };
  const tile = event.play || event.draw || null;
  const given = { seat: event.seat, kind, tile };
  if (kind === "misplay" && event.play) {
    const [high, low] = event.play.split("-").map(Number);
    const ends = recorder.live.round.ends || [];
    const touching = event.end === "left" ? ends[0] : ends[1];
    if (event.end) Object.assign(given, { end: event.end, open: touching === low ? high : low });
  }
  return given;
}

/** Whether an event of ours says the same as `one`, which was recorded first. */
function sameAct(event, one) {
  if (typeof event === "string" || event.seat !== one.seat || !(one.type in event)) return false;
  if (one.type === "pass") return true;
  if (one.type !== "play" && one.type !== "draw") return false;
  const end = one.line.match(/left|right/)?.[0];
  const tile = one.line.match(/\d-\d/)?.[0] ?? null;
  return event[one.type] === tile && (!end || !event.end || event.end === end);
}

/** Somebody else recorded first: what they wrote, and what becomes of our own entry. */
function movedOn(recorder, { message, since = [] }) {
  const there = recorder.kept.every((event) => since.some((one) => sameAct(event, one)));
  const late = recorder.keptLate;
  openSheet(say("moved_on"), (close) => [
    h("p", {}, message),
    h(
      "ol",
      { class: "event-list" },
      since.map((one) =>
        h(
          "li",
          { class: "event" },
          h("span", { class: "event-number" }, digits(one.number)),
          h("span", { class: "event-text" }, one.sentence),
        ),
      ),
    ),
    h("p", { class: "question" }, say("your_entry")),
    h(
      "ul",
      { class: "event-list own" },
      recorder.kept.map((event) =>
        h(
          "li",
          { class: "event" },
          h("span", { class: "event-text" }, sentenceOf(event, recorder.names)),
        ),
      ),
    ),
    late && !there && h("p", { class: "alert warning" }, say("kept_late", { name: late })),
    h(
      "div",
      { class: "sheet-actions" },
      button(
        "drop-kept",
        "primary block big",
        () => {
          recorder.dropKept();
          close();
        },
        say(there ? "already_there" : "keep_theirs"),
      ),
      !late &&
        button(
          "send-kept",
          "block",
          () => {
            close();
            recorder.sendKept();
          },
          say("record_kept"),
        ),
    ),
  ]);
}

/** Every question the page can ask, by name. */
export const ask = {
  refused,
  movedOn,
  closing: closingSheet,
  back: backSheet,
  earlier: earlierSheet,
  reason: reasonSheet,
  infraction: infractionSheet,
  ruling: rulingSheet,
};
