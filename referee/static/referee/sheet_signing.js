// Both sides accept the sheet of a match: by a drawn name, by PIN, or it is noted that one refuses.
import { button, h } from "./dom.js";
import { openSheet } from "./sheet.js";
import { signaturePad } from "./signature_pad.js";
import { western } from "./typed.js";
import { say } from "./words.js";

/** Who has signed, with a button for each side; nothing while there is nothing to sign. */
export function signingView(recorder) {
  const { live, table, names, outbox, unsentSignatures: unsent } = recorder;
  // What waits to be sent changes the record: only this device knows of it yet.
  const ahead = outbox.entries.some((one) => !one.sign);
  const signing = ahead ? null : live.signing;
  if (!signing?.code && (recorder.stage !== "over" || live.round?.pending.length)) return null;
  return h(
    "section",
    { class: "signing" },
    h("h3", {}, say("signatures")),
    h("p", { class: "muted" }, say("signatures_help")),
    h(
      "ul",
      { class: "signing-sides", role: "list" },
      table.sides.map((side) => {
        const name = names.side(side);
        const { how, label, reason } = wordOf(side, unsent, signing);
        return h(
          "li",
          { "data-side": side, "data-signed": unsent[side] ? "unsent" : how },
          h("span", {}, signedSentence({ how, label, name, unsent: unsent[side] })),
          recorder.signAgain.includes(side) &&
            !unsent[side] &&
            h("p", { class: "alert warning sign-again" }, say("side_signs_again", { name })),
          reason && h("q", { class: "small" }, h("bdi", {}, reason)),
          button(
            `sign-${side}`,
            { class: "small", disabled: recorder.busy },
            () => signingSheet(recorder, side),
            h("span", { "aria-hidden": "true" }, say(how ? "sign_again" : "sign")),
            h("span", { class: "visually-hidden" }, say("sign_for", { name })),
          ),
        );
      }),
    ),
    // Until a side has said something of it, nothing is kept under the code.
    signing?.code &&
      table.sides.some((side) => signing.sides[side]?.how) &&
      h("p", { class: "small muted" }, say("control_code", { code: `\u2066${signing.code}\u2069` })),
  );
}

/** What a side said last: what waits here to be sent, or what is kept. */
function wordOf(side, unsent, signing) {
  const waiting = unsent[side];
  if (!waiting) return signing?.sides[side] ?? {};
  const label = say(waiting.how === "refused" ? "refused_here" : "drawn_here");
  return { how: waiting.how, label, reason: waiting.reason };
}

function signedSentence({ how, label, name, unsent }) {
  if (!how) return say("side_unsigned", { name });
  return say(unsent ? "side_signed_unsent" : "side_signed", { name, how: label });
}

/** Ask one side for its word. What was drawn or typed stays until it is kept. */
function signingSheet(recorder, side) {
  const name = recorder.names.side(side);
  const pad = signaturePad(say("draw_name_label"));
  const pin = h("input", {
    type: "password",
    inputmode: "numeric",
    autocomplete: "off",
    dir: "ltr",
    maxlength: 20,
    "data-key": "pin",
  });
  const reason = h("textarea", { rows: 2, maxlength: 500, "data-key": "why" });
  const problem = h("p", { class: "alert danger", role: "alert", hidden: true });
  openSheet(say("sign_for", { name }), (close) => {
    const send = async (said) => {
      problem.hidden = true;
      if (said.how === "drawn" && pad.isEmpty) recorder.problem = say("draw_more");
      else if (await recorder.sign({ side, ...said })) return close();
      problem.textContent = recorder.problem;
      problem.hidden = false;
      // It was said here; the page below need not say it again.
      recorder.problem = "";
      return undefined;
    };
    const submit = (event, said) => {
      event.preventDefault();
      return send(said());
    };
    return [
      h("p", { class: "muted" }, say("sign_help")),
      problem,
      h("p", {}, say("draw_name")),
      pad.canvas,
      h(
        "div",
        { class: "sheet-actions" },
        button(
          "accept-drawn",
          "primary block",
          () => send({ how: "drawn", strokes: pad.strokes }),
          say("accept_drawn"),
        ),
        button("draw-again", "block", () => pad.clear(), say("draw_again")),
      ),
      !navigator.onLine && h("p", { class: "muted" }, say("sign_offline")),
      recorder.live.signing?.sides[side]?.has_pin &&
        h(
          "form",
          {
            class: "sheet-form",
            onsubmit: (event) => submit(event, () => ({ how: "pin", pin: western(pin.value) })),
          },
          h("label", { class: "field" }, h("span", {}, say("pin_of_side")), pin),
          h("button", { class: "button block", "data-key": "accept-pin" }, say("accept_pin")),
        ),
      h(
        "details",
        { class: "fold" },
        h("summary", { "data-key": "refuses" }, say("refuses")),
        h(
          "form",
          {
            class: "sheet-form",
            onsubmit: (event) =>
              submit(event, () => ({ how: "refused", reason: reason.value.trim() })),
          },
          h("label", { class: "field" }, h("span", {}, say("why_refuses")), reason),
          h("button", { class: "button block", "data-key": "note-refusal" }, say("note_refusal")),
        ),
      ),
    ];
  });
}
