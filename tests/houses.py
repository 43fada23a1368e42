"""Warehouses of tests whose queries run in the test's own process, which is quicker than one for each."""

from __future__ import annotations

from typing import Any

import duckdb
import polars as pl

from evalhouse import Warehouse
from queries import session
from queries.install import LATEST


class QuickHouse(Warehouse):
    """A warehouse for tests that look at rows; those of `sql` itself open theirs as `Warehouse`."""

    def sql(self, query: str, *, release: str = LATEST, **limits: Any) -> pl.DataFrame:
        """The result of a query; with limits, or where it fails, as `Warehouse.sql` has it."""
        if not limits:
            with self.reading() as con:
                session.require_installed(con, release)
                try:
                    return session.frame_of(con.sql(query))
                except duckdb.Error:
                    pass
        return super().sql(query, release=release, **limits)
