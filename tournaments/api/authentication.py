"""How programs sign in to the API."""

from __future__ import annotations

from typing import Any

from drf_spectacular.authentication import BasicScheme
from rest_framework.authentication import BasicAuthentication
from rest_framework.exceptions import AuthenticationFailed


class PlainBasicAuthentication(BasicAuthentication):
    """Basic authentication; a name no database can hold is nobody's."""

    def authenticate_credentials(self, userid: str, password: str, request: Any = None) -> Any:
        if "\0" in userid:
            raise AuthenticationFailed
        return super().authenticate_credentials(userid, password, request)


class PlainBasicScheme(BasicScheme):
    """Says so in the schema of the API."""

    target_class = "tournaments.api.authentication.PlainBasicAuthentication"
