"""The tables of the referee, one module a noun."""

from referee.models.files import KeptFile
from referee.models.links import RoundConfirmation, TableCall, TableHolder, TableLink
from referee.models.records import RecordedEvent, RoundRecord
from referee.models.sanctions import Sanction
from referee.models.signing import SidePin, Signature

__all__ = [
    "KeptFile",
    "RecordedEvent",
    "RoundConfirmation",
    "RoundRecord",
    "Sanction",
    "SidePin",
    "Signature",
    "TableCall",
    "TableHolder",
    "TableLink",
]
