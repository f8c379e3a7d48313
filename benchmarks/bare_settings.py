"""The settings of the site, with the benchmark's addresses."""

from tournaments.project.settings import *  # noqa: F403

ROOT_URLCONF = "benchmarks.bare"
