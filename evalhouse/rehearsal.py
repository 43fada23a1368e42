"""A copy of a warehouse: for a rehearsal, or to replace the warehouse if all goes well.

The copy lies next to the warehouse, which no other process can change meanwhile; where the
warehouse is a link, next to its target: there is its log, and a file cannot replace one on another
disk. Another process copies the bytes: closing a file releases all locks that this process has on
it.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from evalhouse import creating
from evalhouse.api import Warehouse
from evalhouse.placing import put, sibling
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
        creating.refuse_left_log(path)
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
