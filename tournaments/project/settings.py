"""Settings of every machine; what differs between machines comes from the environment."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.utils.translation import gettext_lazy as _

from tournaments.project import environment
from tournaments.project.languages import languages

BASE_DIR = Path(__file__).resolve().parents[2]
VAR_DIR = environment.directory("VAR_DIR", default=BASE_DIR / "var")

# Without a secret key this is somebody's own machine. The web entry point sets DEBUG=0.
DEBUG = environment.flag("DEBUG", default=not environment.text("SECRET_KEY"))
STATIC_ROOT = VAR_DIR / "static"
if DEBUG:
    STATIC_ROOT.mkdir(parents=True, exist_ok=True)

SECRET_KEY = environment.secret_key(debug=DEBUG, kept_in=VAR_DIR)
ALLOWED_HOSTS = environment.hosts("ALLOWED_HOSTS")
CSRF_TRUSTED_ORIGINS = environment.origins("CSRF_TRUSTED_ORIGINS")
HTTPS = environment.flag("HTTPS", default=not DEBUG)
BEHIND_PROXY = environment.flag("BEHIND_PROXY", default=False)
REDIS_URL = environment.redis_url("REDIS_URL")
# Where pages hear of changes at once; empty: they ask every few seconds.
STREAM_URL = environment.stream_url("STREAM_URL")
STREAM_LISTENERS = environment.number("STREAM_LISTENERS", default=10_000)
STREAM_PER_ADDRESS = environment.number("STREAM_PER_ADDRESS", default=2000)

INSTALLED_APPS = [
    "tournaments.project.apps.ProjectConfig",
    "tournaments",
    "referee",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "tournaments.project.middleware.CompressedPages",
    "tournaments.project.middleware.content_security_policy",
    "tournaments.project.middleware.bell",
    "tournaments.project.middleware.duties_once",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "tournaments.project.middleware.language_of_address",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

ROOT_URLCONF = "tournaments.project.urls"
WSGI_APPLICATION = "tournaments.project.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

DATABASES = {"default": environment.database(default=VAR_DIR / "domino.sqlite3")}

CACHES: dict[str, dict[str, Any]] = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "domino",
        "OPTIONS": {"socket_timeout": 2, "socket_connect_timeout": 2},
    }
    if REDIS_URL
    else {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
}

# What a stranger's page shows is made once for all strangers, until anything it shows changes.
PAGE_COPY_SECONDS = 60
# In a rush a whole page may be so old; it asks for what has changed as soon as it is open.
PAGE_RECENT_SECONDS = 1

# Background work: with Redis a worker does it, without the request that asked for it does.
CELERY_BROKER_URL = REDIS_URL or "memory://localhost/"
CELERY_TASK_ALWAYS_EAGER = not REDIS_URL
CELERY_TASK_EAGER_PROPAGATES = DEBUG
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_TIME_LIMIT = 300
CELERY_TASK_DEFAULT_QUEUE = environment.text("CELERY_QUEUE", "domino")
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {"socket_timeout": 5, "socket_connect_timeout": 2}
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 2, "interval_start": 0.1, "interval_step": 0.2}

# Languages. The text of the whole project has one catalog a language; each catalog is offered.
LANGUAGE_CODE = "en"
LANGUAGES = [(one.code, one.name) for one in languages()]
LANGUAGE_DIGITS = {one.code: one.digits for one in languages() if one.digits}
LOCALE_PATHS = [BASE_DIR / "tournaments" / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

# Static files.
STATIC_URL = "static/"
WHITENOISE_USE_FINDERS = DEBUG
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "whitenoise.storage.CompressedManifestStaticFilesStorage",
    },
}

# Signing in.
LOGIN_URL = "login"
LOGOUT_REDIRECT_URL = "tournaments:index"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]

# Security.
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = HTTPS
SESSION_COOKIE_AGE = 60 * 60 * 24 * 14
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SECURE = HTTPS
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_SECURE = HTTPS
LANGUAGE_COOKIE_AGE = 60 * 60 * 24 * 365
SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = environment.number("HSTS_SECONDS", default=30 * 86400 if HTTPS else 0)
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if BEHIND_PROXY else None
X_FRAME_OPTIONS = "DENY"
# Whether other names of the same domain use HTTPS is not this site's to promise.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
# Scripts, styles and fonts are files of this site; nothing inline, nothing from elsewhere.
CONTENT_SECURITY_POLICY = {
    "default-src": "'self'",
    "connect-src": " ".join(("'self'", *environment.origin_of(STREAM_URL))),
    "img-src": "'self' data:",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
}

REST_FRAMEWORK: dict[str, Any] = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "rest_framework.authentication.SessionAuthentication",
        "tournaments.api.authentication.PlainBasicAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticatedOrReadOnly"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["tournaments.api.parsers.PlainJSONParser"],
    "DEFAULT_SCHEMA_CLASS": "tournaments.api.schema.SummedUpSchema",
    "EXCEPTION_HANDLER": "tournaments.api.refusals.refusal_response",
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
}
SPECTACULAR_SETTINGS: dict[str, Any] = {
    "TITLE": _("Domino tournaments"),
    "DESCRIPTION": _(
        "Events, pairings, matches and standings, and the record of every round. Reading is open "
        "to anyone; a change needs a signed-in official."
    ),
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/",
    "ENUM_NAME_OVERRIDES": {
        "TournamentStateEnum": "tournaments.models.Tournament.State",
        "EntryStateEnum": "tournaments.models.Entry.State",
        "EntryKindEnum": "tournaments.models.Entry.Kind",
        "StageStateEnum": "tournaments.models.Stage.State",
        "PairingRoundStateEnum": "tournaments.models.PairingRound.State",
        "MatchStateEnum": "tournaments.models.Match.State",
        "SeatEnum": "engine.seats.Seat",
        "CallKindEnum": "referee.models.TableCall.Kind",
        "TableLinkScopeEnum": "referee.models.TableLink.Scope",
        "AppealStateEnum": "tournaments.models.Appeal.State",
        "AppealFeeEnum": "tournaments.models.Appeal.Fee",
        "VerdictEnum": "tournaments.services.appeal_decisions.VERDICTS",
        "VerdictFeeEnum": "tournaments.services.appeal_decisions.FEES",
    },
    "COMPONENT_SPLIT_REQUEST": True,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "SWAGGER_UI_SETTINGS": {"deepLinking": True, "validatorUrl": None},
}

LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {
        "tournaments": {"level": "INFO"},
        "referee": {"level": "INFO"},
        "django": {"handlers": ["console"], "level": "INFO", "propagate": False},
        # Anybody can send a wrong host name; the answer 400 says enough.
        "django.security.DisallowedHost": {"handlers": [], "propagate": False},
    },
}
