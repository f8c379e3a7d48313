"""Puts rows back as they were before a change, if nothing stands in the way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any, Final

from django.apps import apps
from django.db import IntegrityError, transaction
from django.db.models import Model, ProtectedError, RestrictedError
from django.db.models.deletion import Collector
from django.utils import timezone

from tournaments.errors import undoing as undo_errors
from tournaments.models import Club, EntryPlayer, LogEntry, MatchSeat, PairingRound, Player
from tournaments.services.traces import MOST_ROWS, Key, part_of, row_of, rows_of, told, touched
from tournaments.services.undone import Undone
from tournaments.words import log_undoing
from tournaments.words.log import LineOfLog

# What belongs to another row and comes and goes with it.
_PARTS: Final[Mapping[str, tuple[tuple[str, str], ...]]] = {
    "tournaments.matchseat": (("match", "tournaments.match"),),
    "tournaments.entryplayer": (("entry", "tournaments.entry"),),
    "tournaments.standingrow": (("stage", "tournaments.stage"), ("entry", "tournaments.entry")),
}
_OF_A_ROUND: Final = ("tournaments.match", "tournaments.matchseat", "tournaments.bye")
# Made on the way; where others have come to use it, it stays.
_SHARED: Final = (Player, Club, PairingRound)
# A club goes after its players.
_LAST: Final = {"tournaments.player": 1, "tournaments.club": 2}
# Columns that no two rows may share are exchanged by writing the rows anew.
_WRITTEN_ANEW: Final = (EntryPlayer, MatchSeat)


def put_back(entry: LogEntry, undone: Undone, *, silent: bool = False) -> None:
    """Put the rows of a line back, and say so; `silent` where the caller says it in its words.

    Refuses, changing nothing, when one of them was changed since or something stands on it.
    """
    rows = _rows(entry)
    _require_untouched(entry, rows)
    _require_as_left(rows)
    if not silent:
        log_undoing.say(entry, rows, undone)
    try:
        with transaction.atomic():
            _unmake(entry, rows, shared=False)
            _change(rows["changed"])
            _unmake(entry, rows, shared=True)
            _make_again(rows["gone"])
    except IntegrityError:
        # A name, a number or a place that is given to something else by now.
        raise undo_errors.OtherNow(what=LineOfLog(entry)) from None


def has_rows(entry: LogEntry) -> bool:
    """Say whether a line keeps rows that changed."""
    rows = rows_of(entry)
    return bool(rows) and any(rows.values())  # type: ignore[union-attr]


def _rows(entry: LogEntry) -> Mapping[str, Any]:
    kept = entry.details.get("way_back") or {}
    if entry.details.get("elsewhere"):
        raise undo_errors.PartOfAnotherEvent(tournament=entry.details["elsewhere"])
    if kept.get("part_of"):
        whole = LogEntry.objects.select_related("by").filter(pk=kept["part_of"]).first()
        if whole is not None:
            raise undo_errors.PartOfAnother(line=LineOfLog(whole))
    if "too_many" in kept:
        raise undo_errors.TooManyRows(found=kept["too_many"], most=MOST_ROWS)
    rows = rows_of(entry)
    if rows is None:
        raise undo_errors.NothingKept
    return rows


# --- what stands in the way -----------------------------------------------------------------


def _require_untouched(entry: LogEntry, rows: Mapping[str, Any]) -> None:
    """Refuse where a later line that was not taken back itself changed the same."""
    mine = dict(touched(rows))
    found = later_line(entry, mine)
    if found is not None:
        raise undo_errors.LaterLineStands(line=LineOfLog(found))


def later_line(entry: LogEntry, keys: Mapping[Key, frozenset[str]]) -> LogEntry | None:
    """Return the newest line after `entry` that touched one of these rows in these columns."""
    later = LogEntry.objects.filter(
        pk__gt=entry.pk, undone_by__isnull=True, details__has_key="way_back"
    )
    for line in later.select_related("by").order_by("-pk"):
        if part_of(line) is not None:
            continue
        for key, columns in touched(rows_of(line) or {"changed": [], "made": {}, "gone": []}):
            mine = keys.get(key)
            if mine is not None and (not mine or not columns or mine & columns):
                return line
    return None


def _require_as_left(rows: Mapping[str, Any]) -> None:
    for label, some in groupby(rows["changed"], key=lambda one: one[0]):
        listed = list(some)
        stored = _model(label)._base_manager.in_bulk([one[1] for one in listed])
        for _, pk, _, after in listed:
            one = stored.get(pk)
            now = {} if one is None else row_of(one, tuple(after))
            if one is None or any(told(now[name]) != value for name, value in after.items()):
                raise undo_errors.OtherNow(what=log_undoing.named(label, pk, one))


# --- the way back ---------------------------------------------------------------------------


def _change(changed: Iterable[Any]) -> None:
    anew: list[Model] = []
    for label, pk, before, _ in changed:
        model = _model(label)
        if model in _WRITTEN_ANEW:
            one = model._base_manager.get(pk=pk)
            _write(one, before)
            anew.append(one)
            continue
        stamps = {
            field.attname: timezone.now()
            for field in model._meta.concrete_fields
            if getattr(field, "auto_now", False)
        }
        model._base_manager.filter(pk=pk).update(**_values(model, before), **stamps)
    for model in _WRITTEN_ANEW:
        mine: list[Any] = [one for one in anew if isinstance(one, model)]
        model._base_manager.filter(pk__in=[one.pk for one in mine]).delete()
        model._base_manager.bulk_create(mine)


def _unmake(entry: LogEntry, rows: Mapping[str, Any], *, shared: bool) -> None:
    """Delete the rows that were made: those of this change alone, or those others may use."""
    made = {(label, pk) for label, pks in rows["made"].items() for pk in pks}
    with_tables = not {"tournaments.match", "tournaments.stage"}.isdisjoint(rows["made"])
    ordered = sorted(rows["made"].items(), key=lambda one: _LAST.get(one[0], 0))
    for label, pks in ordered:
        model = _model(label)
        is_shared = model in _SHARED and not (model is PairingRound and with_tables)
        if is_shared != shared:
            continue
        # What a change of before brought with it may have gone with it.
        found = list(model._base_manager.filter(pk__in=pks))
        if shared:
            kept = [one for one in found if _in_the_way([one], made)]
            found = [one for one in found if one not in kept]
            # Who stays keeps what it needs, such as its club.
            made -= {(label, one.pk) for one in kept}
        else:
            _require_free(entry, found, made)
        model._base_manager.filter(pk__in=[one.pk for one in found]).delete()


def _require_free(entry: LogEntry, found: list[Model], made: set[Key]) -> None:
    others = {(one._meta.label_lower, one.pk): one for one in _in_the_way(found, made)}
    if not others:
        return
    line = later_line(entry, dict.fromkeys(others, frozenset()))
    if line is not None:
        raise undo_errors.LaterLineStands(line=LineOfLog(line))
    key = min(others)
    raise undo_errors.SomethingStands(what=log_undoing.named(*key, others[key]))


def _in_the_way(found: list[Model], made: set[Key]) -> list[Model]:
    """Return the rows that point at one of these and were not made with them."""
    if not found:
        return []
    collector = Collector(using=found[0]._state.db or "default")
    reached: list[Model]
    try:
        collector.collect(found)
    except ProtectedError as error:
        reached = list(error.protected_objects)
    except RestrictedError as error:
        reached = list(error.restricted_objects)
    else:
        reached = [one for some in collector.data.values() for one in some]
        reached += [one for some in collector.fast_deletes for one in some]
    return [one for one in reached if not _is_made(one, made)]


def _is_made(one: Model, made: set[Key]) -> bool:
    """Say whether a row was made by the change, or comes and goes with a row that was."""
    label = one._meta.label_lower
    owners = {(owner, getattr(one, f"{name}_id")) for name, owner in _PARTS.get(label, ())}
    if (label, one.pk) in made or not owners.isdisjoint(made):
        return True
    round_key = ("tournaments.pairinground", getattr(one, "pairing_round_id", None))
    if label not in _OF_A_ROUND or round_key not in made:
        return False
    draft: bool = one.pairing_round.state == PairingRound.State.DRAFT  # type: ignore[attr-defined]
    return draft


def _make_again(gone: Iterable[Any]) -> None:
    for label, some in groupby(gone, key=lambda one: one[0]):
        model = _model(label)
        made = []
        for _, row in some:
            one = model(pk=row["pk"])
            _write(one, {name: value for name, value in row.items() if name != "pk"})
            made.append(one)
        model._base_manager.bulk_create(made, batch_size=500)
        _keep_stamps(model, made)


def _keep_stamps(model: type[Model], made: list[Model]) -> None:
    """Write the moments that a row got when it was first made; making it again set them anew."""
    stamps = [f.attname for f in model._meta.concrete_fields if getattr(f, "auto_now_add", False)]
    if not stamps:
        return
    for one in made:
        values = {name: getattr(one, f"_kept_{name}") for name in stamps}
        model._base_manager.filter(pk=one.pk).update(**values)


def _write(one: Model, row: Mapping[str, Any]) -> None:
    for name, value in _values(type(one), row).items():
        setattr(one, name, value)
        setattr(one, f"_kept_{name}", value)


def _values(model: type[Model], row: Mapping[str, Any]) -> dict[str, Any]:
    """Return columns as the model has them; a column that is no more is left out."""
    fields = {field.attname: field for field in model._meta.concrete_fields}
    return {
        name: fields[name].to_python(value) if not fields[name].is_relation else value
        for name, value in row.items()
        if name in fields
    }


def _model(label: str) -> type[Model]:
    model: type[Model] = apps.get_model(label)
    return model
