"""How large a zip is when it is unpacked, found out by unpacking it, of which nothing is kept.

What the directory says about sizes is not believed: an attacker writes it too. Nor
need a sheet be large for that: what reads it makes room for every cell up to the last row and
column.
"""

from __future__ import annotations

import re
import sys
import zipfile
from collections.abc import Iterator
from copy import copy
from pathlib import Path
from typing import IO

from warehouse.errors import InputError

MAX_MEMBER_BYTES = 1_000_000_000
"""The largest member of a spreadsheet: a sheet, or its texts."""
MAX_BYTES = 2_000_000_000
"""The largest spreadsheet."""
MAX_CELLS = 50_000_000
"""The cells of a sheet up to its last row and column, empty ones too."""
_CHUNK = 1_000_000
_PLACE = re.compile(rb"""[ \t\r\n]r=["']([A-Za-z]{0,3})([0-9]{1,7})["']""")
"""Where a sheet says which row or cell comes."""
_FAR = re.compile(rb"""r=["']([A-Za-z]{2,3}[0-9]|[A-Za-z]?[0-9]{6})""")
"""Without one of these a sheet ends before column AA and row 100,000; it is found much faster."""
_LONGEST_PLACE = 20
_START = 1_000
"""Bytes in which a sheet's root begins, which says whether names have a prefix."""


def refuse_large(path: Path, archive: zipfile.ZipFile) -> bool:
    """Refuse a spreadsheet that is too large to be read; return whether it is plain: what a cell says
    is its value, since there are neither formulas nor escaped characters.

    Raises:
        InputError: a member is too large, all together are, or a sheet is too wide and long.
        zipfile.BadZipFile: a member is broken.
    """
    left = MAX_BYTES
    is_plain = True
    for info in archive.infolist():
        size, is_far = 0, False
        marks: tuple[bytes, ...] = ()
        for text, n_new in _texts(archive, info):
            size += n_new
            if size > MAX_MEMBER_BYTES:
                raise InputError(
                    path,
                    f"is larger than {MAX_MEMBER_BYTES:,} bytes when unpacked",
                    field=info.filename,
                )
            if size > left:
                raise InputError(
                    path,
                    f"the spreadsheet is larger than {MAX_BYTES:,} bytes when unpacked",
                    field=info.filename,
                )
            is_far = is_far or _FAR.search(text) is not None
            marks = marks or _marks(info.filename, text)
            is_plain = is_plain and not any(mark in text for mark in marks)
        left -= size
        if is_far:
            _refuse_far(path, archive, info)
    return is_plain


def _marks(name: str, start: bytes) -> tuple[bytes, ...]:
    """What ends a formula (one that others share ends where it stands) and begins an escaped control
    character, as far as a member may have it.

    Texts may look alike, which costs time alone.
    """
    if name == "xl/sharedStrings.xml":
        return (b"_x00",)
    return b"</f>" if b"<worksheet" in start[:_START] else b":f>", b"_x00"


def _refuse_far(path: Path, archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> None:
    """Refuse a sheet by its last row and column."""
    width = height = 0
    for text, _ in _texts(archive, info):
        if places := _PLACE.findall(text):
            columns, rows = map(set, zip(*places, strict=True))
            width = max(width, *map(column_number, columns))
            height = max(height, *map(int, rows))
    if width * height > MAX_CELLS:
        raise InputError(
            path,
            f"reaches to row {height:,} and column {width:,}, which is more than {MAX_CELLS:,} cells",
            field=info.filename,
        )


def whole_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> IO[bytes]:
    """A member, opened, as far as it really goes."""
    whole = copy(info)
    # zipfile stops where the directory says that the member ends; what reads the sheets goes on.
    whole.file_size = sys.maxsize
    return archive.open(whole)


def _texts(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Iterator[tuple[bytes, int]]:
    """A member piece by piece, each with the end of the one before; and how much of it is new."""
    before = b""
    with whole_member(archive, info) as member:
        while chunk := member.read(_CHUNK):
            text = before + chunk
            yield text, len(chunk)
            before = text[-_LONGEST_PLACE:]


def column_number(column: bytes) -> int:
    """A column's number from 1: A is 1, AA is 27."""
    number = 0
    for letter in column.upper():
        number = number * 26 + letter - 64
    return number
