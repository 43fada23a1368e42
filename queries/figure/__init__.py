"""The papers' figures as pictures, drawn offline.

A picture needs nothing from elsewhere: the library brings its fonts, and nothing is fetched. What
is distinguished by colour is distinguished in grey too, by shape, dash, lightness or a label.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import altair as alt
import vl_convert

from queries.figure.bars import bars, grouped_bars
from queries.figure.heatmap import heatmap
from queries.figure.marks import Marks, marks_of
from queries.figure.pie import pie
from queries.figure.radar import radar
from queries.figure.style import CONFIG, lines
from queries.paper_table import PaperTable
from queries.render.html import page
from warehouse.files.visible import visible

_KINDS: dict[str, Callable[[Marks], Any]] = {
    "bar": bars,
    "grouped_bar": grouped_bars,
    "heatmap": heatmap,
    "pie": pie,
    "radar": radar,
}
_SCALE = 2.0
"""Pixels of a PNG per unit: sharp in print."""


def draw(table: PaperTable, fmt: str, *, digits: int | None = None) -> str | bytes:
    """The figure as svg, html or png; the latter is bytes."""
    if fmt == "png":
        return png(table, digits=digits)
    return html(table, digits=digits) if fmt == "html" else svg(table, digits=digits)


def svg(table: PaperTable, *, digits: int | None = None) -> str:
    """The figure as SVG, one picture below the other where there are several datasets.

    Args:
        digits: decimals of the numbers in it; None: the entry's.
    """
    return vl_convert.vegalite_to_svg(spec(table, digits), allowed_base_urls=[])


def png(table: PaperTable, *, digits: int | None = None) -> bytes:
    """The same as PNG."""
    return vl_convert.vegalite_to_png(spec(table, digits), scale=_SCALE, allowed_base_urls=[])


def html(table: PaperTable, *, digits: int | None = None) -> str:
    """The same as a page with the picture in it."""
    return page(table.title, [svg(table, digits=digits)])


def spec(table: PaperTable, digits: int | None = None) -> dict[str, Any]:
    """The figure in Vega-Lite."""
    drawn = []
    for part in table.parts():
        marks = marks_of(part, digits)
        chart = _KINDS[marks.kind](marks)
        title = alt.TitleParams(
            lines(visible(part.title), 90),
            subtitle=[line for note in part.notes for line in lines(note, 100)],
        )
        drawn.append(chart.properties(title=title))
    figure = drawn[0] if len(drawn) == 1 else alt.vconcat(*drawn, spacing=40)
    figure = figure.resolve_scale(
        color="independent", shape="independent", strokeDash="independent"
    )
    found: dict[str, Any] = figure.properties(config=CONFIG).to_dict()
    return found
