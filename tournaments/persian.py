"""The Persian calendar, by which half of the readers of Persian pages count their days."""

from __future__ import annotations

import datetime

from persiantools.jdatetime import JalaliDate

from tournaments.digits import local_digits

MONTHS = (
    "فروردین",
    "اردیبهشت",
    "خرداد",
    "تیر",
    "مرداد",
    "شهریور",
    "مهر",
    "آبان",
    "آذر",
    "دی",
    "بهمن",
    "اسفند",
)


def persian_date(day: datetime.date) -> str:
    """Return a day by the Persian calendar, as it is written in Persian."""
    same = JalaliDate(day)
    return local_digits(f"{same.day} {MONTHS[same.month - 1]} {same.year}", "fa")
