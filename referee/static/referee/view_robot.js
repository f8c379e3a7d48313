// A seat held by the robot: with a known hand it proposes an act, and the referee records it.
import { button, h } from "./dom.js";
import { proposal } from "./rules/robot.js";
import { sentenceOf } from "./stages.js";
import { say } from "./words.js";

export const isRobot = ({ live }, seat) => live.substitutes?.[seat] === "robot";

/** What the robot on turn proposes; where nobody knows its hand, that it cannot know. */
export function robotView(recorder) {
  const { live, names } = recorder;
  const { round } = live;
  if (!round.turn || round.pending.length || !isRobot(recorder, round.turn)) return null;
  const act = proposal(round);
  if (!act) return h("p", { class: "alert info robot-act" }, say("robot_cannot_know"));
  return button(
    "robot-act",
    "block robot-act",
    () => recorder.record(act),
    h("span", {}, say("robot_proposes", { sentence: sentenceOf(act, names, round) })),
    h("small", {}, say("tap_to_record")),
  );
}
