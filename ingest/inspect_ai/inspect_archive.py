"""Inspect's `.eval`: a zip of JSON members, read one at a time.

    header.json            what was run, how it ended and what came of it, once it has ended
    _journal/start.json    what was to be run, while it has not
    samples/ID_epoch_N.json

Members may be compressed by zstd (method 93), which `zipfile` knows from Python 3.14 on. What the
directory says about sizes is not believed: a member is read up to the limit and no further.
"""

from __future__ import annotations

import json
import lzma
import struct
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from warehouse.errors import InputError

if sys.version_info >= (3, 14):
    import zipfile

    from compression import zstd
else:
    from backports import zstd
    from backports.zstd import zipfile

MAX_MEMBER_BYTES = 64_000_000
"""The largest member, unpacked: the header, or a sample with its images in base64."""
MAX_LOG_BYTES = 20_000_000_000
"""The largest log, unpacked."""
_HEADER = "header.json"
_START = "_journal/start.json"
_SAMPLES = "samples/"
_NAME_AT = 30
"""Where a zip has its first member's name."""
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


def is_log(path: Path) -> bool:
    """Whether a zip has the members of a log.

    Raises:
        InputError: it is no whole zip.
    """
    with path.open("rb") as file:
        # A log that the harness wrote while it ran begins so, and a large directory takes time.
        if file.read(_NAME_AT + len(_START))[_NAME_AT:] == _START.encode():
            return True
    with _open(path) as archive:
        return any(info.filename in (_HEADER, _START) for info in archive.infolist())


def parts(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """What the log says about itself, named '', then the samples in the archive's order by member.

    Of a log that has not ended it is what was to be run. Of a member that was written again the
    last one holds, as in the harness.

    Raises:
        InputError: a member is broken or too large; the message names it.
    """
    with _open(path) as archive:
        names = dict.fromkeys(archive.namelist())
        if _HEADER in names:
            header, n_bytes = _read(path, archive, _HEADER, MAX_LOG_BYTES)
        else:
            header, n_bytes = _read(path, archive, _START, MAX_LOG_BYTES)
            header.setdefault("status", "started")
        yield "", header
        for name in names:
            if name.startswith(_SAMPLES) and name.endswith(".json"):
                sample, size = _read(path, archive, name, MAX_LOG_BYTES - n_bytes)
                n_bytes += size
                yield name, sample


def _open(path: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(path)
    except _BROKEN as error:
        raise InputError(path, f"not a whole zip file: {error}") from error


def _read(path: Path, archive: zipfile.ZipFile, name: str, left: int) -> tuple[dict[str, Any], int]:
    """A member as an object, and its size; `left` is how much of the log's limit there is."""
    try:
        with archive.open(name) as member:
            content = member.read(min(MAX_MEMBER_BYTES, left) + 1)
    except _BROKEN as error:
        raise InputError(path, f"cannot be unpacked: {error or 'cut off'}", field=name) from error
    if len(content) > MAX_MEMBER_BYTES:
        raise InputError(
            path, f"is larger than {MAX_MEMBER_BYTES:,} bytes when unpacked", field=name
        )
    if len(content) > left:
        raise InputError(
            path, f"the log is larger than {MAX_LOG_BYTES:,} bytes when unpacked", field=name
        )
    return parse(path, name, content), len(content)


def parse(path: Path, name: str, content: bytes | str) -> dict[str, Any]:
    """A JSON object.

    Raises:
        InputError: it is none.
    """
    try:
        found = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise InputError(path, f"not valid JSON, or cut off: {error}", field=name) from error
    if not isinstance(found, dict):
        raise InputError(path, "is not a JSON object", field=name)
    return found
