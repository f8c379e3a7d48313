// Where a match stands, and the sentences the page says about it.
import { say, tileText } from "./words.js";

/** waiting · between · recording · hands · ended · over · closed */
export function stageOf(live) {
  if (live.state === "closed") return "closed";
  if (live.state === "waiting") return "waiting";
  if (live.over) return "over";
  const round = live.round;
  if (!round || live.next_round) return "between";
  if (!round.play_over) return "recording";
  return round.needs_hands.length ? "hands" : "ended";
}

/** Names, sides and places of one table. */
export class Names {
  constructor(table, live) {
    this.table = table;
    this.live = live;
  }

  seat(letter) {
    return this.table.seats.find((one) => one.seat === letter);
  }

  /** The player at a seat; a substitute is named as one. */
  player(letter) {
    const substitute = this.live.substitutes?.[letter];
    const name = this.seat(letter).player.name;
    if (!substitute) return isolated(name);
    return say(substitute === "robot" ? "robot_for" : "substitute_for", {
      substitute,
      name: isolated(name),
    });
  }

  /** The pair, team or player that wins or loses as one side. */
  side(key) {
    return isolated(this.table.side_names[key]);
  }

  players(key) {
    return this.table.seats.filter((one) => one.side === key).map((one) => this.player(one.seat));
  }
}

/**
 * A name between marks that keep its own direction of writing. Marks in it that would end this,
 * or that it leaves open, are put right, as in tournaments/direction.py.
 */
export function isolated(name) {
  let kept = "";
  let depth = 0;
  for (const sign of String(name)) {
    const ends = sign === "\u2069";
    if (ends && !depth) continue;
    if (ends) depth -= 1;
    else if ("\u2066\u2067\u2068".includes(sign)) depth += 1;
    kept += sign;
  }
  return `\u2068${kept}${"\u2069".repeat(depth)}\u2069`;
}

/** What an event says, as one whole sentence. */
export function sentenceOf(event, names, round = null) {
  if (typeof event === "string") return typedSentence(event, names);
  const name = event.seat ? names.player(event.seat) : "";
  if (event.play && round && !round.ends) return say("opens", { name, tile: tileText(event.play) });
  if (event.play && event.end)
    return say(`plays_${event.end}`, { name, tile: tileText(event.play) });
  if (event.play) return say("plays", { name, tile: tileText(event.play) });
  if (event.pass) return say("passes", { name });
  if ("draw" in event)
    return event.draw
      ? say("draws_tile", { name, tile: tileText(event.draw) })
      : say("draws", { name });
  if (event.show) return say("shows", { name, tiles: event.show.map(tileText).join(" ") });
  if ("count" in event) return say("counts", { name, pips: event.count });
  if (event.undo > 1) return say("undone_many", { count: event.undo });
  if (event.undo) return say("undone");
  if (event.opener) return say("start_round", { name: names.player(event.opener) });
  if (event.result) return say("record_sheet_round");
  if (event.infraction) return infractionSentence(event.infraction, name, names);
  if (event.time) return say("time_recorded");
  if (event.leaves)
    return event.leaves === "robot"
      ? say("robot_takes_seat", { name })
      : say("substitute_takes_seat", { name, substitute: isolated(event.leaves) });
  if ("ruling" in event) return say("ruling_noted");
  return say("noted");
}

/** A typed line on its way: an infraction in words, anything else as it was typed. */
function typedSentence(line, names) {
  const infraction = line.match(/^\s*([a-d])\s*!\s*([a-z_]+)/i);
  const seat = infraction?.[1].toUpperCase();
  if (!names.seat(seat)) return say("typed_line", { line });
  return infractionSentence(infraction[2].toLowerCase(), names.player(seat), names);
}

function infractionSentence(kind, name, names) {
  const known = names.table.kinds.find((one) => one.kind === kind);
  const noted = say("infraction_noted", { name });
  return known ? `${noted} ${known.label}.` : noted;
}

export const endsSentence = (round) =>
  round.ends ? say("ends", { left: round.ends[0], right: round.ends[1] }) : say("no_tile_yet");

export function turnSentence(round, names) {
  if (!round.turn) return say("round_over");
  return say(round.line.length ? "to_play" : "to_open", {
    name: names.player(round.turn),
    seat: round.turn,
  });
}

/** What lies on the table, for the key C. */
export function tableSentence(round, names) {
  const last = round.events.findLast?.((one) => one.in_effect && one.type === "play");
  return [last?.sentence, endsSentence(round), turnSentence(round, names)]
    .filter(Boolean)
    .join(" ");
}

/** The event that one undo takes back. */
export const lastInEffect = (round) =>
  round.events.findLast?.((one) => one.in_effect && one.type !== "undo");
