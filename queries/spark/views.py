"""Putting on Spark what a query needs: base tables from the export, and views of a release on them.

Views rest on views, many of them on the same ones. Spark writes out each mention of a view, so that
a board would be a plan of thousands of steps, which it takes minutes to look through. Therefore
what is mentioned more than once is computed once, and so is what has grown long; it is kept for as
long as the session.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from graphlib import TopologicalSorter
from pathlib import Path
from typing import TYPE_CHECKING

from queries.release import Release
from queries.spark.translate import MAIN, Source, SparkQuery, Translator, translator
from warehouse.manifest import Manifest, TableFiles

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

TYPES = {
    "BIGINT": "BIGINT",
    "BOOLEAN": "BOOLEAN",
    "DATE": "DATE",
    "DOUBLE": "DOUBLE",
    "INTEGER": "INT",
    "SMALLINT": "SMALLINT",
    # Without a zone, as the warehouse has them.
    "TIMESTAMP": "TIMESTAMP_NTZ",
    "VARCHAR": "STRING",
    "VARCHAR[]": "ARRAY<STRING>",
}
"""Spark's names of the types that the warehouse's tables have."""

_LONG = 10
"""So many tables and views, of those that are not kept, make a view long."""
_OF_PAIRS = ("paired_question", "paired_group", "paired_sum", "paired_test", "paired_difference")
"""Views with rows for every pair of runs: never computed whole, but only for the pairs that a query
names."""


@dataclass(frozen=True)
class SparkHouse:
    """An exported warehouse on Spark, and what of it is there by now."""

    spark: SparkSession
    folder: Path
    manifest: Manifest
    releases: Mapping[str, Release]
    there: set[Source] = field(default_factory=set)
    made: dict[str, Translator] = field(default_factory=dict)

    def translator(self, schema: str) -> Translator:
        """The translator of a release; planning one takes a second."""
        release = self.releases[schema]
        if release.name not in self.made:
            self.made[release.name] = translator(release)
        return self.made[release.name]

    def ensure(self, reads: Iterable[Source]) -> None:
        """Put tables and views there, and everything that they rest on.

        Raises:
            EvalhouseError: a view cannot be said in Spark's SQL.
        """
        given = tuple(reads)
        queries = self._needed(given)
        mentions = Counter([*given, *(each for query in queries.values() for each in query.reads)])
        lengths: dict[Source, int] = {}
        order = TopologicalSorter({source: query.reads for source, query in queries.items()})
        for source in given:
            order.add(source)
        for source in order.static_order():
            if source in self.there:
                continue
            query = queries.get(source)
            length = 1 + sum(lengths.get(each, 1) for each in query.reads) if query else 1
            keep = query is not None and (mentions[source] > 1 or length > _LONG)
            keep = keep and source.name not in _OF_PAIRS
            lengths[source] = 1 if keep else length
            self.put(source, query, keep=keep)

    def put(self, source: Source, query: SparkQuery | None, *, keep: bool) -> DataFrame:
        """Put a table or view there, computed and kept if its rows are wanted more than once."""
        if source.schema == MAIN:
            frame = self._table(self.manifest.tables[source.name])
        else:
            assert query is not None
            frame = self.spark.sql(query.sql)
            if keep:
                frame = frame.localCheckpoint()
        frame.createOrReplaceTempView(f"`{source.spark_name}`")
        self.there.add(source)
        return frame

    def _needed(self, given: Iterable[Source]) -> dict[Source, SparkQuery]:
        """The views that are not there yet, of the given ones and those they rest on."""
        found: dict[Source, SparkQuery] = {}
        open_ones = list(given)
        while open_ones:
            source = open_ones.pop()
            if source in found or source in self.there or source.schema == MAIN:
                continue
            found[source] = self.translator(source.schema).view(source.name)
            open_ones += found[source].reads
        return found

    def _table(self, table: TableFiles) -> DataFrame:
        schema = ", ".join(f"`{name}` {TYPES[kind]}" for name, kind in table.columns.items())
        paths = [_no_pattern(self.folder / file.path) for file in table.files]
        if not paths:
            return self.spark.createDataFrame([], schema)
        return self.spark.read.schema(schema).parquet(*paths)


def _no_pattern(path: Path) -> str:
    """A path in which Spark sees no pattern of several files."""
    return "".join(f"\\{mark}" if mark in "\\*?[]{}" else mark for mark in str(path.absolute()))
