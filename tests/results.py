"""Results as they are stored, next to what is computed anew from the facts."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import duckdb

from queries import release as releases
from queries.plan import internal_schema
from queries.results import compute


def as_compared(rows: Sequence[tuple[object, ...]]) -> list[str]:
    """Return rows in an order of their own, figures without their last bits.

    A mean of samples adds up what comes first, and threads come as they do: the last bit of a
    third and two thirds differs from one run of the same statement to the next.
    """
    return sorted(
        repr(tuple(round(cell, 12) if isinstance(cell, float) else cell for cell in row))
        for row in rows
    )


def rows_of_results(
    con: duckdb.DuckDBPyConnection, release: str, leave: Collection[int] = ()
) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """The rows of each result of an installed release, as they are stored and computed anew.

    Args:
        leave: runs to leave out.
    """
    definitions = compute.read(con, release)
    internal = internal_schema(release)
    out = ", ".join(map(str, leave)) or "NULL"
    # A result that nobody queries is its table.
    views = {
        view
        for (view,) in con.execute(
            "SELECT view_name FROM duckdb_views() WHERE schema_name = ?", [release]
        ).fetchall()
    }
    stored = {
        one.name: f'"{release if one.name in views else internal}"."{one.name}"'
        for one in definitions
        if one.table is not None
    }
    columns = {
        name: ", ".join(f'"{column}"' for column, *_ in con.execute(f"DESCRIBE {its}").fetchall())
        for name, its in stored.items()
    }

    def rows(places: dict[str, str]) -> dict[str, list[str]]:
        return {
            name: as_compared(
                con.execute(
                    f"SELECT {columns[name]} FROM {its} "
                    f"WHERE coalesce(run_id NOT IN ({out}), TRUE) AND run_id IN "
                    f'(SELECT run_id FROM "{release}".current_run)'
                    + " AND coalesce(trim(judge) <> '', TRUE)"
                    * ('"judge"' in columns[name])
                ).fetchall()
            )
            for name, its in places.items()
        }

    found = rows(stored)
    # As `refresh` does: also under a judge that nobody asked, whose rows no view shows.
    ((has_judge,),) = con.execute("SELECT count(*) > 0 FROM main.judge").fetchall()
    unasked = release in releases.shipped_names() and has_judge
    with compute.computed(con, release, definitions, None, unasked=unasked) as steps:
        return found, rows({name: f'{steps}."{name}"' for name in stored})
