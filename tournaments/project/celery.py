"""Worker entry point: `celery -A tournaments.project.celery worker`."""

from __future__ import annotations

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournaments.project.settings")

app = Celery("domino")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
