// Keys and gestures: T whose turn, C the table and its ends, Space draw; any digit goes to the field.
import { remember, remembered } from "./dom.js";
import { swipes } from "./gestures.js";
import { announce } from "./speech.js";
import { tableSentence, turnSentence } from "./stages.js";
import { readTyped } from "./typed.js";
import { tapEnd, toggleDraw, undo } from "./view_pad.js";
import { say } from "./words.js";

/** Connect the keyboard, the typed field and the many-finger swipes to `recorder`. */
export function listen(recorder, { form, show }) {
  const field = form.elements.line;
  const letters = form.elements.letters;
  letters.checked = remembered("domino-letters") !== "off";
  letters.addEventListener("change", () =>
    remember("domino-letters", letters.checked ? null : "off"),
  );
  const tell = (text) => {
    announce(text);
    show(text);
  };
  const acts = {
    turn: () =>
      tell(
        recorder.live.round ? turnSentence(recorder.live.round, recorder.names) : say("no_round"),
      ),
    table: () =>
      tell(
        recorder.live.round ? tableSentence(recorder.live.round, recorder.names) : say("no_round"),
      ),
    draw: () =>
      recorder.live.round?.can_draw && recorder.stage === "recording"
        ? toggleDraw(recorder)
        : tell(say("no_draw")),
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]"))
      return;
    const target = event.target;
    const typing = target.matches?.("input:not([type=radio], [type=checkbox]), textarea, select");
    if (typing && (target !== field || field.value)) return;
    if (event.code === "Escape" && recorder.draft.tile)
      return stop(event, () => {
        recorder.draft = {};
        recorder.draw();
      });
    if (recorder.draft.tile && (event.code === "ArrowLeft" || event.code === "ArrowRight"))
      return stop(event, () => tapEnd(recorder, event.code === "ArrowLeft" ? "left" : "right"));
    if (!letters.checked) return;
    if (event.code === "KeyT") return stop(event, acts.turn);
    if (event.code === "KeyC") return stop(event, acts.table);
    if (
      event.code === "Space" &&
      (target === field || !target.closest?.("button, a, summary, label, input"))
    )
      return stop(event, acts.draw);
    if (!typing && !form.hidden && /^[0-6٠-٦۰-۶]$/.test(event.key)) field.focus();
  });

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const text = field.value.trim();
    if (!text) return;
    if (submit(recorder, readTyped(text), text, acts)) field.value = "";
    else field.select();
  });

  swipes({ up: acts.turn, left: acts.table, down: acts.draw });
}

function stop(event, act) {
  event.preventDefault();
  act();
}

/** Carry out what was typed; false keeps it in the field. */
function submit(recorder, typed, text, acts) {
  if (typed?.act === "replace") undo(recorder);
  const round = recorder.live.round;
  if (!typed) {
    if (!/[!:]|->|\s/.test(text)) return refuse(recorder, say("typed_unknown"));
    recorder.record(text);
    return true;
  }
  if (typed.act === "turn" || typed.act === "table") return (acts[typed.act](), true);
  if (typed.act === "undo") return (undo(recorder), true);
  const seat = typed.seat || round.turn;
  if (!seat) return refuse(recorder, say("round_over"));
  if (typed.act === "pass") return (recorder.record({ seat, pass: true }), true);
  if (typed.act === "draw") return (recorder.record({ seat, draw: typed.tile }), true);
  const { tile, end } = typed;
  const ends = round.tiles.find((one) => one.tile === tile)?.ends || [];
  if (!end && ends.length > 1 && round.ends && seat === round.turn) {
    recorder.draft = { tile };
    recorder.draw();
    announce(say("end_needed", { left: round.ends[0], right: round.ends[1] }));
    return true;
  }
  const known = end || (round.ends && ends[0]);
  recorder.record({ seat, play: tile, ...(known && { end: known }) });
  return true;
}

function refuse(recorder, sentence) {
  recorder.complain(sentence, true);
  return false;
}
