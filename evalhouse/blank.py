"""A warehouse without facts, made once per version of what makes it, and copied from then on.

Planning and creating some hundred views takes seconds. A new warehouse has the same ones each time,
so the first is kept in the user's cache folder, and taking it away costs nothing but those seconds.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from contextlib import suppress
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

import duckdb
import platformdirs

import queries
import warehouse
from queries import definitions, install
from queries.definitions import Definitions
from warehouse import connection
from warehouse.errors import EvalhouseError

_RESTS_ON = ("duckdb", "sqlglot")
_SOURCES = (".py", ".sql", ".toml")
_UNUSED_FOR = 30 * 24 * 3600
"""Seconds after which one that nobody copied is taken away."""


def make(path: Path) -> None:
    """Make a warehouse without facts at a path where there is none.

    Raises:
        EvalhouseError: the file cannot be written.
    """
    kept = _kept()
    try:
        shutil.copyfile(kept, path)
        _make_its_own(path)
        os.utime(kept)
    except (OSError, duckdb.Error, EvalhouseError):
        # None there yet, or one that is damaged.
        path.unlink(missing_ok=True)
        connection.log_of(path).unlink(missing_ok=True)
        _make_anew(path)
        with suppress(OSError):
            _keep(path, kept)


def made_here() -> Definitions:
    """The views and macros of a warehouse that this evalhouse made."""
    try:
        return _definitions(_kept())
    except EvalhouseError:
        with tempfile.TemporaryDirectory(prefix="evalhouse-") as folder:
            path = Path(folder) / "blank.duckdb"
            make(path)
            return _definitions(path)


def _definitions(path: Path) -> Definitions:
    con = connection.open_for_reading(path)
    try:
        return definitions.read(con)
    finally:
        con.close()


def _make_anew(path: Path) -> None:
    connection.open_for_writing(path, then=install.install_where_none_is).close()


def _make_its_own(path: Path) -> None:
    """Give a copy what no two warehouses share: its identity, and when it was made."""
    con = connection.open_for_writing(path)
    try:
        with connection.transaction(con):
            con.execute(
                "UPDATE main.warehouse_identity SET warehouse_uuid = CAST(uuid() AS VARCHAR)"
            )
            con.execute("UPDATE main.schema_version SET applied_at = now() AT TIME ZONE 'UTC'")
            con.execute("UPDATE main.release SET installed_at = now() AT TIME ZONE 'UTC'")
    finally:
        con.close()


def _kept() -> Path:
    """Where the one is kept that the packages as they are now would make."""
    digest = sha256(sys.version.encode())
    for name in _RESTS_ON:
        digest.update(f"{name} {version(name)}".encode())
    for package in (queries, warehouse):
        folder = Path(package.__path__[0])
        for file in sorted(f for f in folder.rglob("*") if f.suffix in _SOURCES):
            content = file.read_bytes()
            digest.update(f"\n{file.relative_to(folder)} {len(content)}\n".encode() + content)
    return platformdirs.user_cache_path("evalhouse") / "blank" / f"{digest.hexdigest()}.duckdb"


def _keep(path: Path, kept: Path) -> None:
    """Put a copy into the cache folder, whole or not at all, and take away those out of use."""
    kept.parent.mkdir(parents=True, exist_ok=True)
    new = kept.with_name(f"{kept.name}.{os.getpid()}")
    try:
        shutil.copyfile(path, new)
        new.replace(kept)
    finally:
        new.unlink(missing_ok=True)
    for other in kept.parent.iterdir():
        if other.stat().st_mtime < time.time() - _UNUSED_FOR:
            other.unlink()
