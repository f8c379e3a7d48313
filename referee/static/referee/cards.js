// What a player has had so far in the whole event: other tables as the server counted them when
// the page was loaded, and this one as it is recorded, also without a network.
import { say } from "./words.js";

const SEVERITIES = ["warning", "yellow", "red", "black"];
const NAMES = {
  warning: "warnings_so_far",
  yellow: "yellow_so_far",
  red: "red_so_far",
  black: "black_so_far",
};

/** The gravest of what a ruling leaves on the ledger; null for points alone. */
export function severityOf(measures) {
  const found = (measures ?? []).map((one) => {
    const [name, value] = one.value.split(" ");
    if (name === "card") return value;
    if (name === "disqualify") return "black";
    return name === "warning" || name === "formal_warning" ? "warning" : null;
  });
  return SEVERITIES.findLast((one) => found.includes(one)) ?? null;
}

/** Count by severity, of one ladder or of both (`ladder` undefined). */
export function countSoFar({ table, live }, seat, ladder) {
  const counts = {};
  const add = (severity, count) => {
    counts[severity] = (counts[severity] ?? 0) + count;
  };
  const { player } = table.seats.find((one) => one.seat === seat);
  for (const [on, had] of Object.entries(table.sanctions?.[player.id] ?? {})) {
    if (ladder && on !== ladder) continue;
    for (const [severity, count] of Object.entries(had)) add(severity, count);
  }
  for (const one of live.infractions ?? []) {
    const severity = one.seat === seat ? severityOf(one.measures) : null;
    if (severity && (!ladder || ladderOf(table, one.kind) === ladder)) add(severity, 1);
  }
  return counts;
}

function ladderOf(table, kind) {
  return table.kinds.find((one) => one.kind === kind)?.ladder ?? "play";
}

/** One quiet sentence; once a kind is chosen, of the ladder it counts on. */
export function cardsSoFar(recorder, { seat, kind }) {
  const ladder = kind ? ladderOf(recorder.table, kind) : undefined;
  const counts = countSoFar(recorder, seat, ladder);
  const told = SEVERITIES.filter((one) => counts[one]).map((one) =>
    say(NAMES[one], { count: counts[one] }),
  );
  if (told.length === 0) return say("no_cards_so_far");
  const list = told.reduce((first, second) => say("and_then", { first, second }));
  return say(ladder ? `cards_so_far_${ladder}` : "cards_so_far", { list });
}
