"""Connects tasks to the worker's settings in every process that starts Django."""

from __future__ import annotations

from importlib import import_module
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
        # The one place where the services of the desk meet those who follow them; both have
        # models, which exist only now.
        followers = import_module("tournaments.services.followers")
        followers.follow(import_module("referee.services.sanction_following").follow_tables)
