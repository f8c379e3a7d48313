"""Refusals of registration, check-in, absences and of making one person of two spellings."""

from __future__ import annotations

from django.utils.translation import gettext_noop

from engine.errors import DominoError, counted

# --- registration ---------------------------------------------------------------------------


class RegistrationNotOpenYet(DominoError):
    code = "registration_not_open_yet"
    text = gettext_noop(
        "Registration for %(tournament)s is not open yet. It opens on %(opens)s; come back then."
    )


class RegistrationNotAnnounced(DominoError):
    code = "registration_not_announced"
    text = gettext_noop(
        "Registration for %(tournament)s is not open yet. The director opens it when the event "
        "is ready; look again later."
    )


class RegistrationIsOver(DominoError):
    code = "registration_is_over"
    text = gettext_noop(
        "Registration for %(tournament)s closed on %(closes)s. Ask the desk whether there is "
        "still a place."
    )


class TooManyTries(DominoError):
    code = "too_many_tries"
    text = gettext_noop(
        "Too many entries came from this connection (%(found)s within an hour). Wait a while, or "
        "let the desk enter you."
    )


class PointsCountAlready(DominoError):
    code = "points_count_already"
    text = gettext_noop(
        "Round %(round)s of %(stage)s is published and counts byes or absences by the points of "
        "now, so other points move places everybody has seen. Give the reason, which is logged, or "
        "leave the points as they are."
    )


class EntriesAreClosed(DominoError):
    code = "entries_are_closed"
    text = gettext_noop(
        "Registration for %(tournament)s is closed, because play has started. Enter it late "
        "instead, into a stage that still takes late entries."
    )


class EntriesStay(DominoError):
    code = "entries_stay"
    text = gettext_noop(
        "Entry %(number)s, “%(entry)s”, cannot be removed, because %(tournament)s has started. "
        "Withdraw it instead: its results stay."
    )


class AskTheDesk(DominoError):
    code = "ask_the_desk"
    text = gettext_noop(
        "%(player)s cannot be entered here: several players have this name, or the entry had "
        "withdrawn before. The desk can tell who is meant; ask there."
    )


class TellTheDesk(DominoError):
    code = "tell_the_desk"
    text = gettext_noop(
        "%(tournament)s has started, so “%(entry)s” cannot be withdrawn here any more: somebody"
        " may "
        "be waiting at a table. Tell the desk."
    )


class WindowReversed(DominoError):
    code = "window_reversed"
    text = gettext_noop(
        "Registration would close on %(closes)s, before it opens on %(opens)s. Put the two times "
        "in order."
    )


class TooFewPlaces(DominoError):
    code = "too_few_places"
    text = gettext_noop(
        "An event needs room for at least 2 entries; found: %(found)s. Allow more, or leave it "
        "empty."
    )


class UnknownCategory(DominoError):
    code = "unknown_category"
    text = gettext_noop("“%(given)s” is no category of this event. Choose one of these: %(known)s.")


class TooManyCategories(DominoError):
    code = "too_many_categories"
    text = gettext_noop(
        "An event has %(most)s categories at most; %(found)s were given. Join some of them."
    )


class NotOnWaitingList(DominoError):
    code = "not_on_waiting_list"
    text = gettext_noop(
        "“%(entry)s” is not on the waiting list: %(state)s. Only who waits can be moved up."
    )


# --- check-in -------------------------------------------------------------------------------


class NotRegisteredNow(DominoError):
    code = "not_registered_now"
    text = gettext_noop(
        "“%(entry)s” cannot be checked in, because it does not play: %(state)s. Let it return or "
        "move it up first."
    )


class CountDiffers(DominoError):
    code = "count_differs"
    text, plural = counted(
        "%(typed)s was typed, but %(found)s entry would be withdrawn now. Read the list again "
        "and type %(found)s.",
        "%(typed)s was typed, but %(found)s entries would be withdrawn now. Read the list again"
        " and type %(found)s.",
    )
    counts = "found"


class NobodyIsMissing(DominoError):
    code = "nobody_is_missing"
    text = gettext_noop(
        "Nobody is missing: everybody is checked in or has played already. There is nobody to "
        "withdraw."
    )


# --- who plays ------------------------------------------------------------------------------


class NotInStage(DominoError):
    code = "not_in_stage"
    text = gettext_noop("“%(entry)s” does not play in %(stage)s. Choose an entry of this stage.")


class SitsInRound(DominoError):
    code = "sits_in_round"
    text = gettext_noop(
        "“%(entry)s” has table %(table)s in pairing round %(round)s of %(stage)s. Discard the "
        "draft first, or close that table because somebody is absent."
    )


class RestsInRound(DominoError):
    code = "rests_in_round"
    text = gettext_noop(
        "“%(entry)s” has a bye in pairing round %(round)s of %(stage)s, so it misses nothing "
        "there. Discard the draft first if that is wrong."
    )


class AbsenceStays(DominoError):
    code = "absence_stays"
    text = gettext_noop(
        "Pairing round %(round)s of %(stage)s is drawn without “%(entry)s”. The kind of the "
        "absence can change, but it cannot be taken away; discard the draft first."
    )


class NoSuchRound(DominoError):
    code = "no_such_round"
    text = gettext_noop(
        "%(stage)s has no pairing round %(round)s to be absent from. Choose one from "
        "%(first)s to %(last)s."
    )


class TooManyExcused(DominoError):
    code = "too_many_excused"
    text, plural = counted(
        "“%(entry)s” has been excused %(found)s time in %(stage)s, and this event allows "
        "%(most)s. Mark it as absent, or change what the event allows.",
        "“%(entry)s” has been excused %(found)s times in %(stage)s, and this event allows "
        "%(most)s. Mark it as absent, or change what the event allows.",
    )
    counts = "found"


class LateEntryIsOver(DominoError):
    code = "late_entry_is_over"
    text = gettext_noop(
        "Nobody can enter %(stage)s any more: late entries were taken until round %(last)s was "
        "drawn, and the next one is round %(next)s. The director can change this for the event."
    )


class LateEntryImpossible(DominoError):
    code = "late_entry_impossible"
    text = gettext_noop(
        "Nobody can enter %(stage)s any more: who meets whom is drawn (%(system)s). Discard the "
        "stage as long as nothing of it is published, or enter them in another stage."
    )


class NoRoundLeft(DominoError):
    code = "no_round_left"
    text = gettext_noop(
        "Nobody can enter %(stage)s any more: its last round is published. Enter them in the "
        "next stage."
    )


class NobodyRests(DominoError):
    code = "nobody_rests"
    text = gettext_noop(
        "Nobody can enter %(stage)s now: from round %(round)s on everybody has somebody to meet, "
        "so a newcomer would meet nobody. When an entry withdraws, a newcomer can take its place."
    )


class TooFewRest(DominoError):
    code = "too_few_rest"
    text = gettext_noop(
        "Nobody can enter %(stage)s now: a table of four needs 3 who rest together with the "
        "newcomer in each round from round %(round)s on, and in one of them %(found)s rest. When a "
        "player withdraws, a newcomer can take the place."
    )


class TeamIsFull(DominoError):
    code = "team_is_full"
    text = gettext_noop(
        "“%(entry)s” cannot play for %(team)s in %(stage)s: it has %(found)s members there and "
        "%(most)s are the most: %(names)s. Withdraw one of them first; then “%(entry)s” plays from "
        "the next round on."
    )


class TeamTooLargeHere(DominoError):
    code = "team_too_large_here"
    text = gettext_noop(
        "%(team)s has %(found)s members and a team of four plays with %(most)s: %(names)s. "
        "Withdraw those who are substitutes first; one of them can enter late when another leaves."
    )


class ByeStays(DominoError):
    code = "bye_stays"
    text = gettext_noop(
        "“%(entry)s” rests in round %(round)s of %(stage)s, and that round is drawn. Discard the "
        "draft first, or seat “%(entry)s” there by hand."
    )


class ByesAreDrawn(DominoError):
    code = "byes_are_drawn"
    text = gettext_noop(
        "In %(stage)s nobody can be given a bye: who rests when follows from the system "
        "(%(system)s). Note the entry as absent instead."
    )


class RoundWithoutEntry(DominoError):
    code = "round_without_entry"
    text = gettext_noop(
        "Round %(round)s of %(stage)s was published without “%(entry)s”, which cannot be given a "
        "bye there afterwards. Note an excused absence instead."
    )


class UnknownByeWorth(DominoError):
    code = "unknown_bye_worth"
    text = gettext_noop("A bye cannot be worth “%(given)s”. Choose one of these: %(known)s.")


class ByeWithoutPoints(DominoError):
    code = "bye_without_points"
    text = gettext_noop(
        "In %(stage)s points are bad, so a bye of fewer points would be the better one. Give the "
        "usual bye."
    )


class NoBenchForSingles(DominoError):
    code = "no_bench_for_singles"
    text = gettext_noop(
        "“%(entry)s” is a single player and has no substitutes. Withdraw it and enter the other "
        "player instead."
    )


class NotOnBench(DominoError):
    code = "not_on_bench"
    text = gettext_noop(
        "%(player)s is no substitute of “%(entry)s” who waits on the bench. Choose one from there."
    )


class NotInLineUp(DominoError):
    code = "not_in_line_up"
    text = gettext_noop(
        "%(player)s does not play for “%(entry)s” now. Choose one of its players to come out."
    )


class BenchIsFull(DominoError):
    code = "bench_is_full"
    text, plural = counted(
        "“%(entry)s” has %(found)s substitute, and no more than %(most)s may be named. Name "
        "nobody else, or allow more substitutes for the event.",
        "“%(entry)s” has %(found)s substitutes, and no more than %(most)s may be named. Name "
        "nobody else, or allow more substitutes for the event.",
    )
    counts = "found"


class TooManyForTeam(DominoError):
    code = "too_many_for_team"
    text = gettext_noop(
        "A team of this event has %(playing)s players and at most so many substitutes: %(most)s. "
        "%(found)s names were given: %(names)s. Leave some of them out, or allow more "
        "substitutes for the "
        "event."
    )


class SubstituteHasPlayed(DominoError):
    code = "substitute_has_played"
    text = gettext_noop(
        "%(player)s cannot be taken off the bench of “%(entry)s”: there is a seat for %(player)s "
        "in round %(round)s of %(stage)s, table %(table)s, and what was played stays. Leave "
        "%(player)s on the bench."
    )


class SubstitutionTooFarAhead(DominoError):
    code = "substitution_too_far_ahead"
    text = gettext_noop(
        "A change of players cannot wait until round %(round)s: the next draw, of round %(next)s, "
        "seats whoever is in the line-up. Make the change from round %(next)s on, or make it once "
        "the rounds before are drawn."
    )


# --- what is missed scores ------------------------------------------------------------------


class BadMissedPoints(DominoError):
    code = "bad_missed_points"
    text = gettext_noop(
        "Nobody gets more points than are counted against him for a round that was missed; "
        "%(for_)s to %(against)s was given. Use 0 to %(target)s, the first no higher than the "
        "second."
    )


class BadByePoints(DominoError):
    code = "bad_bye_points"
    text = gettext_noop(
        "For and against, a bye cannot be worth %(found)s. Use points from 0 to %(target)s for "
        "each."
    )


class BadExcuseLimit(DominoError):
    code = "bad_excuse_limit"
    text = gettext_noop(
        "How often somebody can be excused cannot be %(found)s. Give a number from 0 to %(most)s, "
        "or leave it empty for as often as somebody asks."
    )


class BadBenchLimit(DominoError):
    code = "bad_bench_limit"
    text = gettext_noop(
        "The number of substitutes cannot be %(found)s. Give a number from 0 to %(most)s, or leave "
        "it empty for %(most)s."
    )


class BadLateLimit(DominoError):
    code = "bad_late_limit"
    text = gettext_noop(
        "Late entries cannot end with round %(found)s. Give a round from 0 (never) to %(most)s."
    )


# --- one person, two spellings --------------------------------------------------------------


class TooManySpellings(DominoError):
    code = "too_many_spellings"
    text = gettext_noop(
        "%(found)s other spellings were given, and %(most)s are the most. Leave some out."
    )


class MergedWithItself(DominoError):
    code = "merged_with_itself"
    text = gettext_noop("This is one and the same player, %(player)s. Choose two.")


class BothEntered(DominoError):
    code = "both_entered"
    text = gettext_noop(
        "%(keep)s and %(gone)s are both entered in %(tournament)s, so they cannot be one person. "
        "Remove the entry that is wrong first."
    )


class TwoNumbers(DominoError):
    code = "two_numbers"
    text = gettext_noop(
        "%(keep)s has federation number %(number)s and %(gone)s has %(other)s. Correct the wrong "
        "number first; two right numbers are two people."
    )


class TwoAccounts(DominoError):
    code = "two_accounts"
    text = gettext_noop(
        "%(keep)s and %(gone)s sign in with two accounts. Ask the administrator to close one."
    )
