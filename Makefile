# Everything a newcomer or a CI machine needs. `make` alone lists the targets.
#
# Works from a fresh clone on Debian with Python 3.11, gcc and make: .ci/prepare finds out what else the machine lacks and
# installs it (or says what to install), everything of Python goes into .venv. Stamps keep a second run quick: the core is
# compiled again when cpp/, CMakeLists.txt or pyproject.toml change; Python files are used where they are.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMPS := $(VENV)/stamps
WORKERS ?= 2
PYTEST_ARGUMENTS ?=
FUZZ_SECONDS ?= 60

# pip says nothing but errors: places it cannot reach are no news when another one has the package.
PIP := $(BIN)/python -m pip -qq --disable-pip-version-check
CORE := CMakeLists.txt pyproject.toml $(shell find cpp -name '*.?pp' 2>/dev/null)
FORMATTED := $(filter-out cpp/unicode_tables.hpp,$(shell find cpp benchmarks -name '*.?pp'))  # those not generated

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test slow lint format types docs bench fuzz sanitize wheel-check clean

help:  ## list the targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 20

demo: $(STAMPS)/tertium  ## install into .venv and score the bundled sample
	@$(BIN)/tertium demo

# One thread of torch a worker: more of them than cores wait for each other, spinning.
test: $(STAMPS)/test  ## the whole default test suite, with all its set-up
	@OMP_NUM_THREADS=1 $(BIN)/python -m pytest -q -n $(WORKERS) --dist loadfile $(PYTEST_ARGUMENTS)

slow: $(STAMPS)/test  ## the long tests: every system of every language pair of the real data
	@$(BIN)/python -m pytest -q -m slow $(PYTEST_ARGUMENTS)

lint: $(STAMPS)/lint types  ## ruff check, ruff format --check, clang-format, mypy --strict
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/clang-format --dry-run -Werror $(FORMATTED)

types: $(STAMPS)/lint
	@$(BIN)/mypy

format: $(STAMPS)/lint  ## rewrite the code in the project's format
	@$(BIN)/ruff check --fix
	@$(BIN)/ruff format
	@$(BIN)/clang-format -i $(FORMATTED)

docs: $(STAMPS)/tertium  ## write the generated pages of docs/ anew
	@$(BIN)/python docs/generate.py

bench: $(STAMPS)/bench  ## every benchmark as a ratio over a named peer (ONLY="bleu chrf" chooses)
	@$(BIN)/python benchmarks/run.py $(ONLY)

fuzz: $(STAMPS)/python  ## feed the core with generated input for FUZZ_SECONDS (60)
	@PYTHON=$(BIN)/python FUZZ_SECONDS=$(FUZZ_SECONDS) bash cpp/fuzz/fuzz.sh

sanitize: $(STAMPS)/test  ## the core's tests under AddressSanitizer and UndefinedBehaviorSanitizer
	@PYTHON=$(BIN)/python bash cpp/fuzz/sanitize.sh

wheel-check: $(STAMPS)/python  ## build sdist and wheel; use the wheel in an empty venv without a compiler
	@PYTHON=$(abspath $(BIN)/python) bash .ci/wheel-check

clean:  ## remove all that make made, .venv included
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(STAMPS)/python: .ci/prepare
	@PYTHON=$(PYTHON) bash .ci/prepare
	@$(PYTHON) -m venv $(VENV)
	@mkdir -p $(STAMPS)
	@touch $@

$(STAMPS)/build: $(STAMPS)/python constraints.txt pyproject.toml
	@echo "Installing the build tools ..."
	@$(PIP) install -c constraints.txt scikit-build-core nanobind cmake ninja
	@touch $@

$(STAMPS)/tertium: $(STAMPS)/build $(CORE)
	@echo "Compiling the core and installing Tertium ..."
	@$(PIP) install -c constraints.txt --no-build-isolation --config-settings build-dir=build/make -e .
	@touch $@

# torch goes first and alone: with the constraint it is the CPU build where the machine's index has one.
$(STAMPS)/torch: $(STAMPS)/python constraints.txt
	@echo "Installing torch for the tests (CPU build) ..."
	@$(PIP) install -c constraints.txt torch
	@touch $@

$(STAMPS)/test: $(STAMPS)/tertium $(STAMPS)/torch .ci/prepare-tests
	@bash .ci/prepare-tests
	@echo "Installing what the tests compare with ..."
	@$(PIP) install -c constraints.txt --no-build-isolation --config-settings build-dir=build/make -e '.[all,test]'
	@touch $@

$(STAMPS)/lint: $(STAMPS)/test
	@$(PIP) install -c constraints.txt --no-build-isolation --config-settings build-dir=build/make -e '.[dev]'
	@touch $@

$(STAMPS)/bench: $(STAMPS)/test
	@$(PIP) install -c constraints.txt --no-build-isolation --config-settings build-dir=build/make -e '.[bench]'
	@touch $@
