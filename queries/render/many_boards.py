"""A board of many benchmarks as a table, and as rows."""

from __future__ import annotations

from queries import shown
from queries.decimals import NOTHING, decimals
from queries.many_benchmarks import ASK, UNSCORED, Entry, Line, ManyBoard
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
        cells = [_cell(entry, digits) for entry in line.entries]
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


def _mean(line: Line, digits: int) -> Cell:
    if line.mean is not None or line.mean_low is None or line.mean_high is None:
        return _number(line.mean, digits)
    return _span(line.mean_low, line.mean_high, digits)


def _span(low: float, high: float, digits: int) -> Cell:
    text = f"{decimals(low, digits)}–{decimals(high, digits)}"
    return Cell(text, text)


def _cell(entry: Entry | None, digits: int) -> Cell:
    if entry is None:
        return Cell(NOTHING, None)
    if entry.score is None:
        return _span(entry.low, entry.high, digits)
    return _number(entry.score, digits)
