"""The cache of paid replies: a `diskcache` directory, durable before anything else happens.

Keys are hex hashes; each value is one JSON object:

    request    what the key is the hash of (see `judge.request`)
    response   reply, refusal, finish_reason, returned_model, prompt_tokens, completion_tokens
    call       warehouse, origin, cost_usd, latency_seconds, judged_at, asked_run_id

or, for a prompt template, whose key is the hash of its text: `{"template": text}`.

How the directory is kept, so that nothing paid is lost, is `warehouse.json_cache`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from warehouse.json_cache import (
    RAW_TEXT,
    CacheError,
    failures_named,
    open_store,
    reading,
    transaction,
)

_KEY = re.compile(r"[0-9a-f]{64}")
RESERVE_BYTES = 8 * 2**20
"""Disk space kept back so that replies which were in flight when the disk filled up can be stored."""


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
        with failures_named(self.directory), reading(self.directory) as con:
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
    with failures_named(directory), reading(directory) as con:
        for row, key, raw, mode, value in con.execute(
            "SELECT rowid, key, raw, mode, value FROM Cache ORDER BY rowid"
        ):
            if not raw or not isinstance(key, str) or not _KEY.fullmatch(key):
                raise CacheError(f"{directory}, row {row}: the key is no hash; nothing is read")
            if mode != RAW_TEXT or not isinstance(value, str):
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
