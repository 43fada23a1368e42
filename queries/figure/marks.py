"""What a figure shows, and how all figures look.

Labels, series and values stand under names that no text of the user's can be.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from textwrap import wrap
from typing import Any

from queries.decimals import decimals
from queries.paper_table import Part
from warehouse.files.visible import visible
from warehouse.later import alt

# The library brings this font; elsewhere it is as wide as Arial.
_FONT = "Liberation Sans, Arial, Helvetica, sans-serif"
INK = "#222222"
FAINT = "#c8c8c8"
EMPTY = "#d9d9d9"
# From dark to light, so that they stay apart in grey.
SHADES = ("#1b1b4b", "#a5275a", "#3a8f8a", "#e08a3c", "#b9c7e0", "#f2e3a0")
DASHES = ([1, 0], [7, 3], [2, 2], [9, 3, 2, 3], [4, 4], [1, 4])
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down")
# Tints behind black labels.
TINTS = ("#cfe0f3", "#f7d9b8", "#d5ecc8", "#ead4ec", "#f6efb4", "#d9d9d9", "#c9ece8", "#f5cccb")
SIZE = 11

CONFIG: dict[str, Any] = {
    "font": _FONT,
    "background": "white",
    "lineBreak": "\n",
    "view": {"stroke": None},
    "title": {"anchor": "start", "fontSize": 13, "fontWeight": "bold", "color": INK, "offset": 14},
    "axis": {
        "labelLimit": 0,
        "titleLimit": 0,
        "labelFontSize": SIZE,
        "titleFontSize": SIZE,
        "titleFontWeight": "normal",
        "labelColor": INK,
        "titleColor": INK,
        "gridColor": "#e6e6e6",
    },
    "legend": {"labelLimit": 0, "titleLimit": 0, "labelFontSize": SIZE, "titleFontSize": SIZE},
}


def lines(text: str, width: int) -> list[str]:
    """A text in lines of at most so many characters; words that are longer are cut into pieces."""
    return wrap(text, width) or [""]


def folded(text: str, width: int) -> str:
    """The same as one text."""
    return "\n".join(lines(text, width))


def text_width(text: str) -> float:
    """About how wide a text is at the usual size, in units of a figure."""
    return max(sum(11 if ord(c) > 0x2E7F else 6.2 for c in line) for line in text.split("\n"))


def nice_top(values: list[float]) -> float:
    """The end of an axis that begins at 0: the next round number, at most 100 for percentages."""
    top = max(values, default=0.0)
    if top <= 0:
        return 1.0
    step = 10 ** floor(log10(top))
    for part in (step / 2, step):
        if ceil(top / part) <= 10:
            return float(ceil(round(top / part, 9)) * part)
    return float(step * 10)


def chart_of(rows: Sequence[dict[str, Any]]) -> Any:
    """An empty chart of rows, which are part of it."""
    data: Any = alt.Data
    return alt.Chart(data(values=list(rows)))


@dataclass(frozen=True)
class Mark:
    """One value; None is drawn as nothing, or as an empty grey field where there is a field."""

    label: str
    series: str
    value: float | None
    text: str


@dataclass(frozen=True)
class Marks:
    """A figure's values in the order of the table.

    Attributes:
        kind: of the figure.
        value_name, series_name, label_name: the columns' headings.
        dark: high or low: which numbers a heat map shows dark.
        rounding: where a tie goes.
    """

    kind: str
    label_name: str
    series_name: str
    value_name: str
    marks: tuple[Mark, ...]
    dark: str
    rounding: str

    @property
    def labels(self) -> list[str]:
        """Each once, in order."""
        return list(dict.fromkeys(mark.label for mark in self.marks))

    @property
    def series(self) -> list[str]:
        """Each once, in order."""
        return list(dict.fromkeys(mark.series for mark in self.marks))

    @property
    def values(self) -> list[float]:
        """Those that there are."""
        return [mark.value for mark in self.marks if mark.value is not None]

    def of(self, series: str) -> list[Mark]:
        """A series' values."""
        return [mark for mark in self.marks if mark.series == series]


def marks_of(part: Part, digits: int | None) -> Marks:
    """A part's values; `digits` as for tables."""
    figure = part.entry.figure
    assert figure is not None
    value_digits = part.entry.digits_for(figure.value) if digits is None else digits
    found = []
    for row in part.frame.iter_rows(named=True):
        value = row[figure.value]
        shown = (
            decimals(value, value_digits, part.dataset.rounding)
            if isinstance(value, float)
            else str(value)
        )
        found.append(
            Mark(
                label=_text(row[figure.label]),
                series=_text(row[figure.series]) if figure.series else "",
                value=None if value is None else float(value),
                text="–" if value is None else shown,
            )
        )
    return Marks(
        kind=figure.kind,
        label_name=part.entry.heading(figure.label),
        series_name=part.entry.heading(figure.series) if figure.series else "",
        value_name=part.entry.heading(figure.value),
        marks=tuple(found),
        dark=figure.dark,
        rounding=part.dataset.rounding,
    )


def _text(value: object) -> str:
    # Control characters have no place in a picture's file.
    return "–" if value is None else visible(str(value))
