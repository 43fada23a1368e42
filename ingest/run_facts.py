"""From staged predictions and choice scores to runs and facts."""

from __future__ import annotations

from pathlib import Path

import duckdb

from ingest import question_facts
from ingest.checks import refuse_first
from ingest.settings import Settings, Staged
from warehouse import models, sources, statements
from warehouse.errors import InputError

_SQL = statements.beside(__file__)


def load(
    con: duckdb.DuckDBPyConnection,
    path: Path,
    settings: Settings,
    staged: Staged,
    label: str,
    source_id: int,
) -> tuple[list[str], list[str]]:
    """Store the runs and their rows; return what was loaded, and notes.

    Raises:
        InputError: a question, pass or choice that the dataset does not have, a component that the
            question does not want, or a run that is there already with other content.
    """
    question_facts.bind(con)
    notes = []
    if not staged.carries_questions:
        notes = question_facts.choice_differences(con, path, staged)
    table = "stage_score" if staged.method != "generation" else "stage_prediction"
    _check(con, path, staged, table)
    runs = _make_runs(con, path, settings, staged, table, label, source_id)
    con.execute(_SQL["add_samples"].format(staged=table))
    con.execute(_SQL["add_status"], {"status": staged.status, "error": staged.status_error})
    con.execute(_SQL["add_sample_errors"])
    con.execute(_SQL["add_predictions" if table == "stage_prediction" else "add_scores"])
    return runs, notes


def _check(con: duckdb.DuckDBPyConnection, path: Path, staged: Staged, table: str) -> None:
    refuse_first(
        con,
        path,
        _SQL["unknown_questions"].format(staged=table),
        staged.fields["question_key"],
        lambda row: f"the dataset has no question {row[1]}",
    )
    refuse_first(
        con,
        path,
        _SQL["unknown_passes"].format(staged=table),
        staged.fields["pass"],
        lambda row: (
            f"pass {row[2]} of question {row[1]} is out of range: the dataset has no such pass"
        ),
    )
    _check_components(con, path, staged, table)
    if table == "stage_score":
        refuse_first(
            con,
            path,
            _SQL["unknown_choices"],
            staged.fields["label"],
            lambda row: f"{row[2]!r} is no choice of question {row[1]}",
        )


def _check_components(
    con: duckdb.DuckDBPyConnection, path: Path, staged: Staged, table: str
) -> None:
    """Refuse answers in one piece to questions that want several things, and the reverse."""
    if table == "stage_prediction":
        refuse_first(
            con,
            path,
            _SQL["predictions_in_one_piece"],
            staged.fields.get("prediction", "prediction"),
            lambda row: (
                f"question {row[1]} wants {row[2]}, which no text can be; "
                "give choice scores with a column component"
            ),
        )
        return
    refuse_first(
        con,
        path,
        _SQL["foreign_components"],
        "component",
        lambda row: f"{row[2]!r}: question {row[1]} wants {row[3]}",
    )


def _make_runs(
    con: duckdb.DuckDBPyConnection,
    path: Path,
    settings: Settings,
    staged: Staged,
    table: str,
    label: str,
    source_id: int,
) -> list[str]:
    con.execute(
        "CREATE OR REPLACE TEMP TABLE stage_run "
        "(run_id INTEGER, model VARCHAR, split_key VARCHAR, dataset_id INTEGER)"
    )
    pairs = con.execute(_SQL["models_and_datasets"].format(staged=table)).fetchall()
    loaded = []
    for model, split_key, dataset_id, dataset, count in pairs:
        model_id = models.ensure(con, model, source_id=source_id)
        _give_way(con, path, settings, (model, model_id), (dataset, dataset_id), label, source_id)
        run_id = sources.next_id(con, "run")
        con.execute(
            "INSERT INTO main.run VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL)",
            [
                run_id,
                model_id,
                dataset_id,
                label,
                staged.harness,
                staged.method,
                staged.reduction,
                staged.scored,
                staged.produced_at,
                source_id,
            ],
        )
        con.execute(
            "INSERT INTO stage_run VALUES (?, ?, ?, ?)", [run_id, model, split_key, dataset_id]
        )
        what = "choice scores" if table == "stage_score" else "predictions"
        loaded.append(f"run {run_id}: {model} on {dataset}, {label}: {count:,} {what}")
    return loaded


def _give_way(
    con: duckdb.DuckDBPyConnection,
    path: Path,
    settings: Settings,
    model: tuple[str, int],
    dataset: tuple[str, int],
    label: str,
    source_id: int,
) -> None:
    live = con.execute(
        _SQL["live_run"], {"model_id": model[1], "dataset_id": dataset[1], "label": label}
    ).fetchone()
    if live is None:
        return
    if live[1] == source_id:
        raise InputError(
            path, f"two names in the file are the same model, {model[0]}", field="model"
        )
    if not settings.replace:
        raise InputError(
            path,
            f"there is a run {label} of {model[0]} on {dataset[0]} already (run {live[0]}), with "
            "other content; --replace supersedes it, --run LABEL keeps both",
        )
    con.execute("UPDATE main.run SET superseded_by = ? WHERE run_id = ?", [source_id, live[0]])
