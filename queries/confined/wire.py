"""The messages between the process that sends a query and the one that runs it."""

from __future__ import annotations

import struct
from dataclasses import dataclass

ROWS, ERROR, DONE = b"R", b"E", b"D"
"""What a message is: rows as an Arrow stream, an error as JSON, the end. Its length is before
it."""
HEADER = struct.Struct("!cQ")


@dataclass(frozen=True)
class Request:
    """A query and all that its process needs to know.

    Args:
        sql: the user's text.
        path: the warehouse.
        catalog: the name that its views know it by.
        folder: an empty folder of the query's own.
        spill_size: bytes of it that spilling may take.
        settings: of the connection, such as search_path.
        attached: a database with results that the warehouse lacks, and its name in queries; None: none.
        timeout: seconds; None is no limit.
        max_rows: rows of the result; None is no limit.
        memory_limit: as DuckDB takes it; None leaves it to DuckDB.
        threads: the same.
    """

    sql: str
    path: str
    catalog: str
    folder: str
    spill_size: int
    settings: dict[str, str]
    attached: tuple[str, str] | None
    timeout: float | None
    max_rows: int | None
    memory_limit: str | None
    threads: int | None
