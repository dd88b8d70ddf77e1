# Every target sets up what it needs: Python 3.11+, git and make are enough to start.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
EXAMPLES := src/boxsel/examples
# The versions that CI has tested; `make lock` renews them.
LOCK := constraints.txt
PYTEST := -m pytest -n auto --dist worksteal
# What computes with floats: its tests must hold however a processor rounds.
NUMERIC := tests/models $(addprefix tests/evaluation/test_,baselines.py directing.py ensembles.py)
ISA ?= AVX2
comma := ,

# Tests and examples start hundreds of processes: each would compile all that it imports.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test test-all test-numeric test-newest test-lowest test-spark lock lint evaluate docs tutorials bench clean

# uv installs in a few seconds what takes pip most of a minute. Where it cannot reach the packages
# (it does not read pip's settings), pip does it: the versions are the same.
define install
$(BIN)/uv pip install --quiet --python $(BIN)/python --constraint $(LOCK) --editable '$(1)' \
	|| $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint $(LOCK) --editable '$(1)'
endef

$(BIN)/uv: $(LOCK)
	$(PYTHON) -c 'import sys; sys.exit("boxsel needs Python 3.11 or newer: make PYTHON=python3.11 …" if sys.version_info < (3, 11) else 0)'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint $(LOCK) uv
	touch $@

# The runtime alone, for `make demo`; the tools of development, for the rest.
$(VENV)/installed: pyproject.toml $(BIN)/uv
	$(call install,.)
	touch $@

$(VENV)/installed-dev: $(VENV)/installed
	$(call install,.[dev])
	touch $@

$(VENV)/installed-spark: $(VENV)/installed-dev
	$(call install,.[dev$(comma)spark])
	touch $@

demo: $(VENV)/installed  ## Answer, explain, check, estimate and build with the bundled examples.
	$(BIN)/boxsel ask $(EXAMPLES)/berkeley.sel "(Admitted | Woman)" "(Admitted | Man)"
	$(BIN)/boxsel simpson $(EXAMPLES)/kidney_stones.csv --outcome Success --groups OpenSurgery,PercutaneousNephrolithotomy --strata StoneSize
	$(BIN)/boxsel explain $(EXAMPLES)/applicant.sel "(Admitted | Applicant)"
	$(BIN)/boxsel check $(EXAMPLES)/clinic.sel
	$(BIN)/boxsel show $(EXAMPLES)/clinic.sel
	folder=$$(mktemp -d) && trap 'rm -rf "$$folder"' EXIT && \
	$(BIN)/boxsel build graph $(EXAMPLES)/university.tsv --root Person -o "$$folder/university.sel" && \
	$(BIN)/boxsel bounds "$$folder/university.sel" "(teaches some Course | Student and Lecturer)" && \
	$(BIN)/boxsel fit $(EXAMPLES)/applicant.sel -o "$$folder/applicant.model" --members 20 --dim 2 && \
	$(BIN)/boxsel ask "$$folder/applicant.model" "(Admitted | Applicant)"

test: $(VENV)/installed-dev  ## Run the tests: every property, on a part of the random cases.
	$(BIN)/python $(PYTEST)

test-all: $(VENV)/installed-dev  ## Run all tests, with all random cases.
	$(BIN)/python $(PYTEST) --deep

test-numeric: $(VENV)/installed-dev  ## Run what computes with floats as on processors without wide vectors.
	XLA_FLAGS=--xla_cpu_max_isa=$(ISA) $(BIN)/python $(PYTEST) $(NUMERIC)

test-newest: $(BIN)/uv  ## Run the tests with the newest versions that pyproject.toml allows.
	$(BIN)/uv venv --quiet --clear --python $(PYTHON) .venv-newest
	$(BIN)/uv pip install --quiet --python .venv-newest/bin/python --editable '.[dev]'
	.venv-newest/bin/python $(PYTEST)

test-lowest: $(BIN)/uv  ## Run the tests with the lowest versions that pyproject.toml allows.
	$(BIN)/uv venv --quiet --clear --python $(PYTHON) .venv-lowest
	$(BIN)/uv pip install --quiet --python .venv-lowest/bin/python --resolution lowest-direct --editable '.[dev]'
	.venv-lowest/bin/python $(PYTEST)

test-spark: $(VENV)/installed-spark  ## Run the tests that need Spark; it needs Java 17.
	@command -v java > /dev/null || { echo "Spark needs Java 17: install it, for example default-jre-headless" >&2; exit 1; }
	$(BIN)/python -m pytest --deep tests/build/graphs/test_spark.py tests/build/graphs/test_sources_spark.py tests/cli/test_build_graph.py -k spark

lock: $(BIN)/uv  ## Renew constraints.txt: the newest versions that pyproject.toml allows.
	$(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --no-annotate --no-emit-index-url \
		--custom-compile-command "make lock" --extra dev --extra spark pyproject.toml -o $(LOCK)

lint: $(VENV)/installed-spark  ## Check format, style and types, also of what needs Spark.
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

evaluate: $(VENV)/installed-dev  ## A quick look at the evaluation: every step on one small ontology.
	folder=$$(mktemp -d) && trap 'rm -rf "$$folder"' EXIT && \
	$(BIN)/boxsel evaluate --quick -o "$$folder/evaluation" && head -5 "$$folder/evaluation/report.md"

tutorials: $(VENV)/installed-dev  ## Run the tutorials and store what they show.
	$(BIN)/python -m tests.test_notebooks

docs: $(VENV)/installed-dev  ## Build the documentation into site/, without warnings.
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

bench: $(VENV)/installed-dev  ## Run every benchmark; tables on stdout, JSON in benchmarks/out/.
	code=0; for script in benchmarks/[!_]*.py; do $(BIN)/python $$script || code=1; done; exit $$code

clean:  ## Remove everything that was made here.
	rm -rf $(VENV) .venv-newest .venv-lowest site dist build benchmarks/out .mypy_cache .ruff_cache .pytest_cache .hypothesis
