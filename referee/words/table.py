"""Sentences of the recording page about going back, the clock, and who sits in for a player."""

from __future__ import annotations

from django.utils.translation import gettext_noop as marked

TABLE_WORDS = {
    # Whose order it is
    "opened_round": marked("opened this round"),
    "shuffles": marked("%(name)s, to the left of the opener, shuffles and draws last."),
    # Going back
    "undone_many": marked("Entries taken back: %(count)s."),
    "another_tile": marked("Another tile"),
    "which_instead": marked("Instead of %(tile)s: which tile?"),
    "go_back": marked("Go back"),
    "back_to_what": marked("Back to just before: %(sentence)s"),
    "why_back": marked("Why go back?"),
    "back_slip": marked("A slip of the pen: it never happened at the table"),
    "back_table": marked("It happened at the table: a ruling takes play back"),
    "back_table_help": marked("Infractions and rulings from there on still count."),
    "back_unknown": marked("An entry is still on its way. Try again when it has arrived."),
    "lose_effect": marked("These lose their effect: %(count)s"),
    "count_again": marked("These count again: %(count)s"),
    "nothing_erased": marked("Nothing is erased: all entries stay in the list."),
    "go_to_ruling": marked("Go on to the ruling"),
    "earlier_rounds": marked("Go back to an earlier round"),
    "earlier_help": marked(
        "Choose the entry to go back to. You see what would be lost before anything happens."
    ),
    "start_anew": marked("Start round %(number)s anew"),
    "round_anew": marked("Round %(number)s is started anew."),
    "round_back_to": marked("Round %(number)s, back to just before: %(sentence)s"),
    "rounds_fall_away": marked("These rounds fall away: %(count)s"),
    "rulings_fall_away": marked("These rulings no longer stand: %(count)s"),
    "choose_again": marked("Choose again"),
    "loading": marked("Asking the server…"),
    # The clock of the match
    "time_begins": marked("Begins in"),
    "time_left": marked("Time left"),
    "time_soon": marked("Five minutes are left."),
    "time_is_over": marked("Time is over"),
    "time_recorded": marked("Time is over and recorded."),
    "bell_higher": marked(
        "The round in play is finished; then the higher score wins. If the scores are level, "
        "one more round is played."
    ),
    "bell_lowest": marked(
        "The round in play is finished; then the lowest total wins. If the lowest are level, "
        "one more round is played."
    ),
    "bell_between": marked(
        "No round is in play. Recorded now, the match ends as it stands, unless it is level. "
        "Where your rules ask for one more round, start it first."
    ),
    "give_time": marked("Give time back"),
    "time_given": marked("Minutes given to this table so far: %(minutes)s"),
    "how_many_minutes": marked("How many minutes?"),
    # Hands that do not add up
    "still_to_place": marked("Tiles not shown yet: %(count)s, pips: %(pips)s"),
    "count_outside": marked(
        "%(pips)s cannot be: the tiles left make %(least)s to %(most)s in this hand. Count again."
    ),
    "count_must_be": marked(
        "%(pips)s cannot be: all tiles make 168, so this hand makes %(most)s. Count again."
    ),
    "counts_do_not_add_up": marked(
        "%(pips)s cannot be, nor anything else: the hands counted before do not add up with the "
        "tiles left. Undo one of them and count again."
    ),
    "hands_do_not_add_up": marked(
        "The tiles that remain make %(rest)s, but the hands counted make %(counted)s. One of them "
        "is wrong: look again."
    ),
    # The time of one move
    "move_timer": marked("Move timer"),
    "timer_help": marked(
        "Tap the player on turn to start or stop it. At its end a ruling is proposed, never made."
    ),
    "timer_by_choices": marked("%(single)s, %(several)s or %(blocking)s seconds, by the choices"),
    "timer_seconds": marked("%(seconds)s seconds"),
    "timer_sound": marked("A sound at the end"),
    "start_timer": marked("Start the move timer"),
    "stop_timer": marked("Stop the move timer"),
    "move_may_block": marked("It may block: %(seconds)s seconds"),
    "move_too_long": marked("%(name)s has taken more than %(seconds)s seconds."),
    "no_ruling": marked("No ruling"),
    # Who sits in for a player
    "player_leaves_help": marked(
        "From here on the seat is marked. The robot proposes moves where its hand is known."
    ),
    "robot_takes_seat": marked("%(name)s leaves; the robot takes the seat."),
    "substitute_takes_seat": marked("%(name)s leaves; %(substitute)s takes the seat."),
    "substitute_name": marked("Name of the substitute; empty for the robot"),
    "record_substitute": marked("Record the change"),
    "robot_proposes": marked("The robot proposes: %(sentence)s"),
    "tap_to_record": marked("Tap to record it"),
    "robot_cannot_know": marked(
        "The robot cannot know this hand. Turn its tiles up and tap them, or lay one that fits."
    ),
    "robot_tiles": marked("Tap the tiles of the robot"),
    "robot_propose": marked("Let the robot propose"),
}
