# Every developer command. Each target sets up what it needs in .venv and needs no other step.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
ARGS   ?=
TESTS  ?= tests
BENCH  ?= crawl graph graph_formats rank rank_hits structure similar models gravity communities
SCRATCH ?= benchmarks/out
# One worker a core, a file a worker: what a file sets up is set up once. Kernels are compiled once and cached.
JOBS   ?= 2

.PHONY: help demo test test-long check format bench bench-altavista bench-sky docs reproduce clean browser

help: ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 16

$(VENV)/.core: pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "installing periplus into $(VENV) …"
	@$(BIN)/pip install -qq --disable-pip-version-check -e .
	@touch $@

$(VENV)/.dev: $(VENV)/.core
	@echo "installing the development tools into $(VENV) …"
	@$(BIN)/pip install -qq --disable-pip-version-check -e '.[dev]'
	@touch $@

$(VENV)/.peers: $(VENV)/.dev
	@echo "installing the peers that the benchmarks compare with …"
	@$(BIN)/pip install -qq --disable-pip-version-check -e '.[dev,peers]'
	@touch $@

demo: $(VENV)/.core ## crawl, rank and search the demonstration web (ARGS="--no-serve" to stop after printing)
	@$(BIN)/periplus demo $(ARGS)

browser:
	@command -v chromium chromium-browser google-chrome >/dev/null 2>&1 || { \
	  if command -v apt-get >/dev/null 2>&1 && [ "$$(id -u)" = 0 ]; then \
	    echo "installing Debian's chromium for the browser tests …"; \
	    (apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium) >/dev/null 2>&1 \
	      || echo "could not install chromium: the browser tests will be skipped by name"; \
	  else echo "no chromium here and no way to install it: the browser tests will be skipped by name"; fi; }

test: $(VENV)/.dev browser ## every test that a change must pass (under ten minutes on two cores)
	$(BIN)/python -m pytest $(TESTS) -m "not long" -n $(JOBS) --dist loadfile --no-loadscope-reorder $(ARGS)

test-long: $(VENV)/.dev browser ## the long trials too: many kills, large graphs
	$(BIN)/python -m pytest $(TESTS) -n $(JOBS) --dist loadfile --no-loadscope-reorder $(ARGS)

check: $(VENV)/.dev ## lint, format and types
	$(BIN)/ruff check src tests benchmarks
	$(BIN)/ruff format --check src tests benchmarks
	$(BIN)/mypy

format: $(VENV)/.dev ## put the code into the house format
	$(BIN)/ruff check --fix src tests benchmarks
	$(BIN)/ruff format src tests benchmarks

bench: $(VENV)/.peers ## every benchmark that fits in minutes, with peers in the same run (BENCH="rank" for one of them)
	@for b in $(BENCH); do echo "== $$b"; $(BIN)/python benchmarks/$$b.py $(ARGS) || exit 1; done

bench-altavista: $(VENV)/.peers ## 203 million pages and 1.5 billion links on one machine: 16 GB of memory, 60 GB of disk
	$(BIN)/python benchmarks/altavista.py --into $(SCRATCH)/altavista.graph $(ARGS)
	$(BIN)/python benchmarks/altavista_study.py $(SCRATCH)/altavista.graph

bench-sky: $(VENV)/.peers ## three steps of the sky on the graph that bench-altavista built: 23 GB of free memory
	$(BIN)/python benchmarks/gravity.py --altavista $(SCRATCH)/altavista.graph $(ARGS)

reproduce: $(VENV)/.dev ## work out every figure of the five papers again (PERIPLUS_DATA names the real webs)
	$(BIN)/periplus reproduce all --save src/periplus/reproduce/results.json $(ARGS)
	$(BIN)/python -m periplus.cli.reference docs/reproduced.md

docs: $(VENV)/.dev ## regenerate the generated parts of docs/
	$(BIN)/python -m periplus.cli.reference docs/*.md
	$(BIN)/python tools/house.py docs/img/house.svg

clean: ## remove what the targets made
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache demo.web
