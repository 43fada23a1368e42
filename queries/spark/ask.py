"""Queries and boards of an exported warehouse on Spark."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from queries import leaderboard
from queries import release as releases
from queries.board import Board
from queries.choosing import WHOLE
from queries.install import LATEST
from queries.options import BoardOptions
from queries.release import PAPERS, Release
from queries.session import frame_of_table
from queries.spark import session
from queries.spark.translate import MAIN, Source, SparkQuery
from queries.spark.user_query import Known, user_query
from queries.spark.views import TYPES, SparkHouse
from warehouse import connection, migrate
from warehouse import manifest as manifests
from warehouse.errors import InputError, SchemaVersionError, UsageError
from warehouse.later import pl

if TYPE_CHECKING:
    import pyarrow as pa

_FEW_ROWS = 2_000_000
_BOARD_TABLES = ("benchmark", "ability", "dataset", "dataset_subset", "run_status")
_BOARD_VIEWS = ("current_run", "judge_scope", "default_judge", "ability_tree", "answer_count")
_WHOLE_BOARD, _SUBSET_BOARD = "leaderboard", "subset_leaderboard"
_BOARD_TOTALS = "subset_sample_total"
_BOARD_RANGES = "rank_range"


@contextmanager
def opened(
    folder: Path, *, master: str | None = None, release: str = LATEST
) -> Iterator[SparkHouse]:
    """An exported warehouse on Spark, for as long as the `with` lasts.

    Args:
        folder: what `evalhouse export --parquet` wrote.
        master: a cluster's URL, whose machines have the folder too; by default this machine.
        release: a release by name or folder, in addition to those that ship.

    Raises:
        InputError: the folder's files are not what its manifest says.
        SchemaVersionError: it holds another schema than this evalhouse's views read.
        UsageError: pyspark or Java is missing, or Spark does not start.
    """
    manifest = manifests.read(folder)
    newest = migrate.available()[-1].version
    if manifest.schema_version != newest:
        raise SchemaVersionError(
            f"{folder}: holds schema version {manifest.schema_version}, the views read {newest}; "
            "`evalhouse import` and `evalhouse export` upgrade an older one"
        )
    for name, table in manifest.tables.items():
        for column, its_type in table.columns.items():
            if its_type not in TYPES:
                raise InputError(
                    folder / manifests.NAME, f"no column here is {its_type!r}", field=f"{name}.{column}"
                )  # fmt: skip
    manifests.check_files(folder, manifest)
    known = {name: releases.load(name) for name in releases.shipped_names()}
    known = {LATEST: known[releases.default_name()], **known}
    if release not in known:
        own = releases.load(release)
        known[own.name] = own
    n_rows = sum(table.rows for table in manifest.tables.values())
    with session.running(master, has_few_rows=n_rows < _FEW_ROWS) as spark:
        yield SparkHouse(spark, folder, manifest, known)


def run_user_sql(
    house: SparkHouse,
    sql: str,
    *,
    release: str = LATEST,
    warn: Callable[[str], None] = lambda text: None,
) -> pl.DataFrame:
    """The result of a user's query. Names of views mean those of the release.

    Args:
        house: the exported warehouse.
        sql: one SELECT as DuckDB has it.
        release: as given to `opened`.
        warn: callback, called with what may mean something else on Spark.

    Raises:
        UsageError: the query is wrong.
    """
    rules = _release(house, release)
    macros = house.translator(rules.name).macros
    schemas = {**house.releases, PAPERS: house.releases[LATEST]}
    known = Known(schemas, rules, macros, frozenset(house.manifest.tables))
    parsed = user_query(sql, known)
    if parsed.doubts:
        warn(f"may mean something else on Spark than on DuckDB: {'; '.join(parsed.doubts)}")
    return frame_of_table(collected(house, parsed.query))


def boards(house: SparkHouse, options: BoardOptions) -> tuple[Board, ...]:
    """A benchmark's leaderboards, computed on Spark.

    What a board is made of is small: it is handed to the one maker of boards there is, in a DuckDB
    in memory that holds nothing else.
    """
    rules = _release(house, options.release)
    name = options.release if options.release == LATEST else rules.name
    of_benchmark = (
        _WHOLE_BOARD if options.subset == WHOLE else _SUBSET_BOARD,
        _BOARD_TOTALS,
        *((_BOARD_RANGES,) if options.intervals else ()),
    )
    views = (*_BOARD_VIEWS, *of_benchmark)
    # All at once, to see what several of them rest on.
    house.ensure(Source(rules.name, view) for view in views)
    with connection.in_memory() as con:
        migrate.upgrade(con, Path(":memory:"))
        for schema in dict.fromkeys((name, rules.name)):
            con.execute(f'CREATE SCHEMA "{schema}"')
        con.execute(
            "INSERT INTO main.release VALUES (?, NULL, 'draft', FALSE, now() AT TIME ZONE 'UTC')",
            [rules.name],
        )
        for table in _BOARD_TABLES:
            found = collected(house, _all_of(Source(MAIN, table)))
            con.register("found", found)
            con.execute(f"INSERT INTO main.{table} BY NAME SELECT * FROM found")
        for view in views:
            query = _all_of(Source(rules.name, view))
            if view in of_benchmark:
                wanted = options.benchmark.lower().replace("\\", "\\\\").replace("'", "\\'")
                query = SparkQuery(f"{query.sql} WHERE lower(benchmark) = '{wanted}'", query.reads)
            con.register("found", collected(house, query))
            con.execute(f'CREATE TABLE "{name}".{view} AS SELECT * FROM found')
        con.unregister("found")
        return leaderboard.boards(con, replace(options, release=name))


def collected(house: SparkHouse, query: SparkQuery) -> pa.Table:
    """A query's rows.

    Raises:
        UsageError: Spark refuses it; the message is Spark's.
    """
    from pyspark.errors import PySparkException

    try:
        house.ensure(query.reads)
        return house.spark.sql(query.sql).toArrow()
    except PySparkException as error:
        raise UsageError(str(error).strip().splitlines()[0]) from error


def _release(house: SparkHouse, name: str) -> Release:
    if name in house.releases:
        return house.releases[name]
    return house.releases[releases.load(name).name]


def _all_of(source: Source) -> SparkQuery:
    return SparkQuery(f"SELECT * FROM `{source.spark_name}`", (source,))
