# Everything a person types here. `make demo` and `make test` need only Python >= 3.11: they make their own .venv.
# With what requirements/dev.lock names, to the digest: `make test LOCKED=1 VENV=.venv-locked`.
# With another: `make test VENV=.venv-3.13 PYTHON=python3.13`.

SHELL := /bin/sh
VENV := .venv
BIN := $(VENV)/bin
CLIENTS := .venv-clients
WORKERS ?= 2
FUZZ ?= 50
HOSTS ?=
TARGET ?= all
SECONDS ?= 300

# Whatever the caller's pip or Python is told to do elsewhere must not reach into this virtual environment.
unexport PYTHONPATH PYTHONHOME PIP_USER PIP_TARGET PIP_PREFIX PIP_REQUIRE_VIRTUALENV VIRTUAL_ENV
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.DEFAULT_GOAL := help
.PHONY: help demo test test-clients lint fuzz kill fuzz-long mutation bench programs lock audit release binary docs site pictures clean

help:  ## what can be made
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1  \2/p' Makefile

# The stamp is newer than pyproject.toml and the venv's interpreter runs: nothing to do. Otherwise start again from
# an empty folder, so that an interrupted or outdated environment never lingers.
$(VENV)/.installed: pyproject.toml tools/find_python
	@python=$$(tools/find_python) || exit 1; \
	echo "preparing $(VENV), once: about half a minute"; \
	rm -rf $(VENV) && \
	"$$python" -m venv $(VENV) && \
	if [ -n "$(LOCKED)" ]; then \
		$(BIN)/python -m pip install --quiet --require-hashes -r requirements/dev.lock && \
		$(BIN)/python -m pip install --quiet --no-deps --editable .; \
	else \
		$(BIN)/python -m pip install --quiet --editable '.[dev,serve,lsp,fleet,otel,postgres,solver]'; \
	fi && \
	touch $@

$(VENV)/.installed-bench: $(VENV)/.installed
	@$(BIN)/python -m pip install --quiet --editable '.[bench]' && touch $@

$(VENV)/.installed-proofs: $(VENV)/.installed
	@$(BIN)/python -m pip install --quiet --editable '.[fuzz,mutation]' && touch $@

$(VENV)/.installed-release: $(VENV)/.installed
	@$(BIN)/python -m pip install --quiet --editable '.[release]' && touch $@

$(VENV)/.installed-site: $(VENV)/.installed
	@$(BIN)/python -m pip install --quiet --editable '.[site]' && touch $@

demo: $(VENV)/.installed  ## a recorded session under the shipped packs: what was wanted, said, done then
	@$(BIN)/python examples/demo.py

lint: $(VENV)/.installed  ## formatting, lint, types and floors, without the tests
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

test: lint  ## everything that must be green
	@$(BIN)/python -m pytest -q -n $(WORKERS)

# Everything that acts for somebody, as it is: an environment of its own, so that the main one stays small.
$(CLIENTS)/.installed: pyproject.toml tools/find_python
	@python=$$(tools/find_python) || exit 1; \
	rm -rf $(CLIENTS) && \
	"$$python" -m venv $(CLIENTS) && \
	$(CLIENTS)/bin/python -m pip install --quiet --editable '.[clients]' && \
	touch $@

test-clients: $(CLIENTS)/.installed  ## with the real frameworks and clients, fetched here, against scripted models
	@$(CLIENTS)/bin/python -m tests.clients.packages $(HOSTS)
	@$(CLIENTS)/bin/python -m pytest -q -n $(WORKERS) -o addopts="--import-mode=importlib -ra" -o filterwarnings=default tests/clients

fuzz: $(VENV)/.installed  ## the properties with FUZZ times as many examples, new ones each time
	@POLICY_FUZZ=$(FUZZ) $(BIN)/python -m pytest -q -n $(WORKERS) tests/properties
	@POLICY_FUZZ=$(FUZZ) $(BIN)/python -m pytest -q -n $(WORKERS) --log-cli-level=INFO tests/unit/shell/test_against_bash.py
	@POLICY_FUZZ=$(FUZZ) $(BIN)/python -m pytest -q -n $(WORKERS) tests/fuzz
	@$(BIN)/python -m tests.fuzz.differential $(FUZZ)000

kill: $(VENV)/.installed  ## kill -9 of 10,000 engines and 500 hooks in the middle of their events, and 100 hooks at once
	@$(BIN)/python -m tests.faults.kill 10000 500
	@$(BIN)/python -m tests.faults.crowd 100

fuzz-long: $(VENV)/.installed-proofs  ## the fuzz target TARGET, or each in turn, for SECONDS, guided by coverage
	@$(BIN)/python -m tests.fuzz $(TARGET) $(SECONDS)

mutation: $(VENV)/.installed-proofs  ## how many changes of the decision path the tests notice, SECONDS at a time
	@test -f .mutation/map.json || $(BIN)/python -m tools.mutation map
	@$(BIN)/python -m tools.mutation run --seconds $(SECONDS)

bench: $(VENV)/.installed-bench  ## the figures, beside the peers, in one run
	@$(BIN)/python -m bench

programs: $(VENV)/.installed  ## the table of programs as the hook reads it, written again
	@$(BIN)/python -m tools.programs

lock: $(VENV)/.installed-release  ## write requirements/*.lock again: every package with its digests, no place to fetch from
	@cd requirements && for lock in "run " "dev --extra=dev --extra=serve --extra=lsp --extra=fleet --extra=otel --extra=postgres --extra=solver"; do \
		../$(BIN)/python -m piptools compile --quiet --generate-hashes --no-header --no-emit-options --strip-extras \
		--no-emit-index-url --no-emit-trusted-host --no-emit-find-links --allow-unsafe $${lock#* } \
		-o $${lock%% *}.lock ../pyproject.toml || exit 1; done

audit: $(VENV)/.installed-release  ## known vulnerabilities of what is locked; says what could not be looked at
	@$(BIN)/python -m tools.supply_chain audit

release: $(VENV)/.installed-release  ## wheel, sdist, what they were tried with, and bill of materials (CycloneDX) in dist/
	@rm -rf dist && $(BIN)/python -m build --outdir dist . >/dev/null
	@$(BIN)/python -m tools.supply_chain sbom > dist/policy_engine.cdx.json
	@cp requirements/run.lock dist/ && ls dist

# From an environment and a folder of its own: a checkout has its files elsewhere than an installation.
binary: pyproject.toml tools/find_python  ## dist/policy-SYSTEM-MACHINE, one file that needs no Python: for CI, not for hooks
	@python=$$(tools/find_python) || exit 1; rm -rf build/binary && mkdir -p build/binary dist && \
	"$$python" -m venv build/binary/venv && build/binary/venv/bin/python -m pip install --quiet '.[binary]' && \
	echo 'from policy_engine.cli import main; raise SystemExit(main())' > build/binary/policy.py && \
	cd build/binary && venv/bin/python -m PyInstaller --onefile --noconfirm --log-level ERROR --workpath work \
		--distpath ../../dist --name "policy-$$(uname -s | tr A-Z a-z)-$$(uname -m)" \
		--collect-all policy_engine --collect-all policy_engine_compat --recursive-copy-metadata policy_engine \
		--hidden-import re2 --hidden-import ahocorasick policy.py

docs: $(VENV)/.installed  ## write docs/reference/ and the grammars of editors again from the code
	@$(BIN)/python -m docs.reference && $(BIN)/python -m tools.textmate && $(BIN)/python -m tools.treesitter

site: $(VENV)/.installed-site  ## the documentation as a site in build/site, with a search and a path for each reader
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --quiet
	@$(BIN)/python -m tools.playground build/site/docs
	@echo "to read it: python3 -m http.server --bind 127.0.0.1 --directory build/site"

$(CLIENTS)/.installed-pictures: $(CLIENTS)/.installed
	@$(CLIENTS)/bin/python -m pip install --quiet --editable '.[pictures]' && touch $@

pictures: $(CLIENTS)/.installed-pictures  ## docs/pictures/ anew, of the real clients and Chromium, or those in HOSTS
	@$(CLIENTS)/bin/python -m tools.pictures $(HOSTS)

clean:  ## forget the environment and every cache
	rm -rf $(VENV) $(CLIENTS) .clients .fuzz .mutation .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis build dist
