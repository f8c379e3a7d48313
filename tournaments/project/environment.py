"""What differs between machines, read from the environment; nonsense stops the start."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import dj_database_url
from django.core.exceptions import ImproperlyConfigured
from django.core.management.utils import get_random_secret_key

YES = frozenset({"1", "true", "yes", "on"})
NO = frozenset({"0", "false", "no", "off"})
HOST = re.compile(r"\*|\.?[\w-]+(\.[\w-]+)*|\[[0-9a-fA-F:.]+\]")
WEB = frozenset({"http", "https"})
DATABASES = frozenset({"postgres", "postgresql", "sqlite"})


def text(name: str, default: str = "") -> str:
    """Return the variable without blanks around it; an empty one counts as not set."""
    return os.environ.get(name, "").strip() or default


def flag(name: str, *, default: bool) -> bool:
    given = text(name)
    if not given:
        return default
    if given.lower() in YES:
        return True
    if given.lower() in NO:
        return False
    raise ImproperlyConfigured(f"{name} is “{given}”. Set it to 1 (yes) or 0 (no).")


def number(name: str, *, default: int) -> int:
    given = text(name)
    if not given:
        return default
    if given.isascii() and given.isdecimal() and len(given) <= 9:
        return int(given)
    raise ImproperlyConfigured(f"{name} is “{given}”. Set it to a whole number from 0 up.")


def words(name: str) -> list[str]:
    return [one.strip() for one in text(name).split(",") if one.strip()]


def directory(name: str, *, default: Path) -> Path:
    """Return a directory, made now if it is not there."""
    path = Path(text(name, str(default)))
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(
            f"{name} is “{path}”, which cannot be made ({error.strerror}). Make that directory, "
            "or set it to one this site may write to."
        ) from error
    return path


def hosts(name: str) -> list[str]:
    """Read host names separated by commas, without scheme, port or path."""
    for one in (found := words(name)):
        if not HOST.fullmatch(one):
            raise ImproperlyConfigured(
                f"{name} names “{one}”. Give host names only, without https:// and without a "
                "port, separated by commas."
            )
    return found


def origins(name: str) -> list[str]:
    """Read addresses such as https://play.example.org, separated by commas."""
    for one in (found := words(name)):
        parts = urlsplit(one)
        if parts.scheme not in WEB or not parts.netloc or parts.path:
            raise ImproperlyConfigured(
                f"{name} names “{one}”. Give each address as https:// and a host name, without "
                "a path, separated by commas."
            )
    return found


def secret_key(*, debug: bool, kept_in: Path) -> str:
    """Return SECRET_KEY; for development only, one that is made once and kept in a file."""
    given = text("SECRET_KEY")
    if given and (debug or len(given) >= 32):
        return given
    if given:
        raise ImproperlyConfigured(
            f"SECRET_KEY has {len(given)} characters. Give at least 32 random ones."
        )
    if not debug:
        raise ImproperlyConfigured(
            "SECRET_KEY is not set. Give at least 32 random characters and keep them secret, "
            "or set DEBUG=1 for development."
        )
    path = kept_in / "secret_key"
    if not path.exists():
        path.touch(mode=0o600)
        path.write_text(get_random_secret_key(), encoding="utf-8")
    return path.read_text(encoding="utf-8")


def database(*, default: Path) -> dict[str, Any]:
    """Read DATABASE_URL; without it everything is kept in one SQLite file."""
    given = text("DATABASE_URL", f"sqlite:///{default}")
    scheme = given.partition("://")[0]
    if scheme not in DATABASES or "://" not in given:
        raise ImproperlyConfigured(
            "DATABASE_URL does not name a database this site runs on. Give "
            "postgres://user:password@host:5432/name or sqlite:////path/to/file."
        )
    try:
        found: dict[str, Any] = dict(dj_database_url.parse(given))
    except ValueError as error:
        raise ImproperlyConfigured(
            "DATABASE_URL cannot be read. Give postgres://user:password@host:5432/name, with "
            "special characters of the password written as %xx."
        ) from error
    if not found["NAME"]:
        raise ImproperlyConfigured("DATABASE_URL ends without the name of the database. Add it.")
    if scheme == "sqlite":
        # Writers queue instead of failing: the write lock is taken when a transaction starts.
        found["OPTIONS"] = {
            "timeout": 20,
            "transaction_mode": "IMMEDIATE",
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
        }
    else:
        found["CONN_MAX_AGE"] = 60
        found["CONN_HEALTH_CHECKS"] = True
        found["OPTIONS"] = {"connect_timeout": 5} | found.get("OPTIONS", {})
    return found


def redis_url(name: str) -> str:
    given = text(name)
    if given and urlsplit(given).scheme not in {"redis", "rediss", "unix"}:
        raise ImproperlyConfigured(
            f"{name} is “{given}”. Give redis://host:6379/0, or leave it out to work without Redis."
        )
    return given


def stream_url(name: str) -> str:
    given = text(name)
    parts = urlsplit(given)
    is_here = not parts.netloc and given.startswith("/")
    if given and (parts.query or not (is_here or (parts.scheme in WEB and parts.netloc))):
        raise ImproperlyConfigured(
            f"{name} is “{given}”. Give the path your proxy passes on to the stream, such as "
            "/stream/, or a whole address, such as https://live.example.org/, or leave it out."
        )
    return given


def origin_of(address: str) -> list[str]:
    """Return the scheme and host of an address; none where it is a path of this site."""
    parts = urlsplit(address)
    return [f"{parts.scheme}://{parts.netloc}"] if parts.netloc else []
