"""The demo, played through the services, and every kind of page it leads to."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from django.urls import resolve

from tournaments.models import Tournament

LINK = re.compile(r'<a\b[^>]*\shref="(/[^"#]*)"')
ENOUGH = 4
"""Pages of one kind that one person opens."""


def walked(client: Client) -> Iterator[tuple[str, int]]:
    """Open every page that links lead to, a few of each kind; yield addresses and answers."""
    opened: Counter[str] = Counter()
    seen, waiting = {"/"}, ["/"]
    while waiting:
        address = waiting.pop(0)
        kind = resolve(address.partition("?")[0]).view_name
        if opened[kind] >= ENOUGH:
            continue
        opened[kind] += 1
        answer = client.get(address)
        yield address, answer.status_code
        found = [answer.headers["Location"]] if answer.status_code == 302 else []
        if "html" in answer.headers["Content-Type"]:
            found += LINK.findall(answer.content.decode())
        new = [one for one in found if one not in seen and not one.startswith("/static/")]
        seen |= set(new)
        waiting += new


@pytest.mark.slow
@pytest.mark.django_db
def test_everybody_can_follow_every_link_of_the_demo(capsys):
    call_command("demo")
    told = capsys.readouterr().out
    assert Tournament.objects.count() == 7
    for name in ("director", "referee", "scorer"):
        assert name in told
    languages = {"": "fa", "director": "ar", "referee": "es", "scorer": "en"}
    for person, language in languages.items():
        client = Client(headers={"Accept-Language": language})
        if person:
            client.force_login(User.objects.get(username=person))
        wrong = [(at, status) for at, status in walked(client) if status not in {200, 302}]
        assert wrong == [], f"{person or 'a spectator'} in {language}"
    call_command("demo")
