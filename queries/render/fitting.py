"""A table made to fit a terminal: no figure is cut, whole columns are left out, names are shortened.

What is left out is said below the table. Elsewhere tables are as wide as they need to be.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rich.cells import cell_len

from queries.render.printed import KEPT, Cell, Column, Printed
from queries.render.shortening import least_width, shortened
from warehouse import destination
from warehouse.files.visible import visible

_BETWEEN = 3
_EDGES = 2
"""What lines and spaces take between two columns, and at the edges."""
_NAME = 16
_LONG_NAME = 30
_WORDS = 24
_HEADING = 10
"""The least width of names, of names that are very alike, of texts in words and of long headings, before a
column is left out."""
_LEAST = 8
"""The least width of names and texts once nothing more can be left out."""


@dataclass(frozen=True)
class Fitted:
    """A table for a terminal, the width of each of its columns, and what is said below it."""

    table: Printed
    widths: tuple[int, ...]
    note: str | None


@dataclass
class _Place:
    """A column while the table is fitted: what it is, and between which widths it may be."""

    index: int
    column: Column
    natural: int
    least: int
    width: int = 0


def fitted(table: Printed, width: int) -> Fitted:
    """The table for a terminal of so many characters.

    First names and texts are shortened or broken into lines, then columns are left out, those of
    the least weight first and of one weight the rightmost. Columns that are kept (the first one,
    and those of weight KEPT) may be wider than the terminal, which then breaks the lines: figures
    are whole in any case.
    """
    places = [_place(table, index) for index in range(len(table.columns))]
    if _total([place.natural for place in places]) <= width:
        return Fitted(table, tuple(place.natural for place in places), None)
    left_out = []
    while _total([place.least for place in places]) > width:
        dropped = [place for place in places if place.index and place.column.weight < KEPT]
        if not dropped:
            break
        last = min(dropped, key=lambda place: (place.column.weight, -place.index))
        left_out.append(last)
        places.remove(last)
    if _total([place.least for place in places]) > width:
        for place in places:
            figures = (row.cells[place.index] for row in table.rows)
            if place.column.is_text and not any(_is_figure(cell.text) for cell in figures):
                place.least = min(place.least, max(_LEAST, _least_of_heading(place.column)))
    _widen(places, width)
    shown, is_shortened = _shortened(table, places)
    return Fitted(
        shown,
        tuple(place.width for place in places),
        _note([place.column for place in sorted(left_out, key=lambda p: p.index)], is_shortened),
    )


def _place(table: Printed, index: int) -> _Place:
    column = table.columns[index]
    widest = max((_width(row.cells[index]) for row in table.rows), default=0)
    natural = max(widest, cell_len(visible(column.heading)))
    if column.is_text:
        limit = _WORDS
        if not (column.wraps and _in_words(table, index)):
            names = {visible(row.cells[index].text) for row in table.rows}
            limit = least_width(names, _NAME, _LONG_NAME)
        figures = (row.cells[index] for row in table.rows if _is_figure(row.cells[index].text))
        least = max(min(natural, limit), _least_of_heading(column), *map(_width, figures))
    else:
        least = max(widest, _least_of_heading(column))
    return _Place(index, column, natural, min(least, natural))


def _width(cell: Cell) -> int:
    lines = visible(cell.text).split("\n")
    return max(map(cell_len, lines)) + cell.star


def _least_of_heading(column: Column) -> int:
    return min(max(map(cell_len, visible(column.heading).split()), default=0), _HEADING)


def _is_figure(text: str) -> bool:
    """Whether a text is a figure or a date, which is not to be shortened."""
    return any(map(str.isdigit, text)) and not any(map(str.isalpha, text))


def _in_words(table: Printed, index: int) -> bool:
    """Whether a column holds texts, which are broken into lines, and not names."""
    return any(len(row.cells[index].text.split()) > 3 for row in table.rows)


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + _BETWEEN * (len(widths) - 1) + _EDGES


def _widen(places: list[_Place], width: int) -> None:
    """Give what is left of the terminal to the columns that are narrower than they would be."""
    for place in places:
        place.width = place.least
    left = width - _total([place.width for place in places])
    while left > 0:
        narrow = [place for place in places if place.width < place.natural]
        if not narrow:
            break
        min(narrow, key=lambda place: place.width).width += 1
        left -= 1


def _shortened(table: Printed, places: list[_Place]) -> tuple[Printed, bool]:
    """The table with the columns that are left, and whether a name or a heading is shorter."""
    is_shortened = False
    shorter: dict[int, dict[str, str]] = {}
    for place in places:
        index = place.index
        if place.column.is_text and not (place.column.wraps and _in_words(table, index)):
            names = {visible(row.cells[index].text) for row in table.rows}
            shorter[index] = shortened(names, place.width)
            is_shortened |= any(name != short for name, short in shorter[index].items())
    rows = tuple(
        replace(row, cells=tuple(_cell(row.cells[p.index], shorter.get(p.index)) for p in places))
        for row in table.rows
    )
    # A heading is broken between its words; a longer word is shortened.
    long = [
        place
        for place in places
        if max(map(cell_len, visible(place.column.heading).split()), default=0) > place.width
    ]
    headings: dict[int, str] = {}
    for place in long:
        others = {visible(one.column.heading) for one in long if one.width == place.width}
        headings[place.index] = shortened(others, place.width)[visible(place.column.heading)]
    columns = tuple(
        replace(place.column, heading=headings.get(place.index, place.column.heading))
        for place in places
    )
    return replace(table, columns=columns, rows=rows), is_shortened or bool(headings)


def _cell(cell: Cell, names: dict[str, str] | None) -> Cell:
    return cell if names is None else replace(cell, text=names[visible(cell.text)])


def _note(left_out: Sequence[Column], is_shortened: bool) -> str | None:
    said = []
    if left_out:
        said.append(f"not shown, for want of width: {' · '.join(c.heading for c in left_out)}")
    if is_shortened:
        said.append("names with … are shortened")
    if not said:
        return None
    text = "; ".join(said)
    formats = ", and so does --format csv" if destination.has_formats() else ""
    return f"{text[0].upper()}{text[1:]}. --wide shows all{formats}."
