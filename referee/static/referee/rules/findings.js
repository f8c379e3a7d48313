// What a record proves and nobody ruled on (engine/findings.py).
import { PENDING } from "./round.js";
import { FREED } from "./table.js";
import {
  ALL,
  HAND_SIZE,
  HIGH,
  OTHER,
  SET_SIZE,
  isDouble,
  maskOf,
  named,
  pips,
  pipsOf,
  size,
  tilesOf,
  written,
} from "./tiles.js";

const SEATS = [0, 1, 2, 3];
const letter = (seat) => "ABCD"[seat];

/**
 * The findings of a round in order of event, those of the whole round first.
 *
 * Each is {round, event, seat, kind, text, params}: `text` names the engine's sentence.
 */
export function findings(replay, opening) {
  const settled = new Set(
    replay.offences
      .filter((one) => one.measures !== PENDING)
      .map((one) => `${one.seat} ${one.act.infraction}`),
  );
  return [...all(replay, opening)]
    .filter((one) => !settled.has(`${"ABCD".indexOf(one.seat)} ${one.kind}`))
    .map((one, place) => ({ one, place }))
    .sort(
      (a, b) =>
        (a.one.event ?? -1) - (b.one.event ?? -1) ||
        a.one.seat.charCodeAt(0) - b.one.seat.charCodeAt(0) ||
        a.place - b.place,
    )
    .map(({ one }) => one);
}

const finding = (replay, event, seat, kind, text, params) => ({
  round: replay.number,
  event,
  seat: letter(seat),
  kind,
  text,
  params,
});

function* all(replay, opening) {
  const { opener, decided, dealt } = opening;
  const { table } = replay;
  if (decided >= 0 && opener !== -1 && opener !== decided)
    yield finding(replay, null, opener, "wrong_opener", "opened", {
      decided: letter(decided),
      seat: letter(opener),
    });
  if (dealt)
    for (const seat of SEATS)
      if ((replay.inPlay >> seat) & 1 && size(dealt[seat]) !== HAND_SIZE)
        yield finding(replay, null, seat, "wrong_hand_size", "dealt", { tiles: size(dealt[seat]) });
  yield* wrongCounts(replay);
  if (!table.blind && !replay.draws.some((one) => one.tile < 0)) return;
  const evidence = new Evidence(replay);
  for (const act of replay.passes) yield* evidence.heldAt(act, "false_pass");
  for (const act of replay.draws) yield* evidence.heldAt(act, "improper_draw");
  if (table.blind && opening.byHighestDouble) yield* wrongOpenings(replay, opening, evidence);
}

function* wrongCounts(replay) {
  for (const one of replay.shown) {
    const shownTiles = one.tiles !== null;
    if (one.hand === null) {
      if (shownTiles && size(one.tiles) !== one.held)
        yield finding(replay, null, one.seat, "wrong_hand_size", "shown_size", {
          tiles: size(one.tiles),
          expected: one.held,
        });
    } else if (shownTiles && one.tiles !== one.hand) {
      yield finding(replay, one.event, one.seat, "count_mismatch", "other_tiles", {
        shown: named(one.tiles),
        held: named(one.hand),
      });
    } else if (!shownTiles && one.pips !== pipsOf(one.hand)) {
      yield finding(replay, one.event, one.seat, "count_mismatch", "other_pips", {
        shown: one.pips,
        held: pipsOf(one.hand),
      });
    }
  }
}

/** What each seat is known to have held: tiles it played, showed or was seen drawing. */
class Evidence {
  constructor(replay) {
    this.replay = replay;
    this.drawn = [[], [], [], []];
    for (const { event, seat, tile } of replay.draws) this.drawn[seat].push({ event, tile });
    this.seen = [[], [], [], []];
    replay.table.line.forEach(({ tile, seat }, place) =>
      this.seen[seat].push({ event: replay.plays[place], tile, how: "played" }),
    );
    for (const one of replay.shown)
      if (one.tiles !== null && one.hand === null)
        for (const tile of tilesOf(one.tiles))
          this.seen[one.seat].push({ event: one.event, tile, how: "shown" });
  }

  /** The finding that `act`, a pass or a draw, was made with a playable tile. */
  *heldAt(act, kind) {
    const { event, seat, left, right } = act;
    for (const proof of this.#proofs(seat, event))
      if (OTHER[proof.tile][left] >= 0 || OTHER[proof.tile][right] >= 0) {
        yield finding(this.replay, event, seat, kind, proof.how, {
          tile: written(proof.tile),
          event: proof.event,
          left,
          right,
        });
        return;
      }
  }

  /** The tiles that `seat` is proved to have been dealt. */
  dealtTo(seat) {
    return maskOf([...this.#proofs(seat, -1)].map((one) => one.tile));
  }

  /** What proves a tile in hand just before `event`. */
  *#proofs(seat, event) {
    const drawn = this.drawn[seat];
    const later = (one) => (one.event >= event && event >= 0) || event < 0;
    const drawnLater = new Set(drawn.filter(later).map((one) => one.tile));
    const unseen = drawn
      .filter((one) => one.tile < 0 && one.event >= event)
      .reduce((first, one) => Math.min(first, one.event), Infinity);
    const before = new Set(
      this.seen[seat].filter((one) => one.event < event).map((one) => one.tile),
    );
    for (const one of drawn)
      if (one.event < event && one.tile >= 0 && !before.has(one.tile))
        yield { ...one, how: "drawn" };
    for (const one of this.seen[seat]) {
      if (one.event < event || drawnLater.has(one.tile) || one.event > unseen) continue;
      yield one;
    }
  }
}

const rank = (tile) => (isDouble(tile) ? 1000 : 0) + pips(tile) * 10 + HIGH[tile];
const better = (one, other) => one >= 0 && (other < 0 || rank(one) > rank(other));

const OPENING_ORDER = Array.from({ length: SET_SIZE }, (_, tile) => tile).sort(
  (one, other) => rank(other) - rank(one),
);

/** The tile of `mask` that leads where the highest double opens, -1 for none. */
export const bestOpeningTile = (mask) =>
  OPENING_ORDER.find((tile) => mask & (1 << tile)) ?? -1;

/** What later tiles prove about the opening of a blind round by the highest double. */
function* wrongOpenings(replay, opening, evidence) {
  const { opener } = opening;
  const dealt = SEATS.map((seat) => evidence.dealtTo(seat));
  const own = dealt[opener] ?? 0;
  const others = SEATS.reduce((mask, seat) => (seat === opener ? mask : mask | dealt[seat]), 0);
  const drawn = maskOf(replay.draws.map((one) => one.tile).filter((tile) => tile >= 0));
  const possible = size(own) >= HAND_SIZE ? own : ALL & ~others & ~drawn;
  const best = bestOpeningTile(possible);
  const higher = bestOpeningTile(others);
  if (higher >= 0 && better(higher, best)) {
    const holder = SEATS.find((seat) => seat !== opener && (dealt[seat] >> higher) & 1);
    yield finding(replay, null, opener, "wrong_opener", "higher_elsewhere", {
      other: letter(holder),
      tile: written(higher),
      seat: letter(opener),
      best: written(best),
    });
    return;
  }
  const { line, firstTile } = replay.table;
  if (!line.length || !opening.forced || firstTile === FREED) return;
  const [first] = line;
  const inHand = bestOpeningTile(own);
  if (first.seat === opener && better(inHand, first.tile))
    yield finding(replay, replay.plays[0], opener, "wrong_opening_tile", "higher_in_hand", {
      tile: written(inHand),
      opened: written(first.tile),
    });
}
