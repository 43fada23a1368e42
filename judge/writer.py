"""Storing replies as they arrive: durable before they count, many in one commit."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from types import TracebackType
from typing import Any

from judge.cache import Replies
from judge.claims import Claims

Entries = Mapping[str, Mapping[str, Any]]


class Writer:
    """Stores entries, in the order of arrival, for as long as the `async with` lasts.

    Whatever arrives while a commit is on its way to the disk goes into the next one together: a
    commit for each reply would halve the rate.
    """

    def __init__(self, replies: Replies, claims: Claims, *, tag: str) -> None:
        self._replies = replies
        self._claims = claims
        self._tag = tag
        self._waiting: list[tuple[Entries, asyncio.Future[None]]] = []
        self._wake = asyncio.Event()
        self._ending = False

    async def __aenter__(self) -> Writer:
        self._task = asyncio.create_task(self._run())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # What has arrived is stored, also when those who brought it were cancelled.
        self._ending = True
        self._wake.set()
        await self._task

    async def keep(self, entries: Entries) -> None:
        """Store entries and give up their claims; they are on disk when this returns.

        Raises:
            CacheError: they cannot be stored for good.
        """
        done = asyncio.get_running_loop().create_future()
        self._waiting.append((entries, done))
        self._wake.set()
        # A caller that is cancelled does not take its reply with it.
        await asyncio.shield(done)

    async def _run(self) -> None:
        while not (self._ending and not self._waiting):
            await self._wake.wait()
            self._wake.clear()
            waiting, self._waiting = self._waiting, []
            if not waiting:
                continue
            together = {key: entry for entries, _ in waiting for key, entry in entries.items()}
            try:
                await asyncio.to_thread(self._commit, together)
            except Exception as error:
                for _, done in waiting:
                    done.set_exception(error)
                    # The waiter may be gone; asyncio would warn that nobody retrieved the error.
                    done.exception()
            else:
                for _, done in waiting:
                    done.set_result(None)

    def _commit(self, entries: Entries) -> None:
        self._replies.put(entries, tag=self._tag)
        self._claims.release(list(entries))
