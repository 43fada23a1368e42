"""Every study gives the same rows on Spark, from what it reads of the same warehouse on DuckDB."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

from evalhouse import Warehouse
from queries import install
from queries import release as releases
from queries.plan import plan
from queries.release import STUDIES
from queries.spark.translate import MAIN, translator
from tests import test_corrected, test_studies
from tests.houses import QuickHouse
from tests.tables import write_jsonl
from tests.test_spark import _difference

pytestmark = pytest.mark.spark_studies


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    from pyspark.sql import SparkSession

    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.sql.ansi.enabled", "true")
        .getOrCreate()
    )
    yield session
    session.stop()


@pytest.fixture(scope="module")
def house(new_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """What the tests of studies have, and a judge with labels by strata and by chance."""
    folder = tmp_path_factory.mktemp("spark")
    shutil.copy(new_file, folder / "house.duckdb")
    house = QuickHouse(folder / "house.duckdb")
    test_studies.fill(house, folder, test_studies.World())
    world = test_corrected.World(1)
    test_corrected.fill(house, folder, "Chance", world)
    some = {place: is_right for place, is_right in world.truth.items() if int(place[1]) % 4 == 1}
    house.ingest(
        write_jsonl(folder / "ann.jsonl", world.rows(some, "ann", "verdict")), benchmark="Chance"
    )
    return house


def test_studies_have_the_same_rows(house: Warehouse, spark: Any, tmp_path: Path) -> None:
    release = releases.load(releases.default_name())
    with house.writing() as con:
        install.install_group(con, STUDIES)
    translated = translator(release)
    there = {file.name: STUDIES for file in release.files_of(STUDIES)}
    views = [
        *release.files_of(STUDIES),
        release.views["label_todo"],
        release.views["judged_content"],
    ]
    with house.reading() as con:
        schemas = {file.name: release.name for file in release.lasting_files} | there
        needed = {name for file in views for name in _reads(translated, file.name)}
        for schema, name in sorted(needed):
            place = f"main.{name}" if schema == MAIN else f"{schemas[name]}.{name}"
            path = tmp_path / f"{schema}-{name}.parquet"
            _rows(con, place).write_parquet(path)
            spark.read.parquet(str(path)).createOrReplaceTempView(f"`{schema}:{name}`")
        n_rows, differences = {}, {}
        for item in plan(release, STUDIES, files=views, there={}):
            name = item.file.name
            if item.file not in views:
                continue
            wanted = _rows(con, f"{schemas[name]}.{name}")
            rows = spark.sql(translated.view(name).sql)
            found = pl.DataFrame(pl.from_arrow(rows.toArrow()))
            difference = _difference(wanted, found)
            if difference is not None:
                differences[name] = difference
            n_rows[name] = wanted.height
    assert differences == {}
    assert {name for name, n in n_rows.items() if not n} == set()


def _reads(translated: Any, name: str) -> set[tuple[str, str]]:
    return {(source.schema, source.name) for source in translated.view(name).reads}


def _rows(con: duckdb.DuckDBPyConnection, place: str) -> pl.DataFrame:
    return pl.DataFrame(pl.from_arrow(con.sql(f"SELECT * FROM {place}").to_arrow_table()))
