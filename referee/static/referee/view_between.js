// Between two rounds: how the last one ended, the score sheet, who opens the next.
import { button, h } from "./dom.js";
import { seatChoice } from "./seat_choice.js";
import { signingView } from "./sheet_signing.js";
import { western } from "./typed.js";
import { findingsView } from "./view_log.js";
import { digits, say, tileText } from "./words.js";

/** The last round's result, large. */
export function resultView(recorder) {
  const { live, table, names } = recorder;
  const last = live.rounds.at(-1);
  if (!last || last.ended === "unfinished" || recorder.draft.reopen) return null;
  return h(
    "section",
    { class: "stage-card result" },
    h(
      "div",
      { class: "split" },
      h(
        "h2",
        { class: "stage-title", tabindex: "-1" },
        say("result_of", { number: last.number + 1 }),
      ),
      h("span", { class: "chip info" }, last.ended_label),
    ),
    h(
      "ul",
      { class: "result-points" },
      table.sides.map((side, index) =>
        h(
          "li",
          { class: `side-${index + 1} ${last.winner === side ? "winner" : ""}` },
          h("bdi", {}, names.side(side)),
          h("b", { class: "result-number" }, "\u2066+", digits(last.points?.[side] ?? 0), "\u2069"),
        ),
      ),
    ),
    findingsView(recorder),
  );
}

/** All rounds of the match with their points and how each ended. */
export function scoreSheet(recorder) {
  const { live, table, names } = recorder;
  const rounds = live.rounds.filter((one) => one.ended !== "unfinished");
  if (!rounds.length) return null;
  return h(
    "details",
    { class: "fold" },
    h("summary", {}, say("score_sheet")),
    h(
      "div",
      // It scrolls on a narrow screen, so keys have to reach it.
      { class: "table-wrap", tabindex: 0, role: "region", "aria-label": say("score_sheet") },
      h(
        "table",
        { class: "table rounds-table" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            h("th", { scope: "col" }, say("round")),
            table.sides.map((side) =>
              h("th", { scope: "col", class: "num" }, h("bdi", {}, names.side(side))),
            ),
            h("th", { scope: "col" }, say("how")),
          ),
        ),
        h(
          "tbody",
          {},
          rounds.map((one) =>
            h(
              "tr",
              {},
              h("th", { scope: "row" }, digits(one.number + 1)),
              table.sides.map((side) => h("td", { class: "num" }, digits(one.points?.[side] ?? 0))),
              h("td", {}, one.ended_label || ""),
            ),
          ),
        ),
        h(
          "tfoot",
          {},
          h(
            "tr",
            {},
            h("th", { scope: "row" }, say("total")),
            table.sides.map((side) => h("td", { class: "num" }, digits(live.totals[side] ?? 0))),
            h("td", {}),
          ),
        ),
      ),
    ),
  );
}

const inMatch = ({ table, live }) => table.seats.filter((one) => !live.out.includes(one.seat));

/** Who opens, decided by the rules or asked; one big button starts the round. */
export function openingView(recorder) {
  const { live, draft, names } = recorder;
  const next = live.next_round || { ...live.round, ask: true, rule: say("another_opener_help") };
  const chosen = draft.opener ?? next.opener;
  const first = !live.rounds.length;
  return h(
    "section",
    { class: "stage-card" },
    h(
      "h2",
      { class: "stage-title", tabindex: "-1" },
      say("open_round", { number: next.number + 1 }),
    ),
    h("p", { class: next.ask ? "question" : "muted" }, next.rule),
    seatChoice(recorder, {
      key: "opener",
      label: "who_opens",
      chosen,
      seats: inMatch(recorder).map((one) => one.seat),
      pick: (seat) => {
        draft.opener = seat;
        recorder.draw();
      },
    }),
    next.first_tile &&
      h("p", { class: "muted" }, say("opening_tile", { tile: tileText(next.first_tile) })),
    shuffler(recorder, chosen),
    button(
      "start-round",
      { class: "primary block big", "data-focus-next": true, disabled: recorder.busy || !chosen },
      () => recorder.openRound({ opener: chosen }),
      chosen
        ? say(first ? "start_match" : "start_round", { name: names.player(chosen) })
        : say("choose_opener"),
    ),
    sheetForm(recorder),
  );
}

/** femundo 8: whoever sits to the left of the opener shuffles and draws last. */
function shuffler({ table, names }, opener) {
  if (table.rules.profile !== "femundo" || !opener) return null;
  const seats = table.seats.map((one) => one.seat);
  // Play goes to the right, so the seat to the left is the one before in order of play.
  const left = seats.at(seats.indexOf(opener) - 1);
  return h("p", { class: "muted shuffles" }, say("shuffles", { name: names.player(left) }));
}

/** A round copied from a score sheet: winner, points, how it ended. */
function sheetForm(recorder) {
  const { table, names, live } = recorder;
  const alone = table.rules.profile === "elimination";
  const radio = (name, value, text, checked) =>
    h(
      "label",
      { class: "pick" },
      h("input", { type: "radio", name, value, checked, required: true }),
      h("span", {}, text),
    );
  const submit = (event) => {
    event.preventDefault();
    const fields = new FormData(event.target);
    const points = alone
      ? Object.fromEntries(
          table.sides
            .filter((side) => !live.out.includes(side))
            .map((side) => [side, Number(western(fields.get(`points-${side}`)))]),
        )
      : Number(western(fields.get("points")));
    recorder.openRound({
      result: { winner: fields.get("winner") || null, points, ended: fields.get("ended") },
    });
  };
  const number = (name, text) =>
    h(
      "label",
      { class: "field" },
      h("span", {}, text),
      h("input", {
        name,
        inputmode: "numeric",
        required: true,
        pattern: "[0-9٠-٩۰-۹]{1,4}",
        autocomplete: "off",
      }),
    );
  return h(
    "details",
    { class: "fold" },
    h("summary", { "data-key": "sheet" }, say("from_score_sheet")),
    h(
      "form",
      { class: "sheet-form", onsubmit: submit },
      h(
        "fieldset",
        {},
        h("legend", {}, say("who_won")),
        h(
          "div",
          { class: "picks" },
          table.sides
            .filter((side) => !live.out.includes(side))
            .map((side) => radio("winner", side, names.side(side))),
          radio("winner", "", say("nobody")),
        ),
      ),
      alone
        ? table.sides
            .filter((side) => !live.out.includes(side))
            .map((side) => number(`points-${side}`, say("points_for", { name: names.side(side) })))
        : number("points", say("points")),
      h(
        "fieldset",
        {},
        h("legend", {}, say("how_ended")),
        h(
          "div",
          { class: "picks" },
          radio("ended", "out", say("ended_out"), true),
          radio("ended", "blocked", say("ended_blocked")),
        ),
      ),
      h("button", { class: "button block", disabled: recorder.busy }, say("record_sheet_round")),
    ),
  );
}

/** The match is over: the result, and one button that writes it. */
export function closingView(recorder) {
  const { live, names } = recorder;
  return h(
    "section",
    { class: "stage-card closing" },
    h(
      "h2",
      { class: "stage-title", tabindex: "-1" },
      live.winner ? say("match_won", { name: names.side(live.winner) }) : say("match_over"),
    ),
    h("p", { class: "muted" }, say("close_help")),
    signingView(recorder),
    button(
      "close-match",
      {
        class: "primary block big",
        "data-focus-next": true,
        disabled: recorder.busy || !live.can_close,
      },
      () => recorder.ask.closing(recorder),
      say("close_match"),
    ),
  );
}

/** Where an entry has withdrawn meanwhile, the server asks whether that is known. */
function reopen(recorder, { help = say("reopen_help"), reason = "", ...known } = {}) {
  recorder.ask.reason(recorder, {
    title: say("reopen_match"),
    help,
    reason,
    send: async (given) => {
      await recorder.send(recorder.table.addresses.reopen, { reason: given, ...known });
      if (recorder.refusal === "reopens_withdrawn")
        reopen(recorder, { help: recorder.problem, reason: given, withdrawn_too: true });
    },
  });
}

/** The result is written; where to read it. */
export function closedView(recorder) {
  const { live, names } = recorder;
  return h(
    "section",
    { class: "stage-card closing" },
    h("h2", { class: "stage-title", tabindex: "-1" }, say("match_closed")),
    live.winner &&
      h("p", { class: "result-sentence" }, say("match_won", { name: names.side(live.winner) })),
    signingView(recorder),
    h(
      "p",
      {},
      h(
        "a",
        { class: "button primary block", href: document.getElementById("recorder").dataset.sheet },
        say("match_sheet"),
      ),
    ),
    // Whoever came by a table's code has no other tables.
    document.getElementById("recorder").dataset.tables &&
      h(
        "p",
        {},
        h(
          "a",
          { class: "button block", href: document.getElementById("recorder").dataset.tables },
          say("all_tables"),
        ),
      ),
    recorder.table.may.reopen &&
      button("reopen-match", "quiet block", () => reopen(recorder), say("reopen_match")),
  );
}
