"""Lines of JSON from an untrusted file: regular, with limits of length and nesting."""

from __future__ import annotations

import json
import stat
from collections.abc import Iterator
from pathlib import Path

from warehouse.errors import InputError

MOST_CHARACTERS = 2**27
"""Of one line: a reply of the largest size, its body, and its prompt, each spelled as JSON can."""


def json_lines(file: Path) -> Iterator[tuple[int, str]]:
    """The lines of a file with their numbers, from 1.

    Raises:
        InputError: it is no regular file, is not UTF-8, or has a line that is too long.
    """
    try:
        if not stat.S_ISREG(file.stat().st_mode):
            # A pipe would be waited for, and a device never ends.
            raise InputError(file, "is no regular file")
        with file.open(encoding="utf-8-sig") as lines:
            row = 0
            while line := lines.readline(MOST_CHARACTERS + 1):
                row += 1
                if len(line) > MOST_CHARACTERS:
                    problem = f"the line is longer than {MOST_CHARACTERS:,} characters"
                    raise InputError(file, problem, row=row)
                yield row, line
    except (OSError, ValueError) as error:
        if isinstance(error, UnicodeDecodeError):
            raise InputError(file, "is not UTF-8") from error
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise InputError(file, f"cannot be read: {reason}") from error


def parsed(file: Path, row: int, line: str) -> object:
    """The JSON value of a line.

    Raises:
        InputError: it is none, or nested too deeply.
    """
    try:
        return json.loads(line)
    except ValueError as error:
        raise InputError(file, "not valid JSON, or cut off", row=row) from error
    except RecursionError as error:
        raise InputError(file, "is nested too deeply", row=row) from error
