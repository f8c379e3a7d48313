// Going back to just before an event: what would lose its effect, and what takes it back.
import { button, h } from "./dom.js";
import { openSheet } from "./sheet.js";
import { digits, say } from "./words.js";

/** What `event` would take out of effect or bring back, event by event; null where unknown. */
function differences(recorder, event) {
  const { events } = recorder.live.round;
  const after = recorder.foreseen(event)?.round.events;
  if (!after) return null;
  return {
    lost: events.filter((one, place) => one.in_effect && !after[place].in_effect),
    again: events.filter((one, place) => !one.in_effect && after[place].in_effect),
  };
}

/** Any ruling that takes play back, to see what it would do. */
function rulingBack({ live }, number) {
  const measures = [{ rewind: number }];
  const [pending] = live.round.pending;
  if (pending !== undefined) return { ruling: pending, measures };
  return { seat: Object.keys(live.round.in_hand)[0], infraction: "misplay", measures };
}

/** Ask how to go back to just before `event`: a slip of the pen, or a ruling at the table. */
export function backSheet(recorder, event) {
  const undos = recorder.undosBefore(event.number);
  const ways = {
    slip: differences(recorder, { undo: undos }),
    table: differences(recorder, rulingBack(recorder, event.number)),
  };
  let chosen = ways.slip ? "slip" : "table";
  const go = (close) => {
    close();
    if (chosen === "slip") return recorder.record({ undo: undos });
    const [pending] = recorder.live.round.pending;
    const back = { rewind: event.number };
    if (pending !== undefined) return recorder.ask.ruling(recorder, pending, back);
    return recorder.ask.infraction(recorder, { ...back, seat: event.seat ?? null });
  };
  const sheet = openSheet(say("go_back"), (close) => [
    h("p", {}, say("back_to_what", { sentence: event.sentence })),
    h(
      "fieldset",
      {},
      h("legend", {}, say("why_back")),
      h(
        "div",
        { class: "picks stacked" },
        Object.entries(ways).map(([way, found]) =>
          h(
            "label",
            { class: "pick" },
            h("input", {
              type: "radio",
              name: "way",
              value: way,
              checked: way === chosen,
              disabled: !found,
              "data-key": `way-${way}`,
              onchange: () => {
                chosen = way;
                sheet.refresh();
              },
            }),
            h("span", {}, say(way === "slip" ? "back_slip" : "back_table")),
          ),
        ),
      ),
    ),
    ways[chosen] ? preview(ways[chosen]) : h("p", { class: "alert warning" }, say("back_unknown")),
    chosen === "table" && h("p", { class: "muted" }, say("back_table_help")),
    h("p", { class: "muted" }, say("nothing_erased")),
    h(
      "div",
      { class: "sheet-actions" },
      button(
        "confirm-back",
        { class: "primary block big", disabled: !ways[chosen] },
        () => go(close),
        say(chosen === "slip" ? "go_back" : "go_to_ruling"),
      ),
      button("not-yet", "block", close, say("cancel")),
    ),
  ]);
}

function preview({ lost, again }) {
  return [
    h("h3", { class: "preview-title" }, say("lose_effect", { count: lost.length })),
    eventList("preview-lost", lost),
    again.length > 0 && h("h3", { class: "preview-title" }, say("count_again", { count: again.length })),
    again.length > 0 && eventList("preview-again", again),
  ];
}

/** Events one below the other; `more(event)` makes what stands beside each. */
export const eventList = (kind, events, more = () => null) =>
  h(
    "ol",
    { class: `event-list ${kind}` },
    events.map((one) =>
      h(
        "li",
        { class: `event ${one.in_effect === false ? "undone" : ""}` },
        h("span", { class: "event-number" }, digits(one.number)),
        h("span", { class: "event-text" }, one.sentence),
        more(one),
      ),
    ),
  );
