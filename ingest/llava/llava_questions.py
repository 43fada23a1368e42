"""LLaVA-Bench's questions, `questions.jsonl`: `question_id, image, text, category`.

The references are GPT-4's answers, in a file of their own in the same folder:
`answers_gpt4.jsonl`, or `…_gpt4_answer.jsonl` for `…_questions.jsonl` (`qa90`, from COCO).
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import duckdb

from ingest import staged_rows
from ingest.adapter import Adapter, ByProductError, Place
from ingest.checks import refuse_empty
from ingest.facts.question_facts import Questions
from ingest.names import DatasetName, dataset_of_folder
from ingest.reading.probe import Probe
from ingest.reading.records import json_records
from ingest.settings import Settings
from ingest.staged import Staged
from warehouse.errors import InputError

_KEY = "trim(question_id)"
_COCO = "qa90"
_BENCHMARK = "LLaVA-Bench"


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage questions, references and kinds of questions.

    Raises:
        ByProductError: it is of another benchmark, and holds no right answers.
        InputError: an id is empty, or the references are not there or cannot be read.
    """
    require_ids(con, probe)
    name = dataset_of(probe.path)
    path = _references(probe.path, name)
    references = _read_references(probe.path, path)
    staged_rows.select(
        con, "stage_question", question_key=_KEY, text="nullif(text, '')", image="nullif(image, '')"
    )
    con.execute("CREATE OR REPLACE TEMP TABLE stage_gpt4_answer (id VARCHAR, reference VARCHAR)")
    con.executemany("INSERT INTO stage_gpt4_answer VALUES (?, ?)", references)
    staged_rows.select(
        con,
        "stage_reference",
        f"raw JOIN stage_gpt4_answer AS g ON {_KEY} = g.id",
        question_key=_KEY,
        text="g.reference",
    )
    con.execute("DROP TABLE stage_gpt4_answer")
    staged_rows.select(
        con,
        "stage_ability",
        "raw WHERE nullif(trim(category), '') IS NOT NULL",
        question_key=_KEY,
        level="'category'",
        field="'category'",
        spelling="category",
    )
    return Staged(
        dataset=replace(name, split=None, language=None) if name else DatasetName(_BENCHMARK),
        questions=Questions(key="question_id", text="text", reference=path.name, task="open"),
        notes=(f"references: {path.name} next to it",),
        inferred={"benchmark": "the path" if name else "the format", "version": "the path"},
    )


def require_ids(con: duckdb.DuckDBPyConnection, probe: Probe) -> None:
    """Refuse records without a question's id.

    Raises:
        InputError: one is empty.
    """
    refuse_empty(con, probe.path, _KEY, "question_id")


def dataset_of(path: Path) -> DatasetName | None:
    """The dataset that a folder above a file is named after; None: there is none."""
    if path.stem.startswith(_COCO):
        return DatasetName(_BENCHMARK, "COCO")
    return dataset_of_folder(path)


def is_sidecar(path: Path) -> str | None:
    """Describe COCO's references, which are read with a question file; None: it is another file."""
    stem = path.stem.removesuffix("gpt4_answer")
    if stem != path.stem and path.with_name(f"{stem}questions.jsonl").is_file():
        return f"the references of {stem}questions.jsonl"
    return None


def _references(path: Path, named: DatasetName | None) -> Path:
    names = ("answers_gpt4.jsonl", f"{path.stem.removesuffix('questions')}gpt4_answer.jsonl")
    for name in names:
        if path.with_name(name).is_file():
            return path.with_name(name)
    if named is not None and named.benchmark != _BENCHMARK:
        raise ByProductError(
            path,
            f"LLaVA's prompts of {named.benchmark}, without right answers; what has those holds the "
            "questions too",
        )
    raise InputError(
        path,
        f"holds no references: GPT-4's answers, {' or '.join(names)}, have to be in the same folder",
    )


def _read_references(path: Path, references: Path) -> list[list[str]]:
    found = []
    for row, record in enumerate(json_records(references, "jsonl"), start=1):
        answer = record if isinstance(record, dict) else {}
        key, text = answer.get("question_id"), answer.get("text")
        if key is None or not isinstance(text, str):
            raise InputError(references, f"is no answer: the references of {path.name}", row=row)
        found.append([str(key).strip(), text])
    if not found:
        raise InputError(references, f"holds no answers: the references of {path.name}")
    return found


ADAPTER = Adapter(
    name="llava_questions",
    version=1,
    description="LLaVA-Bench's questions, JSONL with `answers_gpt4.jsonl` next to it: "
    "`question_id, image, text, category`",
    needs=("question_id", "image", "text", "category"),
    accepts=lambda probe: (
        probe.kind == "jsonl" and not probe.has_any("prompt", "answer_id", "prediction")
    ),
    stage=stage,
    place=Place.QUESTIONS,
)
