# Two commands need nothing but Python 3.11+: `make demo` and `make test`.
PYTHON ?= python3
VENV ?= .venv
TESTERS ?= 3
BIN := $(VENV)/bin
PROTOS := $(wildcard proto/arena/v1/*.proto)

.PHONY: demo test check fmt proto clean strength agreement native engines mutants fuzz fuzz-wire pace dead silent sanitize chaos chaos-short

demo: $(VENV)/server.installed  ## a whole arena on this machine: five bots over gRPC, a tournament, a leaderboard
	$(BIN)/arena demo

test: check native  ## everything that CI runs
	$(BIN)/python -m pytest -n $(TESTERS) --dist loadfile

check: $(VENV)/all.installed  ## contracts, lint, types, generated code
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/mypy
	$(BIN)/buf lint proto
	$(MAKE) --no-print-directory proto
	git diff --exit-code --stat -- arena/v1

fmt: $(VENV)/all.installed  ## format and fix what can be fixed
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

proto: $(VENV)/all.installed  ## generate arena/v1 from proto/
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m grpc_tools.protoc -I proto --python_out=. --grpc_python_out=. \
		--mypy_out=quiet:. --mypy_grpc_out=quiet:. $(PROTOS)

strength: $(VENV)/server.installed  ## the long proof that search > planner > greedy > random
	$(BIN)/arena strength --games 1000

agreement: $(VENV)/all.installed  ## the long proof that engine and oracle agree
	$(BIN)/python -m tests.game.agreement --games 25000 --players 2,3,4,5

clean:
	rm -rf $(VENV) build dist arena-data .mypy_cache .ruff_cache .pytest_cache .hypothesis

native: $(VENV)/native.built  ## compile the engine again after a change of its source

$(VENV)/native.built: $(VENV)/all.installed $(wildcard arena/game/rules.p*) $(wildcard arena/game/outlook.p*) deploy/native.py
	$(BIN)/python deploy/native.py
	touch $@

engines: $(VENV)/native.built  ## native and pure play 10^6 equal random games (about half an hour)
	$(BIN)/python -m tests.game.engines --games 250000 --jobs 2

mutants: $(VENV)/all.installed  ## the proofs find each of the faults that are put into the rules by hand (some minutes)
	$(BIN)/python -m tests.game.mutants

fuzz: $(VENV)/all.installed  ## damaged game files, actions and views end in named errors (five minutes)
	$(BIN)/python -m tests.contest.fuzz

fuzz-wire: $(VENV)/native.built  ## a million malformed messages to every method of a running arena (ten minutes)
	$(BIN)/python -m tests.gateway.fuzz

pace: $(VENV)/native.built  ## limits are kept: 1,000 answers at 0.9 of one, quiet and under load, and 1,000 at 1.1 (some minutes)
	$(BIN)/python -m tests.end_to_end.pace

silent: $(VENV)/native.built  ## what a thousand silent connections do to the moves of others (two minutes)
	$(BIN)/python -m tests.gateway.silent

dead: $(VENV)/native.built  ## how soon a dead peer is noticed, in both directions (two minutes)
	$(BIN)/python -m tests.gateway.dead

chaos: $(VENV)/native.built  ## break a running arena in every way one machine can, 200 killed workers among them (an hour)
	$(BIN)/python -m tests.chaos

chaos-short: $(VENV)/native.built  ## the same, few of each kind (at most ten minutes)
	$(BIN)/python -m tests.chaos --short

sanitize: $(VENV)/all.installed  ## the native engine under address and undefined-behaviour checks
	$(BIN)/python -m tests.game.sanitized

$(VENV)/pip.installed:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --upgrade "pip>=25.1"
	touch $@

$(VENV)/server.installed: $(VENV)/pip.installed pyproject.toml
	$(BIN)/python -m pip install -q -e ".[server]"
	touch $@

$(VENV)/all.installed: $(VENV)/server.installed pyproject.toml
	$(BIN)/python -m pip install -q -e ".[server,learn]" --group test --group check
	touch $@
