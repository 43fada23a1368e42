"""The cache of paid replies: a `diskcache` directory, durable before anything else happens.

Keys are hex hashes; each value is one JSON object:

    request    what the key is the hash of (see `judge.request`)
    response   reply, refusal, finish_reason, returned_model, prompt_tokens, completion_tokens, and body
               where what came says more than these
    call       warehouse, origin, cost_usd, latency_seconds, judged_at, asked_run_id

or, for a prompt template, whose key is the hash of its text: `{"template": text}`.

How the directory is kept, so that nothing paid is lost, is `warehouse.files.json_cache`.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from judge.shapes import is_old_error
from warehouse.files.json_cache import (
    RAW_TEXT,
    CacheError,
    failures_named,
    open_store,
    reading,
    transaction,
)

_KEY = re.compile(r"[0-9a-f]{64}")
RESERVE_BYTES = 8 * 2**20
"""Disk space kept back for replies that are in flight when the disk fills up."""


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
        """The entries that are there, by key; a server's error that was kept as a reply is none."""
        with failures_named(self.directory):
            found = {key: entry for key in keys if (entry := self._store.get(key)) is not None}
        wrong = next((key for key, entry in found.items() if not isinstance(entry, dict)), None)
        if wrong is not None:
            raise CacheError(f"{self.directory}, key {wrong}: is no JSON object")
        return {key: entry for key, entry in found.items() if not is_void(entry)}

    def put(
        self, entries: Mapping[str, Mapping[str, Any]], *, tag: str | None = None
    ) -> frozenset[str]:
        """Store entries in one commit; return the keys that were new. What is there already stays,
        unless it is a server's error that was kept as a reply.

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
                if self._store.add(key, entry, tag=tag) or self._replace(key, entry, tag):
                    new.add(key)
        return frozenset(new)

    def _replace(self, key: str, entry: Mapping[str, Any], tag: str | None) -> bool:
        known = self._store.get(key)
        if known is None or not is_void(known) or is_void(entry):
            return False
        # The new row needs a number that none had: warehouses note the last one they merged.
        self._store.set("probe", {})
        self._store.delete(key)
        self._store.add(key, entry, tag=tag)
        self._store.delete("probe")
        return True

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


def is_void(entry: Mapping[str, Any]) -> bool:
    """Whether an entry is a server's error under HTTP 200, which earlier versions kept as a reply.

    What it was an answer to is sent again.
    """
    response = entry.get("response")
    return isinstance(response, dict) and is_old_error(response)


def default_directory(warehouse: Path) -> Path:
    """The cache of a warehouse: the directory next to it."""
    return warehouse.with_name(f"{warehouse.name}.judge-cache")


def entries(directory: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every entry of a cache directory that may be someone else's: read only, nothing unpickled.

    Raises:
        CacheError: there is no cache, or an entry is pickled, in a file, or no JSON object.
    """
    if not (directory / "cache.db").exists():
        raise CacheError(f"{directory}: no cache there (a directory with a cache.db)")
    with failures_named(directory), reading(directory) as con:
        _require_table(directory, con)
        for row, key, raw, mode, filename, value in con.execute(
            "SELECT rowid, key, raw, mode, filename, value FROM main.Cache NOT INDEXED ORDER BY rowid"
        ):
            if raw != 1 or not isinstance(key, str) or not _KEY.fullmatch(key):
                raise CacheError(f"{directory}, row {row}: the key is no hash; nothing is read")
            if mode != RAW_TEXT or filename is not None or not isinstance(value, str):
                raise CacheError(
                    f"{directory}, row {row}, key {key}: is pickled or in a file; nothing is read"
                )
            try:
                entry = json.loads(value)
            except ValueError as error:
                raise CacheError(f"{directory}, row {row}, key {key}: is no JSON") from error
            except RecursionError as error:
                raise CacheError(
                    f"{directory}, row {row}, key {key}: is nested too deeply"
                ) from error
            if not isinstance(entry, dict):
                raise CacheError(f"{directory}, row {row}, key {key}: is no JSON object")
            yield key, entry


def _require_table(directory: Path, con: sqlite3.Connection) -> None:
    """Refuse a view in place of the table and computed columns: they could take for ever."""
    kinds = con.execute(
        "SELECT type, rootpage FROM sqlite_master WHERE lower(name) = 'cache'"
    ).fetchall()
    hidden = con.execute(
        "SELECT count(*) FROM pragma_table_xinfo('Cache') WHERE hidden <> 0"
    ).fetchall()
    if [kind for kind, _ in kinds] != ["table"] or not kinds[0][1] or hidden != [(0,)]:
        raise CacheError(f"{directory}: no cache there (its cache.db has no plain table Cache)")
