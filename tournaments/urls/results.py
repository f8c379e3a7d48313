"""Addresses of results: where they are typed and corrected, the clock, the log and the way back."""

from __future__ import annotations

from django.urls import path

from tournaments.api import calls as api_calls
from tournaments.api import hidden as api_hidden
from tournaments.api import meetings as api_meetings
from tournaments.api import results as api_results
from tournaments.views import (
    director_appeals,
    director_calls,
    director_clock,
    director_corrections,
    director_hidden,
    director_log,
    director_meetings,
    director_remake,
    director_result_rules,
    director_results,
)

EVENT = "desk/<slug:slug>/"
RESULTS = EVENT + "results/<int:stage>/<int:number>/"
TABLE = EVENT + "tables/<int:pk>/"
API = "api/desk/<slug:slug>/"
API_TABLE = API + "tables/<int:pk>/"

urlpatterns = [
    path(EVENT + "appeals/", director_appeals.appeals, name="director_appeals"),
    path(EVENT + "log/", director_log.log, name="director_log"),
    path(EVENT + "log/<int:pk>/undo/", director_log.undo, name="director_undo"),
    path(EVENT + "results/", director_results.results, name="director_results"),
    path(
        EVENT + "results/second-check/",
        director_results.second_check,
        name="director_second_check",
    ),
    path(EVENT + "results/hidden/", director_hidden.hidden_results, name="director_hidden"),
    path(EVENT + "results/rules/", director_result_rules.rules, name="director_result_rules"),
    path(
        EVENT + "pairings/<int:stage>/<int:number>/remake/",
        director_remake.remake,
        name="director_remake",
    ),
    path(EVENT + "calls/", director_calls.calls, name="director_calls"),
    path(RESULTS, director_results.results_round, name="director_results_round"),
    path(RESULTS + "clock/", director_clock.round_clock, name="director_clock"),
    path(TABLE + "reopen/", director_corrections.correct, name="director_reopen"),
    path(TABLE + "swap/", director_corrections.swap, name="director_swap"),
    path(TABLE + "meeting/", director_meetings.decide, name="director_meeting"),
    path(TABLE + "left/", director_corrections.left, name="director_left"),
    path(TABLE + "replay/", director_corrections.replay, name="director_replay"),
    path(
        EVENT + "entries/<int:number>/disqualify/",
        director_corrections.disqualify,
        name="director_disqualify",
    ),
    path(
        "api/t/<slug:slug>/rounds/<int:stage>/<int:number>/clock/",
        api_results.RoundClock.as_view(),
        name="api_clock",
    ),
    path(
        API + "stages/<int:stage>/rounds/<int:number>/clock/",
        api_results.DeskClock.as_view(),
        name="api_desk_clock",
    ),
    path(
        API + "stages/<int:stage>/rounds/<int:number>/remake/",
        api_meetings.Remake.as_view(),
        name="api_desk_remake",
    ),
    path(
        API + "result-rules/",
        api_meetings.ResultRulesView.as_view(),
        name="api_desk_result_rules",
    ),
    path(
        API + "hidden-results/",
        api_hidden.HiddenResults.as_view(),
        name="api_desk_hidden_results",
    ),
    path(API + "second-check/", api_results.SecondCheck.as_view(), name="api_desk_second_check"),
    path(API_TABLE + "score/", api_results.Score.as_view(), name="api_desk_score"),
    path(API_TABLE + "report/", api_results.Report.as_view(), name="api_desk_report"),
    path(API_TABLE + "correct/", api_results.Correct.as_view(), name="api_desk_correct"),
    path(API_TABLE + "swap/", api_results.Swap.as_view(), name="api_desk_swap"),
    path(API_TABLE + "meeting/", api_meetings.Meeting.as_view(), name="api_desk_meeting"),
    path(API_TABLE + "left/", api_results.Left.as_view(), name="api_desk_left"),
    path(API_TABLE + "calls/", api_calls.PlayersCalled.as_view(), name="api_desk_player_calls"),
    path(API_TABLE + "time/", api_results.ExtraTime.as_view(), name="api_desk_extra_time"),
    path(
        API + "entries/<int:number>/disqualify/",
        api_results.Disqualify.as_view(),
        name="api_desk_disqualify",
    ),
    path(API + "log/<int:pk>/undo/", api_results.UndoLine.as_view(), name="api_desk_undo"),
]
