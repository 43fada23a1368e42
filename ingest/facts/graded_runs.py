"""Which run the judgments of a file graded: what --run or the folder says, or else the only one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path

import duckdb

from ingest.checks import refuse_first
from ingest.facts import question_facts
from ingest.names import is_timestamp
from ingest.settings import Settings
from warehouse import models, statements
from warehouse.errors import InputError

_SQL = statements.of_module(__file__)


@dataclass(frozen=True)
class Graded:
    """What a file calls the columns that say what was judged, and the run that it names.

    Attributes:
        key: the question's id.
        model_column: the model that answered; None: the file has no such column.
        run: the label of the run that its folder is named after; None: it is not.
    """

    key: str
    model_column: str | None
    run: str | None


def bind(
    con: duckdb.DuckDBPyConnection, path: Path, graded: Graded, settings: Settings | None = None
) -> dict[int, str]:
    """Fill `stage_graded`: the question and run of each row with judgments; return the runs by id.

    Args:
        settings: how to find the runs in the warehouse; None: they are those that the file's own
            predictions have just become (`stage_run`).

    Raises:
        InputError: an unknown question, a run that is not there, or several that may be meant.
    """
    refuse = partial(refuse_first, con, path)
    question_facts.bind(con)
    con.execute(_SQL["collect_rows"])
    refuse(
        _SQL["unknown_questions"], graded.key, lambda row: f"the dataset has no question {row[1]}"
    )
    if settings is not None:
        _find_runs(con, path, settings, graded)
    con.execute(_SQL["bind"])
    if con.execute(_SQL["is_each_of_one_run"]).fetchall() != [(True,)]:
        refuse(
            _SQL["questions_without_run"],
            graded.key,
            lambda row: f"there is no run of {row[2]} on the dataset of question {row[1]}",
        )
        refuse(
            _SQL["questions_of_several_datasets"],
            graded.key,
            lambda row: (
                f"question {row[1]} is one of several datasets; say which with --version, --split or "
                "--language"
            ),
        )
    return dict(con.execute(_SQL["runs"]).fetchall())


def _find_runs(
    con: duckdb.DuckDBPyConnection, path: Path, settings: Settings, graded: Graded
) -> None:
    con.execute(
        "CREATE OR REPLACE TEMP TABLE stage_run "
        "(run_id INTEGER, model VARCHAR, split_key VARCHAR, dataset_id INTEGER)"
    )
    pairs = con.execute(_SQL["models_and_datasets"]).fetchall()
    found = set()
    for _, model, split_key, dataset_id, dataset in pairs:
        run_id = _pick(con, path, settings, graded.run, model, (dataset_id, dataset))
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
                row=row if graded.model_column else None,
                field=graded.model_column,
            )


def _pick(
    con: duckdb.DuckDBPyConnection,
    path: Path,
    settings: Settings,
    run: str | None,
    model: str,
    dataset: tuple[int, str],
) -> int | None:
    runs = con.execute(
        _SQL["live_runs"], {"model_id": models.find(con, model), "dataset_id": dataset[0]}
    ).fetchall()
    wanted = settings.run or run
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
