"""Tables for the terminal: styled and fitted to it there, plain and as wide as they need to be elsewhere.

A fitted table cuts no figure: whole columns are left out, which is said below it, and names are shortened
in the middle, so that they stay different.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from queries.render.printed import KEPT, Cell, Column, Printed, sections, styled
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
    widest = max((_table_width(row.cells[index]) for row in table.rows), default=0)
    natural = max(widest, cell_len(visible(column.heading)))
    if column.is_text:
        limit = _WORDS
        if not (column.wraps and _in_words(table, index)):
            names = {visible(row.cells[index].text) for row in table.rows}
            limit = least_width(names, _NAME, _LONG_NAME)
        figures = (row.cells[index] for row in table.rows if _is_figure(row.cells[index].text))
        least = max(min(natural, limit), _least_of_heading(column), *map(_table_width, figures))
    else:
        least = max(widest, _least_of_heading(column))
    return _Place(index, column, natural, min(least, natural))


def _table_width(cell: Cell) -> int:
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


_MARK = "…"


def shortened(names: Collection[str], width: int) -> dict[str, str]:
    """Each name as it is, or with its middle replaced by …, so that it takes at most `width`.

    Names that differ stay different: where both ends of some are the same, more of one end is
    shown, or what lies between the ends that all have, else a number.
    """
    found = _distinct(names, width)
    if found is not None:
        return found
    found = {name: name for name in names}
    taken = {name for name in names if cell_len(name) <= width}
    for name in sorted(name for name in found if name not in taken):
        short, place = _ends(name, (width + 1) // 2, width), 1
        while short in taken:
            place += 1
            short = _first(name, width - len(f"{_MARK}~{place}")) + f"{_MARK}~{place}"
        taken.add(short)
        found[name] = short
    return found


def least_width(names: Collection[str], low: int, high: int) -> int:
    """The smallest width from `low` to `high` at which no name needs a number, else `low`."""
    return next((width for width in range(low, high) if _distinct(names, width)), low)


def _distinct(names: Collection[str], width: int) -> dict[str, str] | None:
    long = sorted(name for name in set(names) if cell_len(name) > width)
    found = {name: name for name in names}
    if not long:
        return found
    taken = {name for name in names if cell_len(name) <= width}
    before, behind = _shared(long)
    cores = [name[before : len(name) - behind] for name in long]
    room = width - (before > 0) - (behind > 0)
    middle = (width + 1) // 2
    heads = sorted(range(1, width), key=lambda head: (abs(head - middle), -head))
    for tried in (
        *([_ends(name, head, width) for name in long] for head in heads),
        [_around(name, before, behind, width) for name in long]
        if all(cell_len(core) <= room for core in cores)
        else [],
    ):
        if tried and len(set(tried) | taken) == len(long) + len(taken):
            return found | dict(zip(long, tried, strict=True))
    return None


def _shared(names: Sequence[str]) -> tuple[int, int]:
    """How much all names have in common at their beginning, and behind that at their end."""
    if len(names) < 2:
        return 0, 0
    before = _n_shared(names)
    rests = [name[before:][::-1] for name in names]
    return before, _n_shared(rests)


def _n_shared(names: Sequence[str]) -> int:
    first, last = min(names), max(names)
    # Of sorted texts, what the first and the last begin with all others begin with.
    for place, character in enumerate(first):
        if character != last[place]:
            return place
    return len(first)


def _ends(name: str, head: int, width: int) -> str:
    return _first(name, head) + _MARK + _last(name, width - 1 - head)


def _around(name: str, before: int, behind: int, width: int) -> str:
    """What a name has between the ends that all share, with as much of its beginning as fits."""
    core = name[before : len(name) - behind]
    end = name[len(name) - behind :]
    if cell_len(core) + (before > 0) + cell_len(end) <= width:
        core, end = core + end, ""
    rest = core + (_MARK if end else "")
    if not before:
        return rest
    return _first(name[: before - 1], width - 1 - cell_len(rest)) + _MARK + rest


def _first(text: str, width: int) -> str:
    taken = ""
    for character in text:
        if cell_len(taken + character) > width:
            break
        taken += character
    return taken


def _last(text: str, width: int) -> str:
    return _first(text[::-1], width)[::-1]


_WIDE = 1000
_DIVIDER = "\ue000"
"""Stands for a divider while a table is drawn."""
_STYLES = ("[bold]{}[/bold]", "[underline]{}[/underline]", "[italic]{}[/italic]")


def terminal(table: Printed, *, plain: bool = False) -> str:
    """The table as text with its title above and its notes below.

    On a terminal it fits the width of that.

    Args:
        plain: without styles also where standard output is a terminal: for files.
    """
    console = Console(emoji=False)
    widths: Sequence[int] = ()
    notes = table.notes
    if plain or destination.is_file() or not console.is_terminal:
        console = Console(width=_WIDE, file=io.StringIO(), emoji=False)
    else:
        found = fitted(table, sys.maxsize if destination.is_wide() else _width(console))
        table, widths = found.table, found.widths
        notes = (*notes, *filter(None, [found.note]))
        console = Console(width=max(_WIDE, sum(widths) + 4 * len(widths)), emoji=False)
    title = f"{visible(table.title)}\n" if table.title else ""
    if table.settings:
        title += _styled(console, "dim", table.settings) + "\n"
    return title + "\n".join(
        [_printed(console, _drawn(table, widths), table), *map(visible, notes)]
    )


def _width(console: Console) -> int:
    """The terminal's width: COLUMNS, or that of the terminal where the table goes to."""
    if os.environ.get("COLUMNS", "").isdigit():
        return console.width
    try:
        return os.get_terminal_size(console.file.fileno()).columns or console.width
    except (OSError, ValueError):
        return console.width


def _drawn(table: Printed, widths: Sequence[int]) -> Table:
    drawn = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for place, column in enumerate(table.columns):
        drawn.add_column(
            _text(column.heading),
            justify="left" if column.is_text else "right",
            overflow="fold" if column.wraps else "ellipsis",
            width=widths[place] if widths else None,
        )
    blank = [""] * (len(table.columns) - 1)
    for divider, row in sections(table):
        if divider is not None:
            drawn.add_section()
            # Longer than the first column, as a rule; `_printed` puts its text there.
            drawn.add_row(_DIVIDER, *blank)
        drawn.add_row(*styled(row, _text, _STYLES))
    return drawn


def _text(text: str) -> str:
    return escape(visible(text))


def _printed(console: Console, drawn: Table, table: Printed) -> str:
    with console.capture() as captured:
        console.print(drawn)
    dividers = (divider for divider, _ in sections(table) if divider is not None)
    lines = [
        _styled(console, "italic", f" {next(dividers)}") if _DIVIDER in line else line.rstrip()
        for line in captured.get().splitlines()
    ]
    return "\n".join(lines).strip("\n")


def _styled(console: Console, style: str, text: str) -> str:
    with console.capture() as captured:
        console.print(f"[{style}]{_text(text)}[/{style}]", highlight=False, soft_wrap=True)
    return captured.get().rstrip("\n")
