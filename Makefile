# `make` alone lists what there is. Everything is installed into .venv and web/node_modules, nothing outside
# (but Debian packages for the tests, where apt-get may be used).

VENV := .venv
API := .venv-api
BIN := $(VENV)/bin
PIP_QUIETLY := -m pip --quiet --disable-pip-version-check --no-input
PIP := $(BIN)/python $(PIP_QUIETLY)
HOST ?= 127.0.0.1
PORT ?= 8000
WORKERS ?= 2
PYTEST := $(BIN)/pytest -q -n $(WORKERS)

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help install serve test lint api-check bench load bundle packages clean

help:
	@echo 'make serve     start the game server with its browser client (HOST=$(HOST) PORT=$(PORT))'
	@echo 'make test      run all tests and checks'
	@echo 'make lint      run the checks alone: style, types, layers, browser client, protocol'
	@echo 'make api-check ask the HTTP API all that its description allows, and what it does not'
	@echo 'make bench     measure speed beside OpenSpiel and RLCard'
	@echo 'make load      measure what one server takes: 3,000 players'
	@echo 'make install   create $(VENV) and install everything for development into it'
	@echo 'make clean     remove what was built and installed'

install: $(VENV)/.installed bundle

# --- what must be there first --------------------------------------------------------------------------------------

$(BIN)/python:
	@scripts/make-venv $(VENV)

# An editable install follows the sources; it is made anew when what is declared, or
# what must be compiled, changes.
DECLARED := pyproject.toml constraints.txt buildtools/backend.py $(wildcard setup.py src/dizhu/_core/*.[ch])

$(VENV)/.runtime: $(DECLARED) | $(BIN)/python
	@echo 'Installing dizhu into $(VENV) …'
	@$(PIP) install --constraint constraints.txt --editable .
	@touch $@

$(VENV)/.installed: $(DECLARED) | $(BIN)/python
	@echo 'Installing dizhu and the tools for its development into $(VENV) …'
	@$(PIP) install --constraint constraints.txt --editable '.[dev]'
	@touch $(VENV)/.runtime $@

$(VENV)/.bench: $(VENV)/.installed
	@echo 'Installing what the benchmarks compare with …'
	@$(PIP) install --constraint constraints.txt --editable '.[dev,bench]'
	@touch $@

$(API)/.installed: buildtools/api-requirements.txt
	@scripts/make-venv $(API)
	@echo 'Installing schemathesis into $(API) …'
	@$(API)/bin/python $(PIP_QUIETLY) install --requirement $<
	@touch $@

# These two look at contents, not at times, and do nothing when nothing changed.
bundle: $(VENV)/.runtime
	@$(BIN)/python buildtools/browser_bundle.py

packages: $(VENV)/.installed
	@$(BIN)/python buildtools/browser_bundle.py --packages

# --- what one asks for ---------------------------------------------------------------------------------------------

serve: bundle
	@exec $(BIN)/dizhu serve --host $(HOST) --port $(PORT) --log-level warning

# The quickest answers come first; pytest closes the run. Slow tests of one file share what is dear to make (a wheel, a
# server, a browser), so a file stays in one process.
test: $(VENV)/.installed bundle
	@scripts/system-packages || echo 'The tests that need these will be skipped.'
	@echo 'Fast tests …'
	@$(PYTEST) -m 'not slow and not browser'
	@$(MAKE) --no-print-directory lint
	@echo 'Tests of the browser client …'
	@npm --silent --prefix web test
	@echo 'Slow tests, and tests in a browser …'
	@$(PYTEST) --dist loadfile -m 'slow or browser'

lint: packages
	@echo 'Style (ruff) …'
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@echo 'Types (pyright) …'
	@$(BIN)/pyright
	@echo 'Layers (import-linter) …'
	@$(BIN)/lint-imports --no-logo
	@echo 'Protocol: are web/src/protocol.ts and docs/protocol.md current? …'
	@$(BIN)/python -m dizhu.protocol.typescript --check
	@$(BIN)/python -m dizhu.protocol.page --check
	@echo 'Rules: is web/src/rules.json current? …'
	@$(BIN)/python -m dizhu.protocol.rulebook --check
	@echo 'Browser client (svelte-check) …'
	@npm --silent --prefix web run check

# Not part of `test`: it takes a minute.
api-check: $(VENV)/.runtime $(API)/.installed
	@$(BIN)/python buildtools/api_check.py $(API)/bin/schemathesis

bench: $(VENV)/.bench
	@$(BIN)/dizhu bench
	@$(BIN)/python -W ignore benchmarks/generation.py

# Nothing else should run beside it.
load: $(VENV)/.bench
	@$(BIN)/python benchmarks/load.py --knee --plot docs/load.png

clean:
	rm -rf $(VENV) $(API) web/node_modules build dist src/dizhu/server/static src/*.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
