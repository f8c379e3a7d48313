# Needs Python 3.11, git and make, nothing else. `make help` lists what there is.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV ?= .venv
BIN = $(VENV)/bin
ADDRESS ?= 127.0.0.1:8000
LOCK = --quiet --generate-hashes --strip-extras --allow-unsafe --no-header \
       --no-emit-index-url --no-emit-find-links --no-emit-trusted-host

.PHONY: help install install-dev demo rehearsal lint types messages-check test test-browser \
        test-pdf bench messages lock clean

help:
	@echo "make demo          the site with events to look at, on http://$(ADDRESS)/"
	@echo "make rehearsal     whole events of robots in every format, each law of them checked"
	@echo "make test          every check that needs nothing but Python"
	@echo "make lint          the style of code and templates"
	@echo "make types         what mypy finds"
	@echo "make messages-check  is every sentence translated?"
	@echo "make test-browser  the checks that need Chromium"
	@echo "make test-pdf      the checks that need Pango, some of them Chromium too"
	@echo "make bench         figures: engine, draws, standings; with DATABASE_URL the API and events"
	@echo "make install       only install what the site needs, into $(VENV)/"
	@echo "make install-dev   that, and what the checks need"
	@echo "make messages      bring the translation catalogs up to date"
	@echo "make lock          choose the newest packages and write their hashes"
	@echo "make clean         remove what these commands made, the database included"
	@echo "Where port 8000 is taken: ADDRESS=127.0.0.1:8001 make demo"

# One stamp a lock file: installing again only happens when a lock file changed.
$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: requirements.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements.txt
	@touch $@

$(VENV)/installed-dev: requirements.txt requirements-dev.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements.txt -r requirements-dev.txt
	@touch $(VENV)/installed $@

install: $(VENV)/installed
install-dev: $(VENV)/installed-dev

demo: install
	@$(BIN)/python manage.py port_free $(ADDRESS)
	$(BIN)/python scripts/messages.py --compile
	$(BIN)/python manage.py migrate --verbosity 0
	$(BIN)/python manage.py demo
	$(BIN)/python manage.py runserver $(ADDRESS)

rehearsal: install
	$(BIN)/python manage.py rehearse $(REHEARSE)

lint: install-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/djlint --quiet --lint templates

types: install-dev
	$(BIN)/mypy

messages-check: install-dev
	$(BIN)/python scripts/messages.py --check

test: lint types messages-check
	$(BIN)/python manage.py check --fail-level WARNING
	$(BIN)/python -m pytest -n 2 --dist worksteal

test-browser: install-dev
	$(BIN)/python -m pytest -m "browser and not pdf"

test-pdf: install-dev
	$(BIN)/python -m pytest -m pdf

bench: install-dev
	$(BIN)/python benchmarks/engine.py
	$(BIN)/python benchmarks/swiss.py --repeats 1
	$(BIN)/python benchmarks/rotation.py
	$(BIN)/python benchmarks/standings.py
	$(if $(DATABASE_URL),$(BIN)/python benchmarks/api.py)
	$(if $(DATABASE_URL),$(BIN)/python benchmarks/pages.py)
	$(if $(DATABASE_URL),$(BIN)/python benchmarks/hall.py)
	$(if $(DATABASE_URL),$(BIN)/python benchmarks/bad_line.py)
	$(if $(DATABASE_URL),$(BIN)/python benchmarks/events.py)
	$(if $(DATABASE_URL),$(BIN)/python benchmarks/stream.py)
	$(if $(DATABASE_URL),$(BIN)/python benchmarks/rush.py)

messages: install
	$(BIN)/python scripts/messages.py

lock: install-dev
	$(BIN)/pip-compile $(LOCK) --upgrade --output-file requirements.txt requirements.in
	$(BIN)/pip-compile $(LOCK) --upgrade --output-file requirements-dev.txt requirements-dev.in

clean:
	rm -rf $(VENV) var build .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find tournaments/locale -name '*.mo' -delete
