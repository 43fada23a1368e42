"""Cache directories: `diskcache` with JSON for values, durable, and never a pickle.

The library's defaults would lose what was paid for, so they are all set otherwise: values are JSON
text and never a pickle (CVE-2025-69872), nothing is evicted or expires, values never leave the
database for files that are not synced, and a commit is on disk when it returns.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import diskcache

from warehouse.errors import EvalhouseError

MOST_BYTES = 2**27
"""The size of a value in someone else's cache: the largest reply, body and prompt as JSON."""
RAW_TEXT = 1
"""How diskcache marks a value that stands in its row as it is."""
_DATABASE_FILES = ("cache.db", "cache.db-wal", "cache.db-shm", "cache.db-journal")
_COUNTS = re.compile(
    r"CREATE TRIGGER Settings_(count|size)_\w+ AFTER \w+ ON Cache FOR EACH ROW BEGIN UPDATE Settings "
    r'SET value = value [-+] (1|(NEW|OLD)\.size)( - OLD\.size)? WHERE key = "(count|size)"; END'
)
"""The library's own triggers."""
_SETTINGS = {
    "eviction_policy": "none",
    "cull_limit": 0,
    "size_limit": 2**62,
    "disk_min_file_size": 2**40,
    "statistics": 0,
    "tag_index": 1,
    "sqlite_journal_mode": "wal",
}
_SYNC_CHECKPOINTS, _SYNC_EVERY_COMMIT = 1, 2
"""SQLite's `synchronous`, NORMAL and FULL: after a power cut a file is whole under both, and under
FULL also complete.
"""


class CacheError(EvalhouseError):
    """The cache cannot be read or written. Exit code 1."""


class JsonText(diskcache.Disk):  # type: ignore[misc]  # the library has no types
    """Keys are hex hashes, values JSON text. Anything else in the directory is refused."""

    def put(self, key: object) -> tuple[str, bool]:
        """A key as it is stored."""
        if not isinstance(key, str) or not key.isascii():
            raise CacheError(f"{key!r} is no key of this cache")
        return key, True

    def get(self, key: object, raw: object) -> str:
        """A key as it was stored."""
        if not raw or not isinstance(key, str):
            raise CacheError(f"{self._directory}: has a pickled key; it is not opened")
        return key

    def store(
        self, value: object, read: bool, key: object = None
    ) -> tuple[int, int, str | None, str]:
        """A value as it is stored: size, mode, file name and text."""
        if read:
            raise CacheError("a value is stored as JSON, not as a file")
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        return len(text), RAW_TEXT, None, text

    def fetch(self, mode: object, filename: object, value: object, read: bool) -> Any:
        """A value as it was stored."""
        if mode != RAW_TEXT or not isinstance(value, str):
            raise CacheError(
                f"{self._directory}: has a value that is pickled or in a file; it is not read"
            )
        try:
            return json.loads(value)
        except RecursionError as error:
            raise CacheError(f"{self._directory}: has a value nested too deeply") from error


def open_store(directory: Path, *, durable: bool) -> diskcache.Cache:
    """Open a diskcache directory in our way, made where it does not exist.

    Args:
        directory: where.
        durable: whether each commit is on disk when it returns.

    Raises:
        CacheError: it cannot be made or written, or holds what is not ours.
    """
    path = str(directory.absolute())
    if os.path.expandvars(path) != path:
        # The library would, and we would look in one place and store in another.
        raise CacheError(f"{directory}: the path of a cache cannot have a variable's name in it")
    _refuse_foreign_settings(directory)
    with failures_named(directory):
        return diskcache.Cache(
            path,
            disk=JsonText,
            sqlite_synchronous=_SYNC_EVERY_COMMIT if durable else _SYNC_CHECKPOINTS,
            **_SETTINGS,
        )


@contextmanager
def transaction(store: diskcache.Cache) -> Iterator[None]:
    """Atomic: all of what happens inside in one commit, or none of it.

    The library's own way to try again (`retry=True`) takes a read-only or full disk for a lock, and
    tries for ever. SQLite itself waits for a lock, for as long as the store's timeout.

    Raises:
        CacheError: it cannot be committed.
    """
    with failures_named(Path(store.directory)), store.transact():
        yield


@contextmanager
def reading(directory: Path) -> Iterator[sqlite3.Connection]:
    """A read-only connection to a cache's database, which may be someone else's.

    Raises:
        CacheError: its files are not all regular ones: a link reads another place, a pipe never
            ends.
    """
    for name in _DATABASE_FILES:
        with suppress(FileNotFoundError):
            if not stat.S_ISREG((directory / name).lstat().st_mode):
                raise CacheError(f"{directory / name}: is no regular file; nothing is read")
    path = (directory / "cache.db").absolute()
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=60)) as con:
        # What the file itself defines is not run, and no value is larger than a reply can be.
        con.execute("PRAGMA trusted_schema = OFF")
        con.execute("PRAGMA cell_size_check = ON")
        con.execute("PRAGMA mmap_size = 0")
        con.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MOST_BYTES)
        yield con


@contextmanager
def failures_named(directory: Path) -> Iterator[None]:
    """What fails inside is a `CacheError` that names the directory."""
    try:
        yield
    except (OSError, sqlite3.Error, diskcache.Timeout) as error:
        free = shutil.disk_usage(directory).free if directory.is_dir() else 0
        space = f" ({free / 1e6:,.0f} MB free)" if free < 100e6 else ""
        # The library says nothing but that it has waited.
        cause = str(error) or "it is locked, read-only, or its disk is full"
        raise CacheError(
            f"{directory}: the cache cannot be written or read{space}: {cause}"
        ) from error
    except json.JSONDecodeError as error:
        raise CacheError(f"{directory}: has a value that is no JSON") from error


def _refuse_foreign_settings(directory: Path) -> None:
    """diskcache sets as attributes and PRAGMAs whatever names a directory's settings table has.

    A trigger that is not the library's own could throw away what is stored.
    """
    if not (directory / "cache.db").exists():
        return
    known = set(diskcache.DEFAULT_SETTINGS) | {"count", "size", "hits", "misses"}
    with failures_named(directory), reading(directory) as con:
        try:
            rows = con.execute("SELECT key, value FROM Settings").fetchall()
        except sqlite3.OperationalError:
            return
        triggers = con.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
        ).fetchall()
    for name, sql in triggers:
        if not _COUNTS.fullmatch(sql):
            raise CacheError(f"{directory}: is no cache of evalhouse (trigger {name!r})")
    for key, value in rows:
        if key not in known or not (
            isinstance(value, int) or str(value).replace("-", "").isalpha()
        ):
            raise CacheError(f"{directory}: is no cache of evalhouse (setting {key!r})")
