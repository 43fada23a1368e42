"""Leaderboards, and boards of many benchmarks, as tables, as JSON, and long."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from queries import shown
from queries.board import Board, Line
from queries.board import Cell as Score
from queries.decimals import NOTHING, decimals, percent, rounded
from queries.many_benchmarks import ASK, UNSCORED, Entry, ManyBoard
from queries.many_benchmarks import Line as ManyLine
from queries.render.printed import KEPT, Cell, Column, Printed, Row
from warehouse.later import pl


def many_table(board: ManyBoard, *, digits: int) -> Printed:
    """The board as it is printed: models by columns, their mean and mean rank."""
    of = board.definition
    more = [name for name in (of.mean, of.rank) if name is not None]
    rows = []
    for line in board.lines:
        last = [
            *([_mean(line, digits)] if of.mean is not None else []),
            *([_number(line.mean_rank, 2)] if of.rank is not None else []),
        ]
        cells = [_many_cell(entry, digits) for entry in line.entries]
        rows.append(Row((Cell(line.model, line.model), *last, *cells)))
    return Printed(
        name=of.title,
        title=f"{of.title}: release {board.release}",
        columns=(
            Column("Model", is_text=True),
            *(Column(name, weight=KEPT) for name in more),
            *(Column(column.name) for column in of.columns),
        ),
        rows=tuple(rows),
        notes=tuple(_notes(board)),
    )


@shown.frame.register(ManyBoard)
def many_frame(board: ManyBoard) -> pl.DataFrame:
    """A row per model and column, unrounded, with the judge and what the figure rests on."""
    return pl.DataFrame(
        [
            {
                "model": line.model,
                "column": column.name,
                "judge": judge,
                "score": entry.score if entry else None,
                "score_low": entry.low if entry else None,
                "score_high": entry.high if entry else None,
                "n": entry.n if entry else None,
                "n_answered": entry.n_answered if entry else None,
                "n_unread": entry.n_unread if entry else None,
                "mean": line.mean,
                "mean_low": line.mean_low,
                "mean_high": line.mean_high,
                "mean_rank": line.mean_rank,
            }
            for line in board.lines
            for column, judge, entry in zip(
                board.definition.columns, board.judges, line.entries, strict=True
            )
        ],
        schema={
            "model": pl.String,
            "column": pl.String,
            "judge": pl.String,
            "score": pl.Float64,
            "score_low": pl.Float64,
            "score_high": pl.Float64,
            "n": pl.Int64,
            "n_answered": pl.Int64,
            "n_unread": pl.Int64,
            "mean": pl.Float64,
            "mean_low": pl.Float64,
            "mean_high": pl.Float64,
            "mean_rank": pl.Float64,
        },
    )


def _notes(board: ManyBoard) -> list[str]:
    names = [column.name for column in board.definition.columns]
    judged: dict[str, list[str]] = {}
    for name, judge in zip(names, board.judges, strict=True):
        if judge is not None:
            judged.setdefault(judge, []).append(name)
    found = [f"judge {judge}: {', '.join(columns)}" for judge, columns in judged.items()]
    if board.unscored:
        found.append(f"{UNSCORED} {', '.join(board.unscored)}; {ASK}")
    empty = [
        name
        for name, judge in zip(names, board.judges, strict=True)
        if judge is None and name not in board.unscored
    ]
    if empty:
        found.append(f"no run here: {', '.join(empty)}")
    for name, n_hidden in zip(names, board.hidden, strict=True):
        if n_hidden:
            are = "question has" if n_hidden == 1 else "questions have"
            found.append(
                f"no figure of {name}: {n_hidden:,} {are} no right answer in the warehouse"
            )
    for line in board.lines:
        part = [
            f"{name} {entry.n_answered:,}/{entry.n:,}"
            for name, entry in zip(names, line.entries, strict=True)
            if entry is not None and entry.n_answered < entry.n
        ]
        if part:
            found.append(f"{line.model} answered in part: {', '.join(part)}")
        unread = [
            f"{name} {entry.n_unread:,}"
            for name, entry in zip(names, line.entries, strict=True)
            if entry is not None and entry.n_unread
        ]
        if unread:
            found.append(f"{line.model}, answers that nothing read, counted 0: {', '.join(unread)}")
    return found


def _number(value: float | None, digits: int) -> Cell:
    return Cell(NOTHING if value is None else decimals(value, digits), value)


def _mean(line: ManyLine, digits: int) -> Cell:
    if line.mean is not None or line.mean_low is None or line.mean_high is None:
        return _number(line.mean, digits)
    return _span(line.mean_low, line.mean_high, digits)


def _span(low: float, high: float, digits: int) -> Cell:
    text = f"{decimals(low, digits)}–{decimals(high, digits)}"
    return Cell(text, text)


def _many_cell(entry: Entry | None, digits: int) -> Cell:
    if entry is None:
        return Cell(NOTHING, None)
    if entry.score is None:
        return _span(entry.low, entry.high, digits)
    return _number(entry.score, digits)


def board_table(
    board: Board, *, digits: int, runs: bool, flat: bool = False, lines: slice = slice(None)
) -> Printed:
    """A board as it is printed, in percent.

    Args:
        digits: decimals of the scores.
        runs: show each run's label.
        flat: for CSV: what models are grouped by is a column in place of dividers.
        lines: which of its lines; the columns are those of the whole board.
    """
    points = "Points" if board.strategy == "graded" else "Right"
    left = [
        Column("Model", is_text=True, weight=KEPT),
        *([Column("Run", is_text=True, weight=KEPT)] if runs else []),
        *([Column(board.by.capitalize(), is_text=True)] if flat and board.by else []),
    ]
    right = []
    if any(line.totals for line in board.lines):
        right += [Column("±", digits=digits, weight=7), Column("Totals", weight=1)]
    if board.of == "all":  # they are counted over all questions
        right.append(Column(points, weight=3))
    if any(line.coverage < 1 for line in board.lines):
        right.append(Column("Coverage", digits=1, weight=6))
    if any(line.n_pending for line in board.lines):
        right.append(Column("Pending", weight=6))
    if any(line.reading and line.reading.n_unread for line in board.lines):
        right.append(Column("Unread", weight=6))
    if any(line.reading and line.reading.n_none for line in board.lines):
        right.append(Column("X", digits=1, weight=2))
    if any(line.n_fallback for line in board.lines):
        right.append(Column("Drawn", weight=6))
    if any(line.n_hidden for line in board.lines):
        right.append(Column("Hidden", weight=6))
    # Where a board has both runs that generated letters and runs that ranked choices, a note says
    # so.
    if any(line.method != "generation" for line in board.lines):
        right.append(Column("Method", is_text=True, weight=2))
    scores = [
        Column(heading, digits=digits, weight=weight)
        for place, name in enumerate(board.columns)
        for heading, weight in _headings(name, board.intervals, is_first=place == 0)
    ]
    ranks = [
        Column("Rank", weight=KEPT),
        *([Column("Ranks", weight=8)] if board.intervals else []),
    ]
    columns = (*ranks, *left, *scores, *right)
    shown = [column.heading for column in right]
    rows = tuple(_row(board, line, digits, runs, shown, flat=flat) for line in board.lines[lines])
    return Printed(
        name=f"{board.dataset} {board.columns[0]}",
        title=board.title,
        columns=columns,
        rows=rows,
        notes=board.notes,
        keys=(("Dataset", board.dataset),),
        settings=board.settings,
    )


def _headings(name: str, intervals: bool, *, is_first: bool) -> list[tuple[str, int]]:
    """A score's heading and that of its margin, with their weights on a narrow terminal."""
    score = (name, KEPT if is_first else 5)
    return [score, (f"{name} ±", 8 if is_first else 4)] if intervals else [score]


def board_json(board: Board) -> dict[str, object]:
    """A board with everything that its cells rest on, fractions unrounded."""
    return {
        **_about(board),
        "notes": list(board.notes),
        "rows": [
            {
                **_run(line, board.intervals),
                "scores": {
                    name: None if cell is None else _cell(cell, board.intervals)
                    for name, cell in zip(board.columns, line.cells, strict=True)
                },
            }
            for line in board.lines
        ],
    }


def board_frame(boards: Sequence[Board]) -> pl.DataFrame:
    """Boards long: one row per board, run and column, fractions unrounded."""
    return pl.DataFrame(
        [
            {
                **_about(board),
                **_run(line, board.intervals),
                "column": name,
                **_cell(cell, board.intervals),
            }
            for board in boards
            for line in board.lines
            for name, cell in zip(board.columns, line.cells, strict=True)
            if cell is not None
        ],
        infer_schema_length=None,
    )


# By its class, not by the annotations, which would import polars.
@shown.frame.register(Board)
def _of_one(board: Board) -> pl.DataFrame:
    return board_frame([board])


def _about(board: Board) -> dict[str, object]:
    return {
        "benchmark": board.benchmark,
        "dataset": board.dataset,
        "level": board.level,
        "strategy": board.strategy,
        "judge": board.judge,
        "release": board.release,
        "average": board.average,
        "subset": board.subset,
        "of": board.of,
    }


def _cell(cell: Score, intervals: bool) -> dict[str, object]:
    fields = asdict(cell)
    if not intervals:
        del fields["margin"]
    return fields


def _run(line: Line, intervals: bool) -> dict[str, object]:
    best, worst = line.ranks or (None, None)
    return {
        "rank": line.rank,
        **({"best_rank": best, "worst_rank": worst} if intervals else {}),
        "model": line.model,
        "run": line.run,
        **({"group": line.group} if line.group is not None else {}),
        "method": line.method,
        "how": line.how,
        "spread": line.spread,
        "totals": list(line.totals),
        "coverage": line.coverage,
        "n_pending": line.n_pending,
        "n_fallback": line.n_fallback,
        "n_unread": line.reading.n_unread if line.reading else 0,
        "n_judged": line.reading.n_judged if line.reading else 0,
        "n_none": line.reading.n_none if line.reading else 0,
        "ended_with": line.ended_with,
        **({"cells_of_answers": dict(line.cells_of_answers)} if line.cells_of_answers else {}),
    }


def _row(
    board: Board, line: Line, digits: int, runs: bool, shown: Sequence[str], *, flat: bool
) -> Row:
    intervals, tie = board.intervals, board.rounding
    right = {
        "Right": _right(line.cells[0], tie),
        "Points": _right(line.cells[0], tie),
        "±": Cell(percent(line.spread, digits, tie), _times_100(line.spread)),
        "Totals": _totals(line, digits, tie),
        "Method": Cell(line.how, line.how),
        "Coverage": Cell(percent(line.coverage, 1, tie), line.coverage * 100),
        "Pending": _count(line.n_pending),
        "Unread": _count(line.reading.n_unread if line.reading else 0),
        "X": _share_none(line, tie),
        "Drawn": _count(line.n_fallback),
        "Hidden": _count(line.n_hidden),
    }
    return Row(
        (
            Cell(NOTHING, None) if line.rank is None else Cell(str(line.rank), line.rank),
            *([_ranks(line)] if intervals else []),
            Cell(line.model, line.model),
            *([Cell(line.run, line.run)] if runs else []),
            *([Cell(line.group or NOTHING, line.group)] if flat and board.by else []),
            *(
                shown_cell
                for cell in line.cells
                for shown_cell in (
                    (_score(cell, digits, tie), _margin(cell, digits, tie))
                    if intervals
                    else (_score(cell, digits, tie),)
                )
            ),
            *(right[name] for name in shown),
        ),
        section=None if flat else line.group,
    )


def _score(cell: Score | None, digits: int, tie: str) -> Cell:
    if cell is None or cell.low is None:
        return Cell(NOTHING, None)
    if cell.score is None:
        span = f"{percent(cell.low, digits, tie)}–{percent(cell.high, digits, tie)}"
        return Cell(span, span)
    return Cell(percent(cell.score, digits, tie), cell.score * 100, place=cell.best or 0)


def _margin(cell: Score | None, digits: int, tie: str) -> Cell:
    margin = None if cell is None else cell.margin
    return Cell(percent(margin, digits, tie), _times_100(margin))


def _ranks(line: Line) -> Cell:
    if line.ranks is None:
        return Cell(NOTHING, None)
    best, worst = line.ranks
    shown = str(best) if best == worst else f"{best}–{worst}"
    return Cell(shown, shown)


def _right(cell: Score | None, tie: str) -> Cell:
    if cell is None or cell.points is None:
        return Cell(NOTHING, None)
    points = rounded(cell.points, 9)
    whole = points == int(points)
    shown = f"{int(points) if whole else rounded(cell.points, 1, tie):,}/{cell.n:,}"
    return Cell(shown, shown)


def _totals(line: Line, digits: int, tie: str) -> Cell:
    shown = ", ".join(percent(total, digits, tie) for total in line.totals) or NOTHING
    return Cell(shown, shown)


def _times_100(fraction: float | None) -> float | None:
    return None if fraction is None else fraction * 100


def _share_none(line: Line, tie: str) -> Cell:
    share = None if line.reading is None else line.reading.share_none
    return Cell(percent(share, 1, tie), _times_100(share))


def _count(n: int) -> Cell:
    return Cell(str(n), n) if n else Cell(NOTHING, None)
