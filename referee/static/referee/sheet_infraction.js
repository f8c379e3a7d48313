// An infraction in three steps on one sheet: who, what, which measures. And a ruling made later.
import { cardsSoFar } from "./cards.js";
import { button, h } from "./dom.js";
import { Measures } from "./measures.js";
import { seatChoice } from "./seat_choice.js";
import { openSheet } from "./sheet.js";
import { picture, tileName } from "./tiles.js";
import { say } from "./words.js";

const MAIN_KINDS = 9;
const HALVES = [6, 5, 4, 3, 2, 1, 0];
const TILES = HALVES.flatMap((high) =>
  HALVES.filter((low) => low <= high).map((low) => `${high}-${low}`),
);

/**
 * Ask for an infraction. `given` may already name seat, kind, tile, end, open, and `rewind`, the
 * event to just before which play goes back.
 */
export function infractionSheet(recorder, given) {
  const entry = { deliberate: false, note: "", ...given };
  const back = Number.isInteger(entry.rewind) ? [`rewind ${entry.rewind}`] : [];
  let sheet = null;
  const refresh = () => sheet?.refresh();
  const measures = new Measures(recorder, refresh, back);
  const consider = () => {
    if (entry.seat && entry.kind) measures.propose(entry.seat, entry.kind, entry.deliberate);
    refresh();
  };
  const record = (close, pending) => {
    if (!pending && (lacksTile(measures, entry) || lacksReason(measures, entry, refresh))) return;
    const event = { seat: entry.seat, infraction: entry.kind };
    if (entry.tile) event.tile = entry.tile;
    if (entry.tile && measures.stands && !pending)
      Object.assign(event, { end: entry.end, open: entry.open });
    if (entry.deliberate) event.deliberate = true;
    event.measures = pending ? "pending" : measures.value;
    const note = entry.note.trim() || (pending ? "" : measures.why);
    if (note) event.note = note;
    close();
    recorder.record(event);
  };
  sheet = openSheet(say("infraction"), (close) => {
    const ready = entry.seat && entry.kind;
    const lacksPlace = measures.stands && (!entry.end || entry.open === undefined);
    return [
      seatPicks(recorder, entry, consider),
      entry.seat &&
        recorder.table.sanctions &&
        h("p", { class: "muted cards-so-far" }, cardsSoFar(recorder, entry)),
      entry.seat && kindPicks(recorder, entry, consider),
      ready && measures.view(),
      ready && tilePicks(entry, refresh, measures.needsTile && !entry.tile),
      ready && measures.stands && standingPicks(entry, refresh),
      ready && onPurpose(recorder, entry, consider),
      ready && noteField(measures, entry),
      ready &&
        h(
          "div",
          { class: "sheet-actions" },
          button(
            "record-infraction",
            { class: "primary block big", disabled: lacksPlace },
            () => record(close, false),
            say("record_infraction"),
          ),
          button("rule-later", "block", () => record(close, true), say("rule_later")),
        ),
    ];
  });
  consider();
}

/** The ruling on the pending infraction at event `number`; `rewind` as above. */
export function rulingSheet(recorder, number, { rewind } = {}) {
  const event = recorder.live.round.events.find((one) => one.number === number);
  const entry = { note: "" };
  let sheet = null;
  const refresh = () => sheet?.refresh();
  const back = Number.isInteger(rewind) ? [`rewind ${rewind}`] : [];
  const measures = new Measures(recorder, refresh, back);
  const record = (close) => {
    if (lacksReason(measures, entry, refresh)) return;
    const note = entry.note.trim() || measures.why;
    close();
    recorder.record({ ruling: number, measures: measures.value, ...(note && { note }) });
  };
  sheet = openSheet(say("ruling"), (close) => [
    h("p", {}, event.sentence),
    measures.view(),
    noteField(measures, entry),
    button(
      "record-ruling",
      "primary block big",
      () => record(close),
      say("record_ruling"),
    ),
  ]);
  const offence = recorder.live.infractions.find(
    (one) => one.round === recorder.live.round.number && one.event === number,
  );
  measures.propose(event.seat, offence.kind, / deliberate\b/.test(event.line), { counted: true });
  sheet.refresh();
}

function seatPicks(recorder, entry, consider) {
  const pick = (seat) => {
    entry.seat = seat;
    consider();
  };
  return h(
    "fieldset",
    {},
    h("legend", {}, say("who_was_it")),
    seatChoice(recorder, { key: "by", label: "who_was_it", chosen: entry.seat, pick }),
  );
}

function kindPicks(recorder, entry, consider) {
  const { kinds } = recorder.table;
  const pick = (one) =>
    h(
      "button",
      {
        type: "button",
        class: "pick",
        "data-key": `kind-${one.kind}`,
        "data-kind": one.kind,
        onclick: () => {
          entry.kind = one.kind;
          consider();
        },
      },
      one.label,
    );
  const main = kinds.filter((one, place) => place < MAIN_KINDS || one.own);
  const more = kinds.filter((one) => !main.includes(one));
  const named = kinds.find((one) => one.kind === entry.kind);
  if (named && !entry.changeKind) {
    return h(
      "fieldset",
      {},
      h("legend", {}, say("what_happened")),
      h(
        "p",
        { class: "picks" },
        h("strong", { class: "kind-chosen" }, named.label),
        " ",
        button(
          "change-kind",
          "small quiet",
          () => {
            entry.kind = null;
            consider();
          },
          say("change"),
        ),
      ),
    );
  }
  return h(
    "fieldset",
    {},
    h("legend", {}, say("what_happened")),
    h("div", { class: "picks kinds" }, main.map(pick)),
    more.length > 0 &&
      h(
        "details",
        { class: "fold" },
        h("summary", { "data-key": "more-kinds" }, say("other_kinds")),
        h("div", { class: "picks kinds" }, more.map(pick)),
      ),
  );
}

const MISSING_TILE = "choose-tile";

function tilePicks(entry, refresh, lacks) {
  const choose = (tile) => {
    entry.tile = entry.tile === tile ? null : tile;
    entry.choosing = false;
    refresh();
  };
  if (entry.tile && !entry.choosing) {
    return h(
      "fieldset",
      {},
      h("legend", {}, say("which_tile")),
      h(
        "p",
        { class: "picks" },
        picture(entry.tile),
        h("strong", {}, tileName(entry.tile)),
        " ",
        button(
          "change-tile",
          "small quiet",
          () => {
            entry.choosing = true;
            refresh();
          },
          say("change"),
        ),
      ),
    );
  }
  return h(
    "details",
    { class: "fold", open: lacks || entry.choosing },
    h(
      "summary",
      { "data-key": lacks ? MISSING_TILE : "which-tile" },
      lacks ? say("choose_tile") : say("which_tile_maybe"),
    ),
    h(
      "div",
      { class: "tile-pad small-pad", dir: "ltr" },
      TILES.map((tile) =>
        h(
          "button",
          {
            type: "button",
            class: `tile-key ${entry.tile === tile ? "chosen" : ""}`,
            "data-key": `touched-${tile}`,
            "data-touched": tile,
            "aria-label": tileName(tile),
            onclick: () => choose(tile),
          },
          picture(tile),
        ),
      ),
    ),
  );
}

function standingPicks(entry, refresh) {
  const halves = entry.tile ? entry.tile.split("-").map(Number) : [];
  const pick = (name, value, text) =>
    h(
      "label",
      { class: "pick" },
      h("input", {
        type: "radio",
        name,
        value,
        checked: entry[name] === value,
        "data-key": `${name}-${value}`,
        onchange: () => {
          entry[name] = value;
          refresh();
        },
      }),
      h("span", {}, text),
    );
  return h(
    "fieldset",
    {},
    h("legend", {}, say("where_it_stands")),
    h(
      "div",
      { class: "picks" },
      ["left", "right"].map((end) => pick("end", end, say(end))),
      [...new Set(halves)].map((half) => pick("open", half, say("open_half", { number: half }))),
    ),
  );
}

function onPurpose(recorder, entry, consider) {
  const kind = recorder.table.kinds.find((one) => one.kind === entry.kind);
  if (!kind?.deliberate) return null;
  return h(
    "label",
    { class: "pick" },
    h("input", {
      type: "checkbox",
      checked: entry.deliberate,
      "data-key": "deliberate",
      onchange: (event) => {
        entry.deliberate = event.target.checked;
        consider();
      },
    }),
    h("span", {}, say("on_purpose")),
  );
}

const MISSING = "reason-missing";

/** The note; measures that are not the schedule's need one that says why. */
function noteField(measures, entry) {
  const asks = measures.changed && !measures.why;
  const missing = asks && entry.reasonAsked;
  return [
    h(
      "label",
      { class: "field" },
      h("span", {}, say(asks ? "why_other" : "note")),
      h("textarea", {
        rows: 2,
        maxlength: 500,
        value: entry.note,
        "data-key": "note",
        "aria-describedby": missing && MISSING,
        "aria-invalid": missing && "true",
        oninput: ({ target }) => {
          entry.note = target.value;
          target.removeAttribute("aria-invalid");
          document.getElementById(MISSING)?.remove();
        },
      }),
    ),
    missing && h("p", { class: "alert warning", id: MISSING, role: "alert" }, say("why_other_missing")),
  ];
}

/** Whether a measure is about a tile nobody has named; then the pad of tiles comes into view. */
function lacksTile(measures, entry) {
  if (!measures.needsTile || entry.tile) return false;
  const summary = document.querySelector(`dialog [data-key="${MISSING_TILE}"]`);
  summary?.focus({ preventScroll: true });
  summary?.scrollIntoView({ block: "center" });
  return true;
}

/** Whether the reason is still to be written; then it is asked for and nothing is recorded. */
function lacksReason(measures, entry, refresh) {
  if (!measures.changed || measures.why || entry.note.trim()) return false;
  entry.reasonAsked = true;
  refresh();
  const note = document.querySelector('dialog [data-key="note"]');
  note?.focus({ preventScroll: true });
  // Not behind the buttons, which stay at the lower edge.
  note?.scrollIntoView({ block: "center" });
  return true;
}
