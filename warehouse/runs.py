"""Mending runs by hand: a wrong label or model, or a run that should not count."""

from __future__ import annotations

from collections.abc import Sequence

import duckdb

from warehouse import models, statements, thinking
from warehouse.connection import transaction
from warehouse.errors import UsageError
from warehouse.tables import WORDS

_SQL = statements.of_module(__file__)


def named(
    con: duckdb.DuckDBPyConnection, *, source_id: int | None = None, run_ids: Sequence[int] = ()
) -> list[tuple[str, str]]:
    """The model and label of each run of a source, or of the runs of these ids, by id."""
    if source_id is None and not run_ids:
        return []
    where = "r.source_id = ?" if source_id is not None else "list_contains(?::INTEGER[], r.run_id)"
    rows = con.execute(
        _SQL["names"].format(where=where),
        [source_id if source_id is not None else list(run_ids)],
    ).fetchall()
    return [(str(model), str(label)) for model, label in rows]


def rename(
    con: duckdb.DuckDBPyConnection, run_id: int, *, label: str | None, model: str | None
) -> None:
    """Give a run another label, another model, or both. `run_event` keeps the former ones.

    What it is called already is no event, so that a command that was killed can be given again.

    Raises:
        UsageError: no such run, or another run of that model and dataset has the label.
    """
    for name in (label, model):
        if name is not None and not name.strip():
            raise UsageError("a label or model cannot be blank")
    with transaction(con):
        now_model, now_label, dataset_id, source_id = _live(con, run_id)
        model_id = models.ensure(con, model, source_id=source_id) if model is not None else None
        taken = con.execute(
            _SQL["of_that_name"],
            {"run_id": run_id, "dataset_id": dataset_id, "model_id": model_id, "label": label},
        ).fetchone()
        if taken is not None:
            raise UsageError(f"run {taken[0]} has that model and label already")
        if model_id is not None and model != now_model:
            con.execute("UPDATE main.run SET model_id = ? WHERE run_id = ?", [model_id, run_id])
            _note(con, run_id, "rename_model", now_model, model)
        if label is not None and label != now_label:
            con.execute("UPDATE main.run SET label = ? WHERE run_id = ?", [label, run_id])
            _note(con, run_id, "rename_run", now_label, label)


def retract(con: duckdb.DuckDBPyConnection, run_id: int) -> None:
    """Take a run out of every view. Its rows stay.

    Raises:
        UsageError: no such run, or it is out already.
    """
    with transaction(con):
        _live(con, run_id)
        con.execute(
            "UPDATE main.run SET retracted_at = now() AT TIME ZONE 'UTC' WHERE run_id = ?", [run_id]
        )
        _note(con, run_id, "retract", None, None)


INPUTS = tuple(WORDS["run_input.input"])
"""What a run may have shown its model: the question with its image, or its text alone."""


def set_input(con: duckdb.DuckDBPyConnection, run_id: int, shown: str) -> None:
    """Note what a run showed its model, in place of what was noted before; `run_event` keeps that.

    Raises:
        UsageError: no such run, or no such input.
    """
    if shown not in INPUTS:
        raise UsageError(f"a run's input is {' or '.join(INPUTS)}, not {shown!r}")
    with transaction(con):
        _live(con, run_id)
        note_input(con, run_id, shown)


def note_input(con: duckdb.DuckDBPyConnection, run_id: int, shown: str) -> bool:
    """The same of a run that there is, within a transaction; return whether that is news."""
    before = con.execute("SELECT input FROM main.run_input WHERE run_id = ?", [run_id]).fetchone()
    if before is not None and before[0] == shown:
        return False
    con.execute("DELETE FROM main.run_input WHERE run_id = ?", [run_id])
    con.execute("INSERT INTO main.run_input VALUES (?, ?)", [run_id, shown])
    _note(con, run_id, "set_input", None if before is None else str(before[0]), shown)
    return True


def set_thinking(con: duckdb.DuckDBPyConnection, run_id: int, marks: str) -> None:
    """Note how a run's answers mark thinking, in place of what was noted before; `run_event` keeps that.

    Args:
        marks: none, known, or `OPEN ... CLOSE`; see `warehouse.thinking`.

    Raises:
        UsageError: no such run, or no such marks.
    """
    said = thinking.settled(marks, of_run=True)
    with transaction(con):
        _live(con, run_id)
        note_thinking(con, run_id, said)


def note_thinking(con: duckdb.DuckDBPyConnection, run_id: int, marks: str) -> None:
    """The same of a run that there is, within a transaction; `marks` as they are stored."""
    found = con.execute("SELECT marks FROM main.run_thinking WHERE run_id = ?", [run_id])
    before = found.fetchone()
    if before is not None and before[0] == marks:
        return
    con.execute("DELETE FROM main.run_thinking WHERE run_id = ?", [run_id])
    con.execute("INSERT INTO main.run_thinking VALUES (?, ?)", [run_id, marks])
    _note(con, run_id, "set_thinking", None if before is None else str(before[0]), marks)


def _live(con: duckdb.DuckDBPyConnection, run_id: int) -> tuple[str, str, int, int]:
    row = con.execute(_SQL["run"], {"run_id": run_id}).fetchone()
    if row is None:
        raise UsageError(f"there is no run {run_id}; `evalhouse runs` lists them")
    if row[4]:
        raise UsageError(f"run {run_id} is superseded or retracted already")
    return str(row[0]), str(row[1]), int(row[2]), int(row[3])


def _note(
    con: duckdb.DuckDBPyConnection, run_id: int, event: str, before: str | None, after: str | None
) -> None:
    con.execute(
        "INSERT INTO main.run_event VALUES (?, ?, ?, ?, now() AT TIME ZONE 'UTC')",
        [run_id, event, before, after],
    )
