"""The errors that users meet. Everything else that escapes is a defect of evalhouse."""

from __future__ import annotations

from pathlib import Path


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
        problem: what is wrong, and what would mend it.
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
        self.problem = problem
        self.row = row
        self.field = field
        place = [self.path]
        if row is not None:
            place.append(f"row {row}" if row else "header")
        if field is not None:
            place.append(f"field {field}")
        super().__init__(f"{', '.join(place)}: {problem}")


class BusyError(EvalhouseError):
    """Another process holds the warehouse. Exit code 1."""


class FullDiskError(EvalhouseError):
    """The disk is full; the warehouse is as it was. Exit code 1."""


class SchemaVersionError(EvalhouseError):
    """The file's schema is older or newer than this evalhouse needs. Exit code 1."""
