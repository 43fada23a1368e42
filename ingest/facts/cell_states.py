"""What became of the cells of a spreadsheet: attributes of the answers and questions that stand in them.

An answer's state is its attribute `cell`, and what pandas reads in its place `cell_value`. A question's
cells (its text, choices, references) are in one attribute, `spreadsheet cells`.
"""

from __future__ import annotations

from dataclasses import replace

import duckdb

from ingest.reading.probe import Probe
from ingest.staged import Staged
from warehouse import statements
from warehouse.wording import counted

_SQL = statements.of_module(__file__)


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, staged: Staged) -> Staged:
    """Stage what `raw_cell` says of staged rows; return what was staged, with notes on it."""
    if probe.kind != "xlsx" or (staged.answers is None and staged.questions is None):
        return staged
    if con.execute(_SQL["are_some"]).fetchall() == [(False,)]:
        return staged
    answers = staged.answers
    if answers is not None and answers.stage_rows is not None:
        answers.stage_rows()
        answers = replace(answers, stage_rows=None)
    name = None
    if answers is not None and probe.has(answers.prediction):
        name = (probe.called or probe.columns)[probe.columns.index(answers.prediction)]
    con.execute(_SQL["find_answers"], {"name": name})
    con.execute(_SQL["stage_states"])
    con.execute(_SQL["stage_values"])
    if staged.questions is not None:
        con.execute(_SQL["stage_cells"])
    notes = tuple(
        f"{counted(n, 'answer' if is_answer else 'cell')} {state} (such as in row {row}, {column})"
        for is_answer, state, n, row, column in con.execute(_SQL["count"]).fetchall()
    )
    return replace(
        staged, answers=answers, notes=staged.notes + notes, alerts=staged.alerts + notes
    )
