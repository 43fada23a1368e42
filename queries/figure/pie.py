"""Pies: one ring per series, the first one innermost, with the labels of the last one around it."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, pi, sin
from typing import Any

from queries.decimals import percent
from queries.figure.marks import Mark, Marks
from queries.figure.style import INK, SIZE, TINTS, chart_of, folded, text_width
from warehouse.later import alt

_HOLE = 30.0
_RING = 62.0
_GAP = 26.0
"""From the outermost ring to the labels."""
_LINE = 14.0
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
    half_height = max([outer + 24, *(abs(label["y"]) + _LINE for label in labels)])
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
            height[place] = min(height[place], height[place - 1] - _LINE)
        # What was pushed below the lowest point goes back up, as far as there is room.
        lowest = -radius - _LINE
        if height and height[-1] < lowest:
            height[-1] = lowest
            for place in range(len(height) - 2, -1, -1):
                height[place] = max(height[place], height[place + 1] + _LINE)
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
