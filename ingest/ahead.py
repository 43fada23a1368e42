"""While a file's rows are stored, the next files' are staged, in another thread, each on a connection
of its own. Where that thread falls behind, this one stages files too.

Files are stored one after the other, each as if nothing had been staged ahead: where a name has come
that staging may have looked for in the file's path, or anything but judgments after the runs of a
file of judgments were found, the file is staged again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextvars import copy_context
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import Path

import duckdb

from ingest import pipeline
from ingest.loading import ALL, Memory
from ingest.pipeline import StagedFile
from ingest.recognition import Recognised, attributing_errors
from ingest.settings import Report, Settings
from warehouse import known_benchmarks, statements
from warehouse.connection import another
from warehouse.parsing import parsing_once

_SQL = statements.of_module(__file__)
SMALL_FILE = 4_000_000
"""Bytes; a larger one uses all threads by itself."""
MOST_AHEAD = 3
"""Files: one that the other thread is staging, and two that whichever thread is free can take."""


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
    """A file that is being staged, and what there was when that began."""

    found: Recognised
    con: duckdb.DuckDBPyConnection
    names: _Names
    n_changes: int
    staged: Future[StagedFile]


class Ahead:
    """Files of one command, on a few connections in turn.

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
        self._connections: list[duckdb.DuckDBPyConnection] = []
        self._free: list[duckdb.DuckDBPyConnection] = []
        self._thread = ThreadPoolExecutor(1)
        self._upcoming: deque[_Upcoming] = deque()

    def read(
        self,
        found: Recognised,
        upcoming: Sequence[Recognised],
        *,
        step: Callable[[str], None] = lambda text: None,
    ) -> Report:
        """Read a file, and begin with those after it.

        Args:
            upcoming: the files that are read next, in their order; the first `MOST_AHEAD` matter.
            step: callback, called with what is being done.

        Raises:
            InputError: the first cannot be read as it stands. The warehouse is as it was.
        """
        soon = list(takewhile(_is_fit, upcoming[:MOST_AHEAD]))
        is_last = not soon and not self._upcoming
        if self._is_alone or not _is_fit(found) or is_last:
            return pipeline.read(self._con, found, self._settings, self.memory, step=step)
        step("reading")
        if not self._connections:
            self._connections = [_prepared(self._con) for _ in range(MOST_AHEAD + 1)]
            self._free = [*self._connections]
        names = self.memory.once(ALL, "names", lambda: _names(self._con))
        con, file = self._staged(found, names)
        try:
            for one in soon[len(self._upcoming) :]:
                self._begin(one, names)
            return pipeline.store(con, file, self._settings, self.memory, step=step)
        finally:
            self._free.append(con)

    def _begin(self, found: Recognised, names: _Names) -> None:
        """Have a file staged in the other thread."""
        con = self._free.pop()
        staged = self._thread.submit(
            copy_context().run, _stage_and_bind, con, found, self._settings
        )
        self._upcoming.append(_Upcoming(found, con, names, self.memory.n_changes, staged))

    def _staged(
        self, found: Recognised, names: _Names
    ) -> tuple[duckdb.DuckDBPyConnection, StagedFile]:
        """A file in the staging tables of the connection that is returned, as it is staged now.

        Its connection is no longer among the free ones.
        """
        while self._upcoming:
            first = self._upcoming.popleft()
            self._help(first.staged)
            wait([first.staged])
            try:
                if first.found is found and not first.names.may_differ(names, found.probe.path):
                    staged = first.staged.result()
                    if staged.bound is None or first.n_changes == self.memory.n_changes:
                        return first.con, staged
            except BaseException:
                self._free.append(first.con)
                raise
            self._free.append(first.con)
            if first.found is found:
                break
        con = self._free.pop()
        try:
            return con, _stage(con, found, self._settings)
        except BaseException:
            self._free.append(con)
            raise

    def _help(self, awaited: Future[StagedFile]) -> None:
        """While a file is awaited, stage those here that the other thread has not come to."""
        for place, one in enumerate(self._upcoming):
            if awaited.done():
                return
            if one.staged.cancel():
                staged: Future[StagedFile] = Future()
                try:
                    staged.set_result(_stage_and_bind(one.con, one.found, self._settings))
                except Exception as error:
                    # Raised when it is that file's turn.
                    staged.set_exception(error)
                self._upcoming[place] = replace(one, staged=staged)

    def close(self) -> None:
        """Give up what was staged ahead."""
        self._thread.shutdown(cancel_futures=True)
        for con in self._connections:
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


def _stage_and_bind(
    con: duckdb.DuckDBPyConnection, found: Recognised, settings: Settings
) -> StagedFile:
    """The same, and find what a file of judgments is about."""
    return pipeline.find_ahead(con, _stage(con, found, settings), settings)
