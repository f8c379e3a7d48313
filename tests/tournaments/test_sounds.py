"""Names are found in another script: what they sound like."""

from __future__ import annotations

import pytest

from tournaments.sounds import LONGEST_KEY, sounds_key, sounds_like, spoken_words

SAME = [
    ("محمد", "Mohamed"),
    ("محمد", "Muhammad"),
    ("Mohammed", "Muhamad"),
    ("علي", "Ali"),
    ("عمر", "Omar"),
    ("أحمد", "Ahmed"),
    ("يوسف", "Yousef"),
    ("وحید", "Vahid"),
    ("داوود", "David"),
    ("محمود الشرقاوي", "El-Sharqawi"),
    ("محمود الشرقاوي", "mahmoud elsharkawy"),
    ("قاسمی", "Ghasemi"),
    ("قاسمی", "Qasemi"),
    ("جمال", "Gamal"),
    ("جمال", "Jamal"),
    ("فاطمة", "Fatima"),
    ("عثمان", "Osman"),
    ("عثمان", "Othman"),
    ("عبد الرحمن", "Abdel Rahman"),
    ("عبدالرحمن", "Abdulrahman"),
    ("نیک‌روش", "Nikravesh"),
    ("Alejandro", "alej"),
    ("Hossein Rezaei", "حسین رضایی"),
]
OTHERS = [
    ("علي", "Alejandro"),
    ("كمال", "Gamal"),
    ("سامية", "Samir"),
    ("هالة", "Halima"),
    ("محمود الشرقاوي", "Mahmoud Mansour"),
]


@pytest.mark.parametrize(("stored", "typed"), SAME)
def test_a_name_is_found_in_another_spelling(stored, typed):
    assert sounds_like(sounds_key(stored), spoken_words(typed))


@pytest.mark.parametrize(("stored", "typed"), OTHERS)
def test_another_name_is_not_found(stored, typed):
    assert not sounds_like(sounds_key(stored), spoken_words(typed))


def test_what_has_no_sound_is_no_key():
    assert sounds_key("12 ★") == ""
    assert spoken_words("12 ★") == ()


def test_a_key_fits_its_column_and_says_each_word_once():
    name = " ".join(f"قثذضظج{letter}" for letter in "بتسرزفکلمن")
    assert len(sounds_key(name)) <= LONGEST_KEY
    assert sounds_key("Omar", "Omar") == sounds_key("Omar")
