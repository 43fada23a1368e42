"""What lmms-eval's samples hold of verdicts that no rule of its gave: its judge's, and drawn letters.

MathVista's `extraction` is what a judge took out of the answer, where the answer is not plainly the
answer itself: then no judge was called. Of MMMU's questions with choices an answer in which the rule
finds no choice gets a letter at random; the file has the letter, and does not say that it was drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import duckdb

from ingest import grade
from ingest.facts.judgment_facts import Judgments
from ingest.grade import Grade
from ingest.harness_results import LMMS_EVAL, SamplesInfo
from ingest.lmms_eval.lmms_docs import Question
from warehouse import judges
from warehouse.wording import counted

_EXTRACTOR = "lmms-eval"
_METRIC = "llm_as_judge_eval"
_DRAWER = "lmms-eval draw"
JUDGES = {"MMMU": _DRAWER, "MathVista": _EXTRACTOR}
"""By benchmark whose verdicts lmms-eval's figures rest on, besides its rules."""


def stage(
    con: duckdb.DuckDBPyConnection,
    info: SamplesInfo,
    records: Sequence[Mapping[str, Any]],
    questions: Mapping[int, Question],
    benchmark: str | None,
) -> tuple[Judgments | None, list[str]]:
    """Stage the verdicts; return what they are, None for none, and notes."""
    if benchmark == "MathVista":
        grades = list(_extracted(info, records, questions))
        kind = Judgments(
            key=f"{_METRIC}.question_id",
            reply=f"{_METRIC}.extraction",
            model=info.model,
            run=info.label,
            harness=LMMS_EVAL,
            questions=None,
            task=judges.ANSWER_EXTRACTION,
            keeps_blanks=True,
        )
        note = f"{counted(len(grades), 'answer')} of the judge that extracts; its name is in none of the files"
    elif benchmark == "MMMU":
        grades = list(_drawn(info, records, questions))
        kind = Judgments(
            key="mmmu_acc.id",
            reply="mmmu_acc.parsed_pred",
            model=info.model,
            run=info.label,
            harness=LMMS_EVAL,
            questions=None,
            task="choice_extraction",
            keeps_blanks=True,
        )
        note = f"{len(grades):,} letters that the harness drew, as its rule found no choice"
    else:
        return None, []
    grade.stage(con, grades)
    return (kind, [note]) if grades else (None, [])


def _extracted(
    info: SamplesInfo, records: Sequence[Mapping[str, Any]], questions: Mapping[int, Question]
) -> Iterator[Grade]:
    for row, question in questions.items():
        record = records[row - 1]
        said, metric = _answer(record), record.get(_METRIC)
        if not isinstance(metric, dict) or not isinstance(metric.get("extraction"), str):
            continue
        if said is None or _is_plain(said.strip(), question):
            continue
        yield Grade(
            row,
            info.model,
            question.split,
            question.key,
            0,
            _EXTRACTOR,
            prediction=said,
            reply=metric["extraction"],
        )


def _is_plain(answer: str, question: Question) -> bool:
    """Whether an answer is nothing but the answer, for which the harness asks no judge."""
    kind = question.attributes.get("answer_type")
    if not answer or (question.choices and answer in question.choices):
        return True
    try:
        if kind == "integer":
            int(answer)
        elif kind == "float":
            float(answer)
        else:
            return False
    except ValueError:
        return False
    return True


def _drawn(
    info: SamplesInfo, records: Sequence[Mapping[str, Any]], questions: Mapping[int, Question]
) -> Iterator[Grade]:
    for row, question in questions.items():
        record = records[row - 1]
        said, metric = _answer(record), record.get("mmmu_acc")
        parsed = metric.get("parsed_pred") if isinstance(metric, dict) else None
        letter = parsed[0] if isinstance(parsed, list) and parsed else None
        if said is None or not isinstance(letter, str) or not question.choices:
            continue
        if not _names_a_choice(said, question):
            yield Grade(
                row,
                info.model,
                question.split,
                question.key,
                0,
                _DRAWER,
                prediction=said,
                stated="drawn",
                score=1.0 if letter == question.answer else 0.0,
                log=letter,
            )


def _names_a_choice(answer: str, question: Question) -> bool:
    """Whether MMMU's rule, as the harness has it, finds a choice in an answer."""
    for mark in ",.!?;:'":
        answer = answer.strip(mark)
    padded = f" {answer} "
    labels = [label for label, _ in question.labelled]
    if any(form in padded for one in labels for form in (f"({one})", f"{one} ", f"{one}.")):
        return True
    is_long = len(padded.split()) > 5
    return is_long and any(text.lower() in padded.lower() for text in question.choices)


def _answer(record: Mapping[str, Any]) -> str | None:
    """The first text that the harness scored."""
    said = record.get("filtered_resps")
    while isinstance(said, list) and said:
        said = said[0]
    return said if isinstance(said, str) else None
