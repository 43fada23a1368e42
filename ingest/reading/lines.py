"""The lines of a text file, and line ends that are made alike.

CSV that is put together from parts has several: \\r\\n here, \\n or \\r there, all of them ends of rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import IO

from ingest.reading.limits import MAX_DOCUMENT_BYTES
from warehouse.errors import InputError

_BLOCK = 2**24


def write_alike(path: Path, to: IO[bytes]) -> bool:
    """Write a CSV file with \\n as the end of every row; texts in quotes keep theirs.

    Returns:
        whether the file has ends of several kinds.
    """
    kinds: set[str] = set()
    is_quoted = False
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            # \r\n may not be torn apart.
            while block.endswith(b"\r") and (more := file.read(1)):
                block += more
            parts = block.split(b'"')
            for n, part in enumerate(parts):
                if not is_quoted:
                    n_both, n_returns = part.count(b"\r\n"), part.count(b"\r")
                    n_of = {
                        "\r\n": n_both,
                        "\r": n_returns - n_both,
                        "\n": part.count(b"\n") - n_both,
                    }
                    kinds |= {kind for kind, count in n_of.items() if count}
                    part = part.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if n_returns else part
                last = n == len(parts) - 1
                to.write(part if last else part + b'"')
                # A quote inside of quotes is written twice, which is out and in again.
                is_quoted ^= not last
    to.flush()
    return len(kinds) > 1


_HEAD = 64_000


def text_lines(path: Path) -> Iterator[str]:
    """The lines of a UTF-8 file (a byte order mark is passed over).

    Raises:
        InputError: a line is not UTF-8, or longer than the limit.
    """
    with path.open("rb") as file:
        number = 0
        while line := file.readline(MAX_DOCUMENT_BYTES + 1):
            number += 1
            if len(line) > MAX_DOCUMENT_BYTES:
                raise InputError(path, f"line {number} is longer than {MAX_DOCUMENT_BYTES:,} bytes")
            try:
                yield line.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError as error:
                raise InputError(
                    path, f"line {number} is not UTF-8 ({error.reason}); save the file as UTF-8"
                ) from error


def whole_text(path: Path) -> str:
    """A UTF-8 file that can only be read as a whole.

    Raises:
        InputError: it is not UTF-8, or larger than the limit.
    """
    size = path.stat().st_size
    if size > MAX_DOCUMENT_BYTES:
        raise InputError(
            path,
            f"is a JSON document of {size:,} bytes that has to be read as a whole; up to "
            f"{MAX_DOCUMENT_BYTES:,} are",
        )
    return "".join(text_lines(path))


def beginning(path: Path) -> str:
    """The first characters of a text file that are no white space; '' if there are none."""
    start = ""
    with path.open("rb") as file:
        while not start and (content := file.read(_HEAD)):
            start = content.decode("utf-8-sig", "replace").lstrip()
    return start
