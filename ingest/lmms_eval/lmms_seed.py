"""SEED-Bench in lmms-eval's samples: `seed_all: {question_id, answer, pred}`, `seed_{data type}`.

They have neither texts nor dimensions, so that their questions are known by their ids
(SEED-Bench-2's contain the dimension) until a question file adds the rest. `pred` is the first
character of the answer, whatever it is: the T of "The answer is C" is no choice, and the A of "A
dog" is none either. It is not read; the view first_character has what it says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb

from ingest import harness_results
from ingest.facts.run_facts import Answers
from ingest.harness_results import SamplesInfo
from ingest.lmms_eval import lmms_responses, seed_by_id
from ingest.lmms_eval.lmms_responses import Place
from ingest.lmms_eval.seed_by_id import Known
from ingest.settings import Settings
from ingest.staged import Staged
from warehouse.errors import InputError
from warehouse.wording import counted

_ALL = "seed_all"


def has(record: Mapping[str, Any]) -> bool:
    """Whether a sample is of this form."""
    return isinstance(record.get(_ALL), dict)


def stage(
    con: duckdb.DuckDBPyConnection,
    path: Path,
    settings: Settings,
    info: SamplesInfo,
    records: Sequence[Mapping[str, Any]],
) -> Staged:
    """Stage questions by id, and the answers.

    Raises:
        InputError: a sample without a question's id, or with one that is none of SEED-Bench-2.
    """
    questions = known(path, records)
    if (settings.benchmark or info.benchmark) == seed_by_id.SECOND:
        for one in questions:
            if one.dimension is None:
                raise InputError(
                    path,
                    f"{one.question_key!r} is no id of {seed_by_id.SECOND}: those are like 9_85, "
                    "dimension first",
                    row=one.row,
                    field=f"{_ALL}.question_id",
                )
    seed_by_id.stage(con, questions)
    places = {one.row: Place(None, one.question_key) for one in questions if not one.wants_both}
    notes = []
    if len(places) < len(questions):
        notes.append(
            f"{counted(len(questions) - len(places), 'answer')} left out: their questions want a text and an "
            "image, which no letter can be"
        )
    odd = [
        record[_ALL].get("pred")
        for record in records
        if record[_ALL].get("pred") not in ("A", "B", "C", "D")
    ]
    if odd:
        notes.append(
            f"readings of the harness that are no choice, but an answer's first character (such as "
            f"{odd[0]!r}): {len(odd):,}; answers are kept whole, and its readings are not"
        )
    variants, more = lmms_responses.stage(con, path, info, records, places)
    answers = Answers(key=seed_by_id.KEY, prediction="filtered_resps", variants=variants)
    return harness_results.staged(info, answers, questions=seed_by_id.QUESTIONS, notes=notes + more)


def known(path: Path, records: Sequence[Mapping[str, Any]]) -> list[Known]:
    """What the samples hold of their questions.

    Raises:
        InputError: a sample of another form, or without an id.
    """
    found = []
    for row, record in enumerate(records, start=1):
        seed = record.get(_ALL)
        if not isinstance(seed, dict):
            raise InputError(path, "is no object with question_id and answer", row=row, field=_ALL)
        key = str(seed.get("question_id") or "").strip()
        if not key:
            raise InputError(path, "is empty", row=row, field=f"{_ALL}.question_id")
        answer = str(seed.get("answer") or "").strip() or None
        kinds = [name for name in record if name.startswith("seed_") and name != _ALL]
        data_type = kinds[0].removeprefix("seed_").replace("_", " ") if kinds else None
        found.append(Known(row, key, answer, data_type))
    return found
