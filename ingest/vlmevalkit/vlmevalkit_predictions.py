"""VLMEvalKit's predictions, `{model}_{dataset}.xlsx`, `.tsv` or `.json`, alone or in its work dir.

The dataset's columns stand next to the prediction. The run's label is the work dir's timestamp
(`{model}/T20260101-000000/…`) or else the file's stem.
"""

from __future__ import annotations

from dataclasses import replace

import duckdb

from ingest import indexed_rows
from ingest.adapter import Adapter, Place
from ingest.names import model_and_dataset, task_name, timestamp_label
from ingest.reading.probe import Probe
from ingest.settings import Settings
from ingest.staged import Staged
from warehouse.errors import InputError


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage the predictions, and the questions if the file carries them.

    Raises:
        InputError: neither the file's name nor a flag names the model.
    """
    if probe.has("hit", "log"):
        raise InputError(
            probe.path,
            "holds VLMEvalKit's verdicts (columns hit and log), which the format vlmevalkit_results "
            "reads",
            row=0,
            field="hit",
        )
    model, name = model_and_dataset(probe.path, settings)
    if model is None:
        raise InputError(
            probe.path,
            "the name does not contain the model (expected {model}_{dataset}); give it with --model",
        )
    indexed_rows.check_index(con, probe)
    has_questions = probe.has("question", "A", "B")
    if has_questions:
        indexed_rows.stage_questions(con, probe)
    indexed_rows.stage_predictions(con, probe, model)
    timed = timestamp_label(probe.path)
    return Staged(
        dataset=name,
        task_name=task_name(probe.path, model, settings),
        questions=indexed_rows.QUESTIONS if has_questions else None,
        answers=replace(
            indexed_rows.ANSWERS,
            model=model,
            run=timed[0] if timed else probe.path.stem,
            produced_at=timed[1] if timed else None,
            harness="vlmevalkit",
        ),
        inferred={
            "model": "the file's name",
            "run": "the folder's name" if timed else "the file's name",
            **dict.fromkeys(("benchmark", "version", "split", "language"), "the file's name"),
        },
    )


ADAPTER = Adapter(
    name="vlmevalkit",
    version=1,
    description="VLMEvalKit's answers, `{model}_{dataset}.xlsx`, `.tsv` or `.json`, alone or in its work dir: `index, prediction` and the dataset's columns",
    needs=("index", "prediction"),
    accepts=lambda probe: (
        not probe.has("question", "A", "B")
        or probe.has_any("hint", "category", "l2-category", "source", "comment")
    ),
    stage=stage,
    place=lambda probe: Place.ANSWERS if probe.has("question") else Place.BARE_ANSWERS,
)
