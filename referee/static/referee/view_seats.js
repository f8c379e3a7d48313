// Before the first round: who sits where, the rules in words.
import { h } from "./dom.js";
import { placesOf } from "./view_table.js";
import { isolated } from "./stages.js";
import { announce } from "./speech.js";
import { direction, say } from "./words.js";

/** Tap two seats and the players change places; then open the table. */
export function seatsView(recorder, below) {
  const { table, draft } = recorder;
  const seated = (draft.seated ||= Object.fromEntries(
    table.seats.map((one) => [one.seat, one.player]),
  ));
  const places = placesOf(table, below);
  return [
    h(
      "section",
      { class: "stage-card" },
      h("h2", { class: "stage-title" }, say("who_sits_where")),
      h("p", { class: "muted" }, say("swap_help")),
      h(
        "div",
        { class: "felt table-view seating", dir: "ltr" },
        Object.entries(places).map(([letter, place]) =>
          h(
            "button",
            {
              type: "button",
              class: `seat side-${table.sides.indexOf(table.seats.find((one) => one.seat === letter).side) + 1} ${draft.swap === letter ? "chosen" : ""}`,
              "data-place": place,
              "data-seat": letter,
              "data-key": `seat-${letter}`,
              "aria-pressed": draft.swap === letter ? "true" : "false",
              "aria-label": say("seat_of", { seat: letter, name: isolated(seated[letter].name) }),
              onclick: () => tapSeat(recorder, letter),
            },
            h("span", { class: "seat-letter", "aria-hidden": "true" }, letter),
            h("bdi", { class: "seat-name" }, seated[letter].name),
          ),
        ),
        h(
          "p",
          { class: "line-area seating-middle", "aria-hidden": "true" },
          h("span", { class: `direction ${table.rules.direction}` }),
          h("span", { dir: direction }, say(table.rules.direction)),
        ),
      ),
      h(
        "button",
        {
          type: "button",
          class: "button primary block big",
          "data-key": "open-table",
          disabled: recorder.busy,
          onclick: () =>
            recorder.openMatch(
              Object.fromEntries(Object.entries(seated).map(([seat, player]) => [seat, player.id])),
            ),
        },
        say("open_table"),
      ),
    ),
  ];
}

function tapSeat(recorder, letter) {
  const { draft } = recorder;
  const { seated, swap } = draft;
  if (!swap) draft.swap = letter;
  else {
    for (const [one, other] of exchanged(recorder.table, swap, letter))
      [seated[one], seated[other]] = [seated[other], seated[one]];
    draft.swap = null;
    if (swap !== letter)
      announce(
        say("swapped", { one: isolated(seated[letter].name), other: isolated(seated[swap].name) }),
      );
  }
  recorder.draw();
}

/** The seats that change places: partners stay opposite, so a whole side moves with one of them. */
function exchanged(table, one, other) {
  const sideOf = (letter) => table.seats.find((seat) => seat.seat === letter).side;
  if (one === other) return [];
  if (sideOf(one) === sideOf(other) || !table.rules.partnership) return [[one, other]];
  const partner = (letter) => sideOf(letter).replace(letter, "");
  return [
    [one, other],
    [partner(one), partner(other)],
  ];
}
