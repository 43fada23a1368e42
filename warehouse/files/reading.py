"""Reading small files that come from anywhere: manifests, settings, templates, views.

What is opened is a regular file of a known size and, where it is of a folder, in that folder:
nothing hangs, fills the memory or reads what the folder does not hold. What is parsed has an end,
says nothing twice and is Unicode.
"""

from __future__ import annotations

import errno
import json
import os
import re
import stat
import tomllib
from collections.abc import Sequence
from itertools import accumulate, islice
from pathlib import Path
from typing import Any

from warehouse.errors import InputError

MOST_BYTES = 64 * 2**20
_DEEPEST = 100
"""Brackets inside brackets: nothing of ours has more than ten."""

_STRING = re.compile(r""" "(?:\\.|[^"\\])*+" | '[^']*+' """, re.VERBOSE)
_LONG_KEY = re.compile(r"(?<![\w-])(?:[\w-]++[ \t]*+\.[ \t]*+){50}")


def content(path: Path, *, inside: Path | None = None, most: int = MOST_BYTES) -> bytes:
    """The bytes of a regular file.

    Args:
        inside: the folder it is of: a link that leads out of it is refused.
        most: bytes at most.

    Raises:
        InputError: it is not there, cannot be read, is something else than a file, lies elsewhere,
            or is larger.
    """
    try:
        if inside is not None and not _is_inside(path, inside):
            raise InputError(path, f"is a link that leads out of {inside}; nothing there is read")
        # So that it does not wait for a writer to a FIFO.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
        with os.fdopen(descriptor, "rb") as file:
            found = os.fstat(descriptor)
            if not stat.S_ISREG(found.st_mode):
                kind = "a folder" if stat.S_ISDIR(found.st_mode) else "no regular file"
                raise InputError(path, f"is {kind}")
            if found.st_size > most:
                raise InputError(
                    path, f"has {found.st_size:,} bytes; what it is to be has at most {most:,}"
                )
            return file.read(most + 1)[:most]
    except OSError as error:
        if error.errno == errno.EISDIR:
            raise InputError(path, "is a folder") from error
        raise InputError(path, f"cannot be read: {error.strerror or error}") from error
    except ValueError as error:  # a NUL in a name
        raise InputError(repr(str(path))[1:-1], f"cannot be read: {error}") from error


def _is_inside(path: Path, folder: Path) -> bool:
    """Whether a path leads into a folder, links followed: no link below the folder is quicker to see."""
    if path.is_relative_to(folder):
        parts = path.parts[len(folder.parts) :]
        places = accumulate(parts, os.path.join, initial=str(folder))
        if ".." not in parts and not any(map(os.path.islink, islice(places, 1, None))):
            return True
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))


def text(path: Path, *, inside: Path | None = None, most: int = MOST_BYTES) -> str:
    """The same as text, with \\n at the ends of lines.

    Raises:
        InputError: as for `content`, or it is not UTF-8.
    """
    try:
        read = content(path, inside=inside, most=most).decode()
    except UnicodeDecodeError as error:
        raise InputError(path, f"is not UTF-8 (byte {error.start:,})") from error
    return read.replace("\r\n", "\n").replace("\r", "\n")


def json_value(path: Path, *, inside: Path | None = None, most: int = MOST_BYTES) -> Any:
    """What a JSON file says.

    Raises:
        InputError: as for `text`, or it is no JSON, nested without end, names a key twice or holds
            half of a sign.
    """
    return json_of(text(path, inside=inside, most=most), path)


def json_of(read: str, path: str | Path) -> Any:
    """The same of a text; `path` stands in messages.

    Raises:
        InputError: it is no JSON, as above.
    """
    try:
        value = json.loads(read, object_pairs_hook=_each_once)
        _require_shallow(value)
        json.dumps(value, ensure_ascii=False).encode()
    except _TwiceError as error:
        raise InputError(path, f"names {error.args[0]!r} twice in one object") from error
    except RecursionError as error:
        raise InputError(path, "is nested too deeply") from error
    except UnicodeEncodeError as error:
        raise InputError(path, "holds half of a sign (a lone surrogate)") from error
    except ValueError as error:
        raise InputError(path, f"is no whole JSON: {error}") from error
    return value


def toml_table(path: Path, *, inside: Path | None = None, most: int = 2**20) -> dict[str, Any]:
    """What a TOML file says.

    Raises:
        InputError: as for `text`, or it is no TOML, or nested without end.
    """
    return toml_of(text(path, inside=inside, most=most), path)


def toml_of(read: str, path: str | Path) -> dict[str, Any]:
    """The same of a text; `path` stands in messages.

    Raises:
        InputError: it is no TOML, or nested without end.
    """
    try:
        # The parser takes time with the square of a dotted key's length.
        if any(_LONG_KEY.search(_STRING.sub("s", line)) for line in read.split("\n")):
            raise RecursionError
        value = tomllib.loads(read)
        _require_shallow(value)
    except tomllib.TOMLDecodeError as error:
        raise InputError(path, f"is not TOML: {error}") from error
    except RecursionError as error:
        raise InputError(path, "is nested too deeply") from error
    except ValueError as error:  # a number with thousands of digits
        raise InputError(path, f"is not TOML: {error}") from error
    return value


class _TwiceError(Exception):
    """A key that stands twice in one object."""


def _each_once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        names = [name for name, _ in pairs]
        raise _TwiceError(next(name for name in names if names.count(name) > 1))
    return value


def _require_shallow(value: object) -> None:
    """Refuse what a later step would follow down without end.

    Not recursive, so that it ends itself.
    """
    level: list[object] = [value]
    for _ in range(_DEEPEST):
        level = [
            inner
            for one in level
            if isinstance(one, (dict, list))
            for inner in (one.values() if isinstance(one, dict) else one)
        ]
        if not level:
            return
    raise RecursionError
