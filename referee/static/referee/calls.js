// What a table says to the hall: it calls a referee, and a side disputes a round.
import { button, h, newKey, remember, remembered } from "./dom.js";
import { Refused, Unreachable, post, problemOf } from "./network.js";
import { openSheet } from "./sheet.js";
import { announce } from "./speech.js";
import { say } from "./words.js";

const KINDS = {
  ruling: "call_ruling",
  count: "call_count",
  conduct: "call_conduct",
  record: "call_record",
  other: "call_other",
};

/** The call of a table: sent at once, or kept on this device until the network is back. */
export class Calls {
  #recorder;
  #sending = false;
  refused = null;

  constructor(recorder) {
    this.#recorder = recorder;
    addEventListener("online", () => this.send());
  }

  get #name() {
    return `domino-call-${this.#recorder.table.match.id}`;
  }

  /** The call that is still on this device; null where there is none. */
  get unsent() {
    const kept = remembered(this.#name);
    return kept ? JSON.parse(kept) : null;
  }

  make(kind, note) {
    this.refused = null;
    remember(this.#name, JSON.stringify({ kind, note, client_key: newKey() }));
    return this.send();
  }

  async send() {
    const call = this.unsent;
    if (!call || this.#sending) return;
    this.#sending = true;
    try {
      const made = await post(this.#recorder.table.addresses.call, call);
      remember(this.#name, null);
      this.#recorder.called(made);
      announce(say("call_waits"));
    } catch (error) {
      if (error instanceof Refused) {
        // The reason stands on the page; what was typed stands in the sheet when it is opened again.
        this.refused = call;
        remember(this.#name, null);
        this.#recorder.complain(problemOf(error));
      } else if (!(error instanceof Unreachable)) throw error;
    } finally {
      this.#sending = false;
      this.#recorder.draw();
    }
  }
}

/** What the hall knows of this table: an open call, rounds that a side disputes. */
export function hallView(recorder) {
  const { call, confirms, said = [], rounds_page: page } = recorder.hall ?? {};
  const disputed = said.filter((one) => one.disputed);
  return [
    (call || recorder.calls.unsent) &&
      h(
        "div",
        { class: "alert warning called" },
        h("strong", {}, say(call ? "call_waits" : "call_unsent")),
        call?.claimed_by
          ? h("p", {}, say("call_claimed", { who: call.claimed_by }))
          : call?.escalated_at && h("p", {}, say("call_escalated")),
      ),
    confirms &&
      disputed.length > 0 &&
      h(
        "div",
        { class: "alert danger disputed" },
        disputed.map(({ round, name, word }) =>
          h("p", {}, say("disputed", { round: round + 1, name, word })),
        ),
        h("a", { class: "button small", href: page }, say("see_rounds")),
      ),
  ];
}

/** Ways from the table to the hall, at the end of the page. */
export function hallActs(recorder) {
  const { confirms, said = [], call, rounds_page: page } = recorder.hall ?? {};
  const waiting = said.filter((one) => one.agrees === null);
  return h(
    "div",
    { class: "stack hall" },
    confirms &&
      said.length > 0 &&
      (waiting.length
        ? waiting.map(({ round, name }) =>
            h("p", { class: "muted small" }, say("unconfirmed", { round: round + 1, name })),
          )
        : said.every((one) => one.agrees) &&
          h("p", { class: "muted small" }, say("all_confirmed"))),
    h(
      "div",
      { class: "cluster" },
      !call &&
        !recorder.calls.unsent &&
        button("call-referee", "small", () => callSheet(recorder), say("call_referee")),
      confirms &&
        said.length > 0 &&
        h("a", { class: "button small", href: page }, say("see_rounds")),
    ),
  );
}

function callSheet(recorder) {
  const before = recorder.calls.refused;
  const kind = h(
    "select",
    { id: "call-kind" },
    Object.entries(KINDS).map(([one, name]) =>
      h("option", { value: one, selected: one === before?.kind }, say(name)),
    ),
  );
  const note = h("input", { id: "call-note", dir: "auto", value: before?.note ?? "" });
  openSheet(say("call_referee"), (close) => [
    h("p", {}, h("label", { for: "call-kind" }, say("call_what")), kind),
    h("p", {}, h("label", { for: "call-note" }, say("call_note")), note),
    h(
      "div",
      { class: "sheet-actions" },
      button(
        "send-call",
        "primary block big",
        () => {
          close();
          recorder.calls.make(kind.value, note.value);
        },
        say("call_send"),
      ),
    ),
  ]);
}
