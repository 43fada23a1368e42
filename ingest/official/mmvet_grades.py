"""MM-Vet's grade files, `{model}_{judge}-grade-{n}runs.json`.

The form is `{id: {model: [], content: [], score: []}}`. Each place in the lists is one grade: the
judge model, what it said, and the score that the script read from that. One file may hold several
judges; each has its own samples, counted in the order of the lists. What the judge said is kept,
and the score is not, since the rules read it again. A failed grade cannot be distinguished from a
real zero in such a file.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from dataclasses import dataclass
from typing import Any

import duckdb

from ingest import grade
from ingest.adapter import Adapter, Place
from ingest.facts.judgment_facts import Judgments
from ingest.names import timestamp_label
from ingest.official import mmvet_version
from ingest.reading.probe import Probe
from ingest.settings import Settings
from ingest.staged import Staged
from warehouse.errors import InputError
from warehouse.wording import counted

_NAME = re.compile(r"(?P<model>.+)_[^_]+-grade-\d+runs?")
_LISTS = ("model", "content", "score")


@dataclass(frozen=True)
class _Entry:
    model: list[str]
    content: list[str]
    score: list[float]


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage the grades.

    Raises:
        InputError: an entry is not three lists of the same length, or a score is out of range; or
            nothing names the model that was graded.
    """
    named = _NAME.fullmatch(probe.path.stem)
    model = settings.model or (named["model"] if named else None)
    if model is None:
        raise InputError(
            probe.path,
            "the name does not contain the model (expected {model}_{judge}-grade-{n}runs); give it with "
            "--model",
        )
    grades = []
    n_differing = 0
    rows = con.execute(
        f"SELECT __row, trim(key), {', '.join(_LISTS)} FROM raw ORDER BY 1"
    ).fetchall()
    for row, key, *lists in rows:
        entry = _entry(probe, row, lists)
        samples: Counter[str] = Counter()
        for judge, content, score in zip(entry.model, entry.content, entry.score, strict=True):
            grades.append(
                grade.Grade(row, model, None, key, 0, judge, samples[judge], reply=content)
            )
            samples[judge] += 1
            n_differing += _first_number(content) != score
    grade.stage(con, grades)
    timed = timestamp_label(probe.path)
    notes: list[str] = []
    if n_differing:
        notes.append(
            f"{counted(n_differing, 'score is', 'scores are')} not what the judge's reply begins with; replies hold"
        )
    return Staged(
        dataset=mmvet_version.dataset(con),
        inferred={"benchmark": "the format", "model": "the file's name"},
        notes=tuple(notes),
        judgments=Judgments(
            key="key",
            reply="content",
            judge="model",
            model=model,
            run=timed[0] if timed else None,
            questions="open",
        ),
    )


def _entry(probe: Probe, row: int, written: list[str | None]) -> _Entry:
    lists: dict[str, list[Any]] = {}
    for field, text in zip(_LISTS, written, strict=True):
        try:
            values = json.loads(text or "null")
        except ValueError:
            values = text
        if not isinstance(values, list):
            raise InputError(probe.path, "is no list", row=row, field=field)
        if len(values) != len(lists.get("model", values)):
            raise InputError(
                probe.path,
                f"has {counted(len(values), 'entry', 'entries')} where model has {len(lists['model'])}",
                row=row,
                field=field,
            )
        lists[field] = values
    for field in ("model", "content"):
        for value in lists[field]:
            if not isinstance(value, str) or (field == "model" and not value.strip()):
                raise InputError(probe.path, f"{value!r} is no text", row=row, field=field)
    for value in lists["score"]:
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
            raise InputError(
                probe.path, f"{value!r} is no score from 0 to 1", row=row, field="score"
            )
    return _Entry(**lists)


def _first_number(content: str) -> float | None:
    try:
        found = float(content.split()[0])
    except (ValueError, IndexError):
        return None
    return found if math.isfinite(found) else None


ADAPTER = Adapter(
    name="mmvet_grades",
    version=1,
    description="MM-Vet's grades, `{model}_{judge}-grade-{n}runs.json`: `{id: {model: [], content: [], score: []}}`",
    needs=("key", "model", "content", "score"),
    accepts=lambda probe: probe.kind == "json_map",
    stage=stage,
    place=Place.REFERRING,
)
