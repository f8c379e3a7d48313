"""The form of signing in."""

from __future__ import annotations

from django.contrib.auth.forms import AuthenticationForm
from django.core.exceptions import ValidationError
from django.utils.translation import gettext

from tournaments.forms.fields import OwnWords


class SignInForm(OwnWords, AuthenticationForm):
    """User name and password; which of the two is wrong is not told."""

    def get_invalid_login_error(self) -> ValidationError:
        said = gettext("The user name or the password is wrong. Correct it and send it again.")
        return ValidationError(said, code="invalid_login")
