"""Which lines of a board are shown, and in what order: models by pattern, the best, by a column, in groups."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fnmatch import translate

import duckdb

from queries.board import Board, Cell
from queries.options import BoardOptions
from warehouse import statements
from warehouse.errors import UsageError

_SQL = statements.of_module(__file__)
FAMILY, PARAMETERS = "family", "parameters"
GROUPINGS = (FAMILY, PARAMETERS)
UNKNOWN = "not known"
_SIZES = ((4.0, "up to 4B"), (10.0, "4B to 10B"), (40.0, "10B to 40B"))
_LARGE = "above 40B"
_MODEL = "model"


def narrowed(
    con: duckdb.DuckDBPyConnection, boards: Sequence[Board], options: BoardOptions
) -> tuple[Board, ...]:
    """Boards with the chosen lines alone. A rank stays what it is among all models.

    Args:
        con: the warehouse, for the families and sizes of models.
        options: their `models` (patterns of names, in any case), `top`, `sort` (ranks are then those of that
            column) and `by` (lines in groups, each in the order of the board).

    Raises:
        UsageError: a pattern that no model fits, no such column or grouping, or no positive `top`.
    """
    by, top, sort, models = options.by, options.top, options.sort, options.models
    if by not in (None, *GROUPINGS):
        raise UsageError(f"--by is {' or '.join(GROUPINGS)}, not {by!r}")
    if top is not None and top < 1:
        raise UsageError(f"--top is at least 1, not {top}")
    found = list(boards)
    if sort is not None:
        found = [_sorted(board, sort) for board in found]
        columns = dict.fromkeys(name for board in boards for name in board.columns)
        if boards and not any(board.sorted_by for board in found):
            raise UsageError(f"no column {sort!r}; there are {', '.join((*columns, _MODEL))}")
    if models:
        found = [_matching(board, models) for board in found]
        _require_each(boards, models)
    if top is not None:
        found = [replace(board, lines=board.lines[:top]) for board in found]
    if by is not None:
        groups = _groups(con, by)
        found = [_grouped(board, by, groups) for board in found]
    changed = any(len(a.lines) != len(b.lines) for a, b in zip(found, boards, strict=True))
    return tuple(
        replace(_with_places(board), n_models=len(whole.lines)) if changed else board
        for board, whole in zip(found, boards, strict=True)
    )


def _sorted(board: Board, column: str) -> Board:
    if column.lower() == _MODEL:
        lines = sorted(board.lines, key=lambda line: (line.model.lower(), line.run))
        return replace(board, lines=tuple(lines), sorted_by=_MODEL)
    places = [n for n, name in enumerate(board.columns) if name.lower() == column.lower()]
    if not places:
        return board
    place = places[0]
    scores = sorted((_score(line.cells[place]) for line in board.lines), reverse=True)
    lines = sorted(
        (replace(line, rank=_rank(line.cells[place], scores)) for line in board.lines),
        key=lambda line: (line.rank or len(scores) + 1, line.model, line.run),
    )
    # A range of ranks is that of the first column.
    kept = lines if place == 0 else [replace(line, ranks=None) for line in lines]
    return replace(board, lines=tuple(kept), sorted_by=board.columns[place])


def _score(cell: Cell | None) -> float:
    score = None if cell is None else cell.score
    return float("-inf") if score is None else round(score, 12)


def _rank(cell: Cell | None, scores: Sequence[float]) -> int | None:
    score = _score(cell)
    return None if score == float("-inf") else scores.index(score) + 1


def _matching(board: Board, patterns: Sequence[str]) -> Board:
    fits = [re.compile(translate(pattern), re.IGNORECASE).match for pattern in patterns]
    lines = tuple(line for line in board.lines if any(fit(line.model) for fit in fits))
    return replace(board, lines=lines)


def _require_each(boards: Sequence[Board], patterns: Sequence[str]) -> None:
    names = {line.model for board in boards for line in board.lines}
    for pattern in patterns:
        if not any(re.match(translate(pattern), name, re.IGNORECASE) for name in names):
            some = sorted(names)
            more = " …" if len(some) > 10 else ""
            raise UsageError(
                f"no model fits {pattern!r}; there are {', '.join(some[:10]) or 'none'}{more}"
            )


def _groups(con: duckdb.DuckDBPyConnection, by: str) -> Mapping[str, str]:
    """The group of each model that has one."""
    rows = con.execute(_SQL["facts_of_models"]).fetchall()
    if by == FAMILY:
        return {model: family for model, family, _ in rows if family}
    return {
        model: next((name for most, name in _SIZES if size <= most), _LARGE)
        for model, _, size in rows
        if size is not None
    }


def _grouped(board: Board, by: str, groups: Mapping[str, str]) -> Board:
    order = {name: n for n, name in enumerate((*(name for _, name in _SIZES), _LARGE))}
    lines = [replace(line, group=groups.get(line.model, UNKNOWN)) for line in board.lines]
    if by == FAMILY:
        # A family stands where its best model does.
        names = dict.fromkeys(line.group or UNKNOWN for line in lines)
        order = {name: n for n, name in enumerate(names)}
    order[UNKNOWN] = len(order) + 1
    return replace(
        board, lines=tuple(sorted(lines, key=lambda line: order[line.group or UNKNOWN])), by=by
    )


def _with_places(board: Board) -> Board:
    """The best and second best of each column among the lines that are left."""
    columns = [[line.cells[n] for line in board.lines] for n in range(len(board.columns))]
    best = [
        sorted({_score(cell) for cell in column if cell and cell.score is not None}, reverse=True)[
            :2
        ]
        for column in columns
    ]
    lines = tuple(
        replace(line, cells=tuple(_placed(cell, best[n]) for n, cell in enumerate(line.cells)))
        for line in board.lines
    )
    return replace(board, lines=lines)


def _placed(cell: Cell | None, best: Sequence[float]) -> Cell | None:
    if cell is None:
        return None
    score = _score(cell)
    return replace(cell, best=best.index(score) + 1 if score in best else None)
