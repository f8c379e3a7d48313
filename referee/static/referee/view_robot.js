// A seat held by the robot: with a known hand it proposes an act, and the referee records it.
import { button, h, remember, remembered } from "./dom.js";
import { proposal } from "./rules/robot.js";
import { openSheet } from "./sheet.js";
import { sentenceOf } from "./stages.js";
import { tileKey } from "./tiles.js";
import { say } from "./words.js";

export const isRobot = ({ live }, seat) => live.substitutes?.[seat] === "robot";

const nameOf = ({ table, live }, seat) =>
  `domino-robot-${table.match.id}-${live.round.number}-${seat}`;

/** The robot's hand where it is known: by the record, or as the referee turned it up. */
function handOf(recorder, seat) {
  const { round } = recorder.live;
  if (round.hands) return round.hands[seat];
  const told = JSON.parse(remembered(nameOf(recorder, seat)) || "[]");
  const drawn = round.events
    .filter((one) => one.in_effect && one.type === "draw" && one.seat === seat)
    .flatMap((one) => one.line.match(/\d-\d/g) || []);
  const free = round.tiles.map((one) => one.tile);
  const hand = [...new Set([...told, ...drawn])].filter((tile) => free.includes(tile));
  return hand.length === round.in_hand[seat] ? hand : null;
}

/** What the robot on turn proposes; where nobody knows its hand, that it cannot know. */
export function robotView(recorder) {
  const { live, names } = recorder;
  const { round } = live;
  if (!round.turn || round.pending.length || !isRobot(recorder, round.turn)) return null;
  const act = proposal(round, handOf(recorder, round.turn));
  if (!act)
    return h(
      "div",
      { class: "alert info robot-act" },
      h("p", {}, say("robot_cannot_know")),
      button("robot-hand", "small", () => handSheet(recorder, round.turn), say("robot_tiles")),
    );
  return button(
    "robot-act",
    "block robot-act",
    () => recorder.record(act),
    h("span", {}, say("robot_proposes", { sentence: sentenceOf(act, names, round) })),
    h("small", {}, say("tap_to_record")),
  );
}

/** The tiles of the seat, turned up: this device alone keeps them, the record stays blind. */
function handSheet(recorder, seat) {
  const { round } = recorder.live;
  const expected = round.in_hand[seat];
  let hand = [];
  const toggle = (tile) => {
    hand = hand.includes(tile) ? hand.filter((one) => one !== tile) : [...hand, tile];
    sheet.refresh();
  };
  const sheet = openSheet(say("robot_tiles"), (close) => [
    h("p", { role: "status" }, say("chosen_of", { count: hand.length, expected })),
    h(
      "div",
      { class: "tile-pad fitting", dir: "ltr", role: "group", "aria-label": say("robot_tiles") },
      round.tiles.map(({ tile }) =>
        tileKey(tile, {
          class: `fits ${hand.includes(tile) ? "chosen" : ""}`,
          "aria-pressed": String(hand.includes(tile)),
          onclick: () => toggle(tile),
        }),
      ),
    ),
    h(
      "div",
      { class: "sheet-actions" },
      button(
        "robot-told",
        { class: "primary block big", disabled: hand.length !== expected },
        () => {
          remember(nameOf(recorder, seat), JSON.stringify(hand));
          close();
          recorder.draw();
        },
        say("robot_propose"),
      ),
    ),
  ]);
}
