// One round in play: the tiles on the table, in the hands and in the stock (engine/masks.py).
import { Refusal } from "./refusals.js";
import {
  ALL,
  HAND_SIZE,
  HAVING,
  HIGH,
  LOW,
  OTHER,
  SET_SIZE,
  maskOf,
  named,
  size,
  written,
} from "./tiles.js";

export const SAID_NOTHING = 0;
export const LEFT = 1;
export const RIGHT = 2;

export const WITH_EXPOSED = 1;
export const BOTH_ENDS = 2;

export const NONE_PENDING = -1;
export const MATCH_IS_OVER = -2;

export const ANY_TILE = -1;
export const FREED = -2;

const LETTERS = "ABCD";

export class Table {
  constructor({ seats, opener, hands, order, reserve, firstTile }) {
    this.active = maskOf(seats);
    this.following = [0, 0, 0, 0];
    const dealt = [0, 0, 0, 0];
    seats.forEach((seat, place) => {
      this.following[seat] = seats[(place + 1) % seats.length];
      dealt[seat] = HAND_SIZE;
    });
    // `hands` are tiles known to be held, `hidden` counts those nobody has seen, `loose` are the
    // tiles whose place is not known, `held` those that may be in some hand.
    this.blind = !hands;
    if (this.blind) {
      this.hands = [0, 0, 0, 0];
      this.hidden = dealt;
      this.loose = ALL;
      this.held = ALL;
      this.stock = SET_SIZE - HAND_SIZE * seats.length;
    } else {
      this.hands = [...hands];
      this.hidden = [0, 0, 0, 0];
      this.held = hands[0] | hands[1] | hands[2] | hands[3];
      this.loose = ALL ^ this.held;
      this.stock = size(this.loose);
    }
    this.order = order;
    this.reserve = reserve;
    this.dry = this.stock <= reserve;
    this.turn = opener;
    this.firstTile = firstTile;
    this.laid = 0;
    this.passed = 0;
    this.skips = 0;
    this.marks = 0;
    this.left = -1;
    this.right = -1;
    this.offender = -1;
    this.pending = NONE_PENDING;
    // {tile, seat, end, opened, standing} in the order laid.
    this.line = [];
    this.exposed = [[], [], [], []];
    this.obliged = [-1, -1, -1, -1];
    this.ended = "";
    this.verdict = "";
    this.halted = false;
  }

  copy() {
    const twin = Object.assign(new Table({ seats: [] }), this);
    for (const name of ["hands", "hidden", "line", "exposed", "obliged"])
      twin[name] = [...this[name]];
    return twin;
  }

  size(seat) {
    return size(this.hands[seat]) + this.hidden[seat];
  }

  get fitting() {
    return HAVING[this.left] | HAVING[this.right];
  }

  // -- acts ---------------------------------------------------------------------------------

  /** Lay `tile`; `stands` is the half a misplaced tile that stays leaves open. */
  play(seat, tile, said = SAID_NOTHING, stands = -1) {
    if (this.halted) this.#refuseHalted();
    this.#requireTurn(seat);
    const bit = 1 << tile;
    if (!(this.hands[seat] & bit)) this.#findInHand(seat, tile);
    const { left, right } = this;
    const halves = OTHER[tile];
    let end = said;
    let opened;
    if (left < 0) {
      if (this.firstTile >= 0 && tile !== this.firstTile)
        throw new Refusal("WrongOpeningTile", {
          tile: written(tile),
          expected: written(this.firstTile),
        });
      this.left = HIGH[tile];
      opened = LOW[tile];
      this.right = opened;
      end = SAID_NOTHING;
    } else {
      ({ end, opened } = stands >= 0 ? { end, opened: stands } : this.#fitted(tile, end));
      if (stands < 0) this.#requireBound(seat, tile);
      if (end === RIGHT) this.right = opened;
      else this.left = opened;
    }
    this.laid |= bit;
    this.held ^= bit;
    this.hands[seat] ^= bit;
    this.line.push({ tile, seat, end, opened, standing: stands >= 0 });
    this.passed = 0;
    this.#release(seat, tile);
    if (!this.hands[seat] && !this.hidden[seat]) {
      const both = left >= 0 && left !== right && halves[left] >= 0 && halves[right] >= 0;
      if (stands < 0 && both) this.marks |= BOTH_ENDS;
      this.#end("out");
    } else if (this.dry && !(this.held & this.fitting)) {
      this.#end("blocked");
    } else {
      this.#next(seat);
    }
  }

  #fitted(tile, said) {
    const { left, right } = this;
    const halves = OTHER[tile];
    if (said === SAID_NOTHING) {
      const end = halves[right] >= 0 ? RIGHT : LEFT;
      if (left !== right && halves[left] >= 0 && halves[right] >= 0)
        throw new Refusal("EndRequired", { tile: written(tile), left, right });
      const opened = end === RIGHT ? halves[right] : halves[left];
      if (opened < 0) throw new Refusal("Misplay", { tile: written(tile), left, right });
      return { end, opened };
    }
    const number = said === RIGHT ? right : left;
    if (halves[number] < 0)
      throw new Refusal("MisplayAtEnd", { tile: written(tile), number, left, right });
    return { end: said, opened: halves[number] };
  }

  /** Record a pass; false for one spoken after a block, which changes nothing. */
  sayPass(seat) {
    if (this.halted) {
      const over = this.verdict || this.pending === MATCH_IS_OVER;
      if (this.ended === "blocked" && !over) {
        if (this.pending >= 0) throw new Refusal("RulingPending", { pending: this.pending });
        return false;
      }
      this.#refuseHalted();
    }
    this.#requireTurn(seat);
    if (this.left < 0) throw new Refusal("PassBeforeFirstTile", { seat: LETTERS[seat] });
    const playable = this.knownPlayable(seat);
    if (playable) throw this.#holding("FalsePass", seat, playable);
    if (!this.dry)
      throw new Refusal("MustDraw", { seat: LETTERS[seat], stock: this.stock - this.reserve });
    this.obliged[seat] = -1;
    this.passed |= 1 << seat;
    if (this.passed === this.active) this.#end("blocked");
    else this.#next(seat);
    return true;
  }

  /** Take a tile from the stock (-1: not seen); the tile, -1 where still not known. */
  draw(seat, seen = -1) {
    if (this.halted) this.#refuseHalted();
    this.#requireTurn(seat);
    if (this.left < 0) throw new Refusal("DrawBeforeFirstTile", { seat: LETTERS[seat] });
    const playable = this.knownPlayable(seat);
    if (playable) throw this.#holding("ImproperDraw", seat, playable);
    if (this.dry)
      throw new Refusal("NothingToDraw", {
        seat: LETTERS[seat],
        stock: this.stock,
        reserve: this.reserve,
      });
    const tile = seen < 0 && this.order?.length ? this.order[0] : seen;
    if (tile >= 0) {
      const bit = 1 << tile;
      if (!(this.loose & bit)) throw new Refusal("NotInStock", { tile: written(tile) });
      if (this.order) this.order = this.order.filter((one) => one !== tile);
      this.loose ^= bit;
      this.hands[seat] |= bit;
      this.held |= bit;
    } else {
      this.hidden[seat] += 1;
      this.held |= this.loose;
    }
    this.stock -= 1;
    if (!this.blind) this.#settleHidden();
    this.dry = this.stock <= this.reserve;
    if (this.dry && !(this.held & this.fitting)) this.#end("blocked");
    return tile;
  }

  // -- what rulings do to the table ---------------------------------------------------------

  /** Take the turn `seat` has, or its next one. */
  loseTurn(seat) {
    if (this.ended || this.verdict || !((this.active >> seat) & 1)) return;
    this.skips |= 1 << seat;
    this.#skip();
  }

  oblige(seat, tile) {
    if (this.#mayHold(seat, tile)) this.obliged[seat] = tile;
  }

  expose(seat, tile) {
    const tiles = this.exposed[seat];
    if (this.#mayHold(seat, tile) && !tiles.includes(tile)) this.exposed[seat] = [...tiles, tile];
  }

  /** End the round by ruling: void, or lost by the offender's side. */
  decide(verdict, offender = -1) {
    this.verdict = verdict;
    this.offender = offender;
    this.halted = true;
  }

  halt(pending) {
    this.pending = pending;
    this.halted = Boolean(this.ended || this.verdict || pending !== NONE_PENDING);
  }

  // -- questions ----------------------------------------------------------------------------

  /** The tiles that fit and are known to be held; blind, only bound tiles count as known. */
  knownPlayable(seat) {
    if (!this.blind) return this.hands[seat] & this.fitting;
    const bound = [...this.exposed[seat], this.obliged[seat]].filter((tile) => tile >= 0);
    return maskOf(bound) & this.fitting & this.couldHold(seat);
  }

  /** The exposed or obliged tile `seat` has to play now, -1 for none. */
  requiredTile(seat) {
    if (this.left < 0) return -1;
    const fitting = this.fitting & this.couldHold(seat);
    const bound = [...this.exposed[seat], this.obliged[seat]];
    return bound.find((tile) => tile >= 0 && fitting & (1 << tile)) ?? -1;
  }

  couldHold(seat) {
    return this.hands[seat] | (this.hidden[seat] ? this.loose : 0);
  }

  // -- inside -------------------------------------------------------------------------------

  #requireTurn(seat) {
    if (seat === this.turn) return;
    const turn = this.turn >= 0 ? LETTERS[this.turn] : "–";
    throw new Refusal("OutOfTurn", { seat: LETTERS[seat], turn });
  }

  #holding(name, seat, playable) {
    const { left, right } = this;
    return new Refusal(name, { seat: LETTERS[seat], tiles: named(playable), left, right });
  }

  #refuseHalted() {
    if (this.pending === MATCH_IS_OVER) throw new Refusal("MatchOver");
    if (this.verdict || this.ended)
      throw new Refusal("RoundOver", { ended: this.verdict || this.ended });
    throw new Refusal("RulingPending", { pending: this.pending });
  }

  /** Let `seat` hold a tile nobody saw it take, or refuse. */
  #findInHand(seat, tile) {
    const bit = 1 << tile;
    if (this.laid & bit) throw new Refusal("TileAlreadyPlayed", { tile: written(tile) });
    if (this.hidden[seat] && this.loose & bit) {
      this.hidden[seat] -= 1;
      this.loose ^= bit;
      if (!this.blind) {
        this.hands[seat] |= bit;
        this.#settleHidden();
      }
    } else if (!this.blind) {
      throw new Refusal("NotInHand", {
        tile: written(tile),
        seat: LETTERS[seat],
        tiles: named(this.hands[seat]),
      });
    } else {
      this.#takeFromElsewhere(seat, bit);
    }
    this.hands[seat] |= bit;
  }

  /** Where unseen draws leave no doubt any more, say who holds what. */
  #settleHidden() {
    let holders = [0, 1, 2, 3].filter((seat) => this.hidden[seat]);
    if (holders.length === 1 && !this.stock) {
      this.hands[holders[0]] |= this.loose;
      this.hidden[holders[0]] = 0;
      this.loose = 0;
      holders = [];
    }
    if (!holders.length)
      this.held = this.hands[0] | this.hands[1] | this.hands[2] | this.hands[3];
  }

  /** In a blind record a tile that one seat was seen drawing comes from another's hand. */
  #takeFromElsewhere(seat, bit) {
    for (let other = 0; other < 4; other += 1)
      if (this.hands[other] & bit) {
        this.hands[other] ^= bit;
        this.hidden[other] += 1;
      }
    this.loose &= ~bit;
    if (this.hidden[seat]) {
      this.hidden[seat] -= 1;
    } else {
      const drawn = this.hands[seat] & -this.hands[seat];
      this.hands[seat] ^= drawn;
      this.loose |= drawn;
    }
  }

  #mayHold(seat, tile) {
    return !(this.laid & (1 << tile)) && Boolean(this.couldHold(seat) & (1 << tile));
  }

  #requireBound(seat, tile) {
    const required = this.requiredTile(seat);
    if (required >= 0 && tile !== required)
      throw new Refusal("MustPlay", {
        seat: LETTERS[seat],
        expected: written(required),
        tile: written(tile),
      });
  }

  /** A tile was laid: what bound the seat is used up, an exposed tile lies no longer open. */
  #release(seat, tile) {
    this.obliged[seat] = -1;
    const tiles = this.exposed[seat];
    if (tiles.includes(tile)) {
      this.exposed[seat] = tiles.filter((one) => one !== tile);
      this.marks = WITH_EXPOSED;
    } else {
      this.marks = 0;
    }
  }

  #end(ended) {
    this.ended = ended;
    this.halted = true;
  }

  #next(seat) {
    this.turn = this.following[seat];
    this.#skip();
  }

  /** Pass over the seats that have lost this turn. */
  #skip() {
    while (this.turn >= 0 && (this.skips >> this.turn) & 1) {
      this.skips ^= 1 << this.turn;
      this.obliged[this.turn] = -1;
      if (this.left < 0) this.firstTile = FREED;
      this.turn = this.following[this.turn];
    }
  }
}
