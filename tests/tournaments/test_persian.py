"""Days by the Persian calendar, checked by days everybody knows."""

from __future__ import annotations

import datetime

import pytest
from django.utils import translation

from tournaments.persian import persian_date
from tournaments.templatetags.public import local_date


@pytest.mark.parametrize(
    ("day", "written"),
    [
        # New year's days, of a common and after a leap year; the last day of a leap year.
        (datetime.date(2024, 3, 20), "۱ فروردین ۱۴۰۳"),
        (datetime.date(2025, 3, 20), "۳۰ اسفند ۱۴۰۳"),
        (datetime.date(2025, 3, 21), "۱ فروردین ۱۴۰۴"),
        # Yalda night is the last of autumn.
        (datetime.date(2026, 12, 21), "۳۰ آذر ۱۴۰۵"),
    ],
)
def test_a_day_by_the_persian_calendar(day, written):
    assert persian_date(day) == written


def test_persian_pages_show_both_calendars_others_one():
    day = datetime.date(2026, 11, 30)
    with translation.override("fa"):
        assert "۹ آذر ۱۴۰۵" in local_date(day)
        assert "۲۰۲۶" in local_date(day)
    with translation.override("ar"):
        assert "آذر" not in local_date(day)
