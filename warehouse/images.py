"""Pictures next to a warehouse: a folder, each once, under the sha256 of its bytes.

`lab.duckdb` has `lab.images/`, in which the first two digits of the hash are a folder. The facts hold
the hashes alone, so that a warehouse without its pictures is whole.
"""

from __future__ import annotations

import json
import re
from ast import literal_eval
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256 as sha256_of
from pathlib import Path

from warehouse.errors import EvalhouseError
from warehouse.files import writing

_LONGEST_PATH = 1_000
"""Characters."""
_HASH = re.compile(r"[0-9a-f]{64}")
_SIGNATURES = (
    (b"\x89PNG\r\n\x1a\n", "png"),
    (b"\xff\xd8\xff", "jpeg"),
    (b"GIF87a", "gif"),
    (b"GIF89a", "gif"),
    (b"BM", "bmp"),
)


def kind_of(content: bytes) -> str | None:
    """png, jpeg, gif, bmp or webp, by the first bytes; None: no picture that a browser draws safely.

    SVG is none: it can hold scripts and ask for other files.
    """
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "webp"
    return next((kind for begins, kind in _SIGNATURES if content.startswith(begins)), None)


@dataclass(frozen=True)
class Images:
    """The pictures of a warehouse."""

    folder: Path

    @classmethod
    def of(cls, warehouse: Path) -> Images:
        """Those next to a warehouse's file."""
        return cls(warehouse.with_name(f"{warehouse.stem}.images"))

    def path(self, sha256: str) -> Path | None:
        """Where a picture would be; None: that is no hash."""
        if _HASH.fullmatch(sha256) is None:
            return None
        return self.folder / sha256[:2] / sha256

    def has(self, sha256: str) -> bool:
        """Whether it is kept."""
        path = self.path(sha256)
        return path is not None and path.is_file()

    def read(self, sha256: str) -> bytes | None:
        """Its bytes; None: it is not kept, or what is there is something else."""
        path = self.path(sha256)
        if path is None or not path.is_file():
            return None
        content = path.read_bytes()
        return content if sha256_of(content).hexdigest() == sha256 else None

    def put(self, content: bytes) -> tuple[str, bool]:
        """Keep a picture; its hash, and whether it is new.

        Raises:
            EvalhouseError: the folder cannot be written.
        """
        name = sha256_of(content).hexdigest()
        path = self.folder / name[:2] / name
        if path.is_file():
            return name, False
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise EvalhouseError(
                f"{path.parent}: cannot be made: {writing.reason(error)}"
            ) from error
        writing.write(path, content)
        return name, True

    def all(self) -> Iterator[tuple[str, Path]]:
        """The hash in each file's name, and the file."""
        if self.folder.is_dir():
            for path in sorted(self.folder.glob("??/*")):
                if _HASH.fullmatch(path.name):
                    yield path.name, path


def at(name: str, folder: Path) -> bytes | None:
    """The picture at a path that data name: in the folder of their file, as they may name any file."""
    if not name or len(name) > _LONGEST_PATH or "\0" in name:
        return None
    path = (folder / name).resolve()
    if not (path.is_relative_to(folder.resolve()) and path.is_file()):
        return None
    content = path.read_bytes()
    return None if kind_of(content) is None else content


def listed(cell: str) -> list[object]:
    """What a cell of text lists, as JSON or Python writes it; empty: it is no list."""
    if cell.startswith("["):
        for read in (json.loads, literal_eval):
            try:
                found = read(cell)
            except (ValueError, SyntaxError, RecursionError, MemoryError):
                continue
            if isinstance(found, list):
                return found
    return []
