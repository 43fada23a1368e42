"""VLMEvalKit's predictions, `{model}_{dataset}.xlsx`, `.tsv` or `.json`, alone or in its work dir.

The dataset's columns stand beside the prediction. The run's label is the work dir's timestamp
(`{model}/T20260101-000000/…`) or else the file's stem.
"""

from __future__ import annotations

from dataclasses import replace

import duckdb

from ingest import indexed_rows
from ingest.adapter import Adapter
from ingest.names import DatasetName, read_dataset_name, split_model_and_dataset, timestamp_label
from ingest.probe import Probe
from ingest.settings import Settings, Staged
from warehouse.errors import InputError


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage the predictions, and the questions if the file carries them.

    Raises:
        InputError: neither the file's name nor a flag tells the model.
    """
    if probe.has("hit", "log"):
        raise InputError(
            probe.path,
            "holds VLMEvalKit's verdicts (columns hit and log); give the prediction file beside it",
            row=0,
            field="hit",
        )
    model, name, told_by = _model_and_dataset(probe, settings)
    if model is None:
        raise InputError(
            probe.path,
            "the name does not tell the model (expected {model}_{dataset}); give it with --model",
        )
    indexed_rows.check_index(con, probe)
    carries_questions = probe.has("question", "A", "B")
    if carries_questions:
        indexed_rows.stage_questions(con, probe)
    indexed_rows.stage_predictions(con, probe, model)
    timed = timestamp_label(probe.path)
    staged = Staged(
        role="predictions",
        fields={**indexed_rows.FIELDS, "prediction": "prediction"},
        model=model,
        run=timed[0] if timed else probe.path.stem,
        produced_at=timed[1] if timed else None,
        harness="vlmevalkit",
        carries_questions=carries_questions,
        inferred={
            "model": told_by,
            "run": "the folder's name" if timed else "the file's name",
            **dict.fromkeys(("benchmark", "version", "split", "language"), told_by),
        },
    )
    if name is None:
        return staged
    return replace(
        staged,
        benchmark=name.benchmark,
        version=name.version,
        split=name.split,
        language=name.language,
    )


def _model_and_dataset(
    probe: Probe, settings: Settings
) -> tuple[str | None, DatasetName | None, str]:
    stem = probe.path.stem
    known = (settings.benchmark,) if settings.benchmark else ()
    for folder in (settings.model, *(p.name for p in probe.path.absolute().parents[:2])):
        if folder and stem.startswith(f"{folder}_"):
            rest = read_dataset_name(stem.removeprefix(f"{folder}_"), known)
            return folder, rest, "the file's name"
    found = split_model_and_dataset(stem, known)
    if found:
        return settings.model or found[0], found[1], "the file's name"
    return settings.model or (stem if settings.benchmark else None), None, "the file's name"


ADAPTER = Adapter(
    name="vlmevalkit",
    version=1,
    description="VLMEvalKit {model}_{dataset}.xlsx, .tsv or .json: index, prediction and the dataset's columns",
    needs=("index", "prediction"),
    accepts=lambda probe: (
        not probe.has("question", "A", "B")
        or probe.has_any("hint", "category", "l2-category", "source", "comment")
    ),
    stage=stage,
)
