"""From staged predictions and choice scores to runs and facts."""

from __future__ import annotations

from pathlib import Path

import duckdb

from ingest.checks import refuse_first
from ingest.facts import question_facts
from ingest.settings import Settings, Staged
from warehouse import models, sources, statements
from warehouse.errors import InputError

_SQL = statements.of_module(__file__)
_STORED = {"stage_prediction": "prediction", "stage_score": "choice_score"}
_ROW = {
    "stage_prediction": ("pass", "sample", "text", "failed"),
    "stage_score": ("pass", "sample", "component", "label", "score", "n_tokens", "scorer"),
}


class SameRunsError(Exception):
    """Every run of the file is there, row for row, from another file."""


def load(
    con: duckdb.DuckDBPyConnection,
    path: Path,
    settings: Settings,
    staged: Staged,
    label: str,
    source_id: int,
    *,
    may_be_there: bool,
) -> tuple[list[str], list[str]]:
    """Store the runs and their rows; return what was loaded, and notes.

    Args:
        may_be_there: the file has nothing new but perhaps its runs.

    Raises:
        InputError: a question, pass or choice that the dataset does not have, a component that the
            question does not want, or a run that is there already with other content.
        SameRunsError: every run is there already with the same content.
    """
    question_facts.bind(con)
    notes = []
    if not staged.carries_questions:
        notes = question_facts.choice_differences(con, path, staged)
    table = "stage_score" if staged.method != "generation" else "stage_prediction"
    _check(con, path, staged, table)
    if may_be_there and not settings.replace and _are_there(con, staged, table, label):
        raise SameRunsError
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


def _are_there(con: duckdb.DuckDBPyConnection, staged: Staged, table: str, label: str) -> bool:
    """Whether each run of the file is there with the same rows, read from another kind of file."""
    pairs = con.execute(_SQL["models_and_datasets"].format(staged=table)).fetchall()
    columns = _ROW[table]
    for model, split_key, dataset_id, _, count in pairs:
        known = {
            "model_id": models.find(con, model),
            "dataset_id": dataset_id,
            "label": label,
        }
        live = con.execute(_SQL["live_run"], known).fetchone()
        if live is None or tuple(live[2:]) != (staged.method, staged.reduction, staged.scored):
            return False
        same = con.execute(
            _SQL["count_same_rows"].format(
                staged=table,
                staged_columns=", ".join(f"s.{name}" for name in columns),
                known=", ".join(columns),
                stored=_STORED[table],
            ),
            {"run_id": live[0], "model": model, "split_key": split_key},
        ).fetchall()
        if same != [(count, count)]:
            return False
    return bool(pairs)


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
    # Of runs of the same time the last one is a model's latest.
    order = list(staged.variants)
    pairs.sort(key=lambda pair: order.index(pair[0]) if pair[0] in order else -1)
    loaded = []
    for name, split_key, dataset_id, dataset, count in pairs:
        model, its_label = staged.variants.get(name, (name, label))
        model_id = models.ensure(con, model, source_id=source_id)
        _give_way(
            con, path, settings, (model, model_id), (dataset, dataset_id), its_label, source_id
        )
        run_id = sources.next_id(con, "run")
        con.execute(
            "INSERT INTO main.run VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL)",
            [
                run_id,
                model_id,
                dataset_id,
                its_label,
                staged.harness,
                staged.method,
                staged.reduction,
                staged.scored,
                staged.produced_at,
                source_id,
            ],
        )
        con.execute(
            "INSERT INTO stage_run VALUES (?, ?, ?, ?)", [run_id, name, split_key, dataset_id]
        )
        what = "choice scores" if table == "stage_score" else "predictions"
        loaded.append(f"run {run_id}: {model} on {dataset}, {its_label}: {count:,} {what}")
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
