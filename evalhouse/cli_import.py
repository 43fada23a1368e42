"""`evalhouse import`: a warehouse from an exported folder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evalhouse.cli_shared import Db, NoRefresh
from evalhouse.printing import note, out
from evalhouse.transfer import import_parquet
from warehouse import connection
from warehouse.manifest import Manifest
from warehouse.wording import counted


def import_command(
    folder: Annotated[Path, typer.Argument(help="What `evalhouse export --parquet` wrote.")],
    db: Db = None,
    no_refresh: NoRefresh = False,
) -> None:
    """Make a new warehouse from a folder that `evalhouse export --parquet` wrote.

    Every file is checked by its hash, and every table by its rows; the releases that come with this
    evalhouse are installed. After an error no warehouse is left behind.
    """
    path = db or connection.default_path()
    made = import_parquet(folder, path, refresh=not no_refresh, note=note)
    out(f"{path}: {summary(made)}")


def summary(manifest: Manifest) -> str:
    """What an export holds, in one line."""
    tables = manifest.tables.values()
    size = sum(file.bytes for table in tables for file in table.files) / 1e6
    return (
        f"schema version {manifest.schema_version}, {counted(len(tables), 'table')}, "
        f"{counted(sum(table.rows for table in tables), 'row')} "
        f"({counted(sum(len(table.files) for table in tables), 'file')}, {size:,.1f} MB of Parquet)"
    )
