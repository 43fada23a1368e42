"""LLaVA's answers to open questions, JSONL: `question_id, prompt, text, answer_id, model_id`.

There are no questions in it, so the dataset has to be known. Where neither the path nor a flag names
it, the questions of a `question.jsonl` or `questions.jsonl` in the same folder or the one above, or
else the prompts, have to be the dataset's: ids such as 1 to 80 are in every dataset. Answers to MME
and POPE are bound to the questions of their official files (`llava_yes_no`). The references of
LLaVA-Bench, `answers_gpt4.jsonl`, have this form too, and are a run of that model.
"""

from __future__ import annotations

from pathlib import Path

import duckdb

from ingest import own_columns, staged_rows
from ingest.adapter import Adapter, ByProductError, Place
from ingest.facts.question_facts import Questions
from ingest.facts.run_facts import Answers
from ingest.llava import llava_answers, llava_questions, llava_yes_no
from ingest.reading.probe import Probe
from ingest.reading.raw import literal
from ingest.reading.records import json_records
from ingest.settings import Settings
from ingest.staged import Staged
from warehouse.errors import InputError

_MMVET = "MM-Vet"
"""LLaVA numbers its questions without the beginning `v1_`."""
_QUESTION_FILES = ("questions.jsonl", "question.jsonl")
_INFERRED = {
    "model": "model_id",
    "run": "the file's name",
    "benchmark": "the path",
    "version": "the path",
}


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage the answers.

    Raises:
        ByProductError: the answers lie next to it in another form.
        InputError: an id is empty, or the file mixes models or names none; or questions that it is of
            cannot be found.
    """
    llava_questions.require_ids(con, probe)
    model = llava_answers.model_of(con, probe, settings)
    name = llava_questions.dataset_of(probe.path)
    found = llava_yes_no.find(con, probe, settings, name)
    if found is not None:
        return _of_official(con, probe, settings, model, found)
    key = "trim(question_id)"
    if name is not None and name.benchmark == _MMVET:
        _refuse_converted(probe)
        key = f"CASE WHEN regexp_full_match({key}, '\\d+') THEN 'v1_' || {key} ELSE {key} END"
    staged_rows.select(con, "stage_prediction", model=literal(model), question_key=key, text="text")
    further = own_columns.stage_named(con, probe, model, key)
    is_named = name is not None or settings.benchmark is not None
    source = None if is_named else _stage_questions(con, probe)
    questions = Questions(key="question_id", text=source or "text", task="open", may_be_hidden=True)
    return Staged(
        dataset=name,
        questions=questions if source else None,
        notes=(f"questions: {source}",) if source else (),
        answers=Answers(
            key="question_id",
            prediction="text",
            model=model,
            run=probe.path.stem,
            harness="llava",
            further=further,
        ),
        inferred=_INFERRED,
    )


def _of_official(
    con: duckdb.DuckDBPyConnection,
    probe: Probe,
    settings: Settings,
    model: str,
    found: llava_yes_no.Found,
) -> Staged:
    """Stage the answers to questions that an official file has, and the prompts that asked them."""
    rows = con.execute("SELECT __row, text, prompt FROM raw ORDER BY __row").fetchall()
    known = [
        (row, model, None, found.keys[row], 0, 0, *said) for row, *said in rows if row in found.keys
    ]
    staged_rows.add(con, "stage_prediction", [(*place, text, False) for *place, text, _ in known])
    staged_rows.add(
        con, "stage_answer_attribute", [(*place, "prompt", prompt) for *place, _, prompt in known]
    )
    return Staged(
        dataset=found.dataset,
        notes=found.notes,
        alerts=found.notes,
        answers=Answers(
            key="question_id", prediction="text", model=model, run=probe.path.stem, harness="llava"
        ),
        # Of MME the official file of the same answers may be there, a category a part.
        is_part=True,
        inferred=_INFERRED | {"version": "the questions"},
    )


def _refuse_converted(probe: Probe) -> None:
    """Refuse answers to MM-Vet that LLaVA's script has converted, which are read in its own form.

    Raises:
        ByProductError: they lie in `results`.
    """
    converted = probe.path.absolute().parent.parent / "results" / f"{probe.path.stem}.json"
    if converted.is_file():
        raise ByProductError(
            probe.path, f"LLaVA's answers, which results/{converted.name} holds as MM-Vet has them"
        )


def _stage_questions(con: duckdb.DuckDBPyConnection, probe: Probe) -> str | None:
    """Stage the questions that the answers are of; return what holds them, None: nothing does."""
    answered = {key for (key,) in con.execute("SELECT trim(question_id) FROM raw").fetchall()}
    for folder in (probe.path.parent, probe.path.parent.parent):
        for path in (folder / name for name in _QUESTION_FILES):
            texts = _texts(path) if path.is_file() else {}
            if answered <= texts.keys():
                rows = con.execute("SELECT __row, trim(question_id) FROM raw").fetchall()
                staged_rows.add(
                    con,
                    "stage_question",
                    [(row, None, key, 0, texts[key], None, None) for row, key in rows],
                )
                return path.name
    if not probe.has("prompt"):
        return None
    prompt = "nullif(trim(prompt), '')"
    staged_rows.select(
        con,
        "stage_question",
        f"raw WHERE {prompt} IS NOT NULL",
        question_key="trim(question_id)",
        text=prompt,
    )
    ((n,),) = con.execute("SELECT count(*) FROM stage_question").fetchall()
    if n == len(answered):
        return "prompt"
    con.execute("DELETE FROM stage_question")
    return None


def _texts(path: Path) -> dict[str, str]:
    """The texts of a file of questions by id; none where it is another file."""
    try:
        return {
            str(record["question_id"]).strip(): record["text"]
            for record in json_records(path, "jsonl")
            if isinstance(record, dict) and isinstance(record["text"], str)
        }
    except (InputError, OSError, KeyError):
        return {}


ADAPTER = Adapter(
    name="llava_open_answers",
    version=2,
    description="LLaVA's answers to open questions, JSONL: `question_id, prompt, text, answer_id, model_id`",
    needs=("question_id", "text", "answer_id", "model_id"),
    accepts=lambda probe: probe.kind == "jsonl" and not probe.has_any("round_id", "content"),
    stage=stage,
    place=Place.BARE_ANSWERS,
)
