// The table as the referee sees it: four seats around the line of play, the score above.
import { h } from "./dom.js";
import { sideClass } from "./seat_choice.js";
import { lineDrawing, picture, tileName } from "./tiles.js";
import { clockFace } from "./view_clock.js";
import { isRobot } from "./view_robot.js";
import { digits, direction, say } from "./words.js";

// A longer line is drawn smaller, so that the tiles to tap stay in reach: [up to tiles, halves across].
const PHONE = [
  [9, 15],
  [17, 18],
  [28, 21],
];
const DESK = 24;
const desk = matchMedia("(min-width: 64rem)");
const across = (line) => PHONE.find(([most]) => line.length <= most)[1];

/** Seat to place at the table, with the seat `below` nearest to the referee. */
export function placesOf(table, below) {
  const seats = table.seats.map((one) => one.seat);
  const first = Math.max(0, seats.indexOf(below));
  const places = document.getElementById("recorder").dataset.places.split(" ");
  return Object.fromEntries(
    places.map((place, step) => [seats[(first + step) % seats.length], place]),
  );
}

/** Both sides with their points, the target, and the round. */
export function scoreBar(recorder) {
  const { table, live, names } = recorder;
  return h(
    "div",
    { class: `score-bar ${table.sides.length > 2 ? "many" : ""}` },
    table.sides.map((side, index) =>
      h(
        "div",
        { class: `score-side side-${index + 1}`, "data-side": side },
        h(
          "span",
          { class: "score-names" },
          side
            .split("")
            .map((seat) =>
              h(
                "span",
                { class: "score-name" },
                h("b", { class: "letter" }, seat),
                h("bdi", {}, names.player(seat)),
              ),
            ),
        ),
        h(
          "span",
          { class: "score-points" },
          h("span", { class: "visually-hidden" }, say("points_of")),
          digits(live.totals[side] ?? 0),
        ),
        deducted(table, live, side) > 0 &&
          h(
            "span",
            { class: "score-deducted" },
            say("deducted", { points: deducted(table, live, side) }),
          ),
      ),
    ),
    h(
      "p",
      { class: "score-middle" },
      live.rounds.length > 0 &&
        h("span", { class: "score-round" }, say("round_number", { number: live.rounds.length })),
      h("span", { class: "score-target" }, say("to_target", { target: table.rules.target })),
      clockFace(recorder),
    ),
  );
}

const deducted = (table, live, side) =>
  table.seats
    .filter((one) => one.side === side)
    .reduce((sum, one) => sum + (live.deductions[one.seat] || 0), 0);

/** One seat: letter, name, tiles left, what it owes. A tap on it names an infraction. */
export function seatChip(recorder, letter, place) {
  const { table, live, names } = recorder;
  const round = live.round;
  const turn = round?.turn === letter;
  const seat = names.seat(letter);
  const out = live.out.includes(letter);
  const opened = round?.opener === letter;
  return h(
    "button",
    {
      type: "button",
      class: `seat ${sideClass(recorder, letter)} ${turn ? "on-turn" : ""} ${out ? "out" : ""} ${opened ? "opened" : ""} ${isRobot(recorder, letter) ? "robot" : ""}`,
      "data-place": place,
      "data-seat": letter,
      "data-key": `at-${letter}`,
      disabled: out,
      onclick: () => recorder.ask.infraction(recorder, { seat: letter }),
    },
    h("span", { class: "visually-hidden" }, say("accuse")),
    h("span", { class: "seat-letter" }, letter),
    h("bdi", { class: "seat-name" }, names.player(letter)),
    opened && h("span", { class: "visually-hidden" }, say("opened_round")),
    out && h("span", { class: "seat-note", dir: direction }, say("eliminated")),
    round &&
      !out &&
      h(
        "span",
        { class: "seat-tiles" },
        h("span", { "aria-hidden": "true", class: "back" }),
        h("span", { "aria-hidden": "true" }, digits(round.in_hand[letter] ?? 0)),
        h(
          "span",
          { class: "visually-hidden" },
          say("tiles_left", { count: round.in_hand[letter] ?? 0 }),
        ),
      ),
    round?.lose_turn?.includes(letter) &&
      h("span", { class: "seat-note warn", dir: direction }, say("loses_turn")),
    round?.must[letter]?.length > 0 &&
      h(
        "span",
        { class: "seat-note must" },
        h(
          "span",
          { class: "visually-hidden" },
          say("obliged", { tiles: round.must[letter].map(tileName).join(", ") }),
        ),
        round.must[letter].map((tile) => picture(tile, { vertical: true })),
      ),
  );
}

/** The felt: seats in their places, the line of play between them. */
export function tableView(recorder, below) {
  const { live, table } = recorder;
  const places = placesOf(table, below);
  const line = live.round?.line || [];
  return h(
    "section",
    { class: "felt table-view", dir: "ltr", "aria-label": say("table_label") },
    Object.entries(places).map(([letter, place]) => seatChip(recorder, letter, place)),
    h(
      "div",
      { class: "line-area" },
      line.length
        ? [
            h(
              "div",
              { class: "line-of-play" },
              lineDrawing(line, desk.matches ? DESK : across(line)),
            ),
            h(
              "ol",
              { class: "visually-hidden" },
              line.map((one) => h("li", {}, tileName(one.tile))),
            ),
          ]
        : h("p", { class: "line-empty", dir: direction }, say("no_tile_yet")),
    ),
    h(
      "p",
      { class: "turning", title: say(table.rules.direction) },
      h("span", { class: `direction ${table.rules.direction}`, "aria-hidden": "true" }),
      h("span", { class: "visually-hidden", dir: direction }, say(table.rules.direction)),
    ),
    live.round?.stock_left > 0 &&
      h(
        "p",
        { class: "stock", dir: direction },
        h("span", { class: "back", "aria-hidden": "true" }),
        say("stock_left", { count: live.round.stock_left }),
      ),
  );
}
