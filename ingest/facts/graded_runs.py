"""Which run the judgments of a file graded: what --run or the folder says, or else the only one."""

from __future__ import annotations

from pathlib import Path

import duckdb

from ingest.checks import refuse_first
from ingest.facts import question_facts
from ingest.names import is_timestamp
from ingest.settings import Settings, Staged
from warehouse import models, statements
from warehouse.errors import InputError

_SQL = statements.of_module(__file__)


def bind(
    con: duckdb.DuckDBPyConnection, path: Path, settings: Settings, staged: Staged
) -> dict[int, str]:
    """Fill `stage_graded`: the question and run of each row with judgments; return the runs by id.

    Where the file's own predictions have just become runs (`stage_run`), those are meant.

    Raises:
        InputError: an unknown question, a run that is not there, or several that may be meant.
    """
    question_facts.bind(con)
    con.execute(_SQL["collect_rows"])
    refuse_first(
        con,
        path,
        _SQL["unknown_questions"],
        staged.fields["question_key"],
        lambda row: f"the dataset has no question {row[1]}",
    )
    if staged.role == "judgments":
        _find_runs(con, path, settings, staged)
    con.execute(_SQL["bind"])
    refuse_first(
        con,
        path,
        _SQL["questions_without_run"],
        staged.fields["question_key"],
        lambda row: f"there is no run of {row[2]} on the dataset of question {row[1]}",
    )
    refuse_first(
        con,
        path,
        _SQL["questions_of_several_datasets"],
        staged.fields["question_key"],
        lambda row: (
            f"question {row[1]} is one of several datasets; say which with --version, --split or "
            "--language"
        ),
    )
    return dict(con.execute(_SQL["runs"]).fetchall())


def _find_runs(
    con: duckdb.DuckDBPyConnection, path: Path, settings: Settings, staged: Staged
) -> None:
    con.execute(
        "CREATE OR REPLACE TEMP TABLE stage_run "
        "(run_id INTEGER, model VARCHAR, split_key VARCHAR, dataset_id INTEGER)"
    )
    pairs = con.execute(_SQL["models_and_datasets"]).fetchall()
    found = set()
    for _, model, split_key, dataset_id, dataset in pairs:
        run_id = _pick(con, path, settings, staged, model, (dataset_id, dataset))
        if run_id is not None:
            found.add((model, split_key))
            con.execute(
                "INSERT INTO stage_run VALUES (?, ?, ?, ?)", [run_id, model, split_key, dataset_id]
            )
    for row, model, split_key, _, dataset in pairs:
        if (model, split_key) not in found:
            label = f" {settings.run}" if settings.run else ""
            raise InputError(
                path,
                f"there is no run{label} of {model} on {dataset}; ingest its predictions first"
                if not label
                else f"there is no run{label} of {model} on {dataset}",
                row=row if "model" in staged.fields else None,
                field=staged.fields.get("model"),
            )


def _pick(
    con: duckdb.DuckDBPyConnection,
    path: Path,
    settings: Settings,
    staged: Staged,
    model: str,
    dataset: tuple[int, str],
) -> int | None:
    runs = con.execute(
        _SQL["live_runs"], {"model_id": models.find(con, model), "dataset_id": dataset[0]}
    ).fetchall()
    wanted = settings.run or staged.run
    named = [run_id for run_id, label in runs if label == wanted]
    if named or settings.run is not None:
        return int(named[0]) if named else None
    if wanted is not None and len(runs) == 1 and is_timestamp(str(runs[0][1])):
        # Two work dirs of the same model: the folder's own run is not here.
        raise InputError(
            path,
            f"lies in the work dir of run {wanted} of {model}, which is not here ({runs[0][1]} is); "
            "ingest its predictions first, or say which run with --run LABEL",
        )
    if len(runs) > 1:
        labels = ", ".join(str(label) for _, label in runs)
        raise InputError(
            path, f"{model} has several runs on {dataset[1]} ({labels}); say which with --run LABEL"
        )
    return int(runs[0][0]) if runs else None
