"""LLaVA's answers to open questions, JSONL: `question_id, prompt, text, answer_id, model_id`.

There are no questions in it, so the dataset has to be known. The references of LLaVA-Bench,
`answers_gpt4.jsonl`, have this form too, and are a run of that model.
"""

from __future__ import annotations

import duckdb

from ingest.adapter import Adapter, Place
from ingest.llava import llava_answers, llava_questions
from ingest.reading.probe import Probe
from ingest.reading.raw import literal
from ingest.settings import Settings, Staged


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage the answers.

    Raises:
        InputError: an id is empty, or the file mixes models or names none.
    """
    llava_questions.require_ids(con, probe)
    model = llava_answers.model_of(con, probe, settings)
    con.execute(
        f"INSERT INTO stage_prediction SELECT __row, {literal(model)}, NULL, trim(question_id), 0, 0, "
        "text, false FROM raw"
    )
    name = llava_questions.dataset_of(probe.path)
    return Staged(
        role="predictions",
        fields={
            "question_key": "question_id",
            "pass": "question_id",
            "label": "question_id",
            "prediction": "text",
        },
        benchmark=name.benchmark if name else None,
        version=name.version if name else None,
        split=name.split if name else None,
        language=name.language if name else None,
        model=model,
        run=probe.path.stem,
        harness="llava",
        task="open",
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
