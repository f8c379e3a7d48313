// The end of a blind round: which tiles, or how many pips, each seat still holds.
import { button, h } from "./dom.js";
import { countRange, leftForCounted, notShown, sum } from "./hands_sums.js";
import { seatChoice } from "./seat_choice.js";
import { tileKey, tileName } from "./tiles.js";
import { announce } from "./speech.js";
import { western } from "./typed.js";
import { digits, say } from "./words.js";

/** The seats still to show their hand, in order of turn. */
const awaited = ({ live, table }) =>
  table.seats.map((one) => one.seat).filter((seat) => live.round.needs_hands.includes(seat));

/** The seat whose hand is being entered. */
function openSeat(recorder) {
  const needs = awaited(recorder);
  return needs.includes(recorder.draft.seat) ? recorder.draft.seat : needs[0];
}

export function handsView(recorder) {
  const { live, draft, names } = recorder;
  const round = live.round;
  const seat = openSeat(recorder);
  const tiles = notShown(round);
  const last =
    round.needs_hands.length === 1 && !round.stock_left && tiles.length === round.in_hand[seat];
  const hand = (draft.hands ||= {})[seat] ?? (last ? [...tiles] : []);
  const expected = round.in_hand[seat];
  const tap = (tile) => {
    draft.hands[seat] = hand.includes(tile) ? hand.filter((one) => one !== tile) : [...hand, tile];
    recorder.draw();
    announce(
      say("hand_so_far", {
        count: draft.hands[seat].length,
        expected,
        pips: sum(draft.hands[seat]),
      }),
    );
  };
  const enough = hand.length === expected;
  const beside = enough ? leftForCounted(round, seat, hand) : null;
  const record = () => recorder.record({ seat, show: hand });
  const asked = `${seat} ${hand.join(" ")}`;
  const look = (about) => {
    draft.asked = about;
    recorder.draw();
    document.querySelector('[data-key="hand-look"]')?.scrollIntoView({ block: "center" });
  };
  return h(
    "section",
    { class: "stage-card hands", "aria-label": say("show_hands") },
    h("h2", { class: "stage-title", tabindex: "-1" }, say("show_hands")),
    h(
      "p",
      { class: "muted" },
      round.ended === "blocked" || (round.ends && !Object.values(round.in_hand).includes(0))
        ? say("hands_after_block")
        : say("hands_after_out"),
    ),
    seatChoice(recorder, {
      key: "hand",
      class: "tabs-row",
      label: "whose_hand",
      seats: awaited(recorder),
      chosen: seat,
      pick: (letter) => {
        draft.seat = letter;
        recorder.draw();
      },
      more: (letter) =>
        h(
          "span",
          { class: "seat-tiles" },
          h("span", { class: "back", "aria-hidden": "true" }),
          digits(round.in_hand[letter]),
        ),
    }),
    h(
      "p",
      { class: `tally ${enough ? "good" : hand.length > expected ? "bad" : ""}` },
      h("b", {}, say("chosen_of", { count: hand.length, expected })),
      " ",
      h("span", { class: "tally-pips" }, say("pips_sum", { pips: sum(hand) })),
    ),
    h(
      "p",
      { class: "muted small" },
      say("still_to_place", { count: tiles.length, pips: sum(tiles) }),
    ),
    last && !draft.hands[seat] && h("p", { class: "muted" }, say("all_left")),
    h(
      "div",
      {
        class: "tile-pad fitting",
        dir: "ltr",
        role: "group",
        "aria-label": say("tiles_left_over"),
      },
      tiles.map((tile) =>
        tileKey(tile, {
          class: `fits ${hand.includes(tile) ? "chosen" : ""}`,
          "aria-pressed": hand.includes(tile) ? "true" : "false",
          label: tileName(tile),
          onclick: () => tap(tile),
        }),
      ),
    ),
    button(
      "record-hand",
      { class: "primary block big", "data-focus-next": true, disabled: !hand.length },
      () => (enough && !beside ? record() : look(asked)),
      say("record_hand", { name: names.player(seat) }),
    ),
    hand.length > 0 &&
      (!enough || beside) &&
      h(
        "div",
        { class: "alert warning", role: draft.asked === asked && "alert" },
        h(
          "p",
          {},
          beside
            ? say("hands_do_not_add_up", beside)
            : say("hand_mismatch", { count: hand.length, expected }),
        ),
        draft.asked === asked && [
          !beside &&
            h("p", {}, h("strong", {}, say("hand_all_the_same", { count: hand.length, expected }))),
          h(
            "div",
            { class: "cluster" },
            button("hand-sure", "danger", record, say("send_all_the_same")),
            button("hand-look", "", () => look(null), say("look_again")),
          ),
        ],
      ),
    countForm(recorder, seat),
  );
}

/** Only the pips, when the tiles were not written down; what cannot be is said while typing. */
function countForm(recorder, seat) {
  const { least, most } = countRange(recorder.live.round, seat);
  const typed = () => Number(western(field.value));
  const wrong = () => field.value.trim() !== "" && (typed() < least || typed() > most);
  const problem = h("p", { class: "alert warning", role: "alert", hidden: true });
  const sure = h("button", { class: "button danger", hidden: true, "data-key": "count-sure" });
  sure.textContent = say("send_all_the_same");
  const check = () => {
    const found = wrong();
    problem.hidden = !found;
    sure.hidden = !found;
    plainly.hidden = found;
    if (!found) return;
    const range = { pips: typed(), least, most };
    if (least > most) problem.textContent = say("counts_do_not_add_up", range);
    else problem.textContent = say(least === most ? "count_must_be" : "count_outside", range);
  };
  const field = h("input", {
    name: "pips",
    inputmode: "numeric",
    autocomplete: "off",
    size: 4,
    required: true,
    pattern: "[0-9٠-٩۰-۹]{1,3}",
    "data-key": "pips",
    oninput: check,
  });
  const plainly = h("button", { class: "button", "data-key": "record-count" }, say("record_count"));
  return h(
    "details",
    { class: "fold" },
    h("summary", { "data-key": "count" }, say("count_instead")),
    h(
      "form",
      {
        class: "count-form",
        onsubmit: (event) => {
          event.preventDefault();
          // Enter in the field is no "all the same": that has a button of its own.
          if (wrong() && event.submitter !== sure) return check();
          return recorder.record({ seat, count: typed() });
        },
      },
      h("label", {}, say("pips_of", { name: recorder.names.player(seat) }), " ", field),
      problem,
      plainly,
      sure,
    ),
  );
}
