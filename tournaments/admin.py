"""Set-up data only: clubs, players, tournaments and officials.

Entries, pairings and results are changed at the desk, where every change is checked and logged.
"""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from tournaments.models import Club, Official, Player, Tournament


@admin.register(Club)
class ClubAdmin(admin.ModelAdmin):
    list_display = ("name", "latin_name", "city", "country")
    list_filter = ("country",)
    search_fields = ("name", "latin_name", "folded_name")


@admin.register(Player)
class PlayerAdmin(admin.ModelAdmin):
    list_display = ("name", "latin_name", "number", "club", "country")
    list_filter = ("country",)
    list_select_related = ("club",)
    search_fields = ("name", "latin_name", "folded_name", "number", "spellings__folded_name")
    autocomplete_fields = ("club",)
    raw_id_fields = ("user",)


class OfficialInline(admin.TabularInline):
    model = Official
    extra = 1
    raw_id_fields = ("user",)


@admin.register(Tournament)
class TournamentAdmin(admin.ModelAdmin):
    """Where and when, and who directs. Rules and state belong to the desk."""

    list_display = ("name", "starts_on", "city", "country", "state")
    list_filter = ("state", "country")
    search_fields = ("name", "slug")
    date_hierarchy = "starts_on"
    readonly_fields = (
        "state", "rules", "entry_kind", "players_per_table", "created_by", "created_at",
    )  # fmt: skip
    inlines = (OfficialInline,)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Set up at the desk, which freezes the rules."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Tournament | None = None) -> bool:
        """What has been seen by the public stays."""
        allowed = super().has_delete_permission(request, obj)
        return allowed and (obj is None or obj.state == Tournament.State.DRAFT)

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """No deleting of many at once: it would not look at their state."""
        return {}
