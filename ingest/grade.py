"""A judgment as an adapter reads it, for formats that go through Python row by row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import duckdb
import polars as pl

from warehouse import statements

_SQL = statements.of_module(__file__)
_TYPES = {"int": pl.Int64, "float": pl.Float64}


@dataclass(frozen=True)
class Grade:
    """One row of `stage_judgment`; `reply` and `error` of None: no usable reply came.

    `stated` says what the harness kept of a verdict in place of a reply: drawn, word or hit.
    """

    row: int
    model: str
    split: str | None
    question_key: str
    pass_number: int
    judge: str | None
    judge_sample: int = 0
    attempt: int = 0
    sample: int = 0
    prediction: str | None = None
    reply: str | None = None
    error: str | None = None
    log: str | None = None
    stated: str | None = None
    score: float | None = None
    word: str | None = None


def stage(con: duckdb.DuckDBPyConnection, grades: Sequence[Grade]) -> None:
    """Append to `stage_judgment`."""
    if not grades:
        return
    schema = {
        field.name: _TYPES.get(str(field.type).removesuffix(" | None"), pl.String)
        for field in fields(Grade)
    }
    by_column = {name: [getattr(grade, name) for grade in grades] for name in schema}
    frame = pl.DataFrame(by_column, schema=schema)
    con.register("new_grades", frame.to_arrow())
    con.execute(_SQL["stage_grades"])
    con.unregister("new_grades")
