"""Heat maps: the darker a field, the greater its number (of ranks: the smaller), which stands in
it."""

from __future__ import annotations

from typing import Any

from queries.figure.marks import Marks
from queries.figure.style import EMPTY, INK, SIZE, chart_of, folded, text_width
from warehouse.later import alt

_LINE = SIZE + 2
_SHADES = ("#f4f8fc", "#5c8fc4", "#08254f")
_DARK = 0.55
"""The share of the range above which a field is so dark that its number is white."""


def heatmap(marks: Marks) -> Any:
    """Series down, labels across; a field without a value is grey, with a dash."""
    low, high = min(marks.values, default=0.0), max(marks.values, default=1.0)
    high = high if high > low else low + 1
    shades = list(_SHADES if marks.dark == "high" else reversed(_SHADES))

    def depth(value: float) -> float:
        share = (value - low) / (high - low)
        return share if marks.dark == "high" else 1 - share

    labels = {label: folded(label, 14) for label in marks.labels}
    # Lines go downwards from the first one, which has to be high enough.
    n_lines = max((label.count("\n") + 1 for label in labels.values()), default=1)
    rows = [
        {
            "label": labels[mark.label],
            "series": mark.series,
            "value": mark.value,
            "text": mark.text,
            "is_dark": mark.value is not None and depth(mark.value) > _DARK,
        }
        for mark in marks.marks
    ]
    chart = chart_of(rows).encode(
        x=alt.X(
            "label:N",
            title=None,
            sort=list(labels.values()),
            axis=alt.Axis(
                orient="top",
                labelAngle=0,
                labelPadding=4 + _LINE * (n_lines - 1),
                domain=False,
                ticks=False,
            ),
        ),
        y=alt.Y(
            "series:N", title=None, sort=marks.series, axis=alt.Axis(domain=False, ticks=False)
        ),
    )
    empty = chart.transform_filter("datum.value === null").mark_rect(
        fill=EMPTY, stroke="white", strokeWidth=1
    )
    fields = (
        chart.transform_filter("datum.value !== null")
        .mark_rect(stroke="white", strokeWidth=1)
        .encode(
            fill=alt.Fill(
                "value:Q",
                title=marks.value_name,
                scale=alt.Scale(domain=[low, high], range=shades),
                legend=alt.Legend(gradientLength=120),
            )
        )
    )
    numbers = chart.mark_text(fontSize=10).encode(
        text="text:N",
        color=alt.condition("datum.is_dark", alt.value("white"), alt.value(INK)),
    )
    step = max(40.0, *(text_width(label) + 8 for label in labels.values()))
    return alt.layer(empty, fields, numbers).properties(width=alt.Step(step), height=alt.Step(22))
