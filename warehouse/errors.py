"""The errors that users meet. Everything else that escapes is a defect of evalhouse."""

from __future__ import annotations

import unicodedata
from pathlib import Path

_MAX_SHOWN = 1_000


class EvalhouseError(Exception):
    """Something the user can mend; the message says what and how. Exit code 1."""

    exit_code = 1


class UsageError(EvalhouseError):
    """A request that cannot be carried out as it stands. Exit code 2."""

    exit_code = 2


class InputError(UsageError):
    """A file that cannot be ingested. The warehouse is as it was. Exit code 2.

    Args:
        path: the file, as given.
        problem: the error, and what would mend it.
        row: the record's number, counted from 1 without the header; 0 is the header.
        field: the column or key as the file calls it.
    """

    def __init__(
        self,
        path: str | Path,
        problem: str,
        *,
        row: int | None = None,
        field: str | None = None,
    ) -> None:
        self.path = str(path)
        self.problem = shown(problem)
        self.row = row
        self.field = field
        place = [shown(self.path)]
        if row is not None:
            place.append(f"row {row}" if row else "header")
        if field is not None:
            place.append(f"field {shown(field)}")
        super().__init__(f"{', '.join(place)}: {self.problem}")


def shown(text: str) -> str:
    """A text from a file as a message has it: not endless, and with nothing that a terminal obeys.

    Long ones are cut, and say how long they are; control characters and half characters are written
    out, which a terminal would obey and no output could encode.
    """
    if len(text) > _MAX_SHOWN:
        text = f"{text[:_MAX_SHOWN]}… ({len(text):,} characters)"
    if text.isprintable():
        return text
    return "".join(_written_out(c) for c in text)


def _written_out(character: str) -> str:
    if unicodedata.category(character) not in ("Cc", "Cs"):
        return character
    return character.encode("unicode_escape").decode()


class BusyError(EvalhouseError):
    """Another process holds the warehouse. Exit code 1."""


class FullDiskError(EvalhouseError):
    """The disk is full; the warehouse is as it was. Exit code 1."""


class SchemaVersionError(EvalhouseError):
    """The file's schema is older or newer than this evalhouse needs. Exit code 1."""
