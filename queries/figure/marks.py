"""What a figure shows: labels, series and values, under names that no text of the user's can be."""

from __future__ import annotations

from dataclasses import dataclass

from queries.decimals import decimals
from queries.paper_table import Part
from warehouse.files.visible import visible


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
