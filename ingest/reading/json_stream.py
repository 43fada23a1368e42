"""Large JSON: the elements of a long list one at a time, and the members of a zip.

Members may be compressed by zstd (method 93), which `zipfile` knows from Python 3.14 on. What the
directory says about sizes is not believed: a member is read up to the limit and no further.
"""

from __future__ import annotations

import codecs
import json
import lzma
import re
import struct
import sys
import zlib
from collections.abc import Collection, Iterator
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

_MAX_LOG_BYTES = 20_000_000_000
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
        self._left = _MAX_LOG_BYTES
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
                problem = f"the log is larger than {_MAX_LOG_BYTES:,} bytes when unpacked"
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


_SPACE = re.compile(r"[ \t\r\n]*")
_CHUNK = 1_000_000
_DECODER = json.JSONDecoder()


def parts(path: Path, listed: str, others: Collection[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The objects of a list in order, each with its place; then the rest of the object, named ''.

    Args:
        listed: the list's key.
        others: the keys of the rest that are wanted.

    Raises:
        InputError: the file is broken or cut off, or an element is too large or no object.
    """
    rest = {}
    number = 0
    for name, value in _parts(path, listed):
        if name == listed and value is not None:
            number += 1
            if not isinstance(value, dict):
                raise InputError(path, "is not a JSON object", row=number, field=listed)
            yield f"{listed}[{number - 1}]", value
        elif name in others:
            rest[name] = value
    yield "", rest


def _parts(path: Path, listed: str) -> Iterator[tuple[str, Any]]:
    """The object's keys with their values; that of the list once for each of its elements."""
    text = _Text(path)
    text.expect("{")
    while True:
        name = text.value()
        if not isinstance(name, str):
            raise text.broken("a key is no text")
        text.expect(":")
        if name == listed and text.peek() == "[":
            text.expect("[")
            if text.peek() == "]":
                text.expect("]")
            else:
                while True:
                    yield name, text.value()
                    if text.expect(",]") == "]":
                        break
        else:
            yield name, text.value()
        if text.expect(",}") == "}":
            break
    if text.peek():
        raise text.broken("something stands behind the log")


class _Text:
    """A file as text of which no more is held than the value that is being read."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = path.open("rb")
        self._decode = codecs.getincrementaldecoder("utf-8-sig")()
        self._text = ""
        self._place = 0
        self._n_before = 0
        self._ended = False

    def peek(self) -> str:
        """The next character that is no white space; '' at the end."""
        while True:
            found = _SPACE.match(self._text, self._place)
            assert found is not None
            self._place = found.end()
            if self._place < len(self._text):
                return self._text[self._place]
            if not self._more():
                return ""

    def expect(self, characters: str) -> str:
        """Take the next character, which has to be one of these."""
        found = self.peek()
        if not found or found not in characters:
            raise self.broken("cut off" if not found else f"{found!r} stands where it cannot")
        self._place += 1
        return found

    def value(self) -> Any:
        """Take the next value."""
        if not self.peek():
            raise self.broken("cut off")
        while True:
            try:
                found, end = _DECODER.raw_decode(self._text, self._place)
                # A number at the end may go on.
                if end < len(self._text) or self._ended:
                    self._place = end
                    return found
            except RecursionError as error:
                raise self.broken(str(error)) from error
            except ValueError as error:
                if self._ended:
                    raise self.broken(str(error)) from error
            if len(self._text) - self._place > MAX_MEMBER_BYTES:
                raise self.broken(
                    f"a value is larger than {MAX_MEMBER_BYTES:,} bytes, or not valid JSON"
                )
            self._more()

    def broken(self, why: str) -> InputError:
        """What is wrong, and where."""
        return InputError(
            self.path,
            f"not valid JSON, or cut off: {why} (at character {self._n_before + self._place:,})",
        )

    def _more(self) -> bool:
        """Read on, twice as far as before where a value is long; False at the end."""
        if self._ended:
            return False
        size = max(_CHUNK, len(self._text) - self._place)
        content = self._file.read(size)
        try:
            more = self._decode.decode(content, final=len(content) < size)
        except UnicodeDecodeError as error:
            raise InputError(
                self.path, f"is not UTF-8 ({error.reason}); save the file as UTF-8"
            ) from error
        self._n_before += self._place
        self._text = self._text[self._place :] + more
        self._place = 0
        if len(content) < size:
            self._ended = True
            self._file.close()
        return bool(more) or not self._ended
