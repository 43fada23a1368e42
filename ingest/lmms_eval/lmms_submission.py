"""lmms-eval's MMBench submission, `submissions/{task}_results.xlsx`: it does not name its model.

The folder holds those of the last model alone. `{task}_results.json` next to it has figures, no
answers.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import duckdb

from ingest import indexed_rows
from ingest.adapter import Adapter
from ingest.harness_results import LMMS_EVAL, dataset_of
from ingest.lmms_eval import lmms_mmbench
from ingest.reading import json_map
from ingest.reading.probe import Probe
from ingest.settings import Settings
from ingest.staged import Staged
from warehouse.errors import InputError

_TEXTVQA = re.compile(r"textvqa_submission_[0-9-]+\.json")
_NAME = re.compile(r"(?P<task>\w+)_results")


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage the questions and the answers.

    Raises:
        InputError: the model is not given.
    """
    if settings.model is None:
        raise InputError(probe.path, "does not name the model; give it with --model")
    named = _NAME.fullmatch(probe.path.stem)
    task = named["task"] if named else probe.path.stem
    name, way = dataset_of(con, task, settings)
    flat = lmms_mmbench.stage_questions(con, probe, way)
    indexed_rows.stage_predictions(con, flat, settings.model)
    return Staged(
        dataset=name,
        task_name=task,
        questions=indexed_rows.QUESTIONS,
        answers=replace(
            indexed_rows.ANSWERS, model=settings.model, run=probe.path.stem, harness=LMMS_EVAL
        ),
        inferred=dict.fromkeys(
            ("run", "benchmark", "version", "split", "language"), "the file's name"
        ),
    )


def is_sidecar(path: Path) -> str | None:
    """What a file of the submissions folder is, if there is nothing in it that is not elsewhere."""
    if _TEXTVQA.fullmatch(path.name) and path.absolute().parent.name == "submissions":
        return "holds no other answers than the samples files: it is a submission of lmms-eval"
    if path.name == "ocrbench_results.txt":
        return "holds no answers: it is lmms-eval's own figures of OCRBench"
    named = _NAME.fullmatch(path.stem)
    if named is None or path.suffix not in (".json", ".xlsx"):
        return None
    if path.suffix == ".xlsx":
        above = path.absolute().parent
        if above.name != "submissions":
            return None
        samples = above.parent.glob(f"*/*_samples_{named['task']}.jsonl")
        return (
            "holds no other answers than the samples files: it is a submission of lmms-eval, which "
            "does not name the model (--format lmms_submission reads it all the same)"
            if any(samples)
            else None
        )
    try:
        found = json_map.read_object(path)
    except (InputError, OSError):
        return None
    if {"overall_acc", "category_acc", "l2_category_acc"} != set(found):
        return None
    return "holds no answers: it is lmms-eval's own figures of MMBench"


ADAPTER = Adapter(
    name="lmms_submission",
    version=1,
    description="lmms-eval's submissions of MMBench, `{task}_results.xlsx`: `index, question, A…, "
    "l2-category, prediction`; with `--model`",
    needs=("index", "question", "A", "B", "L2-category", "prediction"),
    accepts=lambda probe: True,
    stage=stage,
)
