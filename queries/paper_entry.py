"""How each table and figure of the papers is printed: `papers/*.toml`, one entry a view."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from warehouse.errors import EvalhouseError
from warehouse.judges import TASKS

KINDS = ("radar", "pie", "bar", "grouped_bar", "heatmap")
DARK = ("high", "low")
MOST_DIGITS = 9
_DIRECTORY = Path(__file__).parent / "papers"
_KEYS = [
    "task",
    "order",
    "digits",
    "digits_of",
    "headings",
    "section",
    "hidden",
    "star",
    "note",
    "needs",
    "best",
    "best_places",
    "figure",
]
_FIGURE_KEYS = ["kind", "label", "series", "value", "dark"]
_ORDERED = re.compile(r"([a-z_][a-z0-9_]*)( ASC| DESC)?")


@dataclass(frozen=True)
class Figure:
    """How a view is drawn.

    Attributes:
        kind: one of KINDS.
        label: the column of axes, slices, places on the x axis.
        series: the column shown by colour and shape, panels or rows; None: there is one.
        value: the column of numbers.
        dark: high or low: which numbers a heat map shows dark (low for ranks).
    """

    kind: str
    label: str
    series: str | None
    value: str
    dark: str = DARK[0]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns it names."""
        return (self.label, self.value, *([self.series] if self.series else []))


@dataclass(frozen=True)
class Entry:
    """How a view is printed.

    Attributes:
        task: which judges it can be seen under; None: it depends on none.
        order: of the rows, each `column` or `column DESC`.
        digits, digits_of: decimals of DOUBLE columns, and exceptions.
        headings: by column; by default the column's name.
        section: a column whose values divide the table.
        hidden: columns that are not printed.
        star: column → BOOLEAN column; where it is true, the cell gets a star.
        note: printed below.
        needs: what a warehouse has to hold for it, for the message when there is nothing.
        best: columns in which the best is marked, each `column`, or `column ASC` where less is
            better.
        best_places: how many are marked.
        figure: how it is drawn; None: it is a table.
    """

    name: str
    task: str | None = None
    order: tuple[str, ...] = ()
    digits: int = 1
    digits_of: Mapping[str, int] = field(default_factory=dict)
    headings: Mapping[str, str] = field(default_factory=dict)
    section: str | None = None
    hidden: tuple[str, ...] = ()
    star: Mapping[str, str] = field(default_factory=dict)
    note: str | None = None
    needs: str | None = None
    best: tuple[str, ...] = ()
    best_places: int = 2
    figure: Figure | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """Every column that it names, in any role."""
        return (
            *(split_order(item)[0] for item in (*self.order, *self.best)),
            *self.digits_of,
            *self.headings,
            *([self.section] if self.section else []),
            *self.hidden,
            *self.star,
            *self.star.values(),
            *(self.figure.columns if self.figure else ()),
        )

    def heading(self, column: str) -> str:
        """What stands above a column."""
        words = column.replace("_", " ")
        return self.headings.get(column, words[:1].upper() + words[1:])

    def digits_for(self, column: str) -> int:
        """Decimals of a DOUBLE column."""
        return self.digits_of.get(column, self.digits)


def split_order(item: str) -> tuple[str, bool | None]:
    """`column DESC` → (column, True); None where it does not say."""
    column, _, direction = item.partition(" ")
    return column, {"DESC": True, "ASC": False}.get(direction)


@lru_cache
def entries(directory: Path = _DIRECTORY) -> dict[str, Entry]:
    """The entries of every file in a folder, by name.

    Raises:
        EvalhouseError: naming the file, the entry and the fault.
    """
    found: dict[str, Entry] = {}
    for path in sorted(directory.glob("*.toml")):
        try:
            content = tomllib.loads(path.read_text(encoding="utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise EvalhouseError(f"{path}: {error}") from error
        for name, fields in content.items():
            place = f"{path}: [{name}]"
            if name in found:
                raise EvalhouseError(f"{place} stands there twice, or in two files")
            if not isinstance(fields, dict):
                raise EvalhouseError(f"{place} has to be a table")
            found[name] = _entry(name, fields, place)
    return found


def _entry(name: str, fields: dict[str, Any], place: str) -> Entry:
    _known(fields, _KEYS, place)
    read = _Reader(fields, place)
    entry = Entry(
        name=name,
        task=read.one_of("task", TASKS),
        order=read.ordered("order"),
        digits=read.count("digits", 1, least=0, most=MOST_DIGITS),
        digits_of=read.mapping("digits_of", int),
        headings=read.mapping("headings", str),
        section=read.text("section"),
        hidden=read.texts("hidden"),
        star=read.mapping("star", str),
        note=read.text("note"),
        needs=read.text("needs"),
        best=read.ordered("best"),
        best_places=read.count("best_places", 2, least=1, most=3),
        figure=_figure(fields["figure"], f"{place} figure") if "figure" in fields else None,
    )
    for column, digits in entry.digits_of.items():
        if not 0 <= digits <= MOST_DIGITS:
            raise EvalhouseError(f"{place} digits_of.{column} is from 0 to {MOST_DIGITS}")
    return entry


def _figure(fields: object, place: str) -> Figure:
    if not isinstance(fields, dict):
        raise EvalhouseError(f"{place} has to be a table")
    _known(fields, _FIGURE_KEYS, place)
    read = _Reader(fields, place)
    kind, label, value = read.one_of("kind", KINDS), read.text("label"), read.text("value")
    series = read.text("series")
    if not (kind and label and value):
        raise EvalhouseError(f"{place} needs kind, label and value")
    if kind in ("radar", "grouped_bar", "heatmap") and series is None:
        raise EvalhouseError(f"{place} needs series: a {kind} is of several")
    if "dark" in fields and kind != "heatmap":
        raise EvalhouseError(f"{place} dark is for a heatmap")
    return Figure(kind, label, series, value, read.one_of("dark", DARK) or DARK[0])


def _known(fields: Mapping[str, Any], known: list[str], place: str) -> None:
    unknown = sorted(fields.keys() - set(known))
    if unknown:
        raise EvalhouseError(f"{place} knows no {', '.join(unknown)}; it knows {', '.join(known)}")


@dataclass(frozen=True)
class _Reader:
    """A table of TOML, read key by key; what has another type is an error that names the key."""

    fields: Mapping[str, Any]
    place: str

    def text(self, key: str) -> str | None:
        value = self.fields.get(key)
        if value is None:
            return None
        if not isinstance(value, str) or not value.strip():
            raise self._wrong(key, "a text")
        return value

    def one_of(self, key: str, known: tuple[str, ...]) -> str | None:
        value = self.fields.get(key)
        if value is not None and value not in known:
            raise self._wrong(key, f"one of {', '.join(known)}")
        return self.text(key)

    def count(self, key: str, default: int, *, least: int, most: int) -> int:
        value = self.fields.get(key, default)
        if type(value) is not int or not least <= value <= most:
            raise self._wrong(key, f"a number from {least} to {most}")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        value = self.fields.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self._wrong(key, "a list of texts")
        return tuple(value)

    def ordered(self, key: str) -> tuple[str, ...]:
        items = self.texts(key)
        for item in items:
            if not _ORDERED.fullmatch(item):
                raise self._wrong(
                    key, f"a list of `column`, `column ASC`, `column DESC` ({item!r})"
                )
        return items

    def mapping(self, key: str, kind: type) -> dict[str, Any]:
        value = self.fields.get(key, {})
        if not isinstance(value, dict) or any(type(item) is not kind for item in value.values()):
            wanted = "numbers" if kind is int else "texts"
            raise self._wrong(key, f"a table of {wanted}")
        return value

    def _wrong(self, key: str, wanted: str) -> EvalhouseError:
        return EvalhouseError(f"{self.place} {key} has to be {wanted}")
