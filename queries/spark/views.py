"""Putting on Spark what a query needs: base tables from the export, and views of a release on them.

Results are made as in a file: each is computed once, by the SELECTs of the release's definitions, and
so is each step that several later ones read; the views above read these. Spark writes out each mention
of a view, so that a board would else be a plan of thousands of steps, which it takes minutes to look
through. For that reason what else is mentioned more than once is computed once too, and so is what has
grown long. All of it is kept for as long as the session; what another release computes by the same
SELECTs is not computed again.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from graphlib import TopologicalSorter
from pathlib import Path
from typing import TYPE_CHECKING

from queries.release import INTERNAL, Release
from queries.spark.translate import MAIN, STEPS, Source, SparkQuery, Translator, translator
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

_LAMBDA = re.compile(r"`x\d+_`")
"""A parameter of a macro's lambda, which has another number each time that it is written out."""
_LONG = 10
"""So many tables and views, of those that are not kept, make a view long."""
_OF_PAIRS = ("paired_question", "paired_group", "paired_sum", "paired_test", "paired_difference")
"""Views with rows for every pair of runs: never computed whole, but only for the pairs that a query
names."""


@dataclass(frozen=True)
class SparkHouse:
    """An exported warehouse on Spark, and what of it is there by now.

    `there` has what gives each one's rows, as a hash; `kept`, by the hash, the rows that are kept.
    """

    spark: SparkSession
    folder: Path
    manifest: Manifest
    releases: Mapping[str, Release]
    there: dict[Source, str] = field(default_factory=dict)
    kept: dict[str, DataFrame] = field(default_factory=dict)
    made: dict[str, Translator] = field(default_factory=dict)

    def translator(self, schema: str) -> Translator:
        """The translator of a release, by one of its schemas; planning one takes a second."""
        release = self.releases[re.sub(f"({INTERNAL}|{STEPS})$", "", schema)]
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
            keep = query is not None and (
                mentions[source] > 1
                or length > _LONG
                or self.translator(source.schema).is_stored(source)
            )
            keep = keep and source.name not in _OF_PAIRS
            lengths[source] = 1 if keep else length
            self.put(source, query, keep=keep)

    def put(self, source: Source, query: SparkQuery | None, *, keep: bool) -> DataFrame:
        """Put a table or view there, computed and kept if its rows are wanted more than once."""
        from pyspark import StorageLevel

        if source.schema == MAIN:
            frame = self._table(self.manifest.tables[source.name])
            self.there[source] = source.spark_name
        else:
            assert query is not None
            found = self._hash(source, query)
            kept = self.kept.get(found)
            frame = self.spark.sql(query.sql) if kept is None else kept
            if keep and kept is None:
                # In files: in memory, the rows of all views would leave Java little else.
                frame = self.kept[found] = frame.localCheckpoint(
                    storageLevel=StorageLevel.DISK_ONLY
                )
            self.there[source] = found
        frame.createOrReplaceTempView(f"`{source.spark_name}`")
        return frame

    def _hash(self, source: Source, query: SparkQuery) -> str:
        """A hash of what gives a view's rows, whatever the release is called."""
        numbers: dict[str, str] = {}
        sql = _LAMBDA.sub(lambda x: numbers.setdefault(x[0], f"`x{len(numbers)}_`"), query.sql)
        own = self.translator(source.schema).release.name
        sql = re.sub(f"`{own}({INTERNAL}|{STEPS})?:", r"`\1:", sql)
        parts = [sql, *(self.there[each] for each in query.reads)]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()

    def _needed(self, given: Iterable[Source]) -> dict[Source, SparkQuery]:
        """The views that are not there yet, of the given ones and those they rest on."""
        found: dict[Source, SparkQuery] = {}
        open_ones = list(given)
        while open_ones:
            source = open_ones.pop()
            if source in found or source in self.there or source.schema == MAIN:
                continue
            found[source] = self.translator(source.schema).query(source)
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
