"""The papers' figures, and those of boards, as pictures, drawn offline.

A picture needs nothing from elsewhere: the library brings its fonts, and nothing is fetched. What
is distinguished by colour is distinguished in grey too, by shape, dash, lightness or a label.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from queries.figure.bars import bars, grouped_bars, heatmap, pie
from queries.figure.marks import CONFIG, Marks, lines, marks_of
from queries.figure.radar import radar
from queries.paper_table import PaperTable
from queries.render.markup import page
from warehouse.files.visible import visible
from warehouse.later import alt, vl_convert

_KINDS: dict[str, Callable[[Marks], Any]] = {
    "bar": bars,
    "grouped_bar": grouped_bars,
    "heatmap": heatmap,
    "pie": pie,
    "radar": radar,
}
_TAG = re.compile(r"<[^<>]*>")
_COUNTED = re.compile(r"""( id="[a-z]+_?|="url\(#[a-z]+_?)(\d+)(\)?")""")
_SCALE = 2.0
"""Pixels of a PNG per unit: sharp in print."""


@dataclass(frozen=True)
class Picture:
    """One picture of a figure: what it shows, with its title and the lines below that."""

    title: str
    marks: Marks
    notes: tuple[str, ...] = ()


def draw(table: PaperTable, fmt: str, *, digits: int | None = None) -> str | bytes:
    """The figure as svg, html or png; the latter is bytes."""
    return drawn(pictures_of(table, digits), fmt, table.title)


def svg(table: PaperTable, *, digits: int | None = None) -> str:
    """The figure as SVG, one picture below the other where there are several datasets.

    Args:
        digits: decimals of the numbers in it; None: the entry's.
    """
    return svg_of(pictures_of(table, digits))


def pictures_of(table: PaperTable, digits: int | None = None) -> list[Picture]:
    """What a figure of a paper is made of."""
    return [Picture(part.title, marks_of(part, digits), part.notes) for part in table.parts()]


def drawn(pictures: Sequence[Picture], fmt: str, title: str) -> str | bytes:
    """Pictures, one below the other, as svg, html or png; the latter is bytes.

    Args:
        title: of the page, where it is one.
    """
    if fmt == "png":
        written: bytes = vl_convert.vegalite_to_png(
            spec(pictures), scale=_SCALE, allowed_base_urls=[]
        )
        return written
    return page(title, [svg_of(pictures)]) if fmt == "html" else svg_of(pictures)


def svg_of(pictures: Sequence[Picture]) -> str:
    """The same as SVG."""
    written: str = vl_convert.vegalite_to_svg(spec(pictures), allowed_base_urls=[])
    # The library counts on from one picture to the next: then the same figure is never the same file.
    known: dict[str, int] = {}

    def renumbered(found: re.Match[str]) -> str:
        return f"{found[1]}{known.setdefault(found[2], len(known))}{found[3]}"

    return _TAG.sub(lambda tag: _COUNTED.sub(renumbered, tag[0]), written)


def spec(pictures: Sequence[Picture]) -> dict[str, Any]:
    """The same in Vega-Lite."""
    # The whole is validated at the end; to validate each part too takes as long as to draw it.
    with alt.utils.schemapi.debug_mode(False):
        return _chart(pictures)


def _chart(pictures: Sequence[Picture]) -> dict[str, Any]:
    charts = []
    for one in pictures:
        chart = _KINDS[one.marks.kind](one.marks)
        title = alt.TitleParams(
            lines(visible(one.title), 90),
            subtitle=[line for note in one.notes for line in lines(note, 100)],
        )
        charts.append(chart.properties(title=title))
    figure = charts[0] if len(charts) == 1 else alt.vconcat(*charts, spacing=40)
    figure = figure.resolve_scale(
        color="independent", shape="independent", strokeDash="independent"
    )
    found: dict[str, Any] = figure.properties(config=CONFIG).to_dict()
    return found
