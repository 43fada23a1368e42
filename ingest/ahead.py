"""While a file's rows are stored, the next file's are staged, in another thread, on a connection of
its own.

Files are stored one after the other, each as if nothing had been staged ahead: where a name has come
that staging may have looked for in the file's path, the file is staged again.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextvars import copy_context
from dataclasses import dataclass
from pathlib import Path

import duckdb

from ingest import pipeline
from ingest.facts.seen_questions import ALL, Memory
from ingest.pipeline import StagedFile
from ingest.recognition import Recognised, attributing_errors
from ingest.settings import Report, Settings
from warehouse import known_benchmarks, statements
from warehouse.connection import another
from warehouse.parsing import parsing_once

_SQL = statements.of_module(__file__)
SMALL_FILE = 4_000_000
"""Bytes; a larger one uses all threads by itself."""


@dataclass(frozen=True)
class _Names:
    """What names in a path are looked up in: the benchmarks that are known, and the datasets' versions."""

    words: frozenset[str]
    versions: frozenset[str]

    def may_differ(self, other: _Names, path: Path) -> bool:
        """Whether a path may be read otherwise with the other names."""
        text = str(path.absolute()).lower()
        news = self.words ^ other.words
        return self.versions != other.versions or any(word in text for word in news)


@dataclass(frozen=True)
class _Upcoming:
    """A file that is being staged, and the names that there were when that began."""

    found: Recognised
    con: duckdb.DuckDBPyConnection
    names: _Names
    staged: Future[StagedFile]


class Ahead:
    """Files of one command, on two connections in turn.

    Args:
        con: a warehouse open for writing, prepared; files that nothing is staged ahead of use it.
        memory: what the questions of earlier files said.
        threads: how many the user, or the machine, gives; with one nothing is staged ahead.
    """

    def __init__(
        self, con: duckdb.DuckDBPyConnection, settings: Settings, memory: Memory, *, threads: int
    ) -> None:
        self._con, self._settings, self.memory = con, settings, memory
        self._is_alone = threads == 1
        self._pair: list[duckdb.DuckDBPyConnection] = []
        self._thread = ThreadPoolExecutor(1)
        self._upcoming: _Upcoming | None = None

    def read(
        self,
        found: Recognised,
        upcoming: Recognised | None,
        *,
        step: Callable[[str], None] = lambda text: None,
    ) -> Report:
        """Read a file, and begin with the one after it.

        Args:
            upcoming: the file that is read next; None: none is, or not in this way.

        Raises:
            InputError: the first cannot be read as it stands. The warehouse is as it was.
        """
        if upcoming is not None and not _is_fit(upcoming):
            upcoming = None
        is_last = upcoming is None and self._upcoming is None
        if self._is_alone or not _is_fit(found) or is_last:
            return pipeline.read(self._con, found, self._settings, self.memory, step=step)
        step("reading")
        if not self._pair:
            self._pair = [_prepared(self._con) for _ in range(2)]
        names = self.memory.once(ALL, "names", lambda: _names(self._con))
        con, file = self._staged(found, names)
        if upcoming is not None:
            other = next(one for one in self._pair if one is not con)
            staged = self._thread.submit(
                copy_context().run, _stage, other, upcoming, self._settings
            )
            self._upcoming = _Upcoming(upcoming, other, names, staged)
        return pipeline.store(con, file, self._settings, self.memory, step=step)

    def _staged(
        self, found: Recognised, names: _Names
    ) -> tuple[duckdb.DuckDBPyConnection, StagedFile]:
        """A file in the staging tables of the connection that is returned, as it is staged now."""
        upcoming, self._upcoming = self._upcoming, None
        if upcoming is None:
            return self._pair[0], _stage(self._pair[0], found, self._settings)
        wait([upcoming.staged])
        is_the_same = upcoming.found is found
        if is_the_same and not upcoming.names.may_differ(names, found.probe.path):
            return upcoming.con, upcoming.staged.result()
        return upcoming.con, _stage(upcoming.con, found, self._settings)

    def close(self) -> None:
        """Give up what was staged ahead."""
        self._thread.shutdown()
        for con in self._pair:
            con.close()


def _is_fit(found: Recognised) -> bool:
    try:
        return found.adapter.stages_ahead and found.probe.path.stat().st_size < SMALL_FILE
    except OSError:
        # Reading it says what is wrong.
        return False


def _names(con: duckdb.DuckDBPyConnection) -> _Names:
    of_kinds: dict[str, set[str]] = {"benchmark": set(), "version": set()}
    for kind, word in con.execute(_SQL["names"]).fetchall():
        of_kinds[kind].add(word)
    words = of_kinds["benchmark"].union(known_benchmarks.named())
    return _Names(frozenset(words), frozenset(of_kinds["version"]))


def _prepared(con: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    other = parsing_once(another(con))
    pipeline.prepare(other)
    return other


def _stage(con: duckdb.DuckDBPyConnection, found: Recognised, settings: Settings) -> StagedFile:
    """Stage a file where others were staged before."""
    with attributing_errors(found.probe.path):
        pipeline.tidy(con)
    return pipeline.stage(con, found, settings)
