"""Web entry point: `gunicorn tournaments.project.wsgi`."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournaments.project.settings")
# A web server never shows details of errors unless somebody asks for them.
os.environ.setdefault("DEBUG", "0")

application = get_wsgi_application()
