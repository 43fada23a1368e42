"""Bars, heat maps and pies.

Bars are horizontal with their labels, or vertical in groups. In a heat map a field is the darker, the
greater its number (of ranks: the smaller), which stands in it. A pie has one ring per series, the first
one innermost, with the labels of the last one around it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, pi, sin
from typing import Any

from queries.decimals import percent
from queries.figure.marks import (
    EMPTY,
    INK,
    SHADES,
    SIZE,
    TINTS,
    Mark,
    Marks,
    chart_of,
    folded,
    lines,
    nice_top,
    text_width,
)
from warehouse.later import alt

_HOLE = 30.0
_RING = 62.0
_GAP = 26.0
"""From the outermost ring to the labels."""
_PIE_LINE = 14.0
"""At least so far apart are labels that stand below each other."""


@dataclass(frozen=True)
class _Slice:
    """A slice of a ring: angles clockwise from the top, in radians."""

    mark: Mark
    ring: int
    start: float
    end: float
    share: float
    tint: str

    @property
    def middle(self) -> float:
        return (self.start + self.end) / 2


def pie(marks: Marks) -> Any:
    """Slices in the order of the table, clockwise from the top, each with its number and share."""
    slices = _slices(marks)
    n_rings = len(marks.series)
    outer = _HOLE + _RING * n_rings
    around = [one for one in slices if one.ring == n_rings - 1]
    labels = _spread(around, outer + _GAP, marks.rounding)
    half_width = max([outer, *(abs(row["x"]) + 8 + text_width(row["text"]) for row in labels)])
    half_height = max([outer + 24, *(abs(label["y"]) + _PIE_LINE for label in labels)])
    scales = {
        "x": alt.Scale(domain=[-half_width, half_width], nice=False),
        "y": alt.Scale(domain=[-half_height, half_height], nice=False),
    }

    def placed(rows: list[dict[str, Any]]) -> Any:
        return chart_of(rows).encode(
            x=alt.X("x:Q", axis=None, scale=scales["x"]),
            y=alt.Y("y:Q", axis=None, scale=scales["y"]),
        )

    rings = [
        {
            "start": one.start,
            "end": one.end,
            "inner": _HOLE + _RING * one.ring,
            "outer": _HOLE + _RING * (one.ring + 1),
            "tint": one.tint,
        }
        for one in slices
    ]
    arcs = (
        chart_of(rings)
        .mark_arc(stroke=INK, strokeWidth=0.8)
        .encode(
            theta=alt.Theta("start:Q", scale=None),
            theta2="end:Q",
            radius=alt.Radius("outer:Q", scale=None),
            radius2="inner:Q",
            fill=alt.Fill("tint:N", scale=None),
        )
    )
    inside = []
    for one in slices:
        if one.ring < n_rings - 1:
            radius = _HOLE + _RING * (one.ring + 0.5)
            x, y = _point(one.middle, radius)
            inside.append(
                {"x": x, "y": y, "text": f"{folded(one.mark.label, 11)}\n{one.mark.text}"}
            )
    layers = [arcs]
    if inside:
        layers.append(placed(inside).mark_text(fontSize=SIZE - 1, color=INK).encode(text="text:N"))
    for align in ("left", "right"):
        of_side = [label for label in labels if label["side"] == align]
        if of_side:
            leaders = [
                {"x": row["from_x"], "y": row["from_y"], "x2": row["x"], "y2": row["y"]}
                for row in of_side
            ]
            layers.append(
                placed(leaders)
                .mark_rule(color="#888888", strokeWidth=0.7)
                .encode(x2="x2:Q", y2="y2:Q")
            )
            layers.append(
                placed(of_side)
                .mark_text(align=align, dx=3 if align == "left" else -3, fontSize=SIZE, color=INK)
                .encode(text="text:N")
            )
    return alt.layer(*layers).properties(width=2 * half_width, height=2 * half_height)


def _slices(marks: Marks) -> list[_Slice]:
    found: list[_Slice] = []
    for ring, series in enumerate(marks.series):
        of_ring = [mark for mark in marks.of(series) if mark.value is not None and mark.value > 0]
        total = sum(mark.value or 0.0 for mark in of_ring)
        start = 0.0
        inner = [one for one in found if one.ring == 0]
        for place, mark in enumerate(of_ring):
            share = (mark.value or 0.0) / total
            end = start + 2 * pi * share
            # A slice has the tint of the innermost one that it stands on.
            below = next((o.tint for o in inner if o.start <= (start + end) / 2 < o.end), None)
            tint = below or TINTS[place % len(TINTS)]
            found.append(_Slice(mark, ring, start, end, share, tint))
            start = end
    return found


def _point(angle: float, radius: float) -> tuple[float, float]:
    return radius * sin(angle), radius * cos(angle)


def _spread(slices: list[_Slice], radius: float, rounding: str) -> list[dict[str, Any]]:
    """The labels around, pushed apart on each side where they would lie on one another."""
    labels = []
    for side, of_side in (
        ("left", [one for one in slices if one.middle < pi]),
        ("right", [one for one in slices if one.middle >= pi][::-1]),
    ):
        height = [_point(one.middle, radius)[1] for one in of_side]
        for place in range(1, len(height)):
            height[place] = min(height[place], height[place - 1] - _PIE_LINE)
        # What was pushed below the lowest point goes back up, as far as there is room.
        lowest = -radius - _PIE_LINE
        if height and height[-1] < lowest:
            height[-1] = lowest
            for place in range(len(height) - 2, -1, -1):
                height[place] = max(height[place], height[place + 1] + _PIE_LINE)
        for one, y in zip(of_side, height, strict=True):
            from_x, from_y = _point(one.middle, radius - _GAP)
            reach = max(radius**2 - min(abs(y), radius) ** 2, 0.0) ** 0.5
            x = max(reach, abs(from_x) + 6) * (1 if side == "left" else -1)
            share = percent(one.share, 1, rounding)
            text = f"{one.mark.label} {one.mark.text} ({share} %)"
            labels.append(
                {"x": x, "y": y, "from_x": from_x, "from_y": from_y, "text": text, "side": side}
            )
    return labels


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
