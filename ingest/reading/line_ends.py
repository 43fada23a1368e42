"""Line ends of CSV that is put together from parts: \\r\\n here, \\n or \\r there, all of them ends of rows."""

from __future__ import annotations

from pathlib import Path
from typing import IO

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
