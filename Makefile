# make help lists the targets.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.NOTPARALLEL:
.DEFAULT_GOAL := help

PYTHON ?= /usr/bin/python3
BIN := .venv/bin
CACHE := $(or $(WEIR_CACHE),$(or $(XDG_CACHE_HOME),$(HOME)/.cache)/weir)
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
CAMPAIGN ?= campaigns/quickstart.yaml
PYTEST ?=
# More than the cores that it is meant for: tests also wait, for servers and the real clock.
WORKERS ?= 4
VERSION ?= dev
# A wheel weir-lab-kernel of a release, in place of the minutes that the lab kernel's build takes.
KERNEL_WHEEL ?=
# What makes releases, and has packages of its own.
RELEASE := build/release
RELEASED := PYTHONPATH=core:lab:engine:services/orchestrator:tools/release $(RELEASE)/bin/python -m weir_release
# Compiled once, not at each of the suite's many starts.
unexport PYTHONDONTWRITEBYTECODE
# Not by its own name, so that `make -n` shows the line and does not run it.
SELF := $(MAKE) --no-print-directory

BUILD_PACKAGES := gcc make flex bison bc libelf-dev xz-utils patch
RUN_PACKAGES := python3-venv nginx-light apache2-bin iproute2 util-linux git openssh-client
BENCH_PACKAGES := libns3-dev g++
TEST_PACKAGES := gcc libc6-dev openssl openssh-server postgresql chromium chromium-headless-shell debootstrap user-mode-linux $(if $(shell command -v dockerd),,docker.io) \
    $(if $(shell docker compose version 2>/dev/null || command -v docker-compose),,docker-compose) \
    $(if $(shell command -v go),,golang-go)

CLUSTER_PACKAGES := containerd runc containernetworking-plugins iptables ipset iproute2 openssl $(TEST_PACKAGES)

.PHONY: help setup kernel demo images base-image env web web-check web-test test test-long test-servers wheel release test-cluster cluster-up cluster-down check python-check docs format bench-deps packages clean

help: ## list the targets
	@sed -nE 's/^([a-z-]+):[^#]*## (.*)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 22

setup: packages .venv/installed kernel ## install what is needed and build the lab kernel (KERNEL_WHEEL=... takes a release's)

kernel:
	@$(if $(KERNEL_WHEEL),$(PIP) install --force-reinstall --no-deps --no-index $(KERNEL_WHEEL) && $(BIN)/weir kernel build \
	    || { echo "the lab kernel is built from source" >&2; .ci/apt $(BUILD_PACKAGES); $(BIN)/weir kernel build; },$(BIN)/weir kernel build)
	@if command -v node npm >/dev/null; then $(BIN)/weir player fetch; fi || true

demo: packages $(or $(wildcard .venv/installed),.venv/usable) kernel ## run the quickstart campaign and report on it (CAMPAIGN=... another one)
	@ended=0; $(BIN)/weir run $(CAMPAIGN) || ended=$$?; \
	$(BIN)/weir report $(CAMPAIGN); exit $$ended

web: web/dist/index.html ## build the web UI, which weir up serves

WEB_SOURCES := $(shell find web -path web/node_modules -prune -o -type f -not -path 'web/dist/*' -not -path 'web/screenshots/*' -print 2>/dev/null)

web/node_modules/.package-lock.json: web/package.json web/package-lock.json web/.npmrc
	@node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)' 2>/dev/null \
	    || { echo "the web UI is built by Node.js 20.19 or newer, with npm" >&2; exit 1; }
	@echo "installing the web UI's packages"
	@tools/kept web web/node_modules web/package-lock.json web/package.json web/.npmrc "$$(node --version)" "$$(uname -m)" \
	    -- npm ci --prefix web --silent --no-progress
	@touch $@

web/dist/index.html: web/node_modules/.package-lock.json $(WEB_SOURCES)
	@cd web && npm run --silent build

DOCS := build/docs/site/index.html
DOCS_SOURCES := $(shell find *.md campaigns core docs engine gym lab sdk services tools -type f -not -name '*.pyc' 2>/dev/null)

# Each leaves a stamp, so that what has not changed is not asked again.
WEB_DONE := web/node_modules/.cache
API_SOURCES := $(shell find services/orchestrator/weir_orchestrator engine/weir_engine core/weir -name '*.py' 2>/dev/null)

$(WEB_DONE)/checked: web/node_modules/.package-lock.json $(WEB_SOURCES) $(API_SOURCES) | .venv/installed
	@cd web && npm run --silent check
	@mkdir -p $(@D) && touch $@

$(WEB_DONE)/tested: web/node_modules/.package-lock.json $(WEB_SOURCES)
	@cd web && npm run --silent test
	@mkdir -p $(@D) && touch $@

web-check: $(WEB_DONE)/checked
	@echo "web: types, lint, format and API types are clean"

web-test: setup $(WEB_DONE)/tested web $(DOCS) test-servers ## the web UI's tests, also in a browser on a real platform
	@cd web && npm run --silent e2e

# The page's tests run beside Python's, which wait for a quarter of their time.
test: setup test-servers ## lint, and run every test (PYTEST='-k name' to choose of Python's)
	@$(if $(PYTEST),,$(SELF) web $(DOCS) & made=$$!; trap "kill $$made 2>/dev/null" EXIT;) \
	$(SELF) python-check; $(if $(PYTEST),,wait $$made; trap - EXIT)
	@mkdir -p build; failed=0; \
	$(if $(PYTEST),,$(SELF) web-check web-test >build/web-test.log 2>&1 & web=$$!; trap "kill $$web 2>/dev/null" EXIT;) \
	$(BIN)/pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder $(PYTEST) || failed=$$?; \
	$(if $(PYTEST),,wait $$web || failed=$$?; trap - EXIT; cat build/web-test.log;) \
	exit $$failed

test-long: setup test-servers $(RELEASE)/installed $(if $(PYTEST),,web $(DOCS)) ## the same proofs at full length, and 50,000 requests drawn from the OpenAPI: an hour
	@$(BIN)/pytest -m long $(PYTEST)
	@$(if $(PYTEST),,cd web && LOOKS=all npm run --silent e2e)

check: python-check web-check ## lint, types, import rules

python-check: packages .venv/installed
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --quiet --check .
	@MYPY_CACHE_DIR=$(CACHE)/mypy $(BIN)/mypy --no-error-summary
	@said=$$($(BIN)/lint-imports --no-logo) || { echo "$$said"; exit 1; }

docs: .venv/installed ## build the documentation into build/docs/site; a dead link fails
$(DOCS): $(DOCS_SOURCES) | .venv/installed
docs $(DOCS):
	@PYTHONPATH=tools/docs $(BIN)/python -m docsite

images: ## build the container images (VERSION=dev; BUILDER=1 that for C, too; BROWSER=1 with Chromium; KERNEL_WHEEL=...; docs/containers.md)
	@tools/images/build.py --version $(VERSION) $(if $(BUILDER),--builder) $(if $(BROWSER),--browser) $(if $(KERNEL_WHEEL),--kernel $(KERNEL_WHEEL))

$(RELEASE)/installed: tools/release/requirements.lock
	@rm -rf $(RELEASE) && $(PYTHON) -m venv $(RELEASE)
	@$(RELEASE)/bin/python -m pip --quiet --disable-pip-version-check install --require-hashes --requirement $<
	@touch $@

wheel: setup $(RELEASE)/installed ## the wheels weir (with its page) and weir-lab-kernel of the last commit, in dist/
	@$(RELEASED) --wheels-only

release: setup $(RELEASE)/installed ## the wheels, their SBOMs and SHA256SUMS (docs/release.md)
	@$(RELEASED)

base-image: ## make debian:bookworm-slim, where it cannot be pulled (as root)
	@.ci/apt debootstrap
	@tools/images/base.py

env: ## write .env, with secrets of its own, for compose.yaml
	@tools/images/env.py

test-cluster: setup ## as root, the tests on a real cluster of one node, built here once
	@.ci/apt $(CLUSTER_PACKAGES)
	@$(BIN)/pytest -m cluster tests/cluster $(PYTEST)

cluster-up: ## as root, start that cluster and leave it up: Kubernetes with Argo Workflows
	@.ci/apt $(CLUSTER_PACKAGES)
	@tools/cluster/cluster up

cluster-down: ## end it
	@tools/cluster/cluster down

test-servers: ## install Postgres and build MinIO, which tests start
	@.ci/apt $(TEST_PACKAGES)
	@tools/minio/build >/dev/null

format: .venv/installed ## format the Python code
	@$(BIN)/ruff check --quiet --fix . || true
	@$(BIN)/ruff format --quiet .

bench-deps: ## install ns-3, which `weir bench ns3` compares with
	@.ci/apt $(BENCH_PACKAGES)

packages:
	@.ci/apt $(RUN_PACKAGES) $(if $(KERNEL_WHEEL),,$(BUILD_PACKAGES))

# $(call environment,NAME,LOCK,OPTIONS): .venv with the packages of a lock file, kept by that name.
define environment
@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "$(PYTHON) is older than Python 3.11: make PYTHON=...")'
@echo "installing Python packages into .venv$(if $(KERNEL_WHEEL),, and preparing the lab kernel's source)"
@# Beside each other: the latter needs none of the packages, and each of them one core.
@$(if $(KERNEL_WHEEL),,PYTHONPATH=core:lab $(PYTHON) -c 'from weir_lab.kernel import prepare; prepare()' 2>/dev/null & prepared=$$!; trap "kill $$prepared 2>/dev/null" EXIT;) \
tools/kept $1 .venv $2 "$$($(PYTHON) -VV)" "$$(uname -m)" -- bash -c \
    '$(PYTHON) -m venv .venv && $(PIP) install --require-hashes $3 --requirement $2'; \
$(if $(KERNEL_WHEEL),,wait $$prepared || true; trap - EXIT)
@# What names the tree is its own: it may have been made in another.
@rm -f $(BIN)/[Aa]ctivate* .venv/pyvenv.cfg && $(PYTHON) -m venv --without-pip .venv
@grep -lIE '^#!.*/python' $(BIN)/* | xargs sed -i '1s|^#!.*|#!$(CURDIR)/$(BIN)/python|'
@$(PIP) install --no-build-isolation --no-deps --editable .
@touch $@
endef

.venv/installed: requirements.lock pyproject.toml
	$(call environment,python,requirements.lock)

# Without what developers need, which is half of it.
.venv/usable: requirements.lock pyproject.toml
	@mkdir -p build && $(PYTHON) tools/images/locked.py 'weir[server]' hatchling editables >build/usable.lock
	$(call environment,usable,build/usable.lock,--no-compile)

clean: ## remove what setup and tests made here (not results, not the kernel cache)
	@rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
