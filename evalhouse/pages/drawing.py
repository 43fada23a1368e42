"""Pages from templates. Texts stay texts: nothing of a model's, a judge's or a file's is markup.

Also what templates are given: lines of a board with their shades and links, figures, and the passes of
a question with the reason why each counts as it does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from evalhouse.pages.choices import address_of
from evalhouse.pages.links import Links
from queries import board_figure
from queries.board import Board, Line
from queries.decimals import NOTHING, percent
from queries.options import BoardOptions
from queries.render.boards import board_table
from queries.render.printed import Printed
from warehouse.errors import UsageError
from warehouse.files.visible import visible

Row = dict[str, Any]

WHY = {
    "rule": "the rules read the answer",
    "judge": "the rules read none, and the judge's reply names one",
    "none": "the rules read none, and the judge says that it is none of the choices",
    "random": "no attempt of the judge could be read, so a label was drawn",
    "unresolved": "nothing read an answer",
    "pending": "the rules read none, and the judge has not replied yet",
    "missing": "there is no answer",
    "ranked": "the choice with the best score was taken",
    "graded": "the judge's score",
}


def passes_of(question: Row, run: int, judge: str) -> list[Row]:
    """Each pass and sample of a run: the choices, and what each judge makes of it, the chosen one first."""
    found: dict[tuple[int, int, str], list[Row]] = {}
    for row in (one for one in question["answers"] if one["run_id"] == run):
        found.setdefault((row["sample"], row["pass"], row["component"]), []).append(row)
    return [
        {
            "pass": number,
            "sample": sample,
            "component": component,
            "choices": question["choices"].get(number, ()),
            "hidden": number in question["hidden"],
            "rows": _chosen_first(rows, judge),
            "main": _main(rows, judge),
        }
        for (sample, number, component), rows in found.items()
    ]


def _main(rows: Sequence[Row], judge: str) -> Row:
    return next((row for row in rows if row["judge"] == judge), rows[0])


def _chosen_first(rows: Sequence[Row], judge: str) -> list[Row]:
    return sorted(rows, key=lambda row: (row["judge"] != judge, row["judge"], row["judge_sample"]))


Figures = list[list[tuple[str, str]]]
"""Of each board of a page: what its figures are called, and their addresses."""


def figures_of(links: Links, chosen: BoardOptions, boards: Sequence[Board]) -> Figures:
    """The figures of a page's boards that there are."""
    return [
        [
            (board_figure.KINDS[drawn], place)
            for drawn in board_figure.kinds_of(board)
            if (place := links.to("figure", **address_of(chosen), drawn=drawn, place=n))
        ]
        for n, board in enumerate(boards)
    ]


def figure(boards: Sequence[Board], place: int, drawn: str) -> str:
    """A figure of one of a page's boards, as SVG.

    Raises:
        UsageError: no such board, or it cannot be drawn like that.
    """
    if not 0 <= place < len(boards):
        raise UsageError(f"no board {place}; there are {len(boards)}")
    return str(board_figure.draw([boards[place]], "svg", kind=drawn))


_SHADES = 9


@dataclass(frozen=True)
class BoardView:
    """Lines of a board as they are printed, with what their cells lead to.

    Attributes:
        board: the whole board.
        lines: those of its lines that are shown.
        table: as the command prints them.
        first: the place of the first score among a row's cells, and `step` from one to the next.
        shades: of each line's scores, from 0 to 9 within their column; None: no score.
    """

    board: Board
    lines: tuple[Line, ...]
    table: Printed
    first: int
    step: int
    shades: tuple[tuple[int | None, ...], ...]


def board_view(board: Board, *, all_runs: bool = False, lines: slice = slice(None)) -> BoardView:
    """Some lines of a board for a page; columns and shades are those of the whole board."""
    step = 2 if board.intervals else 1
    columns = range(len(board.columns))
    spans = []
    for n in columns:
        cells = [line.cells[n] for line in board.lines]
        scores = [cell.score for cell in cells if cell and cell.score is not None]
        spans.append((min(scores), max(scores)) if scores else (0.0, 0.0))
    return BoardView(
        board=board,
        lines=board.lines[lines],
        table=board_table(board, digits=2, runs=all_runs, lines=lines),
        first=2 + (1 if board.intervals else 0) + (1 if all_runs else 0),
        step=step,
        shades=tuple(
            tuple(
                _shade(cell.score if cell else None, spans[n]) for n, cell in enumerate(line.cells)
            )
            for line in board.lines[lines]
        ),
    )


def _shade(score: float | None, span: tuple[float, float]) -> int | None:
    if score is None:
        return None
    low, high = span
    return _SHADES if high == low else round(_SHADES * (score - low) / (high - low))


HERE = Path(__file__).parent
STATIC = HERE / "static"
LONGEST = 20_000
"""Characters of a text that a page shows; it says where it has more."""

_INVISIBLE = {
    code: f"\\u{code:04x}"
    for code in (0x00AD, 0x061C, *range(0x200B, 0x2010), *range(0x2060, 0x2065), 0xFEFF)
}
"""What is not seen and can still change how the text around it looks."""


def page(template: str, links: Links, values: Mapping[str, object]) -> str:
    """A page of HTML.

    Args:
        template: its file in templates.
        links: where the other pages are.
        values: what the template names.
    """
    return _environment().get_template(template).render(links=links, **values)


def seen(text: str) -> str:
    """Text whose control characters, and marks that turn or hide text, are seen."""
    return visible(text).translate(_INVISIBLE)


@lru_cache
def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_final,
    )
    made.filters |= {
        "percent": lambda value, digits=1: percent(value, digits),
        "count": lambda value: NOTHING if value is None else f"{value:,}",
        "number": _number,
        "money": lambda value: NOTHING if value is None else f"${value:,.4f}",
        "day": _day,
        "cut": _cut,
        "bidi": _isolated,
    }
    return made


def _final(value: object) -> object:
    if value is None:
        return NOTHING
    return seen(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _number(value: object) -> str:
    if value is None:
        return NOTHING
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _day(value: datetime | None) -> str:
    return NOTHING if value is None else f"{value:%Y-%m-%d %H:%M}"


def _cut(text: str | None, most: int = LONGEST) -> str:
    if text is None:
        return NOTHING
    return text if len(text) <= most else f"{text[:most]} … ({len(text):,} characters)"


def _isolated(text: str | None) -> Markup:
    """A text from outside in an element of its own, whose direction changes nothing around it."""
    if text is None:
        return Markup(NOTHING)
    return Markup("<bdi>{}</bdi>").format(seen(text))
