"""What is wrong with one field that was sent, by a form or through the API.

A sentence says what was found, what belongs there, and what to do; where it stands says which
field it is about.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext_noop

from engine.errors import DominoError, Phrase, counted, shown

# More than these are not read by anybody; a list to choose from has them all.
MOST_CHOICES = 24


class FieldMissing(DominoError):
    code = "field_missing"
    text = gettext_noop("Nothing was given here, but %(expected)s is expected. Fill it in.")


class WrongValue(DominoError):
    """`found` may be any value; it is shown cut and safe to print."""

    code = "wrong_value"
    text = gettext_noop("%(found)s was given here, but %(expected)s is expected. Correct it.")

    def __init__(self, *, found: object, expected: Phrase) -> None:
        super().__init__(found=shown(found), expected=expected)


class ClocksChange(DominoError):
    """Of a time that comes twice when summer ends, and of one that is left out when it begins."""

    code = "clocks_change"
    text = gettext_noop(
        "%(found)s is no single moment: the clocks are changed there, and that time comes twice or "
        "not at all. Choose another."
    )

    def __init__(self, *, found: object) -> None:
        super().__init__(found=shown(found))


class NumberOutOfRange(WrongValue):
    code = "number_out_of_range"


class NotAChoice(DominoError):
    code = "not_a_choice"
    text = gettext_noop("%(found)s cannot be chosen here. Choose one of these: %(choices)s.")

    def __init__(self, *, found: object, choices: Sequence[object]) -> None:
        super().__init__(found=shown(found), choices=list(choices))


class NotOnTheList(DominoError):
    code = "not_on_the_list"
    text = gettext_noop("%(found)s cannot be chosen here. Choose something from the list.")

    def __init__(self, *, found: object) -> None:
        super().__init__(found=shown(found))


class NothingChosen(DominoError):
    code = "nothing_chosen"
    text = gettext_noop("Nothing is chosen here. Choose something from the list.")


class NotTicked(DominoError):
    code = "not_ticked"
    text = gettext_noop("This is not ticked, but it has to be. Tick it to go on.")


class TextTooShort(DominoError):
    code = "text_too_short"
    text = gettext_noop("“%(given)s” is too short. Write at least %(limit)s characters.")


class TooManyGiven(DominoError):
    code = "too_many_given"
    text, plural = counted(
        "%(found)s was given here, but %(limit)s is the most. Leave out the rest.",
        "%(found)s were given here, but %(limit)s is the most. Leave out the rest.",
    )
    counts = "found"


class TooFewGiven(DominoError):
    code = "too_few_given"
    text, plural = counted(
        "%(found)s was given here, but at least %(limit)s is needed. Add what is missing.",
        "%(found)s were given here, but at least %(limit)s is needed. Add what is missing.",
    )
    counts = "found"


class UnstorableText(DominoError):
    code = "unstorable_text"
    text = gettext_noop(
        "The text holds a character that cannot be stored: half a character or a zero character. "
        "Leave it out."
    )


class FileIsEmpty(DominoError):
    code = "file_is_empty"
    text = gettext_noop("“%(name)s” is empty. Choose another file.")


class FieldsAreWrong(DominoError):
    """What was sent has fields that cannot be read; `reason` is the sentence about the first."""

    code = "fields_are_wrong"
    text, plural = counted(
        "One field cannot be read: %(reason)s",
        "%(count)s fields cannot be read. The first: %(reason)s",
    )
    counts = "count"


def whole_number(lowest: int | None, highest: int | None) -> Phrase:
    """Return what a field for whole numbers expects."""
    if lowest is not None and highest is not None:
        return Phrase(
            "a whole number from %(lowest)s to %(highest)s", lowest=lowest, highest=highest
        )
    if lowest is not None:
        return Phrase("a whole number of at least %(lowest)s", lowest=lowest)
    if highest is not None:
        return Phrase("a whole number of at most %(highest)s", highest=highest)
    return Phrase("a whole number")


def text_of(longest: int | None) -> Phrase:
    """Return what a field for text expects."""
    if longest is None:
        return Phrase("a text")
    return Phrase("a text of at most %(longest)s characters", longest=longest)


def day() -> Phrase:
    return Phrase("a day such as %(example)s", example="2026-11-30")


def moment(example: str) -> Phrase:
    return Phrase("a day with its time, such as %(example)s", example=example)


def key() -> Phrase:
    return Phrase("a key such as %(example)s", example="5f0c2f1e-9f0a-4c1b-8f5e-0d3f6a7b8c9d")
