"""A whole warehouse as a folder of Parquet files, and a new warehouse from one."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import duckdb

from evalhouse import installing
from evalhouse.placing import put, sibling
from queries import install
from warehouse import connection, manifest, parquet
from warehouse.errors import EvalhouseError, UsageError
from warehouse.manifest import Manifest


def export_parquet(con: duckdb.DuckDBPyConnection, folder: Path) -> Manifest:
    """Write the tables of facts to a folder that is not there yet, or empty.

    Raises:
        UsageError: the folder holds something, or cannot be written.
    """
    return parquet.export(con, folder, evalhouse=version("evalhouse"))


def import_parquet(
    folder: Path,
    path: Path,
    *,
    refresh: bool = True,
    note: Callable[[str], None] = warnings.warn,
) -> Manifest:
    """Make a warehouse from an exported folder: the same facts, and the default release.

    Its results are kept, unless `refresh` is False. The file is made next to its place and then put
    there in one atomic step, so that there is never half of one.

    Args:
        note: callback, called with what could not be kept.

    Raises:
        UsageError: there is a warehouse already.
        InputError: a file of the folder is missing, damaged, or not in its manifest.
        SchemaVersionError: a newer evalhouse wrote it.
    """
    if path.exists():
        raise UsageError(f"{path}: is there already; an import makes a new warehouse")
    if not path.parent.is_dir():
        raise EvalhouseError(f"{path}: the folder {path.parent} does not exist")
    exported = manifest.read(folder)
    parquet.require_known(folder, exported)
    with sibling(path, "new") as new:
        con = connection.open_for_writing(
            new, schema_version=exported.schema_version, folders=[folder]
        )
        try:
            parquet.load(con, folder, exported)
        finally:
            con.close()
        con = connection.open_for_writing(new)
        try:
            install.bring_up_to_date(con)
            if refresh:
                installing.refresh_all(con, note=note)
        finally:
            con.close()
        try:
            put(new, path)
        except FileExistsError as error:
            raise UsageError(f"{path}: came to be meanwhile; it is left as it is") from error
    return exported
