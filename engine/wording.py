"""The rules of an event in words, whole sentences to be shown before anything is played."""

from __future__ import annotations

from typing import Final

from engine.errors import Phrase, marked
from engine.profiles import Rules


class Sentence(Phrase):
    """One rule in words, and where it comes from."""

    __slots__ = ("article",)

    def __init__(self, text: str, article: Phrase | None, **params: object) -> None:
        super().__init__(text, **params)
        self.article = article


_TABLE: Final = {
    2: marked("Two players play against each other."),
    3: marked("Three players play, each for themselves."),
    4: marked("Four players play in two partnerships; partners sit opposite each other."),
}
_FOUR_ALONE = marked("Four players play, each for themselves.")
_DIRECTION: Final = {
    "clockwise": marked("Play goes round clockwise."),
    "counter_clockwise": marked("Play goes round counter-clockwise."),
}
_FIRST: Final = {
    ("highest_double", "forced"): marked(
        "The first round is opened by the holder of the highest double, with that tile; "
        "without a double, by the heaviest tile."
    ),
    ("highest_double", "free"): marked(
        "The first round is opened by the holder of the highest double, with any tile."
    ),
    ("lot", "forced"): marked("Who opens the first round is drawn by lot; any tile may open."),
    ("lot", "free"): marked("Who opens the first round is drawn by lot; any tile may open."),
}
_NEXT: Final = {
    ("winner", "forced"): marked(
        "Later rounds are opened by the winner of the round before, with any tile."
    ),
    ("winner", "free"): marked(
        "Later rounds are opened by the winner of the round before, with any tile."
    ),
    ("highest_double", "forced"): marked(
        "Later rounds are again opened by the highest double, with that tile."
    ),
    ("highest_double", "free"): marked(
        "Later rounds are again opened by the holder of the highest double, with any tile."
    ),
    ("rotates", "forced"): marked(
        "The opening goes on by one seat every round, whoever won; any tile may open."
    ),
    ("rotates", "free"): marked(
        "The opening goes on by one seat every round, whoever won; any tile may open."
    ),
}
_STOCK = marked(
    "Whoever cannot play draws from the stock until a tile fits; when nothing may be drawn, "
    "they pass."
)
_NO_STOCK = marked("Whoever cannot play passes; a pass costs nothing.")
_MUST = marked("Whoever can play must play.")
_RESERVE = marked("%(tiles)s tiles of the stock stay undrawn.")
_OUT: Final = {
    "opponents": marked("Going out scores the pips left with the opponents."),
    "all": marked("Going out scores the pips of all other hands, the partner's included."),
}
_BLOCK_WINNER: Final = {
    "lowest_hand": marked(
        "A blocked round is won by the lowest single hand for its side; level, the lower sum of "
        "the side decides; level again, nobody wins."
    ),
    "lowest_side": marked(
        "A blocked round is won by the side with the lower sum; level, nobody wins."
    ),
}
_BLOCK_WINNER_TWO = marked("A blocked round is won by the lower hand; level, nobody wins.")
_BLOCK: Final = {
    "opponents": marked("A blocked round scores the pips of the losing side."),
    "difference": marked("A blocked round scores the difference between the two sides."),
    "all": marked("A blocked round scores the pips of all hands."),
}
_ROUNDED = marked("The points of a round are rounded to the nearest 5.")
_BONUS = marked(
    "Going out with a tile that fits both, different, ends scores %(points)s points more."
)
_TARGET = marked("The first side to reach %(target)s points wins the match.")
_TARGET_TIME = marked(
    "The first side to reach %(target)s points wins; when the time is over, the round in play is "
    "finished and the leader wins."
)
_PIPS_COUNT = marked("After each round everybody adds the pips left in hand to their own total.")
_LIMIT = marked("Whoever reaches %(target)s points is out; the last one left wins.")
_LIMIT_SURVIVORS = marked(
    "Whoever reaches %(target)s points is out; play ends when %(survivors)s are left."
)
_ONE_MORE = marked(
    "Where so many reach the limit at once that too few are left, they play one more round; then "
    "the lowest totals stay."
)
_PENALTIES: Final = {
    ("deduct", "total"): marked("Penalty points are taken from the running score."),
    ("deduct", "result"): marked(
        "Penalty points are taken from the result of the event, not from the running score."
    ),
    ("award", "total"): marked("Penalty points are given to the other side."),
    ("award", "result"): marked("Penalty points are given to the other side."),
}
_PENALTIES_ADDED = marked("Penalty points are added to the offender's total.")


def in_words(rules: Rules, players: int) -> tuple[Sentence, ...]:
    """Return the rules of a table of `players` in words, with the article of each."""
    profile = rules.of_profile
    source = {one.subject: one.source for one in profile.articles}
    stock = 28 - 7 * players

    def say(text: str, subject: str = "", **params: object) -> Sentence:
        return Sentence(text, source.get(subject), **params)

    alone = players == 4 and not profile.partnership
    said = [
        say(_FOUR_ALONE if alone else _TABLE[players], "players"),
        say(_DIRECTION[profile.direction], "players"),
        say(_FIRST[rules.first_opener, rules.opening_tile], "first_opener"),
        say(_NEXT[rules.next_opener, rules.opening_tile], "next_opener"),
        say(_MUST, "must_play"),
        say(_STOCK if stock else _NO_STOCK, "must_play"),
    ]
    if stock and rules.stock_reserve:
        said.append(say(_RESERVE, "stock", tiles=rules.stock_reserve))
    if profile.elimination:
        said.append(say(_PIPS_COUNT, "points_out"))
    else:
        said.append(say(_OUT[rules.points_out], "points_out"))
        said.append(
            say(
                _BLOCK_WINNER_TWO if players == 2 else _BLOCK_WINNER[rules.block_winner],
                "block_winner",
            )
        )
        said.append(say(_BLOCK[rules.points_block], "points_block"))
    if rules.round_to != 1:
        said.append(say(_ROUNDED, "round_to"))
    if rules.bonus_both_ends and not profile.elimination:
        said.append(say(_BONUS, points=rules.bonus_both_ends))
    if not profile.elimination:
        text = _TARGET_TIME if profile.key == "femundo" else _TARGET
        said.append(say(text, "target", target=rules.target))
        said.append(say(_PENALTIES[rules.points_to, rules.deduct_from], "penalties"))
    else:
        text = _LIMIT if rules.survivors == 1 else _LIMIT_SURVIVORS
        said.append(say(text, "target", target=rules.target, survivors=rules.survivors))
        if rules.limit_together == "play_on":
            said.append(say(_ONE_MORE, "target"))
        said.append(say(_PENALTIES_ADDED, "penalties"))
    return tuple(said)
