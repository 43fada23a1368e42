"""The beginning of a file, by which a reader recognises it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

from ingest.reading import json_map
from ingest.reading.limits import MAX_DOCUMENT_BYTES
from ingest.reading.lines import text_lines, whole_text
from warehouse.errors import InputError
from warehouse.later import pl

_MOST_BYTES = 65_536
_SPACE = re.compile(rb"\s+")


def in_folder(path: Path, folder: str) -> Path:
    """The file of the same name and model in another folder of a work dir, `FOLDER/MODEL/NAME`."""
    model = path.absolute().parent
    return model.parent.parent / folder / model.name / path.name


@dataclass(frozen=True)
class Seen:
    """What a reader recognised a file by.

    Attributes:
        words: what it saw, for messages.
        are_figures: the file holds figures of runs, and is read after their answers.
        format: which of the reader's formats the file is in, where it has several.
        is_sure: False: it may be the reader's, where no other one is sure.
        is_guess: files of other kinds look so too: one in a folder that does not fit is left.
        place: when it is read, where that is not what the format says.
    """

    words: str
    are_figures: bool = False
    format: str | None = None
    is_sure: bool = True
    is_guess: bool = False
    place: str | None = None


@dataclass(frozen=True)
class Format:
    """A format of a reader's files.

    Attributes:
        place: when they are read among others, a name of `adapter.Place`; None: after the answers,
            where they are figures, and else with them.
    """

    version: int
    description: str
    place: str | None = None


@dataclass(frozen=True)
class Head:
    """The beginning of a file, and where it lies; what is broken is recognised by nobody."""

    path: Path

    @cached_property
    def start(self) -> bytes:
        """The first bytes, without white space between words."""
        try:
            with self.path.open("rb") as file:
                return _SPACE.sub(b"", file.read(_MOST_BYTES).removeprefix(b"\xef\xbb\xbf"))
        except OSError:
            return b""

    @cached_property
    def line(self) -> dict[str, Any]:
        """The first line as a JSON object; empty: it is none."""
        if not self.start.startswith(b'{"'):
            return {}
        try:
            return _object(next((line for line in text_lines(self.path) if line.strip()), ""))
        except (InputError, OSError):
            return {}

    @cached_property
    def document(self) -> dict[str, Any]:
        """The whole file as a JSON object; empty: it is none, or too large to be looked at."""
        try:
            if self.line:
                lines = (line for line in text_lines(self.path) if line.strip())
                return {} if any(islice(lines, 1, None)) else self.line
            if self.start[:1] == b"{" and self.path.stat().st_size <= MAX_DOCUMENT_BYTES:
                return _object(whole_text(self.path))
        except (InputError, OSError):
            pass
        return {}

    @property
    def by_id(self) -> dict[str, Any]:
        """The file as a map by id, of objects alone or of texts alone; empty: it is none."""
        found = self.document
        return found if json_map.is_map(found, in_a_line=bool(self.line)) else {}

    @cached_property
    def columns(self) -> frozenset[str]:
        """The columns of a Parquet file; empty: it is none."""
        if not self.start.startswith(b"PAR1"):
            return frozenset()
        try:
            return frozenset(pl.read_parquet_schema(self.path))
        except (pl.exceptions.PolarsError, OSError):
            return frozenset()


def _object(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
