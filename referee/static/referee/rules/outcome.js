// How a round ended and what it scores (engine/scoring.py).
import { BOTH_ENDS, WITH_EXPOSED } from "./table.js";

/** Who wins and loses with whom: seat numbers by side, and the side of each seat. */
export function sidesOf(names) {
  const seats = names.map((name) => [...name].map((letter) => "ABCD".indexOf(letter)));
  const of = [0, 0, 0, 0];
  seats.forEach((members, side) => members.forEach((seat) => (of[seat] = side)));
  return { names, seats, of };
}

const other = (side) => 1 - side;
const scored = (winner, points, sides) =>
  sides.names.map((_, side) => (side === winner ? points : 0));
const sum = (numbers) => numbers.reduce((total, one) => total + one, 0);

/** A played round's points, to the nearest multiple the rules ask for. */
function rounded(points, rules) {
  const step = rules.options.round_to;
  return Math.floor((points + Math.floor(step / 2)) / step) * step;
}

const is = (ended, sides, more = {}) => ({
  ended,
  winner: -1,
  opensNext: -1,
  points: sides.names.map(() => 0),
  needs: [],
  ...more,
});

/** Whether target, limit and clock are tested after a round that ended so. */
export const finished = ({ ended }) => ended !== "unfinished" && ended !== "void";

/** How the round stands: ended and scored, or unfinished. */
export function outcome(replay, rules, sides, opener) {
  const { table } = replay;
  if (replay.lostMatch.length && !rules.elimination)
    return is("lost", sides, { winner: other(sides.of[replay.lostMatch[0]]) });
  if (table.verdict === "void") return is("void", sides);
  if (replay.sheet) return fromSheet(replay.sheet, sides);
  if (table.verdict === "lost") return lost(replay, rules, sides);
  if (rules.elimination && table.ended) return eachTheirOwn(replay, rules, sides);
  if (table.ended === "out") return out(replay, rules, sides);
  if (table.ended === "blocked") return blocked(replay, rules, sides, opener);
  return is("unfinished", sides);
}

function fromSheet(sheet, sides) {
  const winner = sheet.winner === null ? -1 : sides.names.indexOf(sheet.winner);
  if (typeof sheet.points !== "number") {
    const points = sides.names.map((name) => sheet.points[name] ?? 0);
    return is(sheet.ended, sides, { winner, points });
  }
  const points = scored(winner, sheet.points, sides);
  return is(winner < 0 ? "drawn" : sheet.ended, sides, { winner, points });
}

/** The pips of all seats (0 where unknown), and an outcome where some of `seats` are missing. */
function counted(replay, sides, seats) {
  const left = replay.pipsLeft;
  const needs = seats.filter((seat) => left[seat] === null);
  if (needs.length) return [[], is("unfinished", sides, { needs })];
  return [left.map((one) => one ?? 0), null];
}

function lost(replay, rules, sides) {
  const { offender, following } = replay.table;
  const side = sides.of[offender];
  const [left, missing] = counted(replay, sides, sides.seats[side]);
  if (missing) return missing;
  const points = rounded(sum(sides.seats[side].map((seat) => left[seat])), rules);
  if (rules.elimination) return is("lost", sides, { points: scored(side, points, sides) });
  const winner = other(side);
  const opensNext = firstOf(sides.seats[winner], following, offender);
  return is("lost", sides, { winner, opensNext, points: scored(winner, points, sides) });
}

function eachTheirOwn(replay, rules, sides) {
  const { table, inPlay } = replay;
  const seats = [0, 1, 2, 3].filter((seat) => (inPlay >> seat) & 1);
  const [left, missing] = counted(replay, sides, seats);
  if (missing) return missing;
  const points = sides.names.map((_, seat) =>
    seats.includes(seat) ? rounded(left[seat], rules) : 0,
  );
  const winner = table.ended === "out" ? table.line.at(-1).seat : -1;
  return is(table.ended, sides, { winner, opensNext: winner, points });
}

function out(replay, rules, sides) {
  const { table } = replay;
  const { seat } = table.line.at(-1);
  const winner = sides.of[seat];
  const won = { winner, opensNext: seat };
  if (table.marks & WITH_EXPOSED) return is("out", sides, won);
  const others = sides.seats.flatMap((members, side) =>
    members.filter(
      (one) => side !== winner || (rules.options.points_out === "all" && one !== seat),
    ),
  );
  const [left, missing] = counted(replay, sides, others);
  if (missing) return missing;
  const bonus = table.marks & BOTH_ENDS ? rules.options.bonus_both_ends : 0;
  const points = rounded(sum(others.map((one) => left[one])) + bonus, rules);
  return is("out", sides, { ...won, points: scored(winner, points, sides) });
}

function blocked(replay, rules, sides, opener) {
  const { table } = replay;
  const [left, missing] = counted(replay, sides, sides.seats.flat());
  if (missing) return missing;
  const sums = sides.seats.map((members) => sum(members.map((seat) => left[seat])));
  const winner = winnerOfBlock(left, sums, rules, sides);
  if (winner < 0) return is("drawn", sides);
  const lowest = Math.min(...sides.seats[winner].map((seat) => left[seat]));
  const withLowest = sides.seats[winner].filter((seat) => left[seat] === lowest);
  let [opensNext] = withLowest;
  if (withLowest.includes(opener)) opensNext = opener;
  else if (withLowest.length > 1) opensNext = firstOf(withLowest, table.following, opener);
  const loser = other(winner);
  const choices = {
    opponents: sums[loser],
    difference: Math.max(0, sums[loser] - sums[winner]),
    all: sum(sums),
  };
  let points = choices[rules.options.points_block];
  // The side that blocked with an exposed tile and wins earns nothing (femundo 17).
  if (table.marks & WITH_EXPOSED && sides.of[table.line.at(-1).seat] === winner) points = 0;
  points = scored(winner, rounded(points, rules), sides);
  return is("blocked", sides, { winner, opensNext, points });
}

function winnerOfBlock(left, sums, rules, sides) {
  if (rules.options.block_winner === "lowest_hand") {
    const [one, two] = sides.seats.map((members) =>
      Math.min(...members.map((seat) => left[seat])),
    );
    if (one !== two) return one < two ? 0 : 1;
  }
  if (sums[0] === sums[1]) return -1;
  return sums[0] < sums[1] ? 0 : 1;
}

/** The first of `seats` in order of play after `start`. */
function firstOf(seats, following, start) {
  let seat = following[start];
  while (!seats.includes(seat)) seat = following[seat];
  return seat;
}
