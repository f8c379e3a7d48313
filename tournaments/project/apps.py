"""Connects tasks to the worker's settings in every process that starts Django."""

from __future__ import annotations

from typing import ClassVar

from celery import Celery
from django.apps import AppConfig

from tournaments.project.celery import app


class ProjectConfig(AppConfig):
    name = "tournaments.project"
    label = "project"
    celery: ClassVar[Celery] = app

    def ready(self) -> None:
        # Services start tasks by name, so every process must know them, not the worker alone.
        app.autodiscover_tasks(force=True)
