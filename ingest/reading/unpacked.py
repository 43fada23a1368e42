"""How large a zip is when it is unpacked, found out by unpacking it, of which nothing is kept.

What the directory says about sizes is not believed: whoever wants to fill the memory writes it too.
"""

from __future__ import annotations

import sys
import zipfile
from copy import copy
from pathlib import Path

from warehouse.errors import InputError

MAX_MEMBER_BYTES = 1_000_000_000
"""The largest member of a spreadsheet: a sheet, or its texts."""
MAX_BYTES = 2_000_000_000
"""The largest spreadsheet."""
_CHUNK = 1_000_000


def refuse_large(path: Path, archive: zipfile.ZipFile) -> None:
    """Refuse a spreadsheet that is too large to be read.

    Raises:
        InputError: a member is too large, or all together are.
        zipfile.BadZipFile: a member is broken.
    """
    left = MAX_BYTES
    for info in archive.infolist():
        left -= _size(path, archive, info, left)


def _size(path: Path, archive: zipfile.ZipFile, info: zipfile.ZipInfo, left: int) -> int:
    """A member's size; `left` is how much of the limit for all of them there is."""
    whole = copy(info)
    # zipfile stops where the directory says that the member ends; what reads the sheets goes on.
    whole.file_size = sys.maxsize
    n_bytes = 0
    with archive.open(whole) as member:
        while chunk := member.read(_CHUNK):
            n_bytes += len(chunk)
            if n_bytes > MAX_MEMBER_BYTES:
                raise InputError(
                    path,
                    f"is larger than {MAX_MEMBER_BYTES:,} bytes when unpacked",
                    field=info.filename,
                )
            if n_bytes > left:
                raise InputError(
                    path,
                    f"the spreadsheet is larger than {MAX_BYTES:,} bytes when unpacked",
                    field=info.filename,
                )
    return n_bytes
