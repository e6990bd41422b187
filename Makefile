# Every command of the project; `make` alone lists them. Needs Python >= 3.11 and a package index.
PYTHON  ?= python3
WORKERS ?= 2

BIN := .venv/bin
ENV := .venv/.ready

# One BLAS thread a process: the work is spread over processes.
export OMP_NUM_THREADS      ?= 1
export OPENBLAS_NUM_THREADS ?= 1
export MKL_NUM_THREADS      ?= 1

.DELETE_ON_ERROR:
.PHONY: help report test audit audit-deep stored certify fuzz check format lock lowest torch extras dask browser docs package coq clean

help:
	@echo 'make report   run the main job and write report/index.html'
	@echo 'make test     run the tests'
	@echo 'make audit    decide every step and statement of every paper anew and compare the declared verdicts'
	@echo 'make audit-deep  the same with every mutant of every step and a falsehood planted in every check'
	@echo 'make stored   do the runs anew that ship with the papers and that another source did; STORED names more'
	@echo 'make certify  find the certificates that steps of the papers lack, and write them to the papers folders'
	@echo 'make fuzz     try many command lines, files, ranges, optima and kills; SEED and FUZZ say which and how many'
	@echo 'make check    lint, formatting and types'
	@echo 'make format   let ruff mend lint and formatting where it can'
	@echo 'make lock     choose the newest dependencies anew: requirements.lock'
	@echo 'make lowest   run the tests with the oldest dependencies that pyproject.toml allows'
	@echo 'make torch    run the tests that need PyTorch, in an environment of their own'
	@echo 'make extras   run the tests that need Flower or Optuna, in an environment of their own'
	@echo 'make dask     run the tests that need a Dask cluster, in an environment of their own'
	@echo 'make browser  run the tests that need Chromium, in an environment of their own'
	@echo 'make docs     build the documentation site into site/, in an environment of its own, and check its links'
	@echo 'make package  build wheel and sdist into dist/, check them, and try the wheel in a fresh environment'
	@echo 'make coq      write the proofs of two papers as Coq lemmas and let coqc check them (needs Coq 8.16 or newer)'
	@echo 'make clean    remove everything that these commands made'
	@echo 'The first nine and coq make .venv when it is missing or out of date; PYTHON=python3.13 chooses its interpreter.'

# .unfinished stands while an install runs: after an interruption the environment is made anew.
$(ENV): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "python: got $$($(PYTHON) --version 2>&1 | head -n 1), expected Python 3.11 or newer; run make PYTHON=/path/to/python3.11" >&2; exit 1; }
	@if [ -e .venv/.unfinished ]; then rm -rf .venv; fi
	@mkdir -p .venv && : > .venv/.unfinished
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@rm -f .venv/.unfinished && : > $@

report: $(ENV)
	$(BIN)/fedproof report -o report

test: $(ENV)
	$(BIN)/python -m pytest -q -n $(WORKERS)

# Cold: the tests keep no verdict of an earlier run.
AUDITED := $(BIN)/python -m pytest -q -n $(WORKERS) --dist worksteal tests/conformance

audit: $(ENV)
	$(AUDITED) -m audit

# A seed and sizes say which were run: make fuzz SEED=2 FUZZ='--lines 20000'.
SEED ?= 1
FUZZ ?= --lines 4000 --files 4000 --records 1000 --ranges 1000 --optima 300 --tiny 300 --kills 10 --interrupts 20
fuzz: $(ENV)
	$(BIN)/python -m tests.fuzz --seed $(SEED) $(FUZZ)

# Of each check and figure that has a file in its paper's folder `stored`; STORED='flecs.runs fedprox.rate' names others.
stored: $(ENV)
	$(BIN)/python -m fedproof.report.stored $(STORED)

certify: $(ENV)
	$(BIN)/python -m fedproof.validate.certify -j $(WORKERS)

audit-deep: $(ENV)
	$(AUDITED) -m 'audit or deep or deep_share'

check: $(ENV)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

format: $(ENV)
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

# The locker has an environment of its own, so that users need not install it.
.cache/lock/bin/uv:
	$(PYTHON) -m venv .cache/lock
	.cache/lock/bin/python -m pip install --quiet --disable-pip-version-check uv

lock: .cache/lock/bin/uv
	.cache/lock/bin/uv pip compile --quiet --no-config --upgrade --universal --fork-strategy fewest \
	  --python-version 3.11 --generate-hashes --extra dev --custom-compile-command 'make lock' \
	  pyproject.toml -o requirements.lock

# What these depend on is new, and warns of what they still call.
lowest: .cache/lock/bin/uv
	$(PYTHON) -m venv --clear .cache/lowest
	.cache/lock/bin/uv pip install --quiet --no-config --python .cache/lowest/bin/python \
	  --resolution lowest-direct -e '.[dev]'
	.cache/lowest/bin/python -m pytest -q -n $(WORKERS) -W default::DeprecationWarning

# PyTorch is large, so it stays out of .venv; TORCH=torch==2.13.0 chooses its version.
TORCH ?= torch>=2.6
.cache/torch/.ready: requirements.lock pyproject.toml
	$(PYTHON) -m venv --clear .cache/torch
	.cache/torch/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	.cache/torch/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	.cache/torch/bin/python -m pip install --quiet --disable-pip-version-check '$(TORCH)'
	@: > $@

torch: .cache/torch/.ready
	.cache/torch/bin/python -m pytest -q fedproof/adapters tests/adapters tests/problems/test_models.py

# Flower and Optuna bring many packages, which warn of each other; FLOWER and OPTUNA choose their versions, such as flwr[simulation]==1.41.0.
FLOWER ?= flwr[simulation]>=1.41
OPTUNA ?= optuna>=4.2
.cache/extras/.ready: requirements.lock pyproject.toml
	$(PYTHON) -m venv --clear .cache/extras
	.cache/extras/bin/python -m pip install --quiet --disable-pip-version-check '.[dev]' '$(FLOWER)' '$(OPTUNA)'
	@: > $@

extras: .cache/extras/.ready
	.cache/extras/bin/python -m pytest -q -W default fedproof/adapters/flower.py tests/adapters/test_flower.py \
	  tests/adapters/test_recorded.py tests/adapters/test_flower_conform.py tests/adapters/test_flower_config.py \
	  tests/adapters/test_optuna.py tests/adapters/test_exports_page.py

# A scheduler and its workers are processes of this machine, which answer on the loopback alone; DASK chooses the version.
DASK ?= dask[distributed]>=2025.1
.cache/dask/.ready: requirements.lock pyproject.toml
	$(PYTHON) -m venv --clear .cache/dask
	.cache/dask/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	.cache/dask/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	.cache/dask/bin/python -m pip install --quiet --disable-pip-version-check '$(DASK)'
	@: > $@

dask: .cache/dask/.ready
	.cache/dask/bin/python -m pytest -q tests/solvers/test_cluster.py tests/solvers/test_sweep_dask.py

# The site is written from docs/, docstrings, statements, schemas and executed notebooks; none of its pages asks a network.
DOCS ?= mkdocs-material>=9.6,<10
.cache/docs/.ready: requirements.lock pyproject.toml
	$(PYTHON) -m venv --clear .cache/docs
	.cache/docs/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	.cache/docs/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	.cache/docs/bin/python -m pip install --quiet --disable-pip-version-check '$(DOCS)' 'jsonschema>=4.23'
	@: > $@

docs: .cache/docs/.ready
	NO_MKDOCS_2_WARNING=1 .cache/docs/bin/python -m mkdocs build --quiet --strict
	.cache/docs/bin/python -m pytest -q -p no:cacheprovider tests/structure/test_site.py tests/cli/test_schemas.py

# PYTHON=python3.13 tries the newest interpreter; what pip finds today is installed, not the lock.
package:
	rm -rf dist
	$(PYTHON) -m venv --clear .cache/package
	.cache/package/bin/python -m pip install --quiet --disable-pip-version-check build twine
	.cache/package/bin/python -m build --outdir dist .
	.cache/package/bin/python -m twine check --strict dist/*
	$(PYTHON) -m venv --clear .cache/installed
	.cache/installed/bin/python -m pip install --quiet --disable-pip-version-check dist/*.whl
	cd .cache && installed/bin/fedproof list >/dev/null && \
	  installed/bin/fedproof check fedproxvr.lemma1.sarah L=1 lam=0.5 mu=20 beta=30 tau=40 theta=1 --json >/dev/null && \
	  installed/bin/fedproof decide 'sqrt(x*y) <= (x + y)/2' 'x >= 0' 'y >= 0' && \
	  installed/bin/python -I -c 'import fedproof as fp; print(fp.__version__, fp.__file__)'

# Playwright drives a Chromium that is installed; CHROMIUM is its path. axe-core's rules come with the other package.
BROWSER  ?= playwright>=1.50 axe-playwright-python>=0.1.4
CHROMIUM ?= $(shell command -v chromium || command -v chromium-browser || command -v google-chrome)
.cache/browser/.ready: requirements.lock pyproject.toml
	$(PYTHON) -m venv --clear .cache/browser
	.cache/browser/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	.cache/browser/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	.cache/browser/bin/python -m pip install --quiet --disable-pip-version-check $(foreach part,$(BROWSER),'$(part)')
	@: > $@

browser: .cache/browser/.ready
	@test -n '$(CHROMIUM)' || { echo 'chromium: not found, expected Chromium or Chrome; set CHROMIUM to its path' >&2; exit 2; }
	CHROMIUM='$(CHROMIUM)' .cache/browser/bin/python -m pytest -q tests/report/test_browser.py

# An audit exits with 1 where a statement of a paper is not proved; what is proved is checked all the same.
COQ := .cache/coq
coq: $(ENV)
	@command -v coqc >/dev/null || { echo 'coqc: not found, expected Coq 8.16 or newer; on Debian: apt-get install coq' >&2; exit 2; }
	@for key in fedproxvr composite; do \
	  $(BIN)/fedproof audit $$key -o $(COQ)/$$key >/dev/null || [ $$? -eq 1 ] || exit 2; \
	done
	$(BIN)/python -m fedproof.proof.coq $(COQ)/files $(COQ)/fedproxvr/audit.json $(COQ)/composite/audit.json

clean:
	rm -rf .venv .cache report build dist site .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
