"""A release's own files: each view and macro of its folder, read from disk.

Views that a folder's `pivots.toml` declares are made from their templates (pivots.py), and are from then
on like those with a file of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path

from queries import pivots
from warehouse.errors import EvalhouseError
from warehouse.files import reading

SHIPPED = Path(__file__).parent / "releases"
PAPERS = "papers"
STUDIES = "studies"
GROUPS = (PAPERS, STUDIES)
"""Folders of shipped views that no board needs: each is a schema of its own, installed on request."""
NAME = pivots.NAME
"""How releases, views and macros can be called."""
_MACROS = "macros"
_OF_AN_ENGINE = re.compile(r"(.+)\.(?:duckdb|spark)")
_MOST_FILES = 2_000
_MOST_BYTES = 256 * 2**10
_MOST_BYTES_OF_ALL = 4 * 2**20
_QUOTED_OR_COMMENT = re.compile(r"""('(?:[^']|'')*'|"(?:[^"]|"")*")|--[^\n]*""")
_STORED_IN = re.compile(r"^-- @stored_in .*$", re.MULTILINE)
_TOKEN = re.compile(r"\w+|[^\w\s]")
_QUOTED_OTHERWISE = re.compile(r"\$|/\*|\b[eE]$")
"""How a text or a comment of another kind begins, in what is not quoted."""


@dataclass(frozen=True)
class SqlFile:
    """A view or macro.

    Args:
        kind: view or macro.
        origin: the release whose folder it lies in.
        folder: the folder below that one; "" for none.
        path: the file; of a view that is made from a template, the one that declares it.
        text: what the file holds, or is made.
    """

    kind: str
    name: str
    origin: str
    folder: str
    path: Path
    text: str

    @property
    def is_of_papers(self) -> bool:
        """Whether it is a table or a figure of a paper."""
        return self.folder == PAPERS

    @property
    def is_shipped(self) -> bool:
        """Whether it comes with the package."""
        return self.path.is_relative_to(SHIPPED)

    @property
    def group(self) -> str | None:
        """The schema of its own that it lies in where it comes with the package: papers or studies."""
        return self.folder if self.folder in GROUPS and self.is_shipped else None

    @property
    def place(self) -> str:
        """What a message calls it."""
        is_made = self.path.name == pivots.FILE
        return f"{self.path}, views.{self.name}" if is_made else str(self.path)

    @property
    def key(self) -> str:
        """Its key within the release: the kind and the name, without a view's folder."""
        return f"{_MACROS}/{self.name}.sql" if self.kind == "macro" else f"{self.name}.sql"

    @property
    def sha256(self) -> str:
        """Of the file's text, in hex."""
        return sha256(self.text.encode()).hexdigest()

    @cached_property
    def statement_sha256(self) -> str:
        """Of the statement alone, in hex: comments, layout and case of names and keywords count nothing; but
        where its rows are read does."""
        return sha256(
            f"{_tokens(self.text)}\0{''.join(_STORED_IN.findall(self.text))}".encode()
        ).hexdigest()


def _tokens(text: str) -> str:
    """Return a statement's tokens with a blank between two; all of the text where it may quote otherwise."""
    # Every other piece is what is quoted, which is kept as it is, or None for a comment.
    pieces = _QUOTED_OR_COMMENT.split(text)
    if any(_QUOTED_OTHERWISE.search(piece) for piece in pieces[::2]):
        return text
    tokens = [
        token
        for place, piece in enumerate(pieces)
        if piece is not None
        for token in ([piece] if place % 2 else _TOKEN.findall(piece.lower()))
    ]
    return " ".join(tokens).removesuffix(" ;")


def files_of(directory: Path, name: str) -> tuple[SqlFile, ...]:
    """The views and macros in a release's own folder."""
    folders = ["", *(path.name for path in directory.iterdir() if path.is_dir())]
    listed = {folder: [*(directory / folder).iterdir()] for folder in folders}
    declaring = [
        folder
        for folder in sorted(set(folders) - {_MACROS})
        if any(path.name == pivots.FILE for path in listed[folder])
    ]
    # By name, so that nothing depends on the folder that a view lies in.
    found = sorted(
        ("macro" if folder == _MACROS else "view", path.stem, folder, path)
        for folder, paths in listed.items()
        for path in paths
        if path.suffix == ".sql"
        and not (folder in declaring and path.name.endswith(pivots.TEMPLATE))
    )
    if len(found) > _MOST_FILES:
        raise _too_many(directory, len(found))
    files: list[SqlFile] = []
    left = _MOST_BYTES_OF_ALL
    # Nobody links from what comes with the package to another place.
    inside = None if directory.parent == SHIPPED else directory
    for kind, called, folder, path in found:
        if of_engine := _OF_AN_ENGINE.fullmatch(called):
            raise EvalhouseError(
                f"{path}: a {kind} has one file for all engines: write {of_engine[1]}.sql, in DuckDB's SQL; "
                "`-- @engines both` in its head lets a macro call what is translated for Spark, and "
                "`-- @engines duckdb` what DuckDB alone has"
            )
        if not NAME.fullmatch(called):
            raise EvalhouseError(
                f"{path}: a file names its {kind}: lower-case letters, digits and _, a letter first"
            )
        text = reading.text(path, inside=inside, most=_MOST_BYTES)
        left -= len(text)
        if left < 0:
            raise _too_large(directory)
        files.append(SqlFile(kind, called, name, folder, path, text))
    made = _made(directory, name, declaring, most=_MOST_FILES - len(found), left=left)
    return tuple(sorted([*files, *made], key=lambda file: (file.kind, file.name, file.folder)))


def _made(
    directory: Path, name: str, folders: list[str], *, most: int, left: int
) -> Iterator[SqlFile]:
    """The views that are made from templates: `most` at most, of `left` bytes in all."""
    for folder in folders:
        path = directory / folder / pivots.FILE
        for view, text in pivots.views(path, inside=directory, most=_MOST_BYTES):
            most -= 1
            left -= len(text)
            if most < 0:
                raise _too_many(directory, _MOST_FILES - most)
            if left < 0:
                raise _too_large(directory)
            yield SqlFile("view", view, name, folder, path, text)


def _too_many(directory: Path, n: int) -> EvalhouseError:
    return EvalhouseError(
        f"{directory}: has {n:,} views and macros; a release has at most {_MOST_FILES:,}"
    )


def _too_large(directory: Path) -> EvalhouseError:
    return EvalhouseError(f"{directory}: its files have more than {_MOST_BYTES_OF_ALL:,} bytes")
