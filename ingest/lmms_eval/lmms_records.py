"""The records of lmms-eval's datasets, `{task}.jsonl`: a line is a document, as samples number them.

The file's name is the task's, or the dataset's. Records hold what samples do not: TextVQA's ten
answers, POPE's categories, the ids of DocVQA.
"""

from __future__ import annotations

from typing import Any

import duckdb

from ingest import harness_results
from ingest.adapter import Adapter, Place
from ingest.facts.question_facts import Questions
from ingest.lmms_eval import lmms_docs, lmms_tasks
from ingest.reading.probe import Probe, json_records
from ingest.settings import Settings
from ingest.staged import Staged
from warehouse import known_benchmarks
from warehouse.errors import InputError

_TASKS = {
    "ai2d", "chartqa", "docvqa", "mathvista", "mme", "mmmu", "mmstar", "ocrbench", "pope",
    "realworldqa", "textvqa",
}  # fmt: skip


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage the questions.

    Raises:
        InputError: a record without a question, or a file whose name is no dataset's.
    """
    path = probe.path
    dataset, _ = harness_results.dataset_of(con, path.stem, settings)
    name = settings.benchmark or (dataset.benchmark if dataset else None)
    known = known_benchmarks.find(name) if name else None
    if known is None:
        raise InputError(path, "its name is no dataset's; give it with --benchmark NAME")
    questions = {}
    for row, record in enumerate(json_records(path, probe.kind), start=1):
        if not isinstance(record, dict) or not str(_text(record) or "").strip():
            raise InputError(path, "is missing", row=row, field="question")
        questions[row] = lmms_docs.read(known.name, record, row - 1)
    lmms_tasks.stage_questions(con, questions, known.task)
    return Staged(
        dataset=dataset,
        questions=Questions(
            key="id",
            label="options",
            reference="answer",
            task=known.task,
            may_be_hidden=True,
        ),
        inferred=dict.fromkeys(("benchmark", "version", "split", "language"), "the file's name"),
    )


def _text(record: dict[str, Any]) -> object:
    return record.get("query") or record.get("question")


ADAPTER = Adapter(
    name="lmms_records",
    version=1,
    description="Records of a dataset of lmms-eval's, `{task}.jsonl`, of AI2D, ChartQA, DocVQA, "
    "MathVista, MME, MMMU, MMStar, OCRBench, POPE, RealWorldQA or TextVQA: `question`, "
    "`answer` or `answers`, `options` or `choices`",
    needs=("question",),
    accepts=lambda probe: (
        probe.kind == "jsonl"
        and probe.path.stem.lower().split("_")[0] in _TASKS
        and probe.has_any("answer", "answers")
        and not probe.has_any("prediction", "doc_id", "text", "A")
    ),
    stage=stage,
    place=Place.QUESTIONS,
)
