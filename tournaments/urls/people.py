"""Addresses of registration, check-in and who plays."""

from __future__ import annotations

from django.urls import path

from tournaments.api import desk_people as api_desk_people
from tournaments.api import registration as api_registration
from tournaments.views import (
    checkin,
    director_attendance,
    director_merging,
    director_registration,
    registration,
)

EVENT = "desk/<slug:slug>/"
ENTRY = EVENT + "entries/<int:number>/"
API = "api/desk/<slug:slug>/"

public_patterns = [
    path("t/<slug:slug>/register/", registration.register, name="register"),
    path("c/<slug:code>/", checkin.code, name="code"),
    path("api/c/<slug:code>/", api_registration.OwnEntry.as_view(), name="api_own_entry"),
    path(
        "api/t/<slug:slug>/registration/", api_registration.HowToEnter.as_view(), name="api_enter"
    ),
]

urlpatterns = [
    path(ENTRY + "admit/", director_registration.admit, name="director_entry_admit"),
    path(ENTRY + "join/<int:stage>/", director_attendance.join, name="director_entry_join"),
    path(ENTRY + "substitutes/", director_attendance.substitutes, name="director_entry_bench"),
    path(
        ENTRY + "substitutes/<int:player>/remove/",
        director_attendance.remove_substitute,
        name="director_entry_bench_remove",
    ),
    path(
        EVENT + "registration/",
        director_registration.registration,
        name="director_registration",
    ),
    path(EVENT + "check-in/", checkin.check_in, name="check_in"),
    path(EVENT + "check-in/<int:number>/", checkin.mark, name="check_in_entry"),
    path(EVENT + "check-in/codes/", checkin.sheet, name="check_in_codes"),
    path(EVENT + "check-in/absent/", checkin.absent, name="check_in_absent"),
    path(EVENT + "fees/", checkin.fees, name="director_fees"),
    path(EVENT + "fees/<int:number>/", checkin.mark_paid, name="director_fee"),
    path(EVENT + "absences/<int:stage>/", director_attendance.absences, name="director_absences"),
    path(
        EVENT + "absences/change/<int:pk>/",
        director_attendance.change_absence,
        name="director_absence",
    ),
    path(EVENT + "byes/change/<int:pk>/", director_attendance.change_bye, name="director_bye"),
    path(EVENT + "duplicates/", director_merging.duplicates, name="director_duplicates"),
    path(
        EVENT + "duplicates/<int:keep>/<int:gone>/", director_merging.merge, name="director_merge"
    ),
    path(API + "registration/", api_desk_people.Registration.as_view(), name="api_registration"),
    path(API + "policies/", api_desk_people.EventPolicies.as_view(), name="api_policies"),
    path(API + "check-in/", api_desk_people.CheckInList.as_view(), name="api_check_in"),
    path(
        API + "entries/<int:number>/check-in/",
        api_desk_people.CheckIn.as_view(),
        name="api_check_in_entry",
    ),
    path(API + "entries/<int:number>/paid/", api_desk_people.Paid.as_view(), name="api_paid"),
    path(API + "entries/<int:number>/admit/", api_desk_people.Admit.as_view(), name="api_admit"),
    path(API + "absent/", api_desk_people.Absent.as_view(), name="api_absent"),
    path(
        API + "stages/<int:stage>/late/",
        api_desk_people.LateEntry.as_view(),
        name="api_late_entry",
    ),
    path(
        API + "stages/<int:stage>/rounds/<int:number>/absences/<int:entry>/",
        api_desk_people.RoundAbsence.as_view(),
        name="api_absence",
    ),
    path(
        API + "stages/<int:stage>/rounds/<int:number>/byes/<int:entry>/",
        api_desk_people.RoundBye.as_view(),
        name="api_bye",
    ),
    path(
        API + "entries/<int:number>/substitutes/",
        api_desk_people.Substitutes.as_view(),
        name="api_substitutes",
    ),
    path(
        API + "entries/<int:number>/substitutes/<int:player>/",
        api_desk_people.Substitute.as_view(),
        name="api_substitute",
    ),
    path(API + "players/merge/", api_desk_people.Merge.as_view(), name="api_merge"),
]
