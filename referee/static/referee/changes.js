// The answer to an event says what the event changed; the page has the rest already.

/** `live` with `changes` in it; null when events in between are unknown here. */
export function merged(live, changes) {
  const { round, rounds, ...now } = changes;
  const { in_effect: inEffect, ...rest } = round;
  const first = round.events[0]?.number;
  const known = live.round?.id === round.id ? live.round.events.filter((one) => one.number < first) : [];
  if (known.length !== first) return null;
  const events = [...known, ...round.events].map((one) => ({
    ...one,
    in_effect: inEffect[one.number],
  }));
  const lines = live.rounds.filter((one) => one.id !== round.id);
  const { out_of_use } = live; // An event changes nothing that fell away.
  return { ...now, out_of_use, rounds: [...lines, ...rounds], round: { ...rest, events } };
}
