"""Radars. The grammar below has no such axes, so that places are computed here."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, sin
from typing import Any

from queries.figure.marks import Mark, Marks
from queries.figure.style import (
    DASHES,
    FAINT,
    INK,
    SHADES,
    SHAPES,
    SIZE,
    chart_of,
    folded,
    lines,
    nice_top,
    text_width,
)
from warehouse.later import alt

_MOST_TOGETHER = 6
"""More polygons in one radar cannot be distinguished: then each gets its own radar."""
_ACROSS = 4
_REACH_X, _REACH_Y = 1.75, 1.35
"""How far the labels around reach; the outer ring is at 1."""
_RINGS = 4


def radar(marks: Marks) -> Any:
    """One axis per label, one polygon per series; a polygon is open where a value is missing."""
    top = nice_top(marks.values)
    if len(marks.series) <= _MOST_TOGETHER:
        together = alt.layer(*_grid(marks.labels, top, 20), *_polygons(marks, top))
        return alt.hconcat(together.properties(width=545, height=420), _key(marks), spacing=0)
    mean = _mean(marks)
    panels = []
    for series in marks.series:
        panels.append(
            alt.layer(
                *_grid(marks.labels, top, 12),
                _polygon(marks.labels, mean, top, "#8a8a8a", [3, 2], 1.2),
                _polygon(marks.labels, marks.of(series), top, INK, [1, 0], 2.0),
            ).properties(
                width=220,
                height=170,
                title=alt.TitleParams(
                    lines(series, 28), fontSize=SIZE + 1, anchor="middle", offset=4
                ),
            )
        )
    rows = [alt.hconcat(*panels[i : i + _ACROSS]) for i in range(0, len(panels), _ACROSS)]
    note = (
        f"solid: the {marks.series_name.lower()}; dashed: the mean of all {len(marks.series)}; "
        f"the outer ring is {top:g}"
    )
    foot = chart_of([{"note": note}]).mark_text(align="left", x=0, fontSize=SIZE)
    return alt.vconcat(*rows, foot.encode(text="note:N").properties(width=600, height=16))


def _point(place: int, n: int, radius: float) -> tuple[float, float]:
    """Where a value is, the first axis upwards and the others clockwise."""
    angle = pi / 2 - 2 * pi * place / n
    return radius * cos(angle), radius * sin(angle)


def _grid(labels: Sequence[str], top: float, width: int) -> list[Any]:
    n = len(labels)
    rings = []
    for ring in range(1, _RINGS + 1):
        corners = [_point(place, n, ring / _RINGS) for place in range(n)]
        rings += [_edge(a, b) for a, b in zip(corners, corners[1:] + corners[:1], strict=True)]
    spokes = [_edge((0.0, 0.0), _point(place, n, 1)) for place in range(n)]
    numbers = [
        {"x": 0.03, "y": ring / _RINGS, "text": f"{top * ring / _RINGS:g}"}
        for ring in range(1, _RINGS + 1)
    ]
    drawn = [_rules(rings + spokes).mark_rule(color=FAINT, strokeWidth=0.8)]
    if width > 12:
        drawn.append(
            _texts(numbers).mark_text(align="left", baseline="bottom", fontSize=9, color="#777777")
        )
    for align in ("left", "center", "right"):
        of_side = []
        for place, label in enumerate(labels):
            x, y = _point(place, n, 1.12)
            side = "center" if abs(x) < 0.1 else "left" if x > 0 else "right"
            if side == align:
                of_side.append({"x": x, "y": y, "text": folded(label, width)})
        if of_side:
            drawn.append(_texts(of_side).mark_text(align=align, fontSize=SIZE, color=INK))
    return drawn


def _polygons(marks: Marks, top: float) -> list[Any]:
    edges, corners = [], []
    for series in marks.series:
        points = _corners(marks.labels, marks.of(series), top)
        edges += [{**edge, "series": series} for edge in _edges(points)]
        corners += [{"x": p[0], "y": p[1], "series": series} for p in points if p is not None]
    return _dressed(marks.series, _rules(edges), _texts(corners))


def _key(marks: Marks) -> Any:
    """Which line is which, as long as it takes to see the dashes."""
    high = [-22.0 * place for place in range(len(marks.series))]
    named = list(zip(marks.series, high, strict=True))
    wide = 70 + max(text_width(series) for series in marks.series)
    x = alt.X("x:Q", axis=None, scale=alt.Scale(domain=[0, wide], nice=False))
    y = alt.Y("y:Q", axis=None, scale=alt.Scale(domain=[high[-1] - 11, 11], nice=False))

    def placed(rows: list[dict[str, Any]]) -> Any:
        return chart_of(rows).encode(x=x, y=y)

    rules = placed([{"series": s, "x": 0, "x2": 54, "y": h} for s, h in named]).encode(x2="x2:Q")
    points = placed([{"series": s, "x": 27, "y": h} for s, h in named])
    texts = placed([{"x": 62, "y": h, "text": s} for s, h in named]).mark_text(
        align="left", fontSize=SIZE, color=INK
    )
    return alt.layer(
        *_dressed(marks.series, rules, points), texts.encode(text="text:N")
    ).properties(width=wide, height=22 * len(named))


def _dressed(series: Sequence[str], rules: Any, points: Any) -> list[Any]:
    """Lines and points, each series in its colour, dash and shape."""
    n = len(series)

    def look(channel: Any, values: Sequence[Any]) -> Any:
        scale = alt.Scale(domain=list(series), range=list(values[:n]))
        return channel("series:N", scale=scale, legend=None)

    color = look(alt.Color, SHADES)
    return [
        rules.mark_rule(strokeWidth=2).encode(strokeDash=look(alt.StrokeDash, DASHES), color=color),
        points.mark_point(size=55, filled=True, opacity=1).encode(
            shape=look(alt.Shape, SHAPES), color=color
        ),
    ]


def _polygon(
    labels: Sequence[str],
    values: Sequence[Mark],
    top: float,
    color: str,
    dash: list[int],
    width: float,
) -> Any:
    edges = _edges(_corners(labels, values, top))
    return _rules(edges).mark_rule(color=color, strokeDash=dash, strokeWidth=width)


def _corners(
    labels: Sequence[str], values: Sequence[Mark], top: float
) -> list[tuple[float, float] | None]:
    known = {mark.label: mark.value for mark in values}
    corners = []
    for place, label in enumerate(labels):
        value = known.get(label)
        corners.append(None if value is None else _point(place, len(labels), value / top))
    return corners


def _edges(corners: Sequence[tuple[float, float] | None]) -> list[dict[str, float]]:
    after = [*corners[1:], *corners[:1]]
    pairs = zip(corners, after, strict=True)
    return [_edge(a, b) for a, b in pairs if a is not None and b is not None]


def _edge(a: tuple[float, float], b: tuple[float, float]) -> dict[str, float]:
    return {"x": a[0], "y": a[1], "x2": b[0], "y2": b[1]}


def _mean(marks: Marks) -> list[Mark]:
    found = []
    for label in marks.labels:
        values = [m.value for m in marks.marks if m.label == label and m.value is not None]
        found.append(Mark(label, "", sum(values) / len(values) if values else None, ""))
    return found


def _axis(name: str) -> dict[str, Any]:
    reach = _REACH_X if name == "x" else _REACH_Y
    return {"axis": None, "scale": alt.Scale(domain=[-reach, reach], nice=False)}


def _rules(edges: Sequence[dict[str, Any]]) -> Any:
    return chart_of(list(edges)).encode(
        x=alt.X("x:Q", **_axis("x")), y=alt.Y("y:Q", **_axis("y")), x2="x2:Q", y2="y2:Q"
    )


def _texts(places: Sequence[dict[str, Any]]) -> Any:
    chart = chart_of(list(places))
    encoded = chart.encode(x=alt.X("x:Q", **_axis("x")), y=alt.Y("y:Q", **_axis("y")))
    return encoded.encode(text="text:N") if places and "text" in places[0] else encoded
