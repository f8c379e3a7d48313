// The measures of a ruling as chips: those the schedule proposes are checked, all can be changed.
import { button, h } from "./dom.js";
import { get } from "./network.js";
import { western } from "./typed.js";
import { digits, say } from "./words.js";

// Measures that have no effect once play is over.
const ABOUT_TURNS = ["retract", "stand", "lose_turn", "must_play", "expose"];

const BINDS_TILE = ["must_play", "expose", "stand"];
const SLOT = "?"; // stands in a measure's notation where a number is to be filled in

/** Notation ("percent 10") as the record writes it ({percent: 10}). */
function written(value) {
  const [name, amount] = value.split(" ");
  if (amount === undefined) return name;
  return { [name]: /^\d+$/.test(amount) ? Number(amount) : amount };
}

const notation = (measure) =>
  typeof measure === "string" ? measure : Object.entries(measure)[0].join(" ");

const same = (one, other) => one.join() === other.join();

export class Measures {
  /** `refresh` redraws the sheet these chips stand in; `also` goes with whatever is proposed. */
  constructor(recorder, refresh, also = []) {
    const { schedule, measures } = recorder.table;
    const steps = Object.values(schedule)
      .flatMap((one) => [...one.offences, ...(one.deliberate || [])])
      .flat();
    Object.assign(this, {
      recorder,
      refresh,
      also,
      known: false,
      given: [],
      cases: [],
      article: "",
      shown: [],
      chosen: [],
      alternatives: [],
      adding: "",
      amount: "",
    });
    this.labels = new Map([...measures, ...steps].map((one) => [one.value, one.label]));
  }

  /** What the schedule says for this player's count (`counted`: this offence is in it already). */
  async propose(seat, kind, deliberate, { counted = false } = {}) {
    const asked = [seat, kind, deliberate].join(" ");
    if (this.asked === asked) return;
    const { live, table } = this.recorder;
    const penalty = table.schedule[kind];
    const steps = (deliberate && penalty?.deliberate) || penalty?.offences || [[]];
    const before = (live.offences[seat]?.[kind] || 0) - (counted ? 1 : 0);
    Object.assign(this, { asked, known: true, offence: before + 1, alternatives: [] });
    const still = (values) =>
      live.round.play_over ? values.filter((one) => !ABOUT_TURNS.includes(one)) : values;
    const named = table.kinds.find((one) => one.kind === kind);
    const step = steps[Math.min(before, steps.length - 1)].map((one) => one.value);
    // No schedule has what a ruling itself exposes: its one case says what it is.
    this.given = still(penalty ? step : (named?.cases?.[0]?.values ?? []));
    this.take(this.given);
    this.article = named?.article ?? "";
    // Where play is over, or for an act on purpose, some cases come to the same.
    const cases = deliberate ? [] : (named?.cases ?? []);
    const told = cases.map((one) => ({ ...one, values: one.values ? still(one.values) : this.given }));
    this.cases = told.filter(
      (one, place) => told.findIndex((each) => same(each.values, one.values)) === place,
    );
    this.scheduled = Boolean(penalty);
    const query = new URLSearchParams({ seat, kind, ...(deliberate && { deliberate: 1 }) });
    const answer = await get(`${table.addresses.proposals}?${query}`).catch(() => null);
    if (!answer || this.asked !== asked) return;
    this.alternatives = answer.proposals.map((one) => ({
      ...one,
      values: one.measures.map(notation),
    }));
    this.refresh();
  }

  take(values) {
    this.chosen = [...this.also, ...values];
    this.shown = [...this.chosen];
  }

  /** What goes into the record. */
  get value() {
    return this.chosen.map(written);
  }

  /** Whether the referee has put other measures in the place of the schedule's. */
  get changed() {
    const given = [...this.also, ...this.given];
    return this.known && this.scheduled && !same(this.chosen, given);
  }

  /** The case of the book that was chosen, in words; none for the schedule's own. */
  get why() {
    const chosen = this.cases.slice(1).find((one) => same(this.chosen, [...this.also, ...one.values]));
    return chosen?.when ?? "";
  }

  get needsTile() {
    return this.chosen.some((one) => BINDS_TILE.includes(one));
  }

  get stands() {
    return this.chosen.includes("stand");
  }

  label(value) {
    if (this.labels.has(value)) return this.labels.get(value);
    const [name, amount] = value.split(" ");
    return (this.labels.get(`${name} ${SLOT}`) || value).replace("…", digits(Number(amount)));
  }

  #toggle(value) {
    this.chosen = this.shown.filter((one) =>
      one === value ? !this.chosen.includes(value) : this.chosen.includes(one),
    );
    this.refresh();
  }

  #add(value) {
    if (!this.shown.includes(value)) this.shown.push(value);
    if (!this.chosen.includes(value)) this.chosen.push(value);
    this.adding = "";
    this.refresh();
  }

  view() {
    if (!this.known) return [];
    const offered = [this.shown, ...this.cases.map((one) => one.values)];
    const others = this.alternatives.filter(
      (one) => !offered.some((values) => same(values, one.values)),
    );
    return [
      this.#cases(),
      h(
        "fieldset",
        { class: "measures" },
        h(
          "legend",
          {},
          say("measures"),
          " ",
          h("span", { class: "muted offence" }, say("offence_number", { number: this.offence })),
          this.article && [" ", h("span", { class: "article" }, this.article)],
        ),
        h(
          "div",
          { class: "picks" },
          this.shown.map((value) =>
            h(
              "label",
              { class: "pick" },
              h("input", {
                type: "checkbox",
                checked: this.chosen.includes(value),
                value,
                "data-key": `measure-${value}`,
                onchange: () => this.#toggle(value),
              }),
              h("span", {}, this.label(value)),
            ),
          ),
          !this.shown.length && h("p", { class: "muted" }, say("no_measure")),
        ),
      ),
      h(
        "details",
        { class: "fold", open: Boolean(this.adding) },
        h("summary", { "data-key": "other-measures" }, say("other_measures")),
        others.length > 0 &&
          h(
            "ul",
            { class: "alternatives" },
            others.map((one) =>
              h(
                "li",
                {},
                h(
                  "button",
                  {
                    type: "button",
                    class: "button",
                    "data-key": `take-${one.line}`,
                    onclick: () => {
                      this.take(one.values);
                      this.refresh();
                    },
                  },
                  h("span", { class: "muted small" }, one.when),
                  h("span", {}, one.text),
                ),
              ),
            ),
          ),
        this.#adding(),
      ),
    ];
  }

  /** What the measures depend on beside the count: asked at once, and first. */
  #cases() {
    if (this.cases.length < 2) return [];
    return h(
      "fieldset",
      { class: "cases" },
      h("legend", {}, say("which_case")),
      h(
        "div",
        { class: "picks stacked" },
        this.cases.map((one, place) =>
          h(
            "label",
            { class: "pick" },
            h("input", {
              type: "radio",
              name: "case",
              checked: same(this.chosen, [...this.also, ...one.values]),
              "data-key": `case-${place}`,
              onchange: () => {
                this.take(one.values);
                this.refresh();
              },
            }),
            h("span", {}, one.when),
          ),
        ),
      ),
    );
  }

  #adding() {
    const slot = this.adding.endsWith(SLOT);
    const name = this.adding.split(" ")[0];
    const choose = h(
      "select",
      {
        "data-key": "add-measure",
        "aria-label": say("add_measure"),
        onchange: (event) => this.#picked(event.target.value),
      },
      h("option", { value: "" }, say("add_measure")),
      this.recorder.table.measures.map((one) =>
        h("option", { value: one.value, selected: this.adding === one.value }, one.label),
      ),
    );
    if (!slot) return h("div", { class: "add-measure" }, choose);
    const field =
      name === "rewind"
        ? this.#events()
        : h("input", {
            name: "amount",
            inputmode: "numeric",
            value: this.amount,
            "aria-label": say("how_many"),
            "data-key": "amount",
            oninput: (event) => {
              this.amount = event.target.value;
            },
          });
    const add = () =>
      /^\d{1,4}$/.test(western(field.value)) &&
      this.#add(`${name} ${Number(western(field.value))}`);
    return h("div", { class: "add-measure" }, choose, field, button("add", "", add, say("add")));
  }

  #picked(value) {
    if (value && !value.endsWith(SLOT)) return this.#add(value);
    this.adding = value;
    return this.refresh();
  }

  #events() {
    const events = this.recorder.live.round.events.filter((one) => one.in_effect).reverse();
    return h(
      "select",
      { name: "event", "aria-label": say("back_to") },
      events.map((one) =>
        h("option", { value: one.number }, `${digits(one.number)} · ${one.sentence}`),
      ),
    );
  }
}
