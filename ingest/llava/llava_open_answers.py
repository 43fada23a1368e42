"""LLaVA's answers to open questions, JSONL: `question_id, prompt, text, answer_id, model_id`.

There are no questions in it, so the dataset has to be known. The references of LLaVA-Bench,
`answers_gpt4.jsonl`, have this form too, and are a run of that model.
"""

from __future__ import annotations

import duckdb

from ingest import staged_rows
from ingest.adapter import Adapter, Place
from ingest.facts.run_facts import Answers
from ingest.llava import llava_answers, llava_questions
from ingest.reading.probe import Probe
from ingest.reading.raw import literal
from ingest.settings import Settings
from ingest.staged import Staged


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage the answers.

    Raises:
        InputError: an id is empty, or the file mixes models or names none.
    """
    llava_questions.require_ids(con, probe)
    model = llava_answers.model_of(con, probe, settings)
    staged_rows.select(
        con, "stage_prediction", model=literal(model), question_key="trim(question_id)", text="text"
    )
    return Staged(
        dataset=llava_questions.dataset_of(probe.path),
        answers=Answers(
            key="question_id", prediction="text", model=model, run=probe.path.stem, harness="llava"
        ),
        inferred={
            "model": "model_id",
            "run": "the file's name",
            "benchmark": "the path",
            "version": "the path",
        },
    )


ADAPTER = Adapter(
    name="llava_open_answers",
    version=1,
    description="LLaVA's answers to open questions, JSONL: `question_id, prompt, text, answer_id, model_id`",
    needs=("question_id", "text", "answer_id", "model_id"),
    accepts=lambda probe: probe.kind == "jsonl" and not probe.has_any("round_id", "content"),
    stage=stage,
    place=Place.BARE_ANSWERS,
)
