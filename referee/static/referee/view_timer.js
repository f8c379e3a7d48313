// The ring of the move timer, what it proposes at its end, and its settings.
import { button, h } from "./dom.js";
import { digits, say } from "./words.js";

const RING =
  '<svg class="move-ring" viewBox="0 0 40 40" aria-hidden="true"><circle class="move-ring-whole" ' +
  'cx="20" cy="20" r="17"/><circle data-move-ring cx="20" cy="20" r="17" pathLength="100" ' +
  'stroke-dasharray="100" transform="rotate(-90 20 20)"/></svg>';

function ring({ left, limit }) {
  const holder = document.createElement("template");
  holder.innerHTML = RING;
  holder.content
    .querySelector("[data-move-ring]")
    .setAttribute("stroke-dashoffset", String(100 - (100 * left) / limit));
  return holder.content;
}

/** What is left of the move that is timed; null while none is. */
export function ringView({ timer }) {
  const running = timer.running;
  return (
    running &&
    h(
      "span",
      { class: "move-left" },
      ring(running),
      h("span", { class: "move-seconds", "data-move-left": true }, digits(Math.ceil(running.left))),
    )
  );
}

/** While a move is timed by its choices: the referee sees that it may block. */
export function longerView({ timer }) {
  const running = timer.running;
  const blocking = timer.choices?.[2];
  if (!running || !timer.byChoices || running.limit >= blocking) return null;
  return button(
    "move-blocks",
    "small quiet",
    () => timer.extend(blocking),
    say("move_may_block", { seconds: blocking }),
  );
}

/** A move took too long: the ruling it calls for, one tap away. */
export function lateView(recorder) {
  const { timer, live, names, ask } = recorder;
  const { late } = timer;
  if (!late || late.round !== live.round?.number) return null;
  return h(
    "div",
    { class: "alert warning late" },
    h("p", {}, say("move_too_long", { name: names.player(late.seat), seconds: late.seconds })),
    h(
      "div",
      { class: "cluster" },
      button(
        "rule-delay",
        "",
        () => {
          timer.forget();
          ask.infraction(recorder, { seat: late.seat, kind: "delay" });
        },
        say("rule_on_it"),
      ),
      button("no-delay", "quiet", () => timer.forget(), say("no_ruling")),
    ),
  );
}

export function timerSettings({ timer }) {
  const words = (one) => {
    if (Number(one)) return say("timer_seconds", { seconds: Number(one) });
    const [single, several, blocking] = timer.choices;
    return say("timer_by_choices", { single, several, blocking });
  };
  return h(
    "details",
    { class: "fold" },
    h("summary", { "data-key": "timer-settings" }, say("move_timer")),
    h("p", { class: "muted" }, say("timer_help")),
    h(
      "div",
      { class: "picks", role: "group", "aria-label": say("move_timer") },
      timer.lengths.map((one) =>
        h(
          "label",
          { class: "pick" },
          h("input", {
            type: "radio",
            name: "move-timer",
            value: one,
            checked: timer.length === one,
            "data-key": `timer-${one}`,
            onchange: () => {
              timer.length = one;
            },
          }),
          h("span", {}, words(one)),
        ),
      ),
      h(
        "label",
        { class: "pick" },
        h("input", {
          type: "checkbox",
          checked: timer.sounds,
          "data-key": "timer-sound",
          onchange: (event) => {
            timer.sounds = event.target.checked;
          },
        }),
        h("span", {}, say("timer_sound")),
      ),
    ),
  );
}
