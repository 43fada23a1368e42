"""A run whose answers come in several files: a further part of it, which says the same where they meet."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import duckdb

from ingest.checks import refuse_first
from ingest.facts import harness_scores
from warehouse import statements
from warehouse.errors import InputError

_SQL = statements.of_module(__file__)


@dataclass(frozen=True)
class Part:
    """The answers of a file that are of a run.

    Attributes:
        path: the file.
        run: what the run is called, for messages.
        run_id: the new run, which supersedes the one of the parts before.
        model: its staged model.
        split_key: the split of the file, or nothing.
    """

    path: Path
    run: str
    run_id: int
    model: str
    split_key: str


def begin(con: duckdb.DuckDBPyConnection) -> None:
    """Make the table of the runs of earlier parts."""
    con.execute(_SQL["make_former"])


def add(
    con: duckdb.DuckDBPyConnection,
    part: Part,
    former: int,
    how: tuple[str, str | None, str | None],
    stored: str,
    field: str,
    *,
    replaces: bool,
) -> None:
    """Note that a run continues a former one.

    Args:
        former: the run of the parts before.
        how: the method, the reduction and what was scored.
        stored: `prediction` or `choice_score`.
        field: what the file calls the answer's text.
        replaces: where they meet, this one holds.

    Raises:
        InputError: it says something else than an earlier part, or came about otherwise.
    """
    ((method, *more),) = con.execute(_SQL["method_of_run"], {"run_id": former}).fetchall()
    if (method, *more) != how:
        raise InputError(part.path, f"is no part of run {part.run}: that is {method}, not {how[0]}")
    if not replaces:
        refuse_first(
            con,
            part.path,
            _SQL[f"other_{stored}s"],
            field if stored == "prediction" else "score",
            lambda row: (
                f"question {row[1]} has another answer in an earlier part of run {part.run} (run {former}); "
                "--replace supersedes that run, --run LABEL keeps both"
            ),
            {"model": part.model, "split_key": part.split_key, "former": former},
        )
    con.execute(_SQL["note_former"], {"run_id": part.run_id, "former": former})


def join(con: duckdb.DuckDBPyConnection, stored: str) -> None:
    """Add the answers of earlier parts to the runs that supersede them."""
    names = ("samples", "status", "sample_errors", "answer_attributes", f"{stored}s")
    for name in (f"join_{one}" for one in names):
        con.execute(_SQL[name])
    harness_scores.join_former(con)
