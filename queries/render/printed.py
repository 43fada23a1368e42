"""What every format is given: a table with its headings, cells, dividers and notes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

KEPT = 10
"""The weight of a column that a narrow terminal shows in any case."""


@dataclass(frozen=True)
class Column:
    """A column.

    Attributes:
        heading: as printed.
        is_text: left-aligned; numbers are right-aligned.
        wraps: long texts are broken into lines on a terminal.
        digits: decimals of its numbers in a spreadsheet; None: as they are.
        weight: on a narrow terminal columns of less weight are left out first.
    """

    heading: str
    is_text: bool = False
    wraps: bool = False
    digits: int | None = None
    weight: int = 5


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell.

    Attributes:
        text: as printed, - for nothing.
        value: the number itself, unrounded; else the text; None: nothing.
        place: 1, 2 or 3 if it is among the best of its column.
        star: printed with a * behind it.
    """

    text: str
    value: bool | int | float | str | None
    place: int = 0
    star: bool = False


@dataclass(frozen=True)
class Row:
    """A row; `section` is what the divider above its part of the table says."""

    cells: tuple[Cell, ...]
    section: str | None = None


@dataclass(frozen=True)
class Printed:
    """A table as it is to be printed.

    Attributes:
        name: short, for a sheet of a workbook.
        title: one line; empty: none.
        settings: a line in small below the title; empty: none.
        notes: lines below it.
        keys: heading and text of what is the same in every row; CSV, which has no title, repeats
            it.
    """

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()
    keys: tuple[tuple[str, str], ...] = ()
    settings: str = ""

    @property
    def headings(self) -> list[str]:
        """Those of the columns."""
        return [column.heading for column in self.columns]


def sections(table: Printed) -> Iterator[tuple[str | None, Row]]:
    """The rows, each with the divider that stands above it, or None."""
    before = None
    for row in table.rows:
        yield (row.section if row.section != before else None), row
        before = row.section


def styled(
    row: Row, escape: Callable[[str], str], styles: Sequence[str], star: str = "*"
) -> list[str]:
    """A row's texts in a markup: escaped, the best ones in their style, with their stars.

    Args:
        styles: templates for the best, second and third place.
        star: a star in the markup.
    """
    return [
        (styles[cell.place - 1] if cell.place else "{}").format(escape(cell.text))
        + (star if cell.star else "")
        for cell in row.cells
    ]


def one_line(text: str) -> str:
    """Text for where a line end would be read as the end of something."""
    return " ".join(text.split("\n"))
