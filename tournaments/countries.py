"""Countries: ISO 3166 codes, and the names people write instead in our languages."""

from __future__ import annotations

from functools import cache
from typing import Final

from babel import Locale
from babel.core import UnknownLocaleError
from django.conf import settings

from tournaments.errors import base as errors
from tournaments.names import folded

# Codes of sports federations that people write and that are no ISO code of three letters.
_SPORTS: Final = {
    "alg": "DZ",
    "bul": "BG",
    "chi": "CL",
    "cro": "HR",
    "crc": "CR",
    "den": "DK",
    "esa": "SV",
    "ger": "DE",
    "gre": "GR",
    "gua": "GT",
    "hai": "HT",
    "hon": "HN",
    "iri": "IR",
    "irn": "IR",
    "irq": "IQ",
    "kuw": "KW",
    "ksa": "SA",
    "lib": "LB",
    "lbn": "LB",
    "mas": "MY",
    "ned": "NL",
    "nep": "NP",
    "nca": "NI",
    "oma": "OM",
    "par": "PY",
    "per": "PE",
    "phi": "PH",
    "por": "PT",
    "pur": "PR",
    "rsa": "ZA",
    "slo": "SI",
    "sui": "CH",
    "sud": "SD",
    "uae": "AE",
    "uru": "UY",
    "vie": "VN",
    "ven": "VE",
    "egy": "EG",
    "syr": "SY",
    "jor": "JO",
    "mar": "MA",
    "tun": "TN",
    "lby": "LY",
    "lba": "LY",
    "dom": "DO",
    "cub": "CU",
    "mex": "MX",
    "esp": "ES",
    "usa": "US",
    "col": "CO",
    "pan": "PA",
    "gbr": "GB",
    "fra": "FR",
    "ita": "IT",
    "tur": "TR",
    "qat": "QA",
    "bhr": "BH",
    "brn": "BH",
    "sau": "SA",
    "omn": "OM",
    "yem": "YE",
    "ple": "PS",
    "pse": "PS",
    "uk": "GB",
    "arg": "AR",
    "bra": "BR",
    "can": "CA",
    "chl": "CL",
    "cri": "CR",
    "ecu": "EC",
    "slv": "SV",
    "gtm": "GT",
    "hnd": "HN",
    "nic": "NI",
    "pry": "PY",
    "pri": "PR",
    "ury": "UY",
    "bol": "BO",
    "jam": "JM",
    "abw": "AW",
    "aru": "AW",
    "cuw": "CW",
    "ant": "AG",
    "deu": "DE",
}
# Short names in daily use, where the list of territories has only the long one.
_DAILY: Final = {
    "السعودية": "SA",
    "عربستان": "SA",
    "الإمارات": "AE",
    "امارات": "AE",
    "فلسطين": "PS",
    "Palestine": "PS",
    "Palestina": "PS",
    "England": "GB",
    "Inglaterra": "GB",
    "بريطانيا": "GB",
    "أمريكا": "US",
    "آمریکا": "US",
    "EE. UU.": "US",
    "EEUU": "US",
    "USA": "US",
    "Turkey": "TR",
    "Holland": "NL",
    "Czech Republic": "CZ",
    "R. Dominicana": "DO",
    "RD": "DO",
}


# What the list of territories has with two letters and is no country.
_NO_COUNTRY: Final = {"ZZ", "EU", "EZ", "UN", "XA", "XB", "QO"}


@cache
def country_names(language: str) -> dict[str, str]:
    """Return code -> name in `language`, in the order of the names."""
    try:
        territories = Locale.parse(language, sep="-").territories
    except (UnknownLocaleError, ValueError):
        territories = Locale("en").territories
    names = {
        code: name
        for code, name in territories.items()
        if len(code) == 2 and code.isalpha() and code not in _NO_COUNTRY
    }
    return dict(sorted(names.items(), key=lambda item: folded(item[1])))


@cache
def _codes() -> dict[str, str]:
    codes = {folded(name): code for name, code in (_SPORTS | _DAILY).items()}
    for language, _ in settings.LANGUAGES:
        for code, name in country_names(language).items():
            codes[folded(name)] = code
            codes[code.casefold()] = code
    return codes


def settled_country(written: str) -> str:
    """Return the code of a country in capitals, or nothing; refuses what is no country's code."""
    code = written.strip().upper()
    if code and code not in country_names("en"):
        raise errors.BadCountry(given=written[:40])
    return code


def country_code(written: str) -> str | None:
    """Return the code of a country written as a code or a name; None when unknown."""
    plain = folded(written)
    known = _codes()
    return known.get(plain) or known.get(plain.removeprefix("ال"))
