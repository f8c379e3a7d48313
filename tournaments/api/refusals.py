"""How errors leave the API: one shape, `code` for programs and `message` for people.

A record that cannot be read adds its `path`; fields that cannot be read are listed in `errors`,
each with the path of the field, its own code and its own sentence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.http import Http404
from django.utils.translation import gettext
from rest_framework import exceptions, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView, exception_handler, set_rollback

from engine.errors import BadRecord, DominoError
from tournaments.api.fields import FieldsRefused, Problem, problems
from tournaments.api.parsers import Unreadable
from tournaments.errors.base import explain
from tournaments.errors.entries import TooManyTries
from tournaments.errors.fields import FieldsAreWrong

# Any other refusal of ours is about how things stand.
_STATUS: Final[Mapping[type[DominoError], int]] = {
    BadRecord: status.HTTP_400_BAD_REQUEST,
    TooManyTries: status.HTTP_429_TOO_MANY_REQUESTS,
}


def refusal_response(error: Exception, context: Mapping[str, Any]) -> Response | None:
    """Return the answer to an error of an API view; None leaves a bug to be a bug."""
    if isinstance(error, DominoError):
        set_rollback()
        return Response(refusal(error), status=status_of(error))
    if isinstance(error, SuspiciousOperation):
        # More fields, files or bytes than the framework reads; nothing was stored.
        set_rollback()
        told = {"code": "request_too_large", "message": _too_large()}
        return Response(told, status=status.HTTP_400_BAD_REQUEST)
    answer = exception_handler(error, dict(context))
    if answer is None:
        return None
    if isinstance(error, FieldsRefused):
        answer.data = fields_refused(error.problems)
    elif isinstance(error, exceptions.ValidationError):
        answer.data = fields_refused(list(problems(error.detail)))
    else:
        answer.data = {"code": _code(error), "message": _message(error, context)}
    return answer


def status_of(error: DominoError) -> int:
    """Return the status a refusal leaves the API with."""
    found = (_STATUS[kind] for kind in type(error).__mro__ if kind in _STATUS)
    return next(found, status.HTTP_409_CONFLICT)


def refusal(error: DominoError) -> dict[str, object]:
    """Return what a refused request is told; `path` where a record could not be read."""
    told: dict[str, object] = {"code": error.code, "message": explain(error)}
    if isinstance(error, BadRecord):
        told["path"] = error.path
    return told


def fields_refused(found: Sequence[Problem]) -> dict[str, object]:
    """Return what is told about fields that cannot be read, the first one in the sentence."""
    refused = FieldsAreWrong(count=len(found), reason=found[0].message)
    return {
        "code": refused.code,
        "message": explain(refused),
        "errors": [one.json() for one in found],
    }


class NothingHere(APIView):
    """Any address of the API that does not exist."""

    authentication_classes = ()
    permission_classes = ()
    schema = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        raise Http404


def _code(error: Exception) -> str:
    match error:
        case PermissionDenied():
            return "permission_denied"
        case Http404():
            return "not_found"
        case exceptions.APIException():
            return str(error.get_codes())
        case _:
            return "refused"


def _message(error: Exception, context: Mapping[str, Any]) -> str:
    match error:
        case exceptions.APIException():
            return _said_of(error, context)
        case PermissionDenied() if str(error):
            return str(error)
        case PermissionDenied():
            return gettext("You may not do this. Ask a director of the tournament.")
        case Http404():
            return _nothing_here()
        case _:
            return str(error)


def _said_of(error: exceptions.APIException, context: Mapping[str, Any]) -> str:
    """Return our sentence for what the framework refuses; its own are half translated."""
    match error:
        case Unreadable():
            return str(error.detail)
        case exceptions.ParseError():
            return gettext("What was sent cannot be read. Send it as its Content-Type says.")
        case exceptions.MethodNotAllowed():
            said = gettext(
                "%(method)s does nothing at this address. Use one of these: %(allowed)s."
            )
            allowed = ", ".join(context["view"].allowed_methods)
            return said % {"method": context["request"].method, "allowed": allowed}
        case exceptions.UnsupportedMediaType():
            kinds = ", ".join(one.media_type for one in context["view"].parser_classes)
            said = gettext("This kind of content is not read here. Send one of these: %(kinds)s.")
            return said % {"kinds": kinds}
        case exceptions.NotAcceptable():
            return gettext("The answers here are JSON. Ask for application/json.")
        case exceptions.AuthenticationFailed():
            return gettext("The user name or the password is wrong. Correct it and send it again.")
        case exceptions.NotAuthenticated():
            return gettext("Sign in first: only officials of the tournament may do this.")
        case exceptions.NotFound():
            return _nothing_here()
        case exceptions.PermissionDenied():
            # Who may do what is asked in the services; this is a missing token.
            return gettext(
                "The request carries no valid token of this site. Load the page again, or sign in"
                " with user name and password."
            )
        case exceptions.Throttled():
            return gettext("Too much was sent in a short time. Wait a minute and send it again.")
        case _:
            return str(error.detail)


def _nothing_here() -> str:
    return gettext("There is nothing at this address, or it is not published yet.")


def _too_large() -> str:
    return gettext("More was sent than is read at once. Send less, in several steps.")
