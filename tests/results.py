"""Results as they are stored, next to what is computed anew from the facts."""

from __future__ import annotations

from collections.abc import Collection

import duckdb

from queries.plan import internal_schema
from queries.results import compute


def rows_of_results(
    con: duckdb.DuckDBPyConnection, release: str, leave: Collection[int] = ()
) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """The rows of each result of an installed release, as they are stored and computed anew.

    Args:
        leave: runs to leave out.
    """
    definitions = compute.read(con, release)
    internal = f'"{internal_schema(release)}"'
    out = ", ".join(map(str, leave)) or "NULL"
    columns = {
        one.name: ", ".join(
            f'"{column}"'
            for column, *_ in con.execute(f'DESCRIBE {internal}."{one.name}"').fetchall()
        )
        for one in definitions
        if one.table is not None
    }

    def rows(schema: str) -> dict[str, list[str]]:
        return {
            name: sorted(
                map(
                    repr,
                    con.execute(
                        f'SELECT {its} FROM {schema}."{name}" '
                        f"WHERE coalesce(run_id NOT IN ({out}), TRUE) AND run_id IN "
                        f'(SELECT run_id FROM "{release}".current_run)'
                    ).fetchall(),
                )
            )
            for name, its in columns.items()
        }

    stored = rows(internal)
    with compute.computed(con, release, definitions, None) as steps:
        return stored, rows(steps)
