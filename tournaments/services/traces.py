"""Keeps with a line of the log which rows a change touched and what they held before.

From that the change is taken back exactly; see `undoing_rows`. A service says with `traced` which
rows it may touch. Only rows that did change are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import wraps
from hashlib import blake2b
from json import dumps
from typing import Any, Final, ParamSpec, TypeAlias, TypeVar
from uuid import UUID

from django.db.models import Max, Model, QuerySet

from tournaments.models import LogEntry, Tournament

KEPT: Final = "way_back"
"""Where the details of a line keep its rows. It is of this installation alone: no file has it."""
MOST_ROWS: Final = 20_000
"""More rows than these are not kept; whoever wants them back is told so."""
_LONG: Final = 200
"""Characters above which only a digest says what a field held after the change."""

P = ParamSpec("P")
Answer = TypeVar("Answer")
Row: TypeAlias = dict[str, Any]
Key: TypeAlias = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Watched:
    """Rows a change may touch, and the columns that count; none named are all of them.

    Rows that may be deleted are watched whole: otherwise they could not be made again.
    """

    rows: QuerySet[Any]
    fields: tuple[str, ...] = ()


Watching: TypeAlias = Iterable["Watched | QuerySet[Any]"]


def traced(
    watch: Callable[..., Watching], *, main: str = "first", lock: bool = True
) -> Callable[[Callable[P, Answer]], Callable[P, Answer]]:
    """Let the log keep what a service changes in the rows that `watch` names.

    `watch` is called with what the service is called with; the first of that belongs to an event,
    whose row is locked, so that nobody else changes the rows meanwhile. Of several lines that the
    service writes the `main` one, "first" or "last", keeps the rows, and the others are part of
    it. Without `lock` the caller holds another lock that keeps the rows as they are.
    """

    def wrap(service: Callable[P, Answer]) -> Callable[P, Answer]:
        @wraps(service)
        def traced_service(*args: P.args, **kwargs: P.kwargs) -> Answer:
            tournament = event_of(args[0])
            if lock:
                Tournament.objects.select_for_update().only("pk").get(pk=tournament.pk)
            lines = LogEntry.objects.filter(tournament=tournament)
            newest = lines.aggregate(newest=Max("pk"))["newest"] or 0
            watched = [
                one if isinstance(one, Watched) else Watched(one) for one in watch(*args, **kwargs)
            ]
            before = [_read(one) for one in watched]
            answer = service(*args, **kwargs)
            written = list(lines.filter(pk__gt=newest).order_by("pk"))
            if written:
                _keep(written, watched, before, main)
            return answer

        return traced_service

    return wrap


def keep_made(line: LogEntry, made: Iterable[Model], changed: Iterable[Any] = ()) -> None:
    """Keep with a line that these rows were made by it, and `changed` ones as `traced` has them.

    For services that know what they make, so that nothing has to be read twice.
    """
    by_model: dict[str, list[int]] = {}
    for one in made:
        by_model.setdefault(one._meta.label_lower, []).append(one.pk)
    _store(line, {"changed": list(changed), "made": by_model, "gone": []})


def rows_of(line: LogEntry) -> Mapping[str, Any] | None:
    """Return the rows a line keeps: changed, made, gone; None where it keeps none."""
    return (line.details.get(KEPT) or {}).get("rows")


def part_of(line: LogEntry) -> int | None:
    """Return the key of the line whose change this one belongs to."""
    return (line.details.get(KEPT) or {}).get("part_of")


def touched(rows: Mapping[str, Any]) -> Iterator[tuple[Key, frozenset[str]]]:
    """Yield each row with the columns that changed; no columns for one that came or went."""
    for label, pk, before, _ in rows["changed"]:
        yield (label, pk), frozenset(before)
    for label, pks in rows["made"].items():
        for pk in pks:
            yield (label, pk), frozenset()
    for label, row in rows["gone"]:
        yield (label, row["pk"]), frozenset()


def event_of(thing: Any) -> Tournament:
    """Return the event that something belongs to."""
    if isinstance(thing, Tournament):
        return thing
    for step in ("tournament", "stage", "pairing_round"):
        if hasattr(thing, step):
            return event_of(getattr(thing, step))
    raise TypeError(f"{thing!r} belongs to no event")


def plain(value: object) -> Any:
    """Return a value of a column as JSON has it."""
    if isinstance(value, datetime | date):
        return value.isoformat()
    return str(value) if isinstance(value, UUID) else value


def told(value: object) -> object:
    """Return what is kept of a value after a change: itself, or a digest of what is long."""
    written = dumps(value, sort_keys=True)
    if len(written) <= _LONG:
        return value
    return {"digest": blake2b(written.encode(), digest_size=12).hexdigest()}


def row_of(one: Model, fields: Sequence[str] = ()) -> Row:
    """Return the columns of a row but its key; stamps of the last change do not count."""
    return {
        field.attname: plain(getattr(one, field.attname))
        for field in one._meta.concrete_fields
        if not field.primary_key
        and not getattr(field, "auto_now", False)
        and (not fields or field.attname in fields)
    }


def _read(watched: Watched) -> dict[Key, Row]:
    label = watched.rows.model._meta.label_lower
    rows = watched.rows.all()
    if watched.fields:
        rows = rows.only(*watched.fields)
    return {(label, one.pk): row_of(one, watched.fields) for one in rows.order_by("pk")}


def _keep(
    written: Sequence[LogEntry],
    watched: Sequence[Watched],
    before: Sequence[Mapping[Key, Row]],
    main: str,
) -> None:
    """Write the rows that changed into the main one of the lines that were written."""
    changed: list[Any] = []
    made: dict[str, list[int]] = {}
    gone: list[Any] = []
    for one, old in zip(watched, before, strict=True):
        new = _read(one)
        for (label, pk), row in old.items():
            now = new.get((label, pk))
            if now is None:
                assert not one.fields, f"{label} is watched by {one.fields} only, and was deleted"
                gone.append([label, {"pk": pk, **row}])
            elif differing := [name for name in row if row[name] != now[name]]:
                was = {name: row[name] for name in differing}
                changed.append([label, pk, was, {name: told(now[name]) for name in differing}])
        for label, pk in new.keys() - old.keys():
            made.setdefault(label, []).append(pk)
    for pks in made.values():
        pks.sort()
    own = [one for one in written if part_of(one) is None]
    line = own[0 if main == "first" else -1]
    _store(line, {"changed": changed, "made": made, "gone": gone})
    for other in written:
        if other.pk != line.pk:
            other.details = {**other.details, KEPT: {"part_of": line.pk}}
            other.save(update_fields=["details"])


def _store(line: LogEntry, rows: dict[str, Any]) -> None:
    known = rows_of(line)
    if known is not None:
        # Part of a larger change, which has watched more: what it saw first counts.
        seen = dict(touched(rows))
        rows["changed"] += [one for one in known["changed"] if (one[0], one[1]) not in seen]
        rows["gone"] += [one for one in known["gone"] if (one[0], one[1]["pk"]) not in seen]
        for label, pks in known["made"].items():
            mine = rows["made"].setdefault(label, [])
            mine += [pk for pk in pks if (label, pk) not in seen]
    count = len(rows["changed"]) + len(rows["gone"]) + sum(map(len, rows["made"].values()))
    kept: dict[str, Any] = {"rows": rows} if count <= MOST_ROWS else {"too_many": count}
    line.details = {**line.details, KEPT: kept}
    line.save(update_fields=["details"])
