"""The sentences of the recording page, for its script: whole, translated, with placeholders."""

from __future__ import annotations

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as marked

from engine.findings import PROOFS
from engine.match import OPENING_RULES
from referee.page_rules import refusal_texts
from referee.states import ENDED
from referee.words.links import LINK_WORDS
from referee.words.table import TABLE_WORDS

_WORDS = {
    # What happens at the table, said aloud and listed
    "opens": marked("%(name)s opens with %(tile)s."),
    "plays": marked("%(name)s plays %(tile)s."),
    "plays_left": marked("%(name)s plays %(tile)s on the left."),
    "plays_right": marked("%(name)s plays %(tile)s on the right."),
    "passes": marked("%(name)s passes."),
    "draws": marked("%(name)s draws a tile."),
    "draws_tile": marked("%(name)s draws %(tile)s."),
    "shows": marked("%(name)s still holds %(tiles)s."),
    "counts": marked("%(name)s still holds tiles worth: %(pips)s."),
    "undone": marked("The last entry is taken back."),
    "infraction_noted": marked("An infraction by %(name)s is recorded."),
    "ruling_noted": marked("The ruling is recorded."),
    "noted": marked("It is recorded."),
    "typed_line": marked("Typed: %(line)s"),
    "somebody_recorded": marked("Somebody else went on recording."),
    "ends": marked("Open ends: left %(left)s, right %(right)s."),
    "no_tile_yet": marked("No tile has been played yet."),
    "to_play": marked("%(name)s, seat %(seat)s, is to play."),
    "to_open": marked("%(name)s, seat %(seat)s, opens."),
    "round_over": marked("The round is over."),
    "no_round": marked("No round is being played."),
    "no_draw": marked("There is nothing to draw from now."),
    "robot_for": marked("%(name)s (robot)"),
    "substitute_for": marked("%(substitute)s for %(name)s"),
    # The score and the table
    "points_of": marked("Points:"),
    "deducted": marked("deducted: %(points)s"),
    "round_number": marked("Round %(number)s"),
    "to_target": marked("to %(target)s"),
    "table_label": marked("The table"),
    "accuse": marked("Infraction by"),
    "tiles_left": marked("Tiles in hand: %(count)s"),
    "eliminated": marked("out of the match"),
    "loses_turn": marked("loses the next turn"),
    "obliged": marked("Must play when it fits: %(tiles)s"),
    "stock_left": marked("Stock: %(count)s"),
    # Cards of the whole event
    "cards_so_far": marked("So far in this event: %(list)s."),
    "cards_so_far_play": marked("So far in this event, for play: %(list)s."),
    "cards_so_far_discipline": marked("So far in this event, for conduct: %(list)s."),
    "no_cards_so_far": marked("No warning and no card so far in this event."),
    "warnings_so_far": marked("warnings: %(count)s"),
    "yellow_so_far": marked("yellow cards: %(count)s"),
    "red_so_far": marked("red cards: %(count)s"),
    "black_so_far": marked("black cards: %(count)s"),
    "and_then": marked("%(first)s, %(second)s"),
    # Whose turn, the ends, the tiles
    "to_play_short": marked("%(name)s to play"),
    "to_open_short": marked("%(name)s opens with any tile"),
    "to_open_with": marked("%(name)s opens with %(tile)s"),
    "must_now": marked("%(name)s must play %(tile)s"),
    "which_end": marked("%(tile)s: left or right?"),
    "left": marked("left"),
    "right": marked("right"),
    "end_left": marked("Left end: %(number)s"),
    "end_right": marked("Right end: %(number)s"),
    "end_needed": marked("The tile fits both ends. Left is %(left)s, right is %(right)s."),
    "tiles_label": marked("Tiles not played yet"),
    "fitting_label": marked("Tiles that can be played"),
    "others_label": marked("Tiles that do not fit"),
    "fits_both": marked("%(tile)s, fits both ends"),
    "fits_left": marked("%(tile)s, fits on the left"),
    "fits_right": marked("%(tile)s, fits on the right"),
    "nothing_fits": marked("No tile that is left fits: only a pass is possible."),
    "which_drawn": marked("Which tile was drawn?"),
    "pass": marked("Pass"),
    "draw": marked("Draw"),
    "cancel": marked("Cancel"),
    "draw_unseen": marked("Nobody saw it"),
    "undo": marked("Undo"),
    "hand": marked("Hand"),
    "undo_what": marked("Undo: %(sentence)s"),
    "infraction": marked("Infraction"),
    "typed_unknown": marked(
        "This cannot be read. Type a tile such as 63, with r or l for the end, p for a pass, "
        "d31 for a drawn tile, u to undo."
    ),
    # Before the first round
    "who_sits_where": marked("Who sits where?"),
    "swap_help": marked("Compare with the table. To change places, tap two seats."),
    "seat_of": marked("Seat %(seat)s: %(name)s"),
    "swapped": marked("%(one)s and %(other)s have changed places."),
    "clockwise": marked("Play goes clockwise"),
    "counter_clockwise": marked("Play goes counter-clockwise"),
    "open_table": marked("They sit like this: open the table"),
    # Between rounds
    "another_opener": marked("Somebody else opens"),
    "another_opener_help": marked("Nothing has been recorded in this round yet: say who opens."),
    "open_round": marked("Round %(number)s"),
    "who_opens": marked("Who opens?"),
    "choose_opener": marked("Choose who opens"),
    "start_match": marked("Start: %(name)s opens"),
    "start_round": marked("Next round: %(name)s opens"),
    "opening_tile": marked("The opening tile is %(tile)s."),
    "result_of": marked("Round %(number)s is over"),
    "score_sheet": marked("Score sheet"),
    "round": marked("Round"),
    "how": marked("How it ended"),
    "total": marked("Total"),
    "from_score_sheet": marked("Enter only the round's result"),
    "who_won": marked("Who won the round?"),
    "nobody": marked("Nobody"),
    "points": marked("Points"),
    "points_for": marked("Points of %(name)s"),
    "how_ended": marked("How did it end?"),
    "ended_out": marked("A player went out"),
    "ended_blocked": marked("Blocked"),
    "record_sheet_round": marked("Record the result"),
    "round_ended": marked("Round %(round)s: %(ended)s."),
    "round_won": marked("Round %(round)s: %(ended)s, %(winner)s, %(points)s points."),
    # Hands shown
    "show_hands": marked("Which tiles are left?"),
    "hands_after_out": marked("The round is over. Tap the tiles each player still holds."),
    "hands_after_block": marked("The line is blocked. Tap the tiles each player still holds."),
    "whose_hand": marked("Whose hand?"),
    "tiles_left_over": marked("Tiles not played"),
    "chosen_of": marked("Tiles: %(count)s of %(expected)s"),
    "pips_sum": marked("Pips: %(pips)s"),
    "hand_so_far": marked("Tiles: %(count)s of %(expected)s, pips: %(pips)s."),
    "all_left": marked("These are all the tiles that remain."),
    "record_hand": marked("Record the hand of %(name)s"),
    "hand_mismatch": marked(
        "Tiles chosen: %(count)s. By the record this hand has %(expected)s. Look again, or record "
        "what lies on the table; the difference will be shown."
    ),
    "hand_all_the_same": marked("Tiles: %(count)s of %(expected)s. Record the hand all the same?"),
    "send_all_the_same": marked("Record it all the same"),
    "look_again": marked("Look again"),
    "count_instead": marked("Only the pips are known"),
    "pips_of": marked("Pips left with %(name)s"),
    "record_count": marked("Record the pips"),
    # The end of the match
    "match_won": marked("%(name)s won the match."),
    "match_over": marked("The match is over."),
    "close_help": marked("Closing the match writes its result. Show both sides the score first."),
    "close_match": marked("Close the match"),
    "unruled": marked("Findings nobody has ruled on: %(count)s"),
    "close_confirm": marked("After this only a director can open the record again."),
    "points_total": marked("%(points)s points"),
    "write_result": marked("Write the result"),
    "not_yet": marked("Not yet"),
    "close_early": marked("Close the match early"),
    "close_early_help": marked(
        "No side has reached the target. The result is written as the score stands now; say why."
    ),
    "reopen_match": marked("Open the record again"),
    "reopen_help": marked("For a correction. The reason is kept with the match."),
    "reason": marked("Reason"),
    "match_closed": marked("The result is written"),
    "signatures": marked("Signatures"),
    "signatures_help": marked(
        "Both sides accept the sheet here. Without them the match can be closed, too."
    ),
    "side_signed": marked("%(name)s: %(how)s"),
    "side_unsigned": marked("%(name)s has not signed"),
    "control_code": marked("Control code: %(code)s"),
    "side_signed_unsent": marked("%(name)s: %(how)s, not sent"),
    "side_signs_again": marked(
        "%(name)s signed before the record changed. Show the sheet and let the side sign again."
    ),
    "drawn_here": marked("Name drawn"),
    "refused_here": marked("Refuses to sign"),
    "draw_more": marked("Draw the whole name: a dot is no signature."),
    "sign_offline": marked(
        "Without a network a drawn name is kept on this device and sent after the events. A PIN "
        "needs the network."
    ),
    "sign": marked("Sign"),
    "sign_again": marked("Sign once more"),
    "sign_for": marked("%(name)s signs"),
    "sign_help": marked("With this the side accepts the result and the record as they stand now."),
    "draw_name": marked("Draw the name in the box"),
    "draw_name_label": marked("Box for the drawn name; by keyboard, sign by PIN"),
    "draw_again": marked("Clear the box"),
    "accept_drawn": marked("Accept with the drawn name"),
    "pin_of_side": marked("PIN of the side"),
    "accept_pin": marked("Accept by PIN"),
    "refuses": marked("The side refuses to sign"),
    "why_refuses": marked("Why, in a few words"),
    "note_refusal": marked("Note that it refuses"),
    "match_sheet": marked("Match sheet"),
    "all_tables": marked("All my tables"),
    # Refused
    "not_recorded": marked("Not recorded"),
    "slip_or_infraction": marked("A slip of the pen, or did it happen at the table?"),
    "slip": marked("Slip of the pen"),
    "happened": marked("It happened at the table"),
    "understood": marked("Understood"),
    "moved_on": marked("Somebody recorded before you"),
    "your_entry": marked("Your own entry, not recorded:"),
    "already_there": marked("It is there already: drop mine"),
    "keep_theirs": marked("Keep theirs, drop mine"),
    "kept_late": marked("%(name)s is not on turn now: it cannot be recorded as it stands."),
    "record_kept": marked("Record it now"),
    "drop_kept": marked("Drop it"),
    "kept": marked("Kept, not recorded: %(count)s"),
    "not_sent": marked("Not sent: %(count)s"),
    "not_sent_help": marked("Go on recording; it is sent as soon as the network is back."),
    "not_sent_yet": marked("on its way"),
    "send_now": marked("Try now"),
    "unreachable": marked("The server cannot be reached. Try again in a moment."),
    "not_allowed": marked("You are not signed in here any more. Sign in again and repeat it."),
    "not_understood": marked("The server did not understand this. Reload the page."),
    # Infractions and rulings
    "who_was_it": marked("Who was it?"),
    "what_happened": marked("What happened?"),
    "other_kinds": marked("Other infractions"),
    "which_tile": marked("Which tile?"),
    "which_tile_maybe": marked("Name the tile, if one was involved"),
    "choose_tile": marked("Choose the tile: a measure needs it"),
    "where_it_stands": marked("Where does the tile stand, and which half is open now?"),
    "open_half": marked("Open: %(number)s"),
    "measures": marked("Measures"),
    "which_case": marked("Which of these was it?"),
    "why_other": marked("Why not what the schedule gives?"),
    "why_other_missing": marked("Write in a few words why, then record it."),
    "offence_number": marked("by the schedule, offence number %(number)s"),
    "no_measure": marked("No measure"),
    "other_measures": marked("Other measures"),
    "add_measure": marked("Add a measure…"),
    "how_many": marked("How many"),
    "back_to": marked("Back to just before"),
    "on_purpose": marked("On purpose"),
    "note": marked("Note"),
    "change": marked("Change"),
    "add": marked("Add"),
    "record_infraction": marked("Record the infraction"),
    "rule_later": marked("Stop the table and rule later"),
    "ruling": marked("Ruling"),
    "record_ruling": marked("Record the ruling"),
    "table_stopped": marked("The table is stopped until the ruling."),
    "rule_now": marked("Rule now"),
    "rule_on_it": marked("Rule on it"),
    # The rest
    "close": marked("Close"),
    "all_events": marked("Events recorded: %(count)s"),
    "without_effect": marked("without effect"),
    "turn_table": marked("Turn the table"),
    "time_over": marked("Time is over"),
    "record_time_over": marked("Record that time is over"),
    "player_leaves": marked("A player leaves"),
}


def page_words() -> dict[str, str]:
    """Return every sentence of the page in the reader's language.

    Those of the engine go by the engine's names: `refusal_Misplay`, `proof_played`.
    """
    words = {name: gettext(text) for name, text in (_WORDS | TABLE_WORDS | LINK_WORDS).items()}
    words |= {f"refusal_{name}": text for name, text in refusal_texts().items()}
    words |= {f"proof_{name}": gettext(text) for name, text in PROOFS.items()}
    words |= {f"opens_by_{rule}": gettext(text) for rule, text in OPENING_RULES.items()}
    return words | {f"ended_label_{name}": gettext(text) for name, text in ENDED.items()}
