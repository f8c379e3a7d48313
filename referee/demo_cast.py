"""Who plays in the demo: invented people and clubs, in four languages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tournaments.services.people import PlayerData


@dataclass(frozen=True, slots=True)
class DemoClub:
    """A club of the demo with its players: name, and the name in Latin letters where it differs."""

    name: str
    latin_name: str
    city: str
    country: str
    players: tuple[tuple[str, str], ...]

    @property
    def pairs(self) -> tuple[tuple[PlayerData, PlayerData], ...]:
        """The players two by two, as they enter."""
        people = [PlayerData(name, latin, self.name, self.country) for name, latin in self.players]
        return tuple(zip(people[::2], people[1::2], strict=True))


CLUBS: Final = (
    DemoClub(
        "نادي ضفاف النيل",
        "Nile Banks Club",
        "القاهرة",
        "EG",
        (
            ("محمود الشرقاوي", "Mahmoud El-Sharqawi"),
            ("هالة منصور", "Hala Mansour"),
            ("يوسف البدري", "Youssef El-Badri"),
            ("سامية رزق", "Samia Rizk"),
            ("كريم عبد الهادي", "Karim Abdelhady"),
            ("نادر فهمي", "Nader Fahmy"),
            ("ليلى حجازي", "Laila Hegazi"),
            ("طارق السيوفي", "Tarek El-Suyufi"),
        ),
    ),
    DemoClub(
        "باشگاه کوه سپید",
        "Kuh-e Sepid Club",
        "تهران",
        "IR",
        (
            ("آرش کاویانی", "Arash Kaviani"),
            ("مینا رستگار", "Mina Rastegar"),
            ("بهرام تهرانچی", "Bahram Tehranchi"),
            ("پروین ادیب‌پور", "Parvin Adibpour"),
            ("کیوان شمس", "Keyvan Shams"),
            ("گلناز مهرآیین", "Golnaz Mehrayin"),
            ("سهراب نیک‌روش", "Sohrab Nikravesh"),
            ("یلدا پارسایی", "Yalda Parsaei"),
        ),
    ),
    DemoClub(
        "Club La Ceiba",
        "",
        "Santo Domingo",
        "DO",
        (
            ("Ramón Peñaló", ""),
            ("Altagracia Núñez", ""),
            ("Joaquín Báez Duvergé", ""),
            ("Milagros Ureña", ""),
            ("Efraín Tavárez", ""),
            ("Yolanda Güílamo", ""),
            ("Nelson Paniagua", ""),
            ("Iluminada Sosa", ""),
        ),
    ),
    DemoClub(
        "Harbour View Dominoes",
        "",
        "Kingston",
        "JM",
        (
            ("Winston Blackwood", ""),
            ("Marcia Dunkley", ""),
            ("Desmond Pinnock", ""),
            ("Hyacinth Rowe", ""),
            ("Leroy Cunningham", ""),
            ("Beverley Swaby", ""),
            ("Aston McKoy", ""),
            ("Carol Lightbourne", ""),
        ),
    ),
)

# In turn, so that club-mates are not neighbours in the seeding.
PAIRS: Final = tuple(
    pair for four in zip(*(club.pairs for club in CLUBS), strict=True) for pair in four
)
