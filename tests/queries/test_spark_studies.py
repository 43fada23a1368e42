"""Every study gives the same rows on DuckDB 1.5 and on Spark, from what it reads of the same warehouse."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

from evalhouse import Warehouse
from queries import install, studies
from queries import release as releases
from queries.plan import plan
from queries.release import STUDIES
from queries.spark.translate import MAIN, translator
from tests.queries.test_spark import _difference
from tests.study_house import study_house

MORE = ("label_todo", "judged_content")
"""Views of the release that no other test asks of Spark."""


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    from pyspark.sql import SparkSession

    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "1")
        .config("spark.sql.adaptive.enabled", "false")
        .config("spark.sql.codegen.wholeStage", "false")
        .config("spark.sql.ansi.enabled", "true")
        .getOrCreate()
    )
    yield session
    session.stop()


@pytest.fixture(scope="module")
def house(new_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    return study_house(new_file, tmp_path_factory.mktemp("engines"))


@pytest.mark.spark_studies
def test_studies_have_the_same_rows_on_spark(house: Warehouse, spark: Any, tmp_path: Path) -> None:
    release = releases.load(releases.default_name())
    translated = translator(release)
    views = [*release.files_of(STUDIES), *(release.views[name] for name in MORE)]
    with house.reading() as con:
        places = _places(con)
        needed = {name for file in views for name in _reads(translated, file.name)}
        for schema, name in sorted(needed):
            place = places.get(name) or (
                f"main.{name}" if schema == MAIN else _installed(con, name)
            )
            path = tmp_path / f"{schema}-{name}.parquet"
            _rows(con, place).write_parquet(path)
            spark.read.parquet(str(path)).createOrReplaceTempView(f"`{schema}:{name}`")
        n_rows, differences = {}, {}
        for item in plan(release, STUDIES, files=views, there={}):
            name = item.file.name
            if item.file not in views:
                continue
            wanted = _rows(con, places[name])
            rows = spark.sql(translated.view(name).sql)
            found = pl.DataFrame(pl.from_arrow(rows.toArrow()))
            difference = _difference(wanted, found)
            if difference is not None:
                differences[name] = difference
            n_rows[name] = wanted.height
    assert differences == {}
    assert {name for name, n in n_rows.items() if not n} == set()


@pytest.mark.engines
def test_studies_have_the_same_rows_on_duckdb_1_5(house: Warehouse, tmp_path: Path) -> None:
    """In an environment that does not have this package, from the views that are installed in the file."""
    python = os.environ.get("EVALHOUSE_OLDER_PYTHON")
    if not python:
        pytest.skip(
            "needs a Python with duckdb 1.5 in EVALHOUSE_OLDER_PYTHON; `make test-engines` makes one"
        )
    release = releases.load(releases.default_name())
    installed = {file.name: f"{STUDIES}.{file.name}" for file in release.files_of(STUDIES)}
    with house.reading() as con:
        installed |= {name: _installed(con, name) for name in MORE}
    script = (
        "import duckdb, sys\n"
        "assert duckdb.__version__.startswith('1.5.')\n"
        "con = duckdb.connect(sys.argv[1], read_only=True)\n"
        "con.execute('SET enable_progress_bar = false')\n"
        "for place in sys.argv[3:]:\n"
        "    con.execute(f\"COPY (FROM {place}) TO '{sys.argv[2]}/{place}.parquet'\")\n"
    )
    done = subprocess.run(
        [python, "-I", "-c", script, str(house.path), str(tmp_path), *installed.values()],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    with house.reading() as con:
        for name, place in _places(con).items():
            wanted = _rows(con, place)
            assert wanted.height, name
            found = pl.read_parquet(tmp_path / f"{installed[name]}.parquet")
            assert _difference(wanted, found) is None, name


def _places(con: duckdb.DuckDBPyConnection) -> dict[str, str]:
    """Where the studies are, each computed once from those below it; and the other views."""
    release = releases.load(releases.default_name())
    names = [file.name for file in release.files_of(STUDIES)]
    return studies.sources(con, names) | {name: _installed(con, name) for name in MORE}


def _installed(con: duckdb.DuckDBPyConnection, name: str) -> str:
    """A view of the default release, where it lies in the file."""
    return f"{install.schemas_of(con, releases.default_name())[name]}.{name}"


def _reads(translated: Any, name: str) -> set[tuple[str, str]]:
    return {(source.schema, source.name) for source in translated.view(name).reads}


def _rows(con: duckdb.DuckDBPyConnection, place: str) -> pl.DataFrame:
    return pl.DataFrame(pl.from_arrow(con.sql(f"SELECT * FROM {place}").to_arrow_table()))
