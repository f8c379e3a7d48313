"""Web entry point: `gunicorn tournaments.project.wsgi`."""

import gc
import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournaments.project.settings")
# A web server never shows details of errors unless somebody asks for them.
os.environ.setdefault("DEBUG", "0")

application = get_wsgi_application()

# What was loaded stays: looking through it for garbage again and again took an eighth of the time
# of a long page. A page makes thousands of rows, so the young are looked at less often, too.
gc.collect()
gc.freeze()
gc.set_threshold(20_000, 20, 20)
