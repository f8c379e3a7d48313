// Who records this table: this device, or another one that it reads along with.
import { button, h } from "./dom.js";
import { openSheet } from "./sheet.js";
import { announce } from "./speech.js";
import { direction, say } from "./words.js";

const language = document.documentElement.lang || "en";

/** A moment as the clock on the wall shows it. */
const clockTime = (at) =>
  new Date(at).toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit" });

/** Says which device records, since when, and offers to take over. */
export function heldView(recorder) {
  const { holder } = recorder;
  return h(
    "div",
    { class: "alert warning held", dir: direction },
    h("strong", {}, say("held_elsewhere", { time: clockTime(holder.since), who: holder.who })),
    h("p", {}, say("held_help")),
    h(
      "div",
      { class: "cluster" },
      button("take-over", { "data-focus-next": true }, () => askToTakeOver(recorder), say("take_over")),
    ),
  );
}

function askToTakeOver(recorder) {
  openSheet(say("take_over_ask"), (close) => [
    h("p", {}, say("take_over_help")),
    h(
      "div",
      { class: "sheet-actions" },
      button(
        "confirm-take-over",
        "primary block big",
        async () => {
          close();
          if (await recorder.takeOver()) announce(say("taken_over"));
        },
        say("take_over"),
      ),
      button("not-yet", "block", close, say("not_yet")),
    ),
  ]);
}
