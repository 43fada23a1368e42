"""POPE's official label files, JSON lines: `question_id, image, text, label`.

`coco_pope_random.json`: the images' source, which is a dataset of its own, and the way in which objects
were drawn, which numbers its questions from 1. The key says both: `random/1`.
"""

from __future__ import annotations

import json
import re

import duckdb

from ingest import staged_rows
from ingest.adapter import Adapter, Place
from ingest.checks import refuse_empty, refuse_rows
from ingest.facts.question_facts import Questions
from ingest.names import DatasetName
from ingest.reading.lines import text_lines
from ingest.reading.probe import Probe
from ingest.reading.raw import literal
from ingest.settings import Settings
from ingest.staged import Staged
from ingest.yes_no_keys import POPE, POPE_CATEGORIES
from warehouse.errors import InputError

_NAME = re.compile(r"(?:(?P<source>[a-z0-9]+)[_-])?pope(?:[_-].*)?", re.IGNORECASE | re.DOTALL)
_OTHER = ("category", "prompt", "answer_id", "prediction", "answer", "options", "model_id")


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage questions and right answers.

    Raises:
        InputError: an id is empty, or a label is neither yes nor no.
    """
    refuse_empty(con, probe.path, "trim(question_id)", "question_id")
    refuse_rows(
        con,
        probe.path,
        "lower(trim(coalesce(label, ''))) NOT IN ('yes', 'no')",
        "label",
        lambda row: f"{row[1]!r} is neither yes nor no",
        value="label",
    )
    named = _NAME.fullmatch(probe.path.stem)
    words = re.split("[_-]", probe.path.stem.lower())
    category = next((name for name in POPE_CATEGORIES if name in words), None)
    key = "trim(question_id)" if category is None else f"'{category}/' || trim(question_id)"
    staged_rows.select(
        con, "stage_question", question_key=key, text="nullif(text, '')", image="nullif(image, '')"
    )
    staged_rows.select(con, "stage_reference", question_key=key, text="trim(label)")
    notes: tuple[str, ...] = (
        "its name says none of random, popular and adversarial, so that no category is known",
    )
    if category is not None:
        notes = ()
        staged_rows.select(
            con,
            "stage_ability",
            question_key=key,
            level="'category'",
            field="'category'",
            spelling=literal(category),
        )
    source = named["source"].lower() if named and named["source"] else None
    return Staged(
        dataset=DatasetName(POPE, source or "labels"),
        inferred={"benchmark": "the format", "version": "the file's name"},
        notes=notes,
        alerts=notes,
        questions=Questions(
            key="question_id",
            text="text",
            reference="label",
            task="open",
            samples=True,
            has_own_keys=True,
            part=None
            if category is None
            else (POPE_CATEGORIES.index(category), len(POPE_CATEGORIES)),
        ),
    )


def _accepts(probe: Probe) -> bool:
    if probe.kind != "jsonl" or probe.has_any(*_OTHER):
        return False
    try:
        first = json.loads(next(line for line in text_lines(probe.path) if line.strip()))
    except (InputError, ValueError, RecursionError, StopIteration):
        return False
    label = first.get("label") if isinstance(first, dict) else None
    return isinstance(label, str) and label.strip().lower() in ("yes", "no")


ADAPTER = Adapter(
    name="pope_labels",
    version=1,
    description="POPE's official label files, JSON lines, such as `coco_pope_random.json`: "
    "`question_id, image, text, label`",
    needs=("question_id", "image", "text", "label"),
    accepts=_accepts,
    stage=stage,
    place=Place.QUESTIONS,
)
