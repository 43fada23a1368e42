"""Which warehouse a file is, and so who paid for its judgments: copies of one have the same uuid."""

from __future__ import annotations

import duckdb

from warehouse.errors import EvalhouseError


def of(con: duckdb.DuckDBPyConnection, database: str | None = None) -> str:
    """The uuid of a warehouse.

    Args:
        database: one that is attached; by default the connection's own.

    Raises:
        EvalhouseError: it has none, or several; the message names the file.
    """
    prefix = f"{database}." if database else ""
    rows = con.execute(f"SELECT warehouse_uuid FROM {prefix}main.warehouse_identity").fetchall()
    if len(rows) != 1:
        ((path,),) = con.execute(
            "SELECT path FROM duckdb_databases() WHERE database_name = coalesce(?, current_database())",
            [database],
        ).fetchall()
        raise EvalhouseError(
            f"{path}: has {len(rows)} rows in main.warehouse_identity in place of one, so that nobody "
            "knows which warehouse paid for its judgments"
        )
    return str(rows[0][0])
