"""LLaVA's GPT reviews, JSONL: `question_id, answer1_id, answer2_id, category, content, tuple`.

`content` is what the judge said, and begins with two scores: of GPT-4's answer, which is the
question's reference, and of the model's. It is one judgment of the model's answer, and the view
`pair_score` reads both scores of it; `tuple`, what the script read, is not kept. The file names
neither the model nor the judge. The model is the file's name; `…-eval2` means that the same answers
were put to the judge a second time.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace

import duckdb

from ingest import grade
from ingest.adapter import Adapter, Place
from ingest.facts.judgment_facts import Judgments
from ingest.llava import llava_questions
from ingest.names import timestamp_label
from ingest.reading.probe import Probe
from ingest.settings import Settings
from ingest.staged import Staged
from warehouse import judges
from warehouse.errors import InputError
from warehouse.wording import counted

_JUDGE = "gpt_review"
"""The script's own name for what it does; its files do not say which GPT-4 it called."""
_NAME = re.compile(r"(?P<model>.+?)(-eval(?P<number>[1-9]\d*))?", re.DOTALL)
_FAILED = [-1.0, -1.0]
_OF_TWO_MODELS = (
    "is a review of two models' answers, as LLaVA's first ones are (`text`, `score`): neither is the "
    "reference of the question, so it is no judgment of one model's answer"
)


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage the replies.

    Raises:
        InputError: an id or a reply is missing, or `tuple` is no pair of numbers; or it compares two
            models.
    """
    if not probe.has("content"):
        raise InputError(probe.path, _OF_TWO_MODELS, field="answer1_id")
    llava_questions.require_ids(con, probe)
    named = _NAME.fullmatch(probe.path.stem)
    assert named is not None
    model = settings.model or named["model"]
    sample = int(named["number"] or 1) - 1
    judge = settings.judge or _JUDGE
    grades = []
    n_differing = 0
    rows = con.execute(
        "SELECT __row, trim(question_id), content, tuple FROM raw ORDER BY 1"
    ).fetchall()
    for row, key, content, written in rows:
        if not isinstance(content, str):
            raise InputError(probe.path, "is missing", row=row, field="content")
        n_differing += _pair(probe, row, written) != read_pair(content)
        grades.append(grade.Grade(row, model, None, key, 0, judge, sample, reply=content))
    grade.stage(con, grades)
    name = llava_questions.dataset_of(probe.path)
    timed = timestamp_label(probe.path)
    notes = []
    if settings.judge is None:
        notes.append(f"the file does not name its judge: it is {_JUDGE} here, or what --judge says")
    if n_differing:
        notes.append(
            f"{counted(n_differing, 'pair is', 'pairs are')} not what the reply begins with; replies hold"
        )
    return Staged(
        dataset=replace(name, split=None, language=None) if name else None,
        inferred={"benchmark": "the path", "model": "the file's name"},
        notes=tuple(notes),
        judgments=Judgments(
            key="question_id",
            reply="content",
            model=model,
            run=timed[0] if timed else None,
            questions="open",
            task=judges.PAIR,
        ),
    )


def read_pair(content: str) -> list[float]:
    """The two scores as the script reads them from the first line; -1 twice if that fails."""
    words = content.split("\n")[0].replace(",", " ").split(" ")
    try:
        scores = [float(word) for word in words]
    except ValueError:
        return _FAILED
    return scores if len(scores) == 2 and all(map(math.isfinite, scores)) else _FAILED


def _pair(probe: Probe, row: int, written: str | None) -> list[float]:
    try:
        pair = json.loads(written or "null")
    except ValueError:
        pair = None
    if (
        not isinstance(pair, list)
        or len(pair) != 2
        or any(isinstance(one, bool) or not isinstance(one, int | float) for one in pair)
    ):
        raise InputError(probe.path, f"{written!r} is no pair of numbers", row=row, field="tuple")
    return [float(one) for one in pair]


def _accepts(probe: Probe) -> bool:
    if probe.kind != "jsonl":
        return False
    return probe.has("content", "tuple") or probe.has("review_id", "answer1_id", "text", "score")


ADAPTER = Adapter(
    name="llava_reviews",
    version=1,
    description="LLaVA's GPT reviews, `{model}.jsonl` or `{model}-eval{n}.jsonl`: `question_id, "
    "content, tuple`; two scores in one reply",
    needs=("question_id",),
    accepts=_accepts,
    stage=stage,
    place=Place.REFERRING,
)
