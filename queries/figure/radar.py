"""Radars. The grammar below has no such axes, so that places are computed here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, pi, sin
from typing import Any

from queries.figure.marks import (
    DASHES,
    FAINT,
    INK,
    SHADES,
    SHAPES,
    SIZE,
    Mark,
    Marks,
    chart_of,
    folded,
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
_RADIUS = 63
"""Of a small radar, in units of a figure."""
_NAME = 0.24
"""How high a line of a small radar's name is, in radii."""
_SIDES = ("left", "center", "right")


@dataclass(frozen=True)
class _Frame:
    """What a chart shows, in radii: from where to where across, and from below to above."""

    x: tuple[float, float] = (-_REACH_X, _REACH_X)
    y: tuple[float, float] = (-_REACH_Y, _REACH_Y)

    @property
    def width(self) -> float:
        """From side to side."""
        return self.x[1] - self.x[0]

    @property
    def height(self) -> float:
        """From below to above."""
        return self.y[1] - self.y[0]

    def axis(self, name: str) -> dict[str, Any]:
        """How a place on an axis is encoded."""
        domain = list(self.x if name == "x" else self.y)
        return {"axis": None, "scale": alt.Scale(domain=domain, nice=False)}


_ONE = _Frame()


def radar(marks: Marks) -> Any:
    """One axis per label, one polygon per series; a polygon is open where a value is missing."""
    top = nice_top(marks.values)
    if len(marks.series) <= _MOST_TOGETHER:
        together = alt.layer(*_grid(marks.labels, top), *_polygons(marks, top))
        return alt.hconcat(together.properties(width=545, height=420), _key(marks), spacing=0)
    return _panels(marks, top)


def _panels(marks: Marks, top: float) -> Any:
    """A radar for each series, all in one chart: a chart of each takes a second in all."""
    mean = _mean(marks)
    names = {series: folded(series, 28) for series in marks.series}
    n_lines = max(name.count("\n") + 1 for name in names.values())
    across, down = 2 * _REACH_X + 0.3, 2 * _REACH_Y + 0.3 + _NAME * n_lines
    rows = -(-len(marks.series) // _ACROSS)
    frame = _Frame(
        (-_REACH_X, across * (min(_ACROSS, len(marks.series)) - 1) + _REACH_X),
        (-_REACH_Y - down * (rows - 1), _REACH_Y + _NAME * n_lines),
    )
    edges, means, own = [], [], []
    texts: dict[str, list[dict[str, Any]]] = {side: [] for side in _SIDES}
    titles = []
    for n, series in enumerate(marks.series):
        x, y = across * (n % _ACROSS), -down * (n // _ACROSS)
        edges += _moved(_web(marks.labels), x, y)
        for side, of_side in _around(marks.labels, 12).items():
            texts[side] += _moved(of_side, x, y)
        means += _moved(_edges(_corners(marks.labels, mean, top)), x, y)
        own += _moved(_edges(_corners(marks.labels, marks.of(series), top)), x, y)
        titles.append({"x": x, "y": y + _REACH_Y, "text": names[series]})
    layers = [
        _rules(edges, frame).mark_rule(color=FAINT, strokeWidth=0.8),
        *_labels(texts, frame),
        _rules(means, frame).mark_rule(color="#8a8a8a", strokeDash=[3, 2], strokeWidth=1.2),
        _rules(own, frame).mark_rule(color=INK, strokeWidth=2.0),
        _texts(titles, frame).mark_text(
            lineBreak="\n", baseline="bottom", fontSize=SIZE + 1, fontWeight="bold", color=INK
        ),
    ]
    note = (
        f"solid: the {marks.series_name.lower()}; dashed: the mean of all {len(marks.series)}; "
        f"the outer ring is {top:g}"
    )
    foot = chart_of([{"note": note}]).mark_text(align="left", x=0, fontSize=SIZE)
    return alt.vconcat(
        alt.layer(*layers).properties(width=_RADIUS * frame.width, height=_RADIUS * frame.height),
        foot.encode(text="note:N").properties(width=600, height=16),
    )


def _point(place: int, n: int, radius: float) -> tuple[float, float]:
    """Where a value is, the first axis upwards and the others clockwise."""
    angle = pi / 2 - 2 * pi * place / n
    return radius * cos(angle), radius * sin(angle)


def _moved(rows: Sequence[dict[str, Any]], x: float, y: float) -> list[dict[str, Any]]:
    by = {"x": x, "x2": x, "y": y, "y2": y}
    return [
        {name: value + by[name] if name in by else value for name, value in row.items()}
        for row in rows
    ]


def _web(labels: Sequence[str]) -> list[dict[str, float]]:
    """The rings and the axes."""
    n = len(labels)
    rings = []
    for ring in range(1, _RINGS + 1):
        corners = [_point(place, n, ring / _RINGS) for place in range(n)]
        rings += [_edge(a, b) for a, b in zip(corners, corners[1:] + corners[:1], strict=True)]
    return rings + [_edge((0.0, 0.0), _point(place, n, 1)) for place in range(n)]


def _around(labels: Sequence[str], width: int) -> dict[str, list[dict[str, Any]]]:
    """The labels at the ends of the axes, by how they are aligned."""
    found: dict[str, list[dict[str, Any]]] = {side: [] for side in _SIDES}
    for place, label in enumerate(labels):
        x, y = _point(place, len(labels), 1.12)
        side = "center" if abs(x) < 0.1 else "left" if x > 0 else "right"
        found[side].append({"x": x, "y": y, "text": folded(label, width)})
    return found


def _labels(texts: dict[str, list[dict[str, Any]]], frame: _Frame) -> list[Any]:
    return [
        _texts(of_side, frame).mark_text(align=side, fontSize=SIZE, color=INK)
        for side, of_side in texts.items()
        if of_side
    ]


def _grid(labels: Sequence[str], top: float) -> list[Any]:
    numbers = [
        {"x": 0.03, "y": ring / _RINGS, "text": f"{top * ring / _RINGS:g}"}
        for ring in range(1, _RINGS + 1)
    ]
    return [
        _rules(_web(labels)).mark_rule(color=FAINT, strokeWidth=0.8),
        _texts(numbers).mark_text(align="left", baseline="bottom", fontSize=9, color="#777777"),
        *_labels(_around(labels, 20), _ONE),
    ]


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


def _rules(edges: Sequence[dict[str, Any]], frame: _Frame = _ONE) -> Any:
    return chart_of(list(edges)).encode(
        x=alt.X("x:Q", **frame.axis("x")), y=alt.Y("y:Q", **frame.axis("y")), x2="x2:Q", y2="y2:Q"
    )


def _texts(places: Sequence[dict[str, Any]], frame: _Frame = _ONE) -> Any:
    chart = chart_of(list(places))
    encoded = chart.encode(x=alt.X("x:Q", **frame.axis("x")), y=alt.Y("y:Q", **frame.axis("y")))
    return encoded.encode(text="text:N") if places and "text" in places[0] else encoded
