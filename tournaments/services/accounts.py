"""Makes accounts for officials who have none yet."""

from __future__ import annotations

import secrets

from django.contrib.auth.models import User
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from tournaments import permissions
from tournaments.errors import base as errors
from tournaments.models import Official, Tournament
from tournaments.services.lifecycle import add_official

# Without letters and digits that look alike on paper.
_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
_LONGEST_USERNAME = 150


@transaction.atomic
def create_official_account(
    tournament: Tournament,
    *,
    username: str,
    duty: str,
    full_name: str = "",
    table: int | None = None,
    by: User,
) -> tuple[Official, str]:
    """Make an account with a duty; return the duty and the password, which is stored nowhere."""
    permissions.require_director(by, tournament)
    username = User.normalize_username(username.strip())
    _require_possible(username)
    password = one_time_password()
    try:
        with transaction.atomic():
            User.objects.create_user(username, password=password, first_name=full_name[:150])
    except IntegrityError:
        raise errors.UsernameTaken(username=username) from None
    official = add_official(tournament, username=username, duty=duty, table=table, by=by)
    return official, password


def one_time_password() -> str:
    """Return a password that can be read out at a table: three groups of four signs."""
    return "-".join("".join(secrets.choice(_LETTERS) for _ in range(4)) for _ in range(3))


def _require_possible(username: str) -> None:
    try:
        UnicodeUsernameValidator()(username)
    except ValidationError:
        raise errors.BadUsername(given=username[:40]) from None
    if len(username) > _LONGEST_USERNAME:
        raise errors.BadUsername(given=username[:40])
    if User.objects.filter(username__iexact=username).exists():
        raise errors.UsernameTaken(username=username)
