// What was recorded: the events one by one, what the record proves, what awaits a ruling.
import { button, h } from "./dom.js";
import { problemOf } from "./network.js";
import { replaceLast } from "./view_pad.js";
import { digits, say } from "./words.js";

/** The last event above the pad, all of them on request. */
export function logView(recorder) {
  const { live } = recorder;
  const { round } = live;
  const goesBack = !recorder.reading && !["closed", "waiting"].includes(recorder.stage);
  if (!round?.events.length) return goesBack && live.rounds.length > 1 ? earlier(recorder) : null;
  return h(
    "details",
    { class: "fold log" },
    h("summary", { "data-key": "log" }, say("all_events", { count: round.events.length })),
    h(
      "ol",
      { class: "event-list", reversed: true },
      [...round.events].reverse().map((one) =>
        h(
          "li",
          {
            class: `event ${one.type === "infraction" ? "infraction" : ""} ${one.type === "ruling" ? "ruling" : ""} ${one.in_effect ? "" : "undone"} ${one.waiting ? "waiting" : ""}`,
          },
          h("span", { class: "event-number" }, digits(one.number)),
          h(
            "span",
            { class: "event-text" },
            one.in_effect ? one.sentence : h("s", {}, one.sentence),
            !one.in_effect && h("span", { class: "muted" }, " ", say("without_effect")),
            one.waiting && h("span", { class: "muted" }, " ", say("not_sent_yet")),
          ),
          goesBack &&
            one.in_effect &&
            button(
              `back-${one.number}`,
              {
                class: "small quiet event-back",
                "aria-label": say("back_to_what", { sentence: one.sentence }),
              },
              () => recorder.ask.back(recorder, one),
              say("back_to"),
            ),
        ),
      ),
    ),
    goesBack && earlier(recorder),
  );
}

/** Back to any event of the match: the rounds after it fall away. */
const earlier = (recorder) =>
  button(
    "earlier-rounds",
    "small",
    () => recorder.ask.earlier(recorder),
    say("earlier_rounds"),
  );

/** What was recorded last; where it was a tile, one tap says that it was another. */
export function lastEvent(recorder) {
  const { round } = recorder.live;
  const last = round?.events.at(-1);
  if (!last) return null;
  return h(
    "div",
    { class: "last-event-row" },
    h("p", { class: `last-event ${last.waiting ? "waiting" : ""}` }, last.sentence),
    last.type === "play" &&
      last.in_effect &&
      !recorder.reading &&
      !recorder.reading &&
      !round.pending.length &&
      button("another-tile", "small quiet", () => replaceLast(recorder), say("another_tile")),
  );
}

/** The page on which a fault of an earlier round is ruled on; this one records the last round. */
function rulingPage({ round_id: id, seat, kind, tile }) {
  const address = document.getElementById("recorder").dataset.infraction;
  const query = new URLSearchParams({ seat, kind, ...(tile && { tile }) });
  return `${address.replace("/0/", `/${id}/`)}?${query}`;
}

/** Faults the record proves; each can be ruled on at once. */
export function findingsView(recorder) {
  const { live, names } = recorder;
  const current = live.round?.number;
  return live.findings.map((one) =>
    h(
      "div",
      { class: "finding", "data-finding": one.kind },
      one.round !== current &&
        h("p", {}, h("span", { class: "chip info" }, say("round_number", { number: one.round + 1 }))),
      h("p", {}, h("strong", {}, one.label, one.seat && [" · ", names.player(one.seat)])),
      h("p", {}, one.proof),
      one.round === current
        ? h(
            "button",
            {
              type: "button",
              class: "button small",
              "data-key": `finding-${one.kind}-${one.seat}`,
              onclick: () =>
                recorder.ask.infraction(recorder, {
                  seat: one.seat,
                  kind: one.kind,
                  tile: one.tile,
                }),
            },
            say("rule_on_it"),
          )
        : h("a", { class: "button small", href: rulingPage(one) }, say("rule_on_it")),
    ),
  );
}

/** The table is stopped until the referee rules. */
export function pendingView(recorder) {
  const { live } = recorder;
  return (live.round?.pending || []).map((number) => {
    const event = live.round.events.find((one) => one.number === number);
    return h(
      "div",
      { class: "alert danger pending", role: "status" },
      h("strong", {}, say("table_stopped")),
      h("p", {}, event?.sentence),
      h(
        "button",
        {
          type: "button",
          class: "button primary block",
          "data-key": `rule-${number}`,
          "data-focus-next": true,
          onclick: () => recorder.ask.ruling(recorder, number),
        },
        say("rule_now"),
      ),
    );
  });
}

/** What has not reached the server, what another referee recorded first. */
export function deliveryView(recorder) {
  const { outbox, kept, keptLate, problem, fromField } = recorder;
  return [
    outbox.size > 0 &&
      outbox.waiting &&
      h(
        "div",
        { class: "alert warning unsent" },
        h("strong", {}, say("not_sent", { count: outbox.size })),
        " ",
        outbox.turnedAway ? problemOf(outbox.turnedAway) : say("not_sent_help"),
        " ",
        button("send-now", "small", () => outbox.send(), say("send_now")),
      ),
    kept.length > 0 &&
      h(
        "div",
        { class: "alert warning kept" },
        h("strong", {}, say("kept", { count: kept.length })),
        keptLate && [" ", say("kept_late", { name: keptLate })],
        " ",
        h(
          "span",
          { class: "cluster" },
          !keptLate &&
            !recorder.reading &&
            button("send-kept", "small", () => recorder.sendKept(), say("record_kept")),
          button("drop-kept", "small quiet", () => recorder.dropKept(), say("drop_kept")),
        ),
      ),
    problem &&
      !fromField &&
      h("div", { class: "alert danger problem", role: "alert" }, problem),
  ];
}
