"""Bars: horizontal ones with their labels, or vertical ones in groups."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from queries.figure.marks import Mark, Marks
from queries.figure.style import INK, SHADES, SIZE, chart_of, folded, lines, nice_top, text_width
from warehouse.later import alt

_MOST_TOGETHER = 4
"""More shades cannot be distinguished: then each series gets its own panel."""
_WIDE = 260
_ACROSS = 3


def bars(marks: Marks) -> Any:
    """Lying bars in the order of the table, a panel per series."""
    if len(marks.series) == 1:
        return _lying(marks, marks.marks, 2 * _WIDE)
    panels = [
        _lying(marks, marks.of(series), _WIDE).properties(
            title=alt.TitleParams(lines(series, 40), fontSize=SIZE + 1, offset=6)
        )
        for series in marks.series
    ]
    rows = [
        alt.hconcat(*panels[i : i + _ACROSS], spacing=30) for i in range(0, len(panels), _ACROSS)
    ]
    return alt.vconcat(*rows, spacing=24)


def grouped_bars(marks: Marks) -> Any:
    """Standing bars, one group per label, in shades; with many series a panel of lying ones
    each."""
    if len(marks.series) > _MOST_TOGETHER:
        return bars(marks)
    chart = chart_of(_rows(marks.marks)).encode(
        x=alt.X(
            "label:N", title=marks.label_name, sort=marks_labels(marks), axis=alt.Axis(labelAngle=0)
        ),
        xOffset=alt.XOffset("series:N", sort=marks.series),
    )
    y = alt.Y(
        "value:Q", title=marks.value_name, scale=alt.Scale(domain=[0, nice_top(marks.values)])
    )
    shown = list(SHADES[: len(marks.series)])
    standing = chart.mark_bar(stroke=INK, strokeWidth=0.7).encode(
        y=y,
        color=alt.Color(
            "series:N",
            title=marks.series_name or None,
            sort=None,
            scale=alt.Scale(domain=marks.series, range=shown),
            legend=None
            if len(marks.series) == 1
            else alt.Legend(orient="top", columns=_MOST_TOGETHER),
        ),
    )
    numbers = chart.mark_text(dy=-3, baseline="bottom", fontSize=10, color=INK).encode(
        y=y, text="text:N"
    )
    step = max(26, 7 * max(len(mark.text) for mark in marks.marks))
    n = len(marks.labels) * len(marks.series)
    widest = max(text_width(label) for label in marks_labels(marks)) + 12
    width = max(240, n * step, len(marks.labels) * widest)
    return alt.layer(standing, numbers).properties(width=width, height=260)


def marks_labels(marks: Marks) -> list[str]:
    """The labels as they stand at an axis."""
    return [folded(label, 18) for label in marks.labels]


def _lying(marks: Marks, values: Sequence[Mark], width: int) -> Any:
    rows = [
        {"label": mark.label, "value": mark.value, "end": mark.value or 0.0, "text": mark.text}
        for mark in values
    ]
    x = alt.Scale(domain=[0, nice_top(marks.values)])
    chart = chart_of(rows).encode(
        y=alt.Y("label:N", title=None, sort=list(dict.fromkeys(mark.label for mark in values)))
    )
    lying = chart.mark_bar(color="#8fb0d3", stroke=INK, strokeWidth=0.6).encode(
        x=alt.X("value:Q", title=marks.value_name, scale=x)
    )
    numbers = chart.mark_text(align="left", dx=4, fontSize=10, color=INK).encode(
        x=alt.X("end:Q", title=marks.value_name, scale=x), text="text:N"
    )
    return alt.layer(lying, numbers).properties(width=width, height=alt.Step(18))


def _rows(values: Sequence[Mark]) -> list[dict[str, Any]]:
    return [
        {
            "label": folded(mark.label, 18),
            "series": mark.series,
            "value": mark.value,
            "text": "" if mark.value is None else mark.text,
        }
        for mark in values
    ]
