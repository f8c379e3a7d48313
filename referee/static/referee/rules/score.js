// The answer of spec/record.md to a document, as `python -m engine score` gives it.
import { MatchState } from "./match.js";
import { readRecord } from "./reading.js";
import { Refusal, bad } from "./refusals.js";
import { PENDING } from "./round.js";
import { written } from "./tiles.js";

const measureJson = ({ name, value }) => (value === null ? name : { [name]: value });

/** Answer to `document`, or its refusal as {error: {round, event, code}}. */
export function score(document, tables) {
  try {
    const state = new MatchState(readRecord(document, tables));
    if (state.missingOpener !== null)
      throw bad(`rounds[${state.missingOpener}].opener`).at(state.missingOpener, null);
    return answer(state);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { round, event, code, name, params } = error;
    return { error: { round, event, code, name, params } };
  }
}

/** What a match comes to. */
export function answer(state) {
  const { names } = state.sides;
  return {
    rounds: state.rounds.map(({ replay, outcome, opener }) => {
      const { table, pipsLeft } = replay;
      const seats = [..."ABCD"].slice(0, state.players);
      return {
        opener: opener < 0 ? null : seats[opener],
        ended: outcome.ended,
        winner: outcome.winner < 0 ? null : names[outcome.winner],
        points: Object.fromEntries(names.map((name, side) => [name, outcome.points[side]])),
        left: Object.fromEntries(seats.map((seat, number) => [seat, pipsLeft[number]])),
        line: table.line.map((one) => written(one.tile)),
        ends: table.left < 0 ? null : [table.left, table.right],
        moves: table.line.length,
      };
    }),
    totals: state.totals,
    deductions: state.deductions,
    winner: state.winner,
    over: state.over,
    infractions: state.infractions.map((one) => ({
      ...one,
      measures: one.measures === PENDING ? PENDING : one.measures.map(measureJson),
    })),
    findings: state.findings,
  };
}
