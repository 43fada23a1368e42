"""The papers' tables as tables to print."""

from __future__ import annotations

from collections.abc import Sequence

from queries.decimals import NOTHING, decimals
from queries.paper_entry import Entry, split_order
from queries.paper_table import CONSTANT, PaperTable, Part
from queries.render.frames import json_rows, value_of
from queries.render.printed import Cell, Column, Printed, Row
from warehouse.later import pl

_PARTIAL = "Scores are over the questions that a run answered; Coverage is their share in percent."
_WHOLE = 100 - 1e-9


def paper_printed(part: Part, *, digits: int | None = None, flat: bool = False) -> Printed:
    """A part of a table as it is printed.

    The column `coverage` is left out where every row is complete.

    Args:
        digits: decimals of all DOUBLE columns, in place of the entry's.
        flat: for CSV: no dividers and stars; their columns are columns as any other.
    """
    entry, frame = part.entry, part.frame
    # What is the same in all rows stands in the title.
    section = None if flat or entry.section in part.about else entry.section
    left_out = {*entry.hidden, *(key for key in CONSTANT if key in part.about)}
    if not flat:
        left_out |= {*entry.star.values(), *([section] if section else [])}
        coverage = frame["coverage"] if "coverage" in frame.columns else None
        if coverage is not None and all(c is not None and c >= _WHOLE for c in coverage):
            left_out.add("coverage")
    names = [name for name in frame.columns if name not in left_out]
    places = _places(frame, entry)
    columns = tuple(
        Column(
            heading=entry.heading(name),
            is_text=not frame[name].dtype.is_numeric(),
            wraps=True,
            digits=entry.digits_for(name) if digits is None else digits,
        )
        for name in names
    )
    rows = tuple(
        Row(
            cells=tuple(
                _cell(
                    record[name],
                    column.digits or 0,
                    part.dataset.rounding,
                    place=places.get(name, {}).get(_key(record[name]), 0),
                    star=not flat and name in entry.star and bool(record[entry.star[name]]),
                )
                for name, column in zip(names, columns, strict=True)
            ),
            section=_section(record[section]) if section else None,
        )
        for record in frame.iter_rows(named=True)
    )
    return Printed(
        name=" ".join([entry.name, *part.about.values()]),
        title=part.title,
        columns=columns,
        rows=rows,
        notes=tuple(
            note
            for note in (entry.note, _PARTIAL if "coverage" in names else None, *part.notes)
            if note
        ),
        keys=tuple((entry.heading(key), part.about.get(key, "")) for key in part.about),
    )


def paper_json(table: PaperTable) -> list[dict[str, object]]:
    """Each printed table with all of the view's columns, unrounded."""
    return [
        {
            "name": table.name,
            "title": table.title,
            "release": table.release,
            **part.about,
            "notes": list(part.notes),
            "rows": json_rows(part.frame.drop(*part.about)),
        }
        for part in table.parts()
    ]


def _cell(value: object, digits: int, rounding: str, *, place: int, star: bool) -> Cell:
    if value is None:
        return Cell(NOTHING, None)
    if isinstance(value, bool):
        return Cell("yes" if value else "no", value, star=star)
    if isinstance(value, float):
        return Cell(decimals(value, digits, rounding), value, place=place, star=star)
    if isinstance(value, int):
        return Cell(str(value), value, place=place, star=star)
    text = "; ".join(map(str, value)) if isinstance(value, list) else str(value)
    return Cell(text, value_of(value) if not isinstance(value, list) else text, star=star)


def _section(value: object) -> str:
    return NOTHING if value is None else str(value)


def _places(frame: pl.DataFrame, entry: Entry) -> dict[str, dict[float, int]]:
    """By column, the best values of the printed table and their places; ties share one."""
    found = {}
    for item in entry.best:
        name, down = split_order(item)
        values: Sequence[float] = sorted({_key(v) for v in frame[name].drop_nulls()})
        best = values if down is False else values[::-1]
        found[name] = {value: place for place, value in enumerate(best[: entry.best_places], 1)}
    return found


def _key(value: object) -> float:
    return round(value, 12) if isinstance(value, (int, float)) else float("nan")
