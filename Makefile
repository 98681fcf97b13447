# Everything there is to do here. `make help` lists it.
.DEFAULT_GOAL := help
SHELL := /bin/bash
PORT ?= 8080
DEBUG := .build/debug
RELEASE := .build/release
SOURCES := Package.swift Sources Tests sql dashboards-cli

.PHONY: help setup build run demo test check bench format lint clean

help: ## List what can be done
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## Install what is missing (libpq, PostgreSQL, …) and check the Swift version
	@.ci/setup

build: setup
	@swift build

run: build ## Start the server on its private database, with a demo app; PORT=8080
	@$(DEBUG)/landfall-server serve --port $(PORT)

demo: build ## The whole way unattended: start, simulate a day, report, check the numbers, stop
	@$(DEBUG)/landfall demo

test: setup lint ## Lint, build with warnings as errors, run all tests
	@swift build --build-tests
	@swift test --skip-build

check: test ## The same as CI

bench: setup ## Measure what must be reached (docs/benchmark.md), ten minutes; ARGS=--quick
	@swift build -c release --product landfall-server
	@swift build -c release --product landfall-bench
	@$(RELEASE)/landfall-bench $(ARGS)

lint: ## Check the format
	@swift format lint --strict --recursive --parallel $(SOURCES)

format: ## Format in place
	@swift format --in-place --recursive --parallel $(SOURCES)

clean: ## Remove what was built
	@swift package clean
