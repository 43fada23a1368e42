"""The one way to change a file: all that is done inside is stored, or an error says that nothing is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress

import duckdb

from warehouse.errors import FullDiskError
from warehouse.files import writing


@contextmanager
def transaction(con: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Atomic: all of what happens inside, or none of it.

    Raises:
        duckdb.TransactionException: an error inside was caught; nothing is stored.
        FullDiskError: there is no room for it; nothing is stored.
    """
    con.execute("BEGIN TRANSACTION")
    try:
        yield
        # After an error that somebody caught, the engine commits nothing and says that it has; any other
        # statement it refuses.
        con.execute("SELECT 1")
        con.execute("COMMIT")
    except BaseException as error:
        # A failed COMMIT has rolled back already.
        with suppress(duckdb.Error):
            con.execute("ROLLBACK")
        if isinstance(error, duckdb.Error) and writing.is_full(str(error)):
            raise FullDiskError(
                f"the disk is full, and nothing is stored: {str(error).splitlines()[0]}"
            ) from error
        raise
