"""Claims: who is about to pay for which request, so that two processes never pay for one.

They stand in a directory of their own next to the replies. An owner holds a lock on a file for as
long as it lives; the system lets go of it however the process ends, and then its claims are free. A
batch that was exported has no process: its claim holds until its replies are imported or it is
dropped.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from uuid import uuid4

from filelock import FileLock, Timeout

from warehouse.files.json_cache import failures_named, open_store, transaction

_BATCH = "batch:"
_SETTLED_SECONDS = 60


class Claims:
    """This process's claims on the requests of a cache directory.

    Args:
        directory: the cache's directory.
    """

    def __init__(self, directory: Path) -> None:
        self._owners = directory / "claims" / "owners"
        self._store = open_store(directory / "claims", durable=False)
        self._me = uuid4().hex
        self._lock = FileLock(self._owners / self._me)
        with failures_named(directory):
            self._owners.mkdir(exist_ok=True)
            self._lock.acquire()
            self._remove_dead_owners()

    def __enter__(self) -> Claims:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of everything."""
        self._store.close()
        (self._owners / self._me).unlink(missing_ok=True)
        self._lock.release()

    def claim(self, keys: Sequence[str]) -> frozenset[str]:
        """Claim requests in one step; return those that are now this process's."""
        mine = set()
        dead: dict[str, bool] = {}
        with transaction(self._store):
            for key in keys:
                owner = self._store.get(key)
                if owner is not None and owner != self._me:
                    if owner not in dead:
                        dead[owner] = self._is_dead(owner)
                    if not dead[owner]:
                        continue
                self._store.set(key, self._me)
                mine.add(key)
        return frozenset(mine)

    def release(self, keys: Collection[str]) -> None:
        """Give up claims, after the replies are stored or the calls have failed."""
        if keys:
            with transaction(self._store):
                for key in keys:
                    self._store.delete(key)

    def claim_for_batch(self, keys: Sequence[str], batch: str) -> None:
        """Turn claims of this process into those of a batch file."""
        with transaction(self._store):
            for key in keys:
                self._store.set(key, f"{_BATCH}{batch}")

    def batches(self, keys: Sequence[str]) -> dict[str, str]:
        """Which of the requests are out in a batch: its file's name by key."""
        with transaction(self._store):
            found = {key: self._store.get(key) for key in keys}
        return {
            key: owner.removeprefix(_BATCH)
            for key, owner in found.items()
            if isinstance(owner, str) and owner.startswith(_BATCH)
        }

    def of_batch(self, batch: str) -> list[str]:
        """The requests that are out in a batch."""
        with transaction(self._store):
            return [
                key for key in self._store.iterkeys() if self._store.get(key) == f"{_BATCH}{batch}"
            ]

    def merged_up_to(self, warehouse: str) -> int:
        """The last row of the cache that a warehouse is known to have; 0: none."""
        with failures_named(self._owners.parent):
            return int(self._store.get(f"merged:{warehouse}", 0))

    def set_merged_up_to(self, warehouse: str, row: int) -> None:
        """Note the last row of the cache that a warehouse has."""
        if row > self.merged_up_to(warehouse):
            with transaction(self._store):
                self._store.set(f"merged:{warehouse}", row)

    def _is_dead(self, owner: str) -> bool:
        if owner.startswith(_BATCH):
            return False
        path = self._owners / owner
        if not path.exists():
            return True
        lock = FileLock(path)
        try:
            lock.acquire(timeout=0)
        except Timeout:
            return False
        path.unlink(missing_ok=True)
        lock.release()
        return True

    def _remove_dead_owners(self) -> None:
        for path in self._owners.iterdir():
            # A file that was made just now may be about to be locked.
            with suppress(FileNotFoundError):
                if path.name != self._me and time.time() - path.stat().st_mtime > _SETTLED_SECONDS:
                    self._is_dead(path.name)
