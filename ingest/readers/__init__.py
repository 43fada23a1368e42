"""The readers of harnesses' files, a module each: the folder is the register.

A reader has VERSION (raised when the same file would be read otherwise than before), DESCRIPTION
(a line for the list of formats), FIELDS, and the three functions of `Reader`. One whose files are of
several formats has FORMATS by name in place of the first two.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

from ingest.reading.head import Format, Head, Seen
from ingest.sample import About, Sample
from warehouse.errors import InputError

if TYPE_CHECKING:
    from ingest.fields import Field


class Reader(Protocol):
    """A module of this folder, or of a package."""

    __name__: str
    VERSION: int
    DESCRIPTION: str
    FIELDS: Sequence[Field]

    def recognise(self, head: Head) -> Seen | None:
        """Say what shows that a file is, or may be, the harness's; None: nothing does."""

    def sidecar(self, path: Path) -> str | None:
        """Say why a file of the harness's is no result; None: it may be one, or is not its."""

    def read(self, path: Path) -> tuple[About, Iterator[Sample]]:
        """Read a file.

        Raises:
            InputError: it is not as it should be, with row and field.
        """


@cache
def every() -> tuple[Reader, ...]:
    """All readers, sorted by name."""
    names = sorted(found.name for found in pkgutil.iter_modules(__path__))
    return tuple(cast("Reader", import_module(f"{__name__}.{name}")) for name in names)


def name_of(reader: Reader) -> str:
    """The module's name."""
    return reader.__name__.rpartition(".")[2]


def formats_of(reader: Reader) -> Mapping[str, Format]:
    """The formats of a reader's files by name; one has the module's."""
    named: Mapping[str, Format] | None = getattr(reader, "FORMATS", None)
    return named or {name_of(reader): Format(reader.VERSION, reader.DESCRIPTION)}


def recognised(path: Path, wanted: str | None = None, also: Sequence[Reader] = ()) -> Seen | None:
    """Say by which of its formats a reader recognises a file; None: none does.

    Args:
        wanted: the format that the user names.
        also: readers of packages.

    Raises:
        InputError: two do, one as surely as the other, and the user names neither.
    """
    head = Head(path)
    found = {
        name: seen
        for one in (*every(), *also)
        if (wanted is None or wanted in formats_of(one))
        and (seen := one.recognise(head))
        and wanted in (None, name := seen.format or name_of(one))
    }
    found = {name: seen for name, seen in found.items() if seen.is_sure} or found
    if len(found) > 1:
        words = ", ".join(f"{name} ({seen.words})" for name, seen in found.items())
        raise InputError(path, f"may be of several harnesses: {words}; --format says which")
    return next((replace(seen, format=name) for name, seen in found.items()), None)
