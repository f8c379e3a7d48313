// Going back beyond the last round: the server says what would be lost, and does it.
import { button, h, newKey } from "./dom.js";
import { Unreachable, get, problemOf } from "./network.js";
import { openSheet } from "./sheet.js";
import { eventList } from "./sheet_back.js";
import { announce } from "./speech.js";
import { digits, say } from "./words.js";

/** Ask which round, then which event, and show the price before anything happens. */
export function earlierSheet(recorder) {
  let choice = null;
  let preview = null;
  let problem = recorder.outbox.size ? say("back_unknown") : "";
  const ask = async (query) => {
    try {
      problem = "";
      return await get(recorder.table.addresses.back + query);
    } catch (error) {
      problem = error instanceof Unreachable ? say("unreachable") : problemOf(error);
      announce(problem);
      return null;
    }
  };
  const choose = async (round, event = null) => {
    preview = await ask(`?round=${round}${event === null ? "" : `&event=${event}`}`);
    sheet.refresh();
    if (preview) document.querySelector('dialog [data-key="confirm-earlier"]')?.focus();
  };
  const again = () => {
    preview = null;
    sheet.refresh();
  };
  const go = async (close) => {
    const { round, event, seen } = preview;
    const body = { round, event, ...seen, client_key: newKey() };
    close();
    if (!(await recorder.send(recorder.table.addresses.back, body))) return;
    recorder.draft = {};
    recorder.draw();
    announce(event === null ? say("round_anew", { number: round + 1 }) : backTo(preview));
  };
  const sheet = openSheet(say("earlier_rounds"), (close) => [
    problem && h("p", { class: "alert danger", role: "alert" }, problem),
    preview ? priceView(preview, recorder) : choice && choiceView(choice, choose),
    !choice && !problem && h("p", { class: "muted", role: "status" }, say("loading")),
    h(
      "div",
      { class: "sheet-actions" },
      preview &&
        button("confirm-earlier", "primary block big", () => go(close), say("go_back")),
      preview
        ? button("choose-again", "block", again, say("choose_again"))
        : button("not-yet", "block", close, say("cancel")),
    ),
  ]);
  if (problem) return;
  ask("").then((told) => {
    choice = told;
    sheet.refresh();
  });
}

const backTo = ({ round, sentence }) => say("round_back_to", { number: round + 1, sentence });

function choiceView({ rounds }, choose) {
  return [
    h("p", { class: "muted" }, say("earlier_help")),
    rounds.map((one) =>
      h(
        "details",
        { class: "fold", open: rounds.length < 3 },
        h("summary", { "data-key": `round-${one.number}` }, one.sentence),
        button(
          `anew-${one.number}`,
          "small",
          () => choose(one.number),
          say("start_anew", { number: one.number + 1 }),
        ),
        eventList("", [...one.events].reverse(), (event) =>
          event.in_effect &&
          button(
            `to-${one.number}-${event.number}`,
            {
              class: "small quiet event-back",
              "aria-label": say("back_to_what", { sentence: event.sentence }),
            },
            () => choose(one.number, event.number),
            say("back_to"),
          ),
        ),
      ),
    ),
  ];
}

function priceView(preview, { table }) {
  const { round, event, rounds, lost, again, rulings, totals, totals_then: then } = preview;
  const section = (title, words, list) =>
    list && [h("h3", { class: "preview-title" }, say(title, words)), list];
  const plain = (kind, lines) =>
    lines.length > 0 && h("ul", { class: `preview-list ${kind}` }, lines.map((one) => h("li", {}, one)));
  return [
    h(
      "p",
      {},
      h("strong", {}, event === null ? say("round_anew", { number: round + 1 }) : backTo(preview)),
    ),
    section(
      "rounds_fall_away",
      { count: rounds.length },
      plain("preview-rounds", rounds.map((one) => one.sentence)),
    ),
    section("lose_effect", { count: lost.length }, lost.length > 0 && eventList("preview-lost", lost)),
    section("count_again", { count: again.length }, again.length > 0 && eventList("preview-again", again)),
    section("rulings_fall_away", { count: rulings.length }, plain("preview-rulings", rulings)),
    h(
      "p",
      { class: "preview-score" },
      table.sides.map((side) =>
        h(
          "span",
          {},
          h("bdi", {}, table.side_names[side]),
          " ",
          // Digits of Arabic would turn the arrow round, were they not kept apart.
          h(
            "b",
            { dir: "ltr" },
            h("bdi", {}, digits(totals[side] ?? 0)),
            " → ",
            h("bdi", {}, digits(then[side] ?? 0)),
          ),
        ),
      ),
    ),
    h("p", { class: "muted" }, say("nothing_erased")),
  ];
}
