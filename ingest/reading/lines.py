"""The lines of a text file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from warehouse.errors import InputError


def text_lines(path: Path) -> Iterator[str]:
    """The lines of a UTF-8 file (a byte order mark is passed over).

    Raises:
        InputError: a line is not UTF-8.
    """
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            try:
                yield line.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError as error:
                raise InputError(
                    path, f"line {number} is not UTF-8 ({error.reason}); save the file as UTF-8"
                ) from error
