"""Which MM-Vet a file is of: the second one's ids begin with v2_."""

from __future__ import annotations

import duckdb

from ingest.names import DatasetName


def dataset(con: duckdb.DuckDBPyConnection) -> DatasetName:
    """The dataset of the file in `raw`, by its column `key`."""
    ((is_second,),) = con.execute(
        "SELECT coalesce(bool_and(starts_with(trim(key), 'v2_')), false) FROM raw"
    ).fetchall()
    return DatasetName("MM-Vet v2" if is_second else "MM-Vet")
