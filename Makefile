VENV := .venv
BIN := $(VENV)/bin

.PHONY: help install
help:
	@echo "make install   create $(VENV) with everything for development"

install: $(VENV)/.installed

$(VENV)/.installed: pyproject.toml constraints.txt
	python3 -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@
