"""MMBench's own files: the TSV of its questions, and submissions.

index, question, hint, A…, answer, category, l2-category, split, image   questions
index, question, A…, prediction, often answer and split                  a submission, xlsx

Questions come in xlsx, CSV or JSON too. Answers may be absent (hidden test sets). VLMEvalKit's
dataset files for other multiple-choice benchmarks have the same form. The model and the run's
label of a submission are the file's stem unless given.
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
from ingest.vlmevalkit import vlmevalkit_run

_HARNESS_COLUMNS = ("hint", "category", "l2-category", "source", "comment")


def stage_questions(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage questions; benchmark, version, split and language come from the file's name."""
    indexed_rows.check_index(con, probe)
    about = vlmevalkit_run.read(probe, settings)
    about = vlmevalkit_run.with_new_benchmark(con, probe, settings, about)
    indexed_rows.stage_questions(
        con, probe, splits_by_level=about.splits_by_level, mixes_words=about.mixes_words
    )
    questions = indexed_rows.questions(mixes_words=about.mixes_words)
    return vlmevalkit_run.staged(probe, settings, about, questions)


def _stage_submission(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage the questions and the predictions."""
    indexed_rows.check_index(con, probe)
    indexed_rows.stage_questions(con, probe)
    named, name = model_and_dataset(probe.path, settings)
    model = named or probe.path.stem
    indexed_rows.stage_predictions(con, probe, model)
    further = indexed_rows.stage_further(con, probe, model)
    timed = timestamp_label(probe.path)
    return Staged(
        dataset=name,
        task_name=task_name(probe.path, named, settings) if name else None,
        questions=indexed_rows.QUESTIONS,
        answers=replace(
            indexed_rows.ANSWERS,
            model=model,
            run=timed[0] if timed else probe.path.stem,
            produced_at=timed[1] if timed else None,
            harness="mmbench_submission",
            further=further,
        ),
        inferred={
            "run": "the folder's name" if timed else "the file's name",
            **dict.fromkeys(
                ("model", "benchmark", "version", "split", "language"), "the file's name"
            ),
        },
    )


QUESTIONS = Adapter(
    name="mmbench_questions",
    version=1,
    description="the MMBench TSV: `index, question, hint, A…, answer, category, l2-category, "
    "split, image`. Answers may be absent; images are hashed, not stored",
    needs=("index", "question", "A", "B"),
    accepts=lambda probe: not probe.has("prediction"),
    stage=stage_questions,
    place=Place.QUESTIONS,
)
SUBMISSION = Adapter(
    name="mmbench_submission",
    version=2,
    description="MMBench's submission file, questions and predictions in one: `index, question, "
    "A…, prediction`, often `answer, split`",
    needs=("index", "question", "A", "B", "prediction"),
    # In a work dir of VLMEvalKit's, files of other benchmarks have no further columns either.
    accepts=lambda probe: (
        not probe.has_any(*_HARNESS_COLUMNS) and vlmevalkit_run.of(probe.path) is None
    ),
    stage=_stage_submission,
)
