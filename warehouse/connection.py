"""Opening the file: for reading, for writing, or for a stranger's SQL."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import duckdb
from tenacity import Retrying, retry_if_exception_type, stop_after_delay, wait_fixed

from warehouse import migrate, resources, writing
from warehouse.errors import BusyError, EvalhouseError, FullDiskError

STORAGE_VERSION = "v1.4.0"
"""The newest storage format that DuckDB 1.4 (LTS) reads; people open the file with what they have."""

_LOCK_HOLDER = re.compile(r"Conflicting lock is held in (?P<program>.+?) \(PID (?P<pid>\d+)\)")


def default_path() -> Path:
    """The warehouse of a command without --db: EVALHOUSE_DB, else warehouse.duckdb."""
    return Path(os.environ.get("EVALHOUSE_DB") or "warehouse.duckdb")


def open_for_reading(path: Path, *, wait: float = 0) -> duckdb.DuckDBPyConnection:
    """Open an existing warehouse read-only.

    Args:
        path: the DuckDB file.
        wait: seconds to wait while another process holds the file.

    Raises:
        EvalhouseError: there is no such file, or it is no warehouse.
        SchemaVersionError: an older or newer evalhouse made it.
        BusyError: another process still holds it after `wait` seconds.
    """
    if not path.exists():
        raise EvalhouseError(
            f"{path}: no warehouse there. `ingest FILE --db {path}` makes one from results, "
            "`evalhouse demo` one to look at."
        )
    con = _connect(path, wait, read_only=True)
    try:
        migrate.require_current(con, path)
    except BaseException:
        con.close()
        raise
    return con


def open_for_writing(
    path: Path, *, wait: float = 0, schema_version: int | None = None
) -> duckdb.DuckDBPyConnection:
    """Open a warehouse to write to, made or upgraded first where need be.

    Args:
        path: the DuckDB file.
        wait: seconds to wait while another process holds the file.
        schema_version: an older schema to make or upgrade it to, for what is of that version.

    Raises:
        EvalhouseError: the file is something else than a warehouse.
        SchemaVersionError: a newer evalhouse made it.
        BusyError: another process still holds it after `wait` seconds.
    """
    if not path.parent.is_dir():
        raise EvalhouseError(f"{path}: the folder {path.parent} does not exist")
    con = _connect(path, wait, read_only=False)
    try:
        migrate.upgrade(con, path, to=schema_version)
    except BaseException:
        con.close()
        raise
    return con


@contextmanager
def transaction(con: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """All of what happens inside, or none of it.

    Raises:
        FullDiskError: there is no room for it; nothing is stored.
    """
    con.execute("BEGIN TRANSACTION")
    try:
        yield
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


def confine(con: duckdb.DuckDBPyConnection) -> None:
    """Before SQL that is not ours: from now on no files, no network, no settings."""
    con.execute("SET enable_external_access = false")
    con.execute("SET lock_configuration = true")


def _connect(path: Path, wait: float, *, read_only: bool) -> duckdb.DuckDBPyConnection:
    limits = resources.current()
    # Beside the warehouse, where there is room for its like; DuckDB takes it away in the end.
    settings: dict[str, str | bool | int | float | list[str]] = {"temp_directory": f"{path}.tmp"}
    if limits.memory_limit is not None:
        settings["memory_limit"] = limits.memory_limit
    if limits.threads is not None:
        settings["threads"] = limits.threads
    if not read_only:
        settings["storage_compatibility_version"] = STORAGE_VERSION

    def attempt() -> duckdb.DuckDBPyConnection:
        try:
            con = duckdb.connect(str(path), read_only=read_only, config=settings)
            # DuckDB 1.5.1 to 2.0.0 can answer wrongly where this one finds a plan's parts twice
            # (duckdb issues 24624, 25819); the views avoid what was seen, a user's own join may not.
            con.execute("SET disabled_optimizers = 'common_subplan'")
            # The engine's own bar would stand among the results of what takes longer.
            con.execute("SET enable_progress_bar = false")
            return con
        except duckdb.OutOfMemoryException as error:
            raise EvalhouseError(
                f"{path}: cannot be opened with {limits.memory_limit} of memory (--memory-limit)"
            ) from error
        except duckdb.IOException as error:
            text = str(error)
            if "Could not set lock" in text or "Conflicting lock" in text:
                raise BusyError(_busy_message(path, text)) from error
            if "not a valid DuckDB database file" in text or "newer version" in text:
                raise EvalhouseError(f"{path}: {text.splitlines()[0]}") from error
            raise EvalhouseError(f"{path}: cannot be opened: {text.splitlines()[0]}") from error

    retrying = Retrying(
        retry=retry_if_exception_type(BusyError),
        stop=stop_after_delay(wait),
        wait=wait_fixed(0.2),
        reraise=True,
    )
    return retrying(attempt)


def _busy_message(path: Path, text: str) -> str:
    found = _LOCK_HOLDER.search(text)
    holder = f"{found['program']} (PID {found['pid']})" if found else "another process"
    return f"{path}: in use by {holder}. Try again when it is done, or with --wait SECONDS."
