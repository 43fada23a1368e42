"""A release's own files: each view and macro of its folder, read from disk.

Views that differ in their texts and lists of columns alone are made from a template, and are from
then on like those with a file of their own: a folder of views can have a `pivots.toml`. Each
`[views.NAME]` there is a view, and its `template` the name of a file next to it,
`TEMPLATE.template.sql`: the view's SQL with a `{placeholder}` for each of the other keys. A key is
a text, or a list of columns: each its name, and what it is `of`, with a `meaning` where that says
something else. `{KEY.name}`, `{KEY.of}` and `{KEY.meaning}` take a list, and their line stands
there once for each of its columns, with a comma at `{,}` after all but the last. A list that
several views have is one of `[lists.NAME]`, and they say its name. A line that gets too long is
wrapped if it is a comment, and else goes on in another one from `{break}`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

from warehouse.errors import EvalhouseError, InputError
from warehouse.files import reading

FILE = "pivots.toml"
TEMPLATE = ".template.sql"
NAME = re.compile("[a-z][a-z0-9_]*")
_LACKS_NAME = "a name has lower-case letters, digits and _, a letter first"
_PLACEHOLDER = re.compile(r"('\{[a-z_][a-z0-9_.]*\}'|\{(?:,|[a-z_][a-z0-9_.]*)\})")
_DECLARED = re.compile(r"^-- @(\w+)", re.MULTILINE)
_QUOTE = "'"
_COMMA, _BREAK = "{,}", "{break}"
_OF, _MEANING = "of", "meaning"
_PARTS = ("name", _OF, _MEANING)
_WIDTH = 100
_LONGEST = 1_000
"""Characters of a text."""


@dataclass(frozen=True)
class _Line:
    """A line of a template.

    Attributes:
        pieces: its text, and its placeholders with their braces, and their quotes where they have them.
        keys: the texts that it wants.
        of: the list that it stands once for each column of.
    """

    pieces: tuple[str, ...]
    keys: tuple[str, ...]
    of: str | None


def _views(path: Path, *, inside: Path, most: int) -> Iterator[tuple[str, str]]:
    """The views that a file declares: name and SQL.

    Args:
        inside: the release's folder: nothing outside is read.
        most: characters of a view at most; bytes of a file.

    Raises:
        InputError: naming the file and the key.
    """
    content = reading.toml_table(path, inside=inside, most=most)
    _no_others(path, "", content, ("lists", "views"))
    lists = {
        name: _rows(path, f"lists.{name}", value)
        for name, value in _table(path, "lists", content.get("lists", {})).items()
    }
    templates: dict[str, list[_Line]] = {}
    for name, value in _table(path, "views", content.get("views", {})).items():
        key = f"views.{name}"
        if not NAME.fullmatch(name):
            raise InputError(path, _LACKS_NAME, field=key)
        fields = _table(path, key, value)
        template = _text(path, f"{key}.template", fields.get("template"))
        if template not in templates:
            of = path.parent / f"{template}{TEMPLATE}"
            if not NAME.fullmatch(template) or not of.is_file():
                raise InputError(
                    path, f"there is no {template}{TEMPLATE} next to it", field=f"{key}.template"
                )
            templates[template] = _lines(of, reading.text(of, inside=inside, most=most))
        yield name, _view(path, key, fields, templates[template], lists, most)


def _lines(path: Path, text: str) -> list[_Line]:
    """A template's lines."""
    lines = []
    for number, line in enumerate(text.split("\n"), 1):
        pieces = tuple(_PLACEHOLDER.split(line))
        placeholders = [piece for piece in pieces[1::2] if piece not in (_COMMA, _BREAK)]
        keys = [piece.strip("'{}").partition(".") for piece in placeholders]
        lists = {key for key, dot, _ in keys if dot}
        if len(lists) > 1 or any(dot and part not in _PARTS for _, dot, part in keys):
            raise InputError(
                path,
                f"a line has placeholders of one list, KEY.PART; parts are {', '.join(_PARTS)}",
                row=number,
            )
        texts = tuple(key for key, dot, _ in keys if not dot)
        lines.append(_Line(pieces, texts, lists.pop() if lists else None))
    return lines


def _view(
    path: Path,
    key: str,
    fields: Mapping[str, Any],
    lines: list[_Line],
    lists: Mapping[str, list[dict[str, str]]],
    most: int,
) -> str:
    """A view's SQL."""
    wanted = dict.fromkeys(name for line in lines for name in line.keys)
    texts = {name: _text(path, f"{key}.{name}", fields.get(name)) for name in wanted}
    columns = {}
    for name in dict.fromkeys(line.of for line in lines if line.of is not None):
        value = fields.get(name)
        if isinstance(value, str):
            if value not in lists:
                raise InputError(path, f"there is no [lists.{value}]", field=f"{key}.{name}")
            rows = lists[value]
        else:
            rows = _rows(path, f"{key}.{name}", value)
        columns[name] = [
            _values({f"{name}.{part}": text for part, text in row.items()}) | {_COMMA: ","}
            for row in rows
        ]
        if rows:
            columns[name][-1][_COMMA] = ""
    _no_others(path, key, fields, ("template", *texts, *columns))
    made: list[str] = []
    left = most
    once = _values(texts)
    for line in lines:
        for values in [{}] if line.of is None else columns[line.of]:
            both = once | values if line.keys else values
            filled = "".join([both.get(piece, piece) for piece in line.pieces])
            left -= len(filled) + 1
            if left < 0:
                raise InputError(path, f"has more than {most:,} characters", field=key)
            made.append(_folded(filled))
    text = "\n".join(made)
    declared = _DECLARED.findall(text)
    if len(set(declared)) < len(declared):
        twice = next(name for name in declared if declared.count(name) > 1)
        raise InputError(path, f"has the column {twice} twice", field=key)
    return text


def _values(texts: Mapping[str, str]) -> dict[str, str]:
    """By placeholder, what stands for it: in quotes, as SQL writes a text."""
    quoted = {
        f"'{{{key}}}'": f"'{text.replace(_QUOTE, _QUOTE * 2)}'" for key, text in texts.items()
    }
    return quoted | {f"{{{key}}}": text for key, text in texts.items()}


def _folded(line: str) -> str:
    """A line, on several if it is too long."""
    before, mark, after = line.partition(_BREAK)
    if mark:
        indent = " " * (len(line) - len(line.lstrip()) + 4)
        is_long = len(before) + len(after) > _WIDTH
        return f"{before}\n{indent}{after.lstrip()}" if is_long else before + after
    if not line.startswith("--"):
        return line
    indent = "--   " if line.startswith("-- @") else "-- "
    lines = []
    while len(line) > _WIDTH and (end := line.rfind(" ", len(indent), _WIDTH + 1)) >= 0:
        lines.append(line[:end])
        line = indent + line[end + 1 :]
    return "\n".join([*lines, line])


def _rows(path: Path, key: str, value: object) -> list[dict[str, str]]:
    """A list of columns."""
    rows = []
    for name, one in _table(path, key, value).items():
        place = f"{key}.{name}"
        if not NAME.fullmatch(name):
            raise InputError(path, _LACKS_NAME, field=place)
        if isinstance(one, dict):
            _no_others(path, place, one, (_OF, _MEANING))
            of = _text(path, f"{place}.{_OF}", one.get(_OF))
            meaning = _text(path, f"{place}.{_MEANING}", one.get(_MEANING))
        else:
            of = meaning = _text(path, place, one)
        rows.append({"name": name, _OF: of, _MEANING: meaning})
    return rows


def _table(path: Path, key: str, value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise InputError(path, _lacks(value, "a table"), field=key)
    return value


def _text(path: Path, key: str, value: object) -> str:
    if not isinstance(value, str) or not value.isprintable() or not 0 < len(value) <= _LONGEST:
        wanted = f"a text in one line, of at most {_LONGEST:,} characters"
        raise InputError(path, _lacks(value, wanted), field=key)
    return value


def _lacks(value: object, wanted: str) -> str:
    return f"is missing: it is {wanted}" if value is None else f"has to be {wanted}"


def _no_others(path: Path, key: str, fields: Mapping[str, Any], known: tuple[str, ...]) -> None:
    for name in fields:
        if name not in known:
            raise InputError(
                path,
                f"is not known; there are {', '.join(known)}",
                field=f"{key}.{name}".removeprefix("."),
            )


SHIPPED = Path(__file__).parent / "releases"
PAPERS = "papers"
STUDIES = "studies"
GROUPS = (PAPERS, STUDIES)
"""Folders of shipped views that no board needs: each is a schema of its own, installed on request."""
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
        is_made = self.path.name == FILE
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
        if any(path.name == FILE for path in listed[folder])
    ]
    # By name, so that nothing depends on the folder that a view lies in.
    found = sorted(
        ("macro" if folder == _MACROS else "view", path.stem, folder, path)
        for folder, paths in listed.items()
        for path in paths
        if path.suffix == ".sql" and not (folder in declaring and path.name.endswith(TEMPLATE))
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
        path = directory / folder / FILE
        for view, text in _views(path, inside=directory, most=_MOST_BYTES):
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
