"""lmms-eval's samples of any other task: the question is in the prompt and in what metrics got.

    doc_id, target          the document's number, and what the harness takes for right
    input                   the prompt: the question, its choices, and what the task adds to it
    doc                     the dataset's record, in files of earlier versions
    {metric}                a number, or an object with what the metric is computed from: ids,
                            categories, the score, and what was read in the answer

What a task adds to questions is in its settings, and taken off. Where the dataset is in the warehouse,
its own text of a question holds. What an extracting judge said (MathVista) is a judgment, and so is
a letter that the harness drew, which has no reply and is flagged (`stated`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb

from ingest import harness_results, new_benchmark, staged_rows
from ingest.facts.question_facts import Questions
from ingest.facts.run_facts import Answers
from ingest.harness_results import SamplesInfo
from ingest.lmms_eval import lmms_choices, lmms_docs, lmms_drawn, lmms_responses
from ingest.lmms_eval.lmms_docs import Question
from ingest.lmms_eval.lmms_responses import Place
from ingest.names import DatasetName
from ingest.settings import Settings
from ingest.staged import Staged
from warehouse import known_benchmarks
from warehouse.benchmark import Benchmark
from warehouse.errors import InputError

_QUESTIONS = Questions(
    key="doc_id",
    text="input",
    label="input",
    answer="target",
    reference="target",
    may_be_hidden=True,
)
_OF_SAMPLE = {
    "doc_id", "doc", "target", "resps", "filtered_resps", "input", "input_media", "doc_hash",
    "token_counts", "arguments",
}  # fmt: skip
_OF_ANSWER = {
    "score", "prediction", "pred", "pred_answer", "parsed_pred", "parsed", "ground_truth", "answer",
    "extraction", "true_false", "submission",
}  # fmt: skip
_PROMPTS = ("post_prompt", "multiple_choice_prompt", "open_ended_prompt")
_HINT = re.compile(r"\n(Answer (with|the question)|Hint:) [^\n]*\Z")


def has(record: Mapping[str, Any]) -> bool:
    """Whether a sample is of this form."""
    return isinstance(record.get("input"), str) or isinstance(record.get("doc"), dict)


def stage(
    con: duckdb.DuckDBPyConnection,
    path: Path,
    settings: Settings,
    info: SamplesInfo,
    records: Sequence[Mapping[str, Any]],
) -> Staged:
    """Stage the questions, and what the model said.

    Raises:
        InputError: a sample without a document's number or a prompt, or the same document twice.
    """
    name = settings.benchmark or info.benchmark or _mapped(settings, info)
    known = known_benchmarks.find(name) if name else None
    name = known.name if known else name
    is_named = any(str(one.get("target")) != _column(info) for one in records)
    is_unheard = known is None or known.is_inferred
    docs = {}
    for row, record in enumerate(records, start=1):
        if record.get("doc_id") is None:
            raise InputError(path, "is missing", row=row, field="doc_id")
        if not has(record):
            raise InputError(path, "is missing", row=row, field="input")
        docs[row] = _doc(name, info, record, has_reference=is_named)
    first = lmms_choices.first_number(
        (lmms_choices.of_record(doc), lmms_docs.answer_of(doc)) for doc in docs.values()
    )
    questions = {}
    for row, doc in docs.items():
        number = records[row - 1]["doc_id"]
        questions[row] = lmms_docs.read(name, doc, number, first=first, may_be_words=is_unheard)
        if not questions[row].choices and is_unheard:
            questions[row].attributes.setdefault("question_type", "open")
    made = None
    if known is None and name is None:
        made = _new(con, path, info.task, questions)
        info = replace(info, dataset=DatasetName(info.task))
    about = known or made
    task = about.task if about is not None else _task(con, name, questions)
    stage_questions(con, questions, task)
    places = {row: Place(one.split, one.key) for row, one in questions.items()}
    variants, notes = lmms_responses.stage(con, path, info, records, places)
    if not is_named:
        notes.append(f"the samples have no references: their target is the word {_column(info)!r}")
    judge, how = lmms_drawn.stage(con, info, records, questions, name)
    answers = Answers(key="doc_id", prediction="filtered_resps", variants=variants)
    staged = harness_results.staged(
        info,
        answers,
        questions=replace(_QUESTIONS, task=task),
        judgments=judge,
        notes=[*notes, *how],
    )
    return replace(staged, new_benchmark=made)


def stage_questions(
    con: duckdb.DuckDBPyConnection, questions: Mapping[int, Question], task: str
) -> None:
    """Stage questions by their rows, with all that belongs to them."""
    places = {row: (row, one.split, one.key) for row, one in questions.items()}
    staged_rows.add(
        con,
        "stage_question",
        [(*places[row], 0, one.text, one.answer, None) for row, one in questions.items()],
    )
    staged_rows.add(
        con,
        "stage_choice",
        [
            (*places[row], 0, label, place, text)
            for row, one in questions.items()
            for place, (label, text) in enumerate(one.labelled)
        ],
    )
    staged_rows.add(
        con,
        "stage_reference",
        [
            (*places[row], place, text)
            for row, one in questions.items()
            if task == "open" or not one.choices
            for place, text in enumerate(one.references)
        ],
    )
    staged_rows.add(
        con,
        "stage_attribute",
        [
            (*places[row], *pair)
            for row, one in questions.items()
            for pair in one.attributes.items()
        ],
    )


def _doc(
    benchmark: str | None, info: SamplesInfo, record: Mapping[str, Any], *, has_reference: bool
) -> dict[str, Any]:
    """A sample as a record of the dataset, as far as it holds one."""
    found: dict[str, Any] = {}
    for name, value in record.items():
        if name in _OF_SAMPLE or not isinstance(value, dict):
            continue
        if name == "submission":
            value = {k: v for k, v in value.items() if k == "question_id"}
        found |= {k: v for k, v in value.items() if k not in _OF_ANSWER}
        if benchmark == "MMStar" and name != "average":
            found["category"] = name
    if benchmark == "ChartQA":
        is_human = "relaxed_human_split" in record
        found["type"] = "human_test" if is_human else "augmented_test"
    if isinstance(record.get("doc"), dict):
        found = {**found, **record["doc"]}
    found.setdefault("question", _without_prompt(info, str(record.get("input", ""))))
    if not has_reference and "doc" not in record:
        found["answer"] = None
    elif not isinstance(record.get("doc"), dict) or found.get("answer") is None:
        target = record.get("target")
        found["answer"] = target[0] if isinstance(target, list) and len(target) == 1 else target
    return found


def _without_prompt(info: SamplesInfo, text: str) -> str:
    """A prompt without what the task's settings add to a question."""
    ways = info.config.get("lmms_eval_specific_kwargs")
    given = [ways, *ways.values()] if isinstance(ways, dict) else []
    added = {
        one[name].strip()
        for one in given
        if isinstance(one, dict)
        for name in _PROMPTS
        if isinstance(one.get(name), str) and one[name].strip()
    }
    for end in sorted(added, key=len, reverse=True):
        if text.rstrip().endswith(end):
            return text.rstrip().removesuffix(end).rstrip()
    return _HINT.sub("", text)


def _column(info: SamplesInfo) -> str | None:
    """The name that stands in place of a reference that a task does not have."""
    name = info.config.get("doc_to_target")
    return name if isinstance(name, str) and name.isidentifier() else None


def _mapped(settings: Settings, info: SamplesInfo) -> str | None:
    """The benchmark that --map says."""
    return settings.map.get(info.task)


def _task(
    con: duckdb.DuckDBPyConnection, name: str | None, questions: Mapping[int, Question]
) -> str:
    rows = con.execute("SELECT task FROM main.benchmark WHERE lower(name) = lower(?)", [name])
    found = rows.fetchall()
    if found:
        return str(found[0][0])
    return "choice" if any(one.choices for one in questions.values()) else "open"


def _new(
    con: duckdb.DuckDBPyConnection, path: Path, task: str, questions: Mapping[int, Question]
) -> Benchmark:
    """The benchmark that a task is taken for of which nobody has heard."""
    cells = {
        row: {"index": one.key, "answers": _written(one.references), **one.attributes}
        | dict(one.labelled[:2])
        for row, one in questions.items()
    }
    return new_benchmark.of_cells(con, path, task, cells)


def _written(references: tuple[str, ...]) -> str | None:
    if len(references) > 1:
        return repr(list(references))
    return references[0] if references else None
