"""What a report is made of, queried once: boards, the runs on them with their questions, comparisons."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import duckdb

from evalhouse.pages import page_data
from evalhouse.pages.choices import CellChoices
from queries.board import Board
from queries.options import BoardOptions, CompareOptions
from warehouse.errors import UsageError

Row = dict[str, Any]

_AT_ONCE = 16
"""Runs whose questions one query reads."""
_MOST_COMPARED = 3
"""Runs of a board that are compared with its first one."""


@dataclass
class Run:
    """A run of a report.

    Attributes:
        run_id: its number.
        of: the run with its dataset, as `page_data.settled` gives it for Overall.
        strategy, judge: what its questions are seen under.
        listed: all of its questions.
        cells: of each ability with a cell: what it is, and its questions that are not right.
        shown: the questions that have a page.
    """

    run_id: int
    of: Row
    strategy: str
    judge: str
    listed: list[Row]
    cells: dict[int, tuple[Row, list[Row]]]
    shown: set[int]

    @property
    def names(self) -> tuple[str, str, str]:
        """What tells it from every other run."""
        return self.of["model"], self.of["run"], self.of["dataset"]

    @property
    def pages(self) -> list[Row]:
        """The questions that have a page, in the dataset's order."""
        return [row for row in self.listed if row["question_id"] in self.shown]


@dataclass(frozen=True)
class Pair:
    """Two runs compared, and of each field of the four-field table the first questions.

    `sides` holds, by side, the run whose answers are shown, and how many questions there are in all.
    """

    a: Run
    b: Run
    found: Row
    sides: dict[str, tuple[Run, list[Row], int]]


@dataclass
class Part:
    """A benchmark of a report: its boards by level and judge, the first one being the default.

    Where datasets have several default judges, `judge` is all of their names.
    """

    options: Row
    judge: str
    boards: dict[tuple[str, str], tuple[Board, ...]]
    runs: dict[int, Run] = field(default_factory=dict)
    pairs: list[Pair] = field(default_factory=list)


def part_of(
    con: duckdb.DuckDBPyConnection,
    options: Row,
    *,
    judge: str | None,
    most: int,
    step: Callable[[str], None],
) -> Part:
    """A benchmark of a report.

    Args:
        options: of its boards, as `page_data.board_options` gives them.
        judge: whose verdicts its questions are seen under; None: each dataset's own (default_judge).
        most: questions of each cell that have a page.
        step: callback, called with what is being queried.

    Raises:
        UsageError: no such judge; or nobody but people has judged what needs a judge.
    """
    chosen = BoardOptions(options["name"], judge=judge)
    first = page_data.boards(con, chosen)
    of_each = list(dict.fromkeys(board.judge for board in first))
    default = ", ".join(of_each)
    if len(of_each) > 1:
        options = options | {"judges": [default, *options["judges"]]}
    part = Part(options, default, {(first[0].level, default): first})
    for its_judge in options["judges"]:
        named = judge if its_judge == default else its_judge
        for level in options["levels"]:
            if (level, its_judge) in part.boards:
                continue
            try:
                found = page_data.boards(con, replace(chosen, level=level, judge=named))
            except UsageError:
                # A judge of the benchmark's task that has judged nothing of it.
                continue
            part.boards[level, its_judge] = found
    mine = [
        board
        for (_, its_judge), boards in part.boards.items()
        if its_judge == default
        for board in boards
    ]
    levels: dict[str, dict[int, set[int]]] = {}
    for its_judge in of_each:
        cells = _cells(board for board in mine if board.judge == its_judge)
        chosen_cell = CellChoices(0, strategy=first[0].strategy, judge=its_judge)
        for runs in _pieces(list(cells), _AT_ONCE):
            step(f"questions of {options['name']}")
            listed: dict[int, list[Row]] = {run_id: [] for run_id in runs}
            for row in page_data.questions_of(con, chosen_cell, runs):
                listed[row["run_id"]].append(row)
            for run_id in runs:
                part.runs[run_id] = _run(
                    con,
                    replace(chosen_cell, run=run_id),
                    cells[run_id],
                    listed[run_id],
                    levels,
                    most,
                )
    for board in {board.dataset: board for board in reversed(first)}.values():
        part.pairs += _pairs(con, part, board, most, step)
    return part


def _cells(boards: Iterable[Board]) -> dict[int, list[int]]:
    """The abilities of each run that a board has a cell of."""
    found: dict[int, list[int]] = {}
    for board in boards:
        for line in board.lines:
            for ability, cell in zip(board.ability_ids, line.cells, strict=True):
                if cell is not None and line.run_id is not None:
                    found.setdefault(line.run_id, []).append(ability)
    return {run_id: list(dict.fromkeys(abilities)) for run_id, abilities in found.items()}


def _pieces(all_of_them: list[int], most: int) -> Iterator[list[int]]:
    for first in range(0, len(all_of_them), most):
        yield all_of_them[first : first + most]


def _run(
    con: duckdb.DuckDBPyConnection,
    chosen: CellChoices,
    abilities: Sequence[int],
    listed: list[Row],
    levels: dict[str, dict[int, set[int]]],
    most: int,
) -> Run:
    """A run with its cells. `levels` holds the questions of each ability, by dataset, once queried."""
    titles = {
        row["ability_id"]: row
        for row in page_data.rows(con, "page_ability", run=chosen.run, ability=None)
    }
    of = titles[0]
    if of["dataset"] not in levels:
        questions: dict[int, set[int]] = {}
        for row in page_data.rows(con, "page_levels", dataset=of["dataset"]):
            questions.setdefault(row["ability_id"], set()).add(row["question_id"])
        levels[of["dataset"]] = questions
    cells = {}
    for ability in dict.fromkeys((0, *abilities)):
        among = levels[of["dataset"]].get(ability, set())
        cells[ability] = (
            titles[ability],
            [row for row in listed if row["question_id"] in among and not _is(row, right=True)],
        )
    shown = {row["question_id"] for _, rows in cells.values() for row in rows[:most]}
    return Run(chosen.run, of, chosen.strategy or "", chosen.judge, listed, cells, shown)


def _is(row: Row, *, right: bool) -> bool:
    if row["score"] is None:
        return False
    return bool(row["score"] >= 1 if right else row["score"] <= 0)


def _pairs(
    con: duckdb.DuckDBPyConnection, part: Part, board: Board, most: int, step: Callable[[str], None]
) -> Iterator[Pair]:
    """The first run of a board with those after it."""
    runs = [part.runs[line.run_id] for line in board.lines if line.run_id in part.runs]
    for other in runs[1 : 1 + _MOST_COMPARED]:
        first = runs[0]
        step(f"{first.of['model']} and {other.of['model']}")
        a, b = (f"{run.of['model']}/{run.of['run']}" for run in (first, other))
        try:
            options = CompareOptions(
                a, b, dataset=board.dataset, strategy=board.strategy, judge=board.judge
            )
            found = page_data.compared(con, options)
        except UsageError:
            # Such as two runs that answered no question in common.
            continue
        yield Pair(first, other, found, dict(_sides(first, other, most)))


def _sides(a: Run, b: Run, most: int) -> Iterator[tuple[str, tuple[Run, list[Row], int]]]:
    theirs = {row["question_key"]: row for row in b.listed}
    for side, a_right, b_right in (
        ("a", True, False),
        ("b", False, True),
        ("neither", False, False),
    ):
        found = [
            row if side != "a" else theirs[row["question_key"]]
            for row in a.listed
            if row["question_key"] in theirs
            and _is(row, right=a_right)
            and _is(theirs[row["question_key"]], right=b_right)
        ]
        # The answers of the one that is wrong are worth a look.
        run = b if side == "a" else a
        run.shown |= {row["question_id"] for row in found[:most]}
        yield side, (run, found[:most], len(found))
