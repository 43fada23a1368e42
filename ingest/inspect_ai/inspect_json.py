"""Inspect's `.json`: one object, whose list `samples` is read one sample at a time.

The rest of it, which stands before and after the samples, is what the header of a `.eval` is.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ingest.inspect_ai.inspect_archive import MAX_MEMBER_BYTES
from warehouse.errors import InputError

_BEGINS = re.compile(rb'(?:\xef\xbb\xbf)?\s*\{\s*"version"\s*:\s*\d+\s*,\s*"status"\s*:')
_SPACE = re.compile(r"[ \t\r\n]*")
_LIST = "samples"
_HEADER = (
    "version",
    "status",
    "eval",
    "error",
    "results",
    "plan",
    "stats",
    "invalidated",
    "tags",
    "metadata",
)
_CHUNK = 1_000_000
_DECODER = json.JSONDecoder()


def is_log(path: Path) -> bool:
    """Whether a file begins as these logs do."""
    with path.open("rb") as file:
        return _BEGINS.match(file.read(1_000)) is not None


def parts(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """The samples in order, each with its place in the list; then the rest of the log, named ''.

    Raises:
        InputError: the log is broken or cut off, or a sample is too large.
    """
    header = {}
    number = 0
    for name, value in _parts(path):
        if name == _LIST and value is not None:
            number += 1
            if not isinstance(value, dict):
                raise InputError(path, "is not a JSON object", row=number, field=_LIST)
            yield f"{_LIST}[{number - 1}]", value
        elif name in _HEADER:
            header[name] = value
    yield "", header


def _parts(path: Path) -> Iterator[tuple[str, Any]]:
    """The object's keys with their values; the key `samples` once for each sample."""
    text = _Text(path)
    text.expect("{")
    while True:
        name = text.value()
        if not isinstance(name, str):
            raise text.broken("a key is no text")
        text.expect(":")
        if name == _LIST and text.peek() == "[":
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
