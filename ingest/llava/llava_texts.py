"""LLaVA's questions without images, `question.jsonl`: `question_id, text, category`.

They are of no benchmark that they name, and have no references, so that only judges grade the answers.
Their ids are those of LLaVA-Bench's questions too, so they are taken for no benchmark that is there
unless the user says so.
"""

from __future__ import annotations

from dataclasses import replace

import duckdb

from ingest import new_benchmark, staged_rows
from ingest.adapter import Adapter, Place
from ingest.facts.question_facts import Questions
from ingest.llava import llava_questions
from ingest.names import DatasetName
from ingest.reading.probe import Probe
from ingest.settings import Settings
from ingest.staged import Staged
from warehouse import known_benchmarks
from warehouse.errors import InputError

_KEY = "trim(question_id)"
_OTHER = (
    "image", "prompt", "answer_id", "answer", "prediction", "options", "target", "label", "content",
    "metadata", "model_id",
)  # fmt: skip


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage questions and kinds of questions.

    Raises:
        InputError: an id is empty, or neither a flag nor a folder's name says what the benchmark is.
    """
    llava_questions.require_ids(con, probe)
    about = llava_questions.dataset_of(probe.path)
    name = settings.benchmark or (about.benchmark if about else None)
    if name is None:
        raise InputError(
            probe.path,
            "is a file of questions without images and references, and names no benchmark: "
            "`ingest FILE --benchmark NAME` makes one of that name (answers in words, which a judge "
            "grades); then the answers, with the same --benchmark NAME",
        )
    staged_rows.select(con, "stage_question", question_key=_KEY, text="nullif(text, '')")
    staged_rows.select(
        con,
        "stage_ability",
        "raw WHERE nullif(trim(category), '') IS NOT NULL",
        question_key=_KEY,
        level="'category'",
        field="'category'",
        spelling="category",
    )
    questions = Questions(key="question_id", text="text", task="open", may_be_hidden=True)
    is_known = known_benchmarks.find(name) is not None or con.execute(
        "SELECT EXISTS (FROM main.benchmark WHERE lower(name) = lower(?))", [name]
    ).fetchall() == [(True,)]
    return Staged(
        dataset=replace(about, split=None, language=None) if about else DatasetName(name),
        questions=questions,
        inferred={} if settings.benchmark else {"benchmark": "the path", "version": "the path"},
        new_benchmark=None if is_known else new_benchmark.of_columns(con, probe, name),
    )


ADAPTER = Adapter(
    name="llava_texts",
    version=1,
    description="LLaVA's questions without images, JSONL: `question_id, text, category`; "
    "`--benchmark` names a new benchmark",
    needs=("question_id", "text", "category"),
    accepts=lambda probe: probe.kind == "jsonl" and not probe.has_any(*_OTHER),
    stage=stage,
    place=Place.QUESTIONS,
)
