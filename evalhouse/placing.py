"""A file that was made next to its place, moved there: never half of one, and never over another's.

A process that makes one holds a lock on a file until it ends, however it ends. So the next process
of its kind knows what killed ones left, which can be as large as a warehouse, and removes it.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from warehouse.connection import log_of
from warehouse.errors import EvalhouseError
from warehouse.files import writing


def put(new: Path, path: Path) -> None:
    """Let a finished file be at a path where nothing is yet.

    Raises:
        FileExistsError: something is there.
    """
    try:
        os.link(new, path)
    except FileExistsError:
        raise
    except OSError:
        # Not every file system knows links: the place is taken, and the file gets there in one
        # atomic step.
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
        try:
            new.replace(path)
        except BaseException:
            path.unlink()
            raise


@contextmanager
def sibling(path: Path, word: str) -> Iterator[Path]:
    """A path for a warehouse in the making, in the folder of its place: `.NAME.PID.WORD`.

    What is there in the end is removed with its log, and what killed processes left of the same
    kind.

    Raises:
        EvalhouseError: there is no folder, or it cannot be written.
    """
    if not path.parent.is_dir():
        raise EvalhouseError(f"{path}: the folder {path.parent} does not exist")
    new = path.with_name(f".{path.name}.{os.getpid()}.{word}")
    lock = _lock_of(new)
    try:
        lock.acquire()
    except OSError as error:
        raise EvalhouseError(f"{new}: cannot be made: {writing.reason(error)}") from error
    try:
        for other in path.parent.glob(f".{glob.escape(path.name)}.*.{word}.lock"):
            if other.with_suffix("") != new:
                _remove_if_left(other.with_suffix(""))
        yield new
    finally:
        _remove(new)
        lock.release()


def _lock_of(new: Path) -> FileLock:
    return FileLock(new.with_name(f"{new.name}.lock"))


def _remove_if_left(new: Path) -> None:
    lock = _lock_of(new)
    # Its process lives, or it is another user's.
    with suppress(Timeout, OSError):
        lock.acquire(timeout=0)
        try:
            _remove(new)
        finally:
            lock.release()


def _remove(new: Path) -> None:
    """Remove what was made, with its log, its own unfinished files, and the lock last."""
    made = new.parent.glob(f".{glob.escape(new.name)}.*")
    for path in (new, log_of(new), *made, new.with_name(f"{new.name}.lock")):
        path.unlink(missing_ok=True)
