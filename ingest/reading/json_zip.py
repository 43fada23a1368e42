"""A zip whose members are JSON objects, read one at a time.

Members may be compressed by zstd (method 93), which `zipfile` knows from Python 3.14 on. What the
directory says about sizes is not believed: a member is read up to the limit and no further.
"""

from __future__ import annotations

import json
import lzma
import struct
import sys
import zlib
from pathlib import Path
from typing import Any

from ingest.reading.limits import MAX_MEMBER_BYTES
from warehouse.errors import InputError

if sys.version_info >= (3, 14):
    import zipfile

    from compression import zstd
else:
    from backports import zstd
    from backports.zstd import zipfile

MAX_LOG_BYTES = 20_000_000_000
"""The largest log, unpacked."""
_BROKEN = (
    zipfile.BadZipFile,
    zstd.ZstdError,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    ValueError,
    EOFError,
    OSError,
    RuntimeError,
)
"""What reading a zip raises; RuntimeError is for what is encrypted or compressed in an unknown way,
struct.error and ValueError for a method's own header."""


class JsonZip:
    """An open zip of JSON members.

    Attributes:
        names: the members in the order of the directory. Of one that was written again the last
            one holds.

    Raises:
        InputError: it is no whole zip.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._left = MAX_LOG_BYTES
        try:
            self._archive = zipfile.ZipFile(path)
        except _BROKEN as error:
            raise InputError(path, f"not a whole zip file: {error}") from error
        self.names = tuple(dict.fromkeys(self._archive.namelist()))

    def __enter__(self) -> JsonZip:
        return self

    def __exit__(self, *error: object) -> None:
        self._archive.close()

    def read(self, name: str) -> dict[str, Any]:
        """A member as an object.

        Raises:
            InputError: it is broken, too large or no JSON object; the message names it.
        """
        most = min(MAX_MEMBER_BYTES, self._left)
        try:
            with self._archive.open(name) as member:
                content = member.read(most + 1)
        except _BROKEN as error:
            problem = f"cannot be unpacked: {error or 'cut off'}"
            raise InputError(self.path, problem, field=name) from error
        if len(content) > most:
            problem = f"is larger than {MAX_MEMBER_BYTES:,} bytes when unpacked"
            if most < MAX_MEMBER_BYTES:
                problem = f"the log is larger than {MAX_LOG_BYTES:,} bytes when unpacked"
            raise InputError(self.path, problem, field=name)
        self._left -= len(content)
        try:
            found = json.loads(content)
        except (ValueError, RecursionError) as error:
            problem = f"not valid JSON, or cut off: {error}"
            raise InputError(self.path, problem, field=name) from error
        if not isinstance(found, dict):
            raise InputError(self.path, "is not a JSON object", field=name)
        return found
