// The tapping surface: open ends, whose turn, the tiles that can still be played, pass and draw.
import { button, h } from "./dom.js";
import { sideClass } from "./seat_choice.js";
import { announce } from "./speech.js";
import { lastInEffect } from "./stages.js";
import { pips, tileKey, tileName } from "./tiles.js";
import { longerView, ringView } from "./view_timer.js";
import { digits, direction, say, tileText } from "./words.js";

const MANY = 14; // tiles in the pad before they are drawn smaller

const TREMOR = 250; // ms in which a second tap is a trembling thumb, not a second move

/** A tap that counts once: another one right after it hits what has just moved there. */
const steady = (recorder, act) => (event) => {
  const tapped = event.detail > 0; // a key pressed on a button has none
  if (tapped && performance.now() - recorder.tappedAt < TREMOR) return;
  recorder.tappedAt = performance.now();
  act();
};

/** One tap on a tile: played where it fits, or the page asks for the end. */
export function tapTile(recorder, tile) {
  const round = recorder.live.round;
  if (recorder.draft.act === "draw") return recorder.record({ seat: round.turn, draw: tile });
  const { ends } = round.tiles.find((one) => one.tile === tile);
  if (ends.length > 1 && round.ends) {
    recorder.draft = recorder.draft.tile === tile ? {} : { tile };
    return recorder.draw();
  }
  const end = round.ends && ends.length ? ends[0] : null;
  return recorder.record({ seat: round.turn, play: tile, ...(end && { end }) });
}

export function tapEnd(recorder, end) {
  const { tile } = recorder.draft;
  if (tile) recorder.record({ seat: recorder.live.round.turn, play: tile, end });
}

/** The obliged or exposed tile that must be played at this turn, because it fits. */
const obligedNow = (round) =>
  (round.must[round.turn] || []).find((tile) =>
    round.tiles.some((one) => one.tile === tile && one.ends.length),
  );

/** Both open ends, huge, with the player on turn between them. */
export function turnBar(recorder) {
  const { live, draft } = recorder;
  const round = live.round;
  const asking = Boolean(draft.tile);
  const end = (which, number) =>
    h(
      "button",
      {
        type: "button",
        class: `open-end ${which} ${asking ? "asked" : ""}`,
        "data-key": `end-${which}`,
        "data-end": which,
        disabled: !asking,
        "data-focus-next": asking && which === "left",
        onclick: steady(recorder, () => tapEnd(recorder, which)),
        "aria-label": say(`end_${which}`, { number }),
      },
      h("span", { class: "end-number", "aria-hidden": "true" }, digits(number)),
      h("span", { class: "end-side", "aria-hidden": "true" }, pips(number), say(which)),
    );
  return h(
    "div",
    { class: `turn-bar open-ends ${asking ? "asking" : ""}`, dir: "ltr" },
    round.ends && end("left", round.ends[0]),
    turnView(recorder, asking),
    round.ends && end("right", round.ends[1]),
  );
}

/** Who is on turn, or the question which end; a tap on the player times the move. */
function turnView(recorder, asking) {
  const { live, draft, timer } = recorder;
  const { turn } = live.round;
  const look = { class: `turn ${sideClass(recorder, turn)}`, "data-turn": turn };
  const words = asking ? say("which_end", { tile: tileText(draft.tile) }) : turnWords(recorder);
  const content = [
    h("span", { class: "seat-letter", "aria-hidden": "true" }, turn),
    h("span", { class: "turn-words", dir: direction }, words),
  ];
  if (asking) return h("p", look, content);
  const timed = ringView(recorder);
  return h(
    "div",
    { class: "turn-and-time" },
    h(
      "button",
      { type: "button", ...look, "data-key": "move-timer", onclick: () => timer.toggle() },
      timed || content[0],
      content[1],
      h("span", { class: "visually-hidden" }, " ", say(timed ? "stop_timer" : "start_timer")),
    ),
    longerView(recorder),
  );
}

function turnWords({ live, names, draft }) {
  const { turn, line, first_tile: first } = live.round;
  const name = names.player(turn);
  if (draft.instead) return say("which_instead", { tile: tileText(draft.instead) });
  if (!line.length && first) return say("to_open_with", { name, tile: tileText(first) });
  if (!line.length) return say("to_open_short", { name });
  const obliged = obligedNow(live.round);
  if (obliged) return say("must_now", { name, tile: tileText(obliged) });
  return say("to_play_short", { name });
}

/** Every tile not played yet: those that fit first and large, the rest quiet below. */
export function tilePad(recorder) {
  const { live, draft } = recorder;
  const round = live.round;
  const drawing = draft.act === "draw";
  const first = round.line.length ? obligedNow(round) : round.first_tile;
  const fits = (one) =>
    !drawing && (first ? one.tile === first : !round.line.length || one.ends.length > 0);
  const key = (one, size) =>
    tileKey(
      one.tile,
      {
        class: `${size} ${draft.tile === one.tile ? "chosen" : ""} ${size === "fits" && round.ends && one.ends.length > 1 ? "both" : ""}`,
        label: label(one, size, round),
        "data-focus-next": size === "fits",
        onclick: steady(recorder, () => tapTile(recorder, one.tile)),
        "aria-pressed": draft.tile === one.tile ? "true" : null,
      },
      size === "fits" &&
        round.ends &&
        one.ends.length > 1 &&
        h("span", { class: "both-mark", "aria-hidden": "true" }, "↔"),
    );
  const large = round.tiles.filter(fits);
  const size = (tiles) => `tile-pad fitting ${tiles.length > MANY ? "crowded" : ""}`;
  const quiet = round.tiles.filter((one) => !fits(one));
  return h(
    "section",
    { class: "pad", "aria-label": say(drawing ? "which_drawn" : "tiles_label") },
    drawing && h("p", { class: "pad-question", role: "status" }, say("which_drawn")),
    large.length > 0 &&
      h(
        "div",
        { class: size(large), dir: "ltr", role: "group", "aria-label": say("fitting_label") },
        large.map((one) => key(one, "fits")),
      ),
    !drawing &&
      round.line.length > 0 &&
      !large.length &&
      h("p", { class: "pad-note" }, say("nothing_fits")),
    quiet.length > 0 &&
      h(
        "div",
        {
          class: drawing ? size(quiet) : "tile-pad rest",
          dir: "ltr",
          role: "group",
          "aria-label": say(drawing ? "which_drawn" : "others_label"),
        },
        quiet.map((one) => key(one, drawing ? "fits" : "quiet")),
      ),
  );
}

function label({ tile, ends }, size, round) {
  if (!round.ends || size === "quiet") return tileName(tile);
  if (!ends.length) return tileName(tile);
  return say(ends.length > 1 ? "fits_both" : `fits_${ends[0]}`, { tile: tileName(tile) });
}

/** Pass, draw, undo, infraction: always under the thumb. */
export function actionBar(recorder) {
  const { live, draft } = recorder;
  const round = live.round;
  if (draft.act === "draw") return h("div", { class: "action-bar pad-actions" }, drawing(recorder));
  const playing = recorder.stage === "recording" && !round.pending.length;
  return h(
    "div",
    { class: "action-bar pad-actions" },
    playing &&
      round.line.length > 0 &&
      h(
        "button",
        {
          type: "button",
          class: "button act-pass",
          "data-key": "pass",
          disabled: !round.can_pass && round.can_draw,
          onclick: steady(recorder, () => recorder.record({ seat: round.turn, pass: true })),
        },
        say("pass"),
      ),
    playing &&
      round.can_draw &&
      button("draw", "act-draw", () => toggleDraw(recorder), say("draw")),
    undoButton(recorder),
    button(
      "infraction",
      "act-infraction",
      () => recorder.ask.infraction(recorder, {}),
      say("infraction"),
    ),
  );
}

/** A tile is being drawn: it was not seen, or nobody draws after all. */
function drawing(recorder) {
  return [
    h(
      "button",
      {
        type: "button",
        class: "button act-unseen",
        "data-key": "unseen",
        "data-focus-next": true,
        onclick: steady(recorder, () =>
          recorder.record({ seat: recorder.live.round.turn, draw: null }),
        ),
      },
      say("draw_unseen"),
    ),
    button("draw", "", () => toggleDraw(recorder), say("cancel")),
  ];
}

function undoButton(recorder) {
  const last = lastInEffect(recorder.live.round);
  return h(
    "button",
    {
      type: "button",
      class: "button act-undo",
      "data-key": "undo",
      disabled: !last,
      "aria-label": last ? say("undo_what", { sentence: last.sentence }) : say("undo"),
      onclick: steady(recorder, () => undo(recorder)),
    },
    say("undo"),
    last && h("small", { class: "undo-what" }, shortly(last)),
  );
}

/** An event in a word or two, for the undo button. */
function shortly({ type, line, sentence }) {
  const tile = line?.match(/\d-\d/);
  if (type === "play" || type === "draw") return tile ? tileText(tile[0]) : say("draw");
  return (
    {
      pass: say("pass"),
      infraction: say("infraction"),
      ruling: say("ruling"),
      show: say("hand"),
      count: say("hand"),
    }[type] || sentence
  );
}

export function toggleDraw(recorder) {
  recorder.draft = recorder.draft.act === "draw" ? {} : { act: "draw" };
  recorder.draw();
}

export function undo(recorder) {
  if (!lastInEffect(recorder.live.round)) return;
  if (recorder.outbox.dropLast()) announce(say("undone"));
  else recorder.record({ undo: 1 });
}

/** The last tile was another one: it is taken back, and its seat is asked for the right one. */
export function replaceLast(recorder) {
  const last = lastInEffect(recorder.live.round);
  const tile = last?.type === "play" && last.line.match(/\d-\d/)?.[0];
  if (!tile) return;
  undo(recorder);
  recorder.draft = { instead: tile };
  recorder.draw();
  announce(say("which_instead", { tile: tileText(tile) }));
}
