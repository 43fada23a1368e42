"""New files in their place: never half of one, and never over another's.

A process that makes a file holds a lock on it until it ends, however it ends. So the next process of
its kind knows what killed ones left, which can be as large as a warehouse, and removes it.

A rehearsal works on a copy of the warehouse; all or nothing replaces the warehouse by its copy. The
copy lies next to the warehouse, or next to the target of a link to it: there is its log, and a file
cannot replace one on another disk. Another process copies the bytes: closing a file releases all locks
that this process has on it.
"""

from __future__ import annotations

import glob
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from evalhouse import blank
from evalhouse.api import Warehouse
from warehouse import connection
from warehouse.connection import log_of
from warehouse.errors import EvalhouseError
from warehouse.files import writing

_COPY = "import shutil, sys; shutil.copyfile(sys.argv[1], sys.argv[2])"


@contextmanager
def rehearsing(house: Warehouse) -> Iterator[Warehouse]:
    """A copy of a warehouse that is thrown away in the end; the warehouse itself is only read.

    Where there is no warehouse yet, the copy is of an empty one, and none is made.

    Raises:
        EvalhouseError: the warehouse cannot be read, or there is no room for the copy.
    """
    path = house.path.resolve()
    with sibling(path, "rehearsal") as new:
        if not path.exists():
            yield house.at(new)
            return
        with house.reading():
            _copy(path, new)
            yield house.at(new)


@contextmanager
def all_or_nothing(house: Warehouse) -> Iterator[Warehouse]:
    """A copy of a warehouse that takes its place in the end, unless an error ends it.

    Where there is no warehouse yet, a new one gets there in the end, or none.

    Raises:
        EvalhouseError: the warehouse cannot be written, another process has made one meanwhile, or
            there is no room for the copy.
    """
    path = house.path.resolve()
    if not path.exists():
        refuse_left_log(path)
        with sibling(path, "new") as new:
            copy = house.at(new)
            yield copy
            _write_all(copy)
            try:
                put(new, path)
            except FileExistsError as error:
                raise EvalhouseError(
                    f"{path}: came to be meanwhile; it is left as it is, and nothing is stored"
                ) from error
        return
    with sibling(path, "new") as new, house.writing() as con:
        con.execute("CHECKPOINT")
        _copy(path, new)
        copy = house.at(new)
        yield copy
        _write_all(copy)
        shutil.copymode(path, new)
        # An atomic replace; the lock on the former file is held until the new one is there.
        new.replace(path)


def _write_all(copy: Warehouse) -> None:
    """Leave nothing in the log, which stays where it is."""
    with copy.writing() as con:
        con.execute("CHECKPOINT")


def _copy(path: Path, new: Path) -> None:
    for one, other in ((path, new), (log_of(path), log_of(new))):
        if one.exists():
            done = subprocess.run(
                [sys.executable, "-c", _COPY, one, other],
                capture_output=True,
                text=True,
                check=False,
            )
            if done.returncode:
                said = done.stderr.strip().splitlines()[-1]
                why = "the disk is full: " if writing.is_full(said) else ""
                raise EvalhouseError(f"{path}: cannot be copied to {new}: {why}{said}")


def create(path: Path) -> None:
    """Make the file with its views next to its place, then move it there: never half of one.

    Raises:
        EvalhouseError: its folder does not exist, or what is left of another warehouse is there.
    """
    if not path.parent.is_dir():
        raise EvalhouseError(f"{path}: the folder {path.parent} does not exist")
    refuse_left_log(path)
    with sibling(path, "new") as new:
        blank.put(new)
        # A file that another process made meanwhile stays.
        with suppress(FileExistsError):
            put(new, path)


def refuse_left_log(path: Path) -> None:
    """Refuse a place with the log of a warehouse that is gone.

    Raises:
        EvalhouseError: there is one.
    """
    log = connection.log_of(path)
    if log.exists() and not path.exists():
        raise EvalhouseError(
            f"{log}: is what a warehouse that is gone had not stored yet; a new one would take it for "
            "its own. Bring that warehouse back, or remove the file"
        )


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
