"""The cache of paid replies: a `diskcache` directory, durable before anything else happens.

Keys are hex hashes; each value is one JSON object:

    request    what the key is the hash of (see `judge.request`)
    response   reply, refusal, finish_reason, returned_model, prompt_tokens, completion_tokens
    call       warehouse, origin, cost_usd, latency_seconds, judged_at, asked_run_id

or, for a prompt template, whose key is the hash of its text: `{"template": text}`.

The library's defaults would lose money, so they are all set otherwise: values are JSON text and never a
pickle (CVE-2025-69872), nothing is evicted or expires, values never leave the database for files that
are not synced, and a commit is on disk when it returns.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import diskcache

from warehouse.errors import EvalhouseError

_KEY = re.compile(r"[0-9a-f]{64}")
_RAW_TEXT = 1
"""How diskcache marks a value that stands in its row as it is."""
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
"""SQLite's `synchronous`, NORMAL and FULL: after a power cut a file is whole under both, and under FULL
also complete."""
RESERVE_BYTES = 8 * 2**20
"""Disk space kept back so that replies which were in flight when the disk filled up can be stored."""


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
            raise CacheError("a reply is stored as JSON, not as a file")
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        return len(text), _RAW_TEXT, None, text

    def fetch(self, mode: object, filename: object, value: object, read: bool) -> Any:
        """A value as it was stored."""
        if mode != _RAW_TEXT or not isinstance(value, str):
            raise CacheError(
                f"{self._directory}: has a value that is pickled or in a file; it is not read"
            )
        return json.loads(value)


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
    """All of what happens inside in one commit, or none of it.

    The library's own way to try again (`retry=True`) takes a read-only or full disk for a lock, and
    tries for ever. SQLite itself waits for a lock, for as long as the store's timeout.

    Raises:
        CacheError: it cannot be committed.
    """
    with failures_named(Path(store.directory)), store.transact():
        yield


class Replies:
    """The replies in a cache directory.

    Args:
        directory: made where it does not exist.

    Raises:
        CacheError: it cannot be written to, or its disk is full.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._store = open_store(directory, durable=True)

    def close(self) -> None:
        """Let go of the directory."""
        self._store.close()

    def prepare(self) -> None:
        """Make sure that replies can be stored, before any is paid: write, and keep space back.

        Raises:
            CacheError: the directory is read-only, or its disk is full.
        """
        with failures_named(self.directory):
            reserve = self.directory / "reserve"
            if not reserve.exists() or reserve.stat().st_size < RESERVE_BYTES:
                try:
                    with reserve.open("wb") as file:
                        for _ in range(RESERVE_BYTES // 2**20):
                            file.write(b"\0" * 2**20)
                except OSError:
                    # Half a reserve would only take the space that is left.
                    reserve.unlink(missing_ok=True)
                    raise
        with transaction(self._store):
            self._store.set("probe", {"bytes": "x" * 4096})
            self._store.delete("probe")

    def get(self, keys: Sequence[str]) -> dict[str, dict[str, Any]]:
        """The entries that are there, by key."""
        with failures_named(self.directory):
            found = ((key, self._store.get(key)) for key in keys)
            return {key: entry for key, entry in found if entry is not None}

    def put(
        self, entries: Mapping[str, Mapping[str, Any]], *, tag: str | None = None
    ) -> frozenset[str]:
        """Store entries in one commit; return the keys that were new. What is there already stays.

        When this returns, they are on disk. On a full disk the space that was kept back is used.
        """
        try:
            return self._put(entries, tag)
        except CacheError:
            reserve = self.directory / "reserve"
            if not reserve.exists():
                raise
            with failures_named(self.directory):
                reserve.unlink(missing_ok=True)
            self._put(entries, tag)
            raise

    def _put(self, entries: Mapping[str, Mapping[str, Any]], tag: str | None) -> frozenset[str]:
        new = set()
        with transaction(self._store):
            for key, entry in entries.items():
                if self._store.add(key, entry, tag=tag):
                    new.add(key)
        return frozenset(new)

    def tagged_since(self, tag: str, row: int) -> tuple[list[str], int]:
        """Keys that were stored with a tag after a row, and the last row there is."""
        with failures_named(self.directory), _reading(self.directory) as con:
            rows = con.execute(
                "SELECT key, rowid FROM Cache WHERE tag = ? AND rowid > ? ORDER BY rowid",
                (tag, row),
            ).fetchall()
        return [key for key, _ in rows], max((number for _, number in rows), default=row)

    def __len__(self) -> int:
        return len(self._store)


def default_directory(warehouse: Path) -> Path:
    """The cache of a warehouse: the directory beside it."""
    return warehouse.with_name(f"{warehouse.name}.judge-cache")


def entries(directory: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every entry of a cache directory that may be someone else's: read only, nothing unpickled.

    Raises:
        CacheError: there is no cache, or an entry is pickled, in a file, or no JSON object.
    """
    if not (directory / "cache.db").is_file():
        raise CacheError(f"{directory}: no cache there (a directory with a cache.db)")
    with failures_named(directory), _reading(directory) as con:
        for row, key, raw, mode, value in con.execute(
            "SELECT rowid, key, raw, mode, value FROM Cache ORDER BY rowid"
        ):
            if not raw or not isinstance(key, str) or not _KEY.fullmatch(key):
                raise CacheError(f"{directory}, row {row}: the key is no hash; nothing is read")
            if mode != _RAW_TEXT or not isinstance(value, str):
                raise CacheError(
                    f"{directory}, row {row}, key {key}: is pickled or in a file; nothing is read"
                )
            try:
                entry = json.loads(value)
            except ValueError as error:
                raise CacheError(f"{directory}, row {row}, key {key}: is no JSON") from error
            if not isinstance(entry, dict):
                raise CacheError(f"{directory}, row {row}, key {key}: is no JSON object")
            yield key, entry


@contextmanager
def _reading(directory: Path) -> Iterator[sqlite3.Connection]:
    path = (directory / "cache.db").absolute()
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=60)) as con:
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
    """diskcache sets as attributes and PRAGMAs whatever names a directory's settings table has."""
    if not (directory / "cache.db").is_file():
        return
    known = set(diskcache.DEFAULT_SETTINGS) | {"count", "size", "hits", "misses"}
    with failures_named(directory), _reading(directory) as con:
        try:
            rows = con.execute("SELECT key, value FROM Settings").fetchall()
        except sqlite3.OperationalError:
            return
    for key, value in rows:
        if key not in known or not (
            isinstance(value, int) or str(value).replace("-", "").isalpha()
        ):
            raise CacheError(f"{directory}: is no cache of evalhouse (setting {key!r})")
