"""Answers of which nothing but their ids says which questions they are of."""

from __future__ import annotations

import duckdb

from ingest.facts.run_facts import Answers
from ingest.settings import Report
from warehouse import statements

_SQL = statements.of_module(__file__)


def warnings(con: duckdb.DuckDBPyConnection, answers: Answers, report: Report) -> list[str]:
    """A warning where whole numbers alone bind staged answers to a benchmark that nothing names."""
    if not report.is_guessed or answers.stage_rows is not None:
        return []
    ((are_numbers,),) = con.execute(_SQL["are_numbers"].format(answers=answers.table)).fetchall()
    if not are_numbers:
        return []
    return [
        f"its answers are bound to {', '.join(report.datasets)} by whole numbers alone: nothing in it "
        "says which questions they are of; --benchmark NAME does"
    ]
