// What the rules refuse, by the names the engine gives: its code, and the infraction it would be.

const REFUSALS = {
  Misplay: ["misplay", "misplay"],
  MisplayAtEnd: ["misplay", "misplay"],
  OutOfTurn: ["out_of_turn", "out_of_turn"],
  WrongOpeningTile: ["wrong_opening_tile", "wrong_opening_tile"],
  FalsePass: ["false_pass", "false_pass"],
  PassBeforeFirstTile: ["false_pass", "false_pass"],
  ImproperDraw: ["improper_draw", "improper_draw"],
  DrawBeforeFirstTile: ["improper_draw", "improper_draw"],
  NothingToDraw: ["improper_draw", "improper_draw"],
  NotInHand: ["not_in_hand", null],
  TileAlreadyPlayed: ["tile_already_played", null],
  NotInStock: ["not_in_stock", null],
  EndRequired: ["end_required", null],
  MustDraw: ["must_draw", "must_draw"],
  MustPlay: ["must_play", "must_play"],
  RulingPending: ["ruling_pending", null],
  RoundOver: ["round_over", null],
  MatchOver: ["match_over", null],
  BadRecord: ["bad_record", null],
  UndoTooFar: ["bad_record", null],
  NothingPending: ["bad_record", null],
  BesideSheet: ["bad_record", null],
  AfterUnfinished: ["bad_record", null],
};

/** A record that cannot be: `name` is the engine's class, `params` fill its sentence. */
export class Refusal extends Error {
  constructor(name, params = {}) {
    super(name);
    [this.code, this.asInfraction] = REFUSALS[name];
    this.name = name;
    this.params = params;
    this.round = null;
    this.event = null;
  }

  /** Say where the record is refused. */
  at(round, event) {
    this.round = round;
    this.event = event;
    return this;
  }
}

/** What is malformed, by its JSON path. */
export const bad = (path) => new Refusal("BadRecord", { path });
