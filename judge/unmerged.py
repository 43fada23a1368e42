"""Replies that are in the cache and not yet in the warehouse, and calls that failed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from typing import Any

from judge import merge
from judge.job import Job
from judge.request import Request
from warehouse.errors import BusyError
from warehouse.judgment import Judgment

BUSY_SECONDS = 10.0
"""How long a busy warehouse is waited for where nothing else can be done, at least."""
_SHORT_SECONDS = 2.0
_MERGE_SECONDS = 30.0
_MERGE_REPLIES = 5_000
_MERGE_CHARACTERS = 2**26


class Unmerged:
    """What is to be merged, so that the warehouse is opened once for many replies."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._entries: dict[str, Mapping[str, Any]] = {}
        self._failures: list[Judgment] = []
        self._characters = 0
        self._merged_at = time.monotonic()
        self._merging = asyncio.Lock()

    def __len__(self) -> int:
        return len(self._entries)

    def add(self, found: Mapping[str, Mapping[str, Any]], requests: Sequence[Request] = ()) -> None:
        """Take entries along; `requests` say for which run entries of others are used here."""
        runs = {request.key: request.asked_run_id for request in requests}
        for key, entry in found.items():
            self._entries[key] = {**entry, "used_for_run": runs.get(key)}
            response = entry.get("response")
            said = response.values() if isinstance(response, dict) else ()
            self._characters += sum(len(text) for text in said if isinstance(text, str))

    def add_failure(self, judgment: Judgment) -> None:
        """Take the error of a call along."""
        self._failures.append(judgment)
        self._characters += len(judgment.body or "")

    async def merge_now_and_then(self) -> str | None:
        """Merge if there is much, or it has been a while; see `merge`."""
        n = len(self._entries) + len(self._failures)
        seconds = time.monotonic() - self._merged_at
        is_much = n >= _MERGE_REPLIES or self._characters >= _MERGE_CHARACTERS
        if is_much or (n and seconds >= _MERGE_SECONDS):
            return await self.merge()
        return None

    async def merge(self, *, patient: bool = False) -> str | None:
        """Merge; the message if the warehouse is busy, and nothing is merged yet.

        Args:
            patient: wait for a busy warehouse, since nothing else can be done.

        Raises:
            EvalhouseError: the warehouse cannot be written. Nothing is merged, nothing is lost.
        """
        async with self._merging:
            found, self._entries = self._entries, {}
            failures, self._failures = self._failures, []
            self._characters = 0
            try:
                await asyncio.to_thread(
                    merge.into_warehouse,
                    self._job.path,
                    self._job.cache,
                    found,
                    [(self._job.judge, failure) for failure in failures],
                    wait=max(self._job.wait, BUSY_SECONDS if patient else _SHORT_SECONDS),
                )
            except BaseException as error:
                self._entries = {**found, **self._entries}
                self._failures = [*failures, *self._failures]
                if not isinstance(error, BusyError):
                    raise
                return f"{error} Replies go on into the cache; the next command merges them."
            finally:
                self._merged_at = time.monotonic()
        return None
