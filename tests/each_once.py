"""The views of releases, each computed once: a query of a view would plan and compute all below it."""

from __future__ import annotations

import re

import duckdb

from queries import release as releases
from queries.plan import plan


def tables(con: duckdb.DuckDBPyConnection, release: str) -> dict[str, str]:
    """Store each view's rows in a temporary table, computed from the tables of those below it, without
    the optimizer that has been wrong.

    Args:
        con: of a warehouse that has the release installed.
        release: a shipped one, with the papers' tables and the studies.

    Returns:
        what stands for each view, as FROM takes it.
    """
    con.execute("SET disabled_optimizers = 'common_subplan'")
    made: dict[str, str] = {}
    for item in plan(releases.load(release)):
        if item.file.kind != "view":
            continue
        view, sql = item.file.name, item.sql
        if made:
            names = "|".join(sorted(made))
            named = re.compile(rf'"{release}(?:_internal)?"\.({names})\b')
            sql = named.sub(lambda found: made[found[1]], sql)
        con.execute(f'CREATE TEMP TABLE "once:{view}" AS {sql}')
        made[view] = f'temp."once:{view}"'
    con.execute("RESET disabled_optimizers")
    return made


def rows(con: duckdb.DuckDBPyConnection, source: str, digits: int | None = None) -> list[str]:
    """The rows of a view or table in an order of their own, and lists in one; numbers to so many
    digits after the point, by default all."""

    def made_equal(value: object) -> object:
        if isinstance(value, list):
            return sorted(value)
        return value if digits is None or not isinstance(value, float) else round(value, digits)

    return sorted(
        repr(list(map(made_equal, row)))
        for row in con.execute(f"SELECT * FROM {source}").fetchall()
    )
