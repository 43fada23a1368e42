"""Warehouses of tests, quicker than a user's: queries run in the test's own process, and results are
computed once a query needs them, where `Warehouse` does so after every change."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import duckdb
import polars as pl

from evalhouse import Warehouse
from judge.job import Progress
from queries import install, session
from queries import release as releases
from queries.install import LATEST
from queries.release import default_name
from tests import held
from warehouse import connection, known_benchmarks
from warehouse.resources import using


class QuickHouse(Warehouse):
    """A warehouse for tests that look at rows. Those of `sql` itself, and of when results are kept
    anew, open theirs as `Warehouse` (marker as_users)."""

    is_behind = True
    """Whether facts may have changed since results were computed."""
    _is_left = False
    """Whether they were left out where `Warehouse` computes them."""
    _is_changing = False
    _is_shared = False
    """Whether another process reads it, so that it cannot stay open to write."""

    @contextmanager
    def _held(self) -> Iterator[duckdb.DuckDBPyConnection]:
        with (
            held.using(self.path, self._open, self._make_up) as con,
            connection.errors_naming(self.path),
            known_benchmarks.of_warehouse(con),
        ):
            yield con

    def _open(self) -> duckdb.DuckDBPyConnection:
        with using(self._resources):
            con = connection.open_for_writing(
                self.path, folders=[Path("/")], then=install.install_where_none_is
            )
        if not install.installed(con):
            install.bring_up_to_date(con)
        return con

    @property
    def _can_be_held(self) -> bool:
        limits = (self._resources.memory_limit, self._resources.threads)
        is_alone = self._warn is None and not self._is_shared
        return is_alone and limits == (None, None) and self.path.exists()

    @contextmanager
    def writing(self, **more: Any) -> Iterator[duckdb.DuckDBPyConnection]:
        if not self._is_changing:
            # A test may write facts by itself.
            self.is_behind = self._is_left = True
        with self._held() if self._can_be_held else super().writing(**more) as con:
            yield con

    @contextmanager
    def changing(self, *, refresh: bool = True, **more: Any) -> Iterator[duckdb.DuckDBPyConnection]:
        self.is_behind |= refresh
        self._is_left |= refresh
        was, self._is_changing = self._is_changing, True
        try:
            with super().changing(refresh=False, **more) as con:
                yield con
        finally:
            self._is_changing = was

    def judge(self, model: str, *, refresh: bool = True, **settings: Any) -> list[Progress]:
        self.is_behind |= refresh
        self._is_left |= refresh
        return super().judge(model, refresh=False, **settings)

    def _reading(self) -> AbstractContextManager[duckdb.DuckDBPyConnection]:
        return self._held() if self._can_be_held else super().reading()

    def keep(self) -> None:
        """Keep results anew, which is worth its time before a query of what rests on them."""
        self.is_behind = self._is_left = False
        self._is_changing = True
        try:
            with super().changing():
                pass
        finally:
            self._is_changing = False

    def _make_up(self) -> None:
        """Keep what was left out, before a command or another process reads the file."""
        if self._is_left:
            self.keep()

    def reading(self, **more: Any) -> AbstractContextManager[duckdb.DuckDBPyConnection]:
        if not self._can_be_held:
            return super().reading(**more)
        if self.is_behind:
            self.keep()
        return self._held()

    def sql(self, query: str, *, release: str = LATEST, **limits: Any) -> pl.DataFrame:
        """The result of a query; with limits, or where it fails, as `Warehouse.sql` has it."""
        if not limits:
            is_of_facts = release == LATEST and not _names_a_view(query)
            reading = self._reading if is_of_facts else self.reading
            with reading() as con:
                if is_of_facts:
                    session.look_in(con, "main")
                else:
                    session.use_installed(con, release)
                try:
                    return session.frame_of(con, query)
                except duckdb.Error:
                    pass
        self._is_shared = True
        try:
            return super().sql(query, release=release, **limits)
        finally:
            self._is_shared = False


def _names_a_view(query: str) -> bool:
    names = {file.name for file in releases.load(default_name()).files}
    return not names.isdisjoint(re.findall(r"(?<!main\.)\b[a-z_0-9]+\b", query))
