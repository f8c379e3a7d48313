// Choosing one of the seats: who opens, who did it, whose hand, who leaves.
import { h } from "./dom.js";
import { say } from "./words.js";

/** The number of the side a seat plays for, as the stylesheet colours it. */
export const sideClass = (recorder, seat) =>
  `side-${recorder.table.sides.indexOf(recorder.names.seat(seat).side) + 1}`;

/** A group of buttons, one a seat. `key` names the choice, `pick(seat)` takes it. */
export function seatChoice(
  recorder,
  { key, label, seats, chosen, pick, more = () => null, ...rest },
) {
  const one = (seat) =>
    h(
      "button",
      {
        type: "button",
        class: `seat ${sideClass(recorder, seat)} ${chosen === seat ? "chosen" : ""}`,
        "data-key": `${key}-${seat}`,
        "aria-pressed": String(chosen === seat),
        onclick: () => pick(seat),
      },
      h("span", { class: "seat-letter" }, seat),
      h("bdi", { class: "seat-name" }, recorder.names.player(seat)),
      more(seat),
    );
  const all = seats || recorder.table.seats.map((seat) => seat.seat);
  return h(
    "div",
    { class: rest.class || "seat-choice", role: "group", "aria-label": say(label) },
    all.map(one),
  );
}
