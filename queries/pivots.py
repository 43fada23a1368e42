"""Views that differ in their texts and lists of columns alone: made from a template.

A folder of views can have a `pivots.toml`. Each `[views.NAME]` there is a view, and its `template` the
name of a file next to it, `TEMPLATE.template.sql`: the view's SQL with a `{placeholder}` for each of the
other keys. A key is a text, or a list of columns: each its name, and what it is `of`, with a `meaning`
where that says something else. `{KEY.name}`, `{KEY.of}` and `{KEY.meaning}` take a list, and their line
stands there once for each of its columns, with a comma at `{,}` after all but the last. A list that
several views have is one of `[lists.NAME]`, and they say its name. A line that gets too long is wrapped if it
is a comment, and else goes on in another one from `{break}`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from warehouse.errors import InputError
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


def views(path: Path, *, inside: Path, most: int) -> Iterator[tuple[str, str]]:
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
