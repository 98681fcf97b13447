# Everything there is to do here. `make help` lists it.
.DEFAULT_GOAL := help
SHELL := /bin/bash
PORT ?= 8080
# Editors build an index of their own. Leaving it out saves a tenth of the first build.
BUILD := swift build --disable-index-store
DEBUG := .build/debug
RELEASE := .build/release
SOAK_HISTORIES ?= 100000
SOAK_SERVERS ?= 3
SOAK_SEED ?=
SOAK_SECONDS ?= 300
KIT_RUNS ?= 100000
# The folder of the programs of another PostgreSQL, for the tests' clusters.
ifneq ($(POSTGRES_BIN),)
export LANDFALL_PG_BIN := $(POSTGRES_BIN)
endif
SOURCES := Package.swift Sources Tests sql dashboards-cli Benchmarks Verification Kit examples

.PHONY: help setup build programs run demo test check bench bench-sweep bench-reports soak kit-soak fuzz dist deb dist-test kit kit-test python format lint clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## Install what is missing (libpq, PostgreSQL, …) and check the Swift version
	@.ci/setup

build: setup
	@$(BUILD)

# The two programs, and only what they need.
programs:
	@.ci/setup run
	@[ -x $(DEBUG)/landfall ] || echo "building the server and the command line: eight to nine minutes on two cores, once"
	@$(BUILD) --product landfall-server
	@$(BUILD) --product landfall

run: programs ## Start the server on its private database, with a demo app; PORT=8080
	@$(DEBUG)/landfall-server serve --port $(PORT)

demo: programs ## Run the demo unattended: start, simulate a day, report, check the numbers, stop
	@$(DEBUG)/landfall demo

test: setup lint ## Lint, build with warnings as errors, run all tests; POSTGRES_BIN=/usr/lib/postgresql/17/bin
	@.ci/test

check: test ## Run what CI runs

bench: setup ## Measure the goals, and growth (docs/development.md), fifteen minutes; ARGS=--quick
	@swift build -c release --product landfall-server
	@.ci/swift-in Benchmarks build -c release --product landfall-bench
	@$(RELEASE)/landfall-bench $(ARGS)
	@$(RELEASE)/landfall-bench growth $(filter --quick --json,$(ARGS))

bench-sweep: setup ## Measure a sweep of 1 million stale tokens of 10 million (docs/development.md), 20 GB; ARGS=--quick
	@swift build -c release --product landfall-server
	@.ci/swift-in Benchmarks build -c release --product landfall-bench
	@$(RELEASE)/landfall-bench sweep $(ARGS)

bench-reports: setup ## Measure all reports, of a small app and of 1 and 10 million notifications (docs/development.md), 12 GB; ARGS=--quick
	@swift build -c release --product landfall-server
	@swift build -c release --product landfall
	@.ci/swift-in Benchmarks build -c release --product landfall-bench
	@$(RELEASE)/landfall-bench reports $(ARGS)

soak: setup ## Compare random histories with a plain reference; SOAK_HISTORIES=, SOAK_SEED=, SOAK_SERVERS=, SOAK_SECONDS=
	@swift build -c release --product landfall-server
	@swift build -c release --product landfall
	@.ci/swift-in Verification build -c release --product landfall-soak
	@$(RELEASE)/landfall-soak --histories $(SOAK_HISTORIES) $(if $(SOAK_SEED),--seed $(SOAK_SEED))
	@$(RELEASE)/landfall-soak tokens --histories $(SOAK_HISTORIES) $(if $(SOAK_SEED),--seed $(SOAK_SEED))
	@$(RELEASE)/landfall-soak estimates
	@$(RELEASE)/landfall-soak --histories $$(($(SOAK_HISTORIES) / 20 + 1)) --servers $(SOAK_SERVERS) \
		$(if $(SOAK_SEED),--seed $(SOAK_SEED))
	@$(RELEASE)/landfall-soak cells --seconds $(SOAK_SECONDS) $(if $(SOAK_SEED),--seed $(SOAK_SEED))

kit-soak: setup ## Kill phones with the device kit, 100,000 runs; KIT_RUNS=, SOAK_SEED=
	@swift build -c release --product landfall-server
	@.ci/swift-in Verification build -c release --product landfall-soak
	@.ci/swift-in Verification build -c release --product landfall-phone
	@$(RELEASE)/landfall-soak kit --runs $(KIT_RUNS) $(if $(SOAK_SEED),--seed $(SOAK_SEED))

fuzz: setup ## Fuzz the decoder, gzip, arrays and instants; FUZZ_SECONDS= for each, FUZZ_TARGETS=
	@Verification/Fuzz/run

dist: ## Pack both programs, with the Swift runtime inside, into dist/ (docs/install.md)
	@.ci/setup dist
	@packaging/dist

deb: dist ## Make the Debian package of them
	@packaging/deb

dist-test: deb ## Install the package in a Debian without Swift and use it there; needs root
	@packaging/dist-test

kit: ## Pack the device kit as a package of its own (docs/kit.md)
	@packaging/kit

kit-test: kit programs ## Build a program on that package, and let it report an arrival
	@packaging/kit-test

python: ## Pack the package for Python, clients/python, into dist/
	@bin=$$(.ci/python-venv)/bin && "$$bin/python" -m build --no-isolation --outdir dist clients/python

lint: ## Check the format, the words of what users read, and that targets name what they import
	@swift format lint --strict --recursive --parallel $(SOURCES)
	@.ci/words
	@.ci/targets
	@! git grep -nE "^(<<<<<<<|>>>>>>>) "

format: ## Format in place
	@swift format --in-place --recursive --parallel $(SOURCES)

clean: ## Remove what was built
	@swift package clean
