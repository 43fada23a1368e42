"""Likelihoods of choices in lmms-eval's samples, as the tasks _ppl write them.

filtered_resps is a list of [value, is greedy] as texts, one for each choice in order. lmms-eval's
models give the mean loss of a choice's tokens, and the harness takes the lowest for the best; so
they are perplexities here, unless --method loglik says that a model gave log-likelihoods.

The samples have neither the question's id nor the right letter. Their documents are in the same
order as those of the task without _ppl, whose samples in the same folder have the ids; else the
only question in the warehouse with the same text and right choice is meant.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb

from ingest import harness_results, staged_rows
from ingest.facts.run_facts import Scores
from ingest.harness_results import SamplesInfo
from ingest.lmms_eval import lmms_attributes, lmms_scores, lmms_seed, seed_by_id
from ingest.lmms_eval.lmms_responses import Place
from ingest.lmms_eval.seed_by_id import Known
from ingest.plain.long_scores import REDUCTIONS, SCORED
from ingest.reading.probe import json_records
from ingest.settings import Settings
from ingest.staged import Staged
from warehouse import statements
from warehouse.errors import InputError
from warehouse.wording import counted

_ENDING = re.compile(r"\s*Answer ?:\s*$")
_SQL = statements.of_module(__file__)


def has(record: Mapping[str, Any]) -> bool:
    """Whether a sample is of this form: a list of lists that begin with a text and end with one."""
    filtered = record.get("filtered_resps")
    return (
        isinstance(filtered, list)
        and len(filtered) > 1
        and all(isinstance(one, list) and len(one) == 2 for one in filtered)
        and all(one[1] in ("True", "False") for one in filtered)
    )


def stage(
    con: duckdb.DuckDBPyConnection,
    path: Path,
    settings: Settings,
    info: SamplesInfo,
    records: Sequence[Mapping[str, Any]],
) -> Staged:
    """Stage the values, and the questions if samples in the same folder hold them.

    Raises:
        InputError: a value that is no number, or a question that cannot be identified.
    """
    method, reduction, scored = _method(path, settings)
    values = [_values(path, row, record, method) for row, record in enumerate(records, start=1)]
    questions = _of_other_samples(path, info, records)
    if questions is None:
        keys = _of_warehouse(con, path, settings.benchmark or info.benchmark, info, records)
    else:
        keys = [one.question_key for one in questions]
        seed_by_id.stage(con, questions)
    staged_rows.add(
        con,
        "stage_score",
        [
            (row, info.model, None, key, 0, 0, "answer", chr(ord("A") + n), value, None, None)
            for row, (key, its_values) in enumerate(zip(keys, values, strict=True), start=1)
            for n, value in enumerate(its_values)
        ],
    )
    places = {row: Place(None, key) for row, key in enumerate(keys, 1)}
    lmms_scores.stage(con, info, records, places)
    lmms_attributes.stage(con, records, places)
    notes = []
    n_negative = sum(min(its_values) < 0 for its_values in values)
    if method == "perplexity" and n_negative:
        notes.append(
            f"{counted(n_negative, 'sample has', 'samples have')} values below 0, as "
            "log-likelihoods are; lmms-eval takes the "
            "lowest for the best all the same, and so do we; --method loglik takes the highest"
        )
    scores = Scores(
        key=seed_by_id.KEY,
        prediction="filtered_resps",
        label="filtered_resps",
        method=method,
        reduction=reduction,
        scored=scored,
    )
    return harness_results.staged(
        info, scores, questions=seed_by_id.QUESTIONS if questions else None, notes=notes
    )


def _method(path: Path, settings: Settings) -> tuple[str, str | None, str | None]:
    if settings.method is None:
        return "perplexity", None, None
    if settings.method == "loglik":
        if settings.reduction not in REDUCTIONS:
            raise InputError(path, "log-likelihoods need --reduction sum|mean")
        if settings.scored not in (None, *SCORED):
            raise InputError(path, "log-likelihoods need --scored content|letter")
        return "loglik", settings.reduction, settings.scored or "content"
    return "perplexity", None, None


def _values(path: Path, row: int, record: Mapping[str, Any], method: str) -> list[float]:
    filtered = record.get("filtered_resps")
    if not isinstance(filtered, list) or not filtered:
        raise InputError(path, "is no list of likelihoods", row=row, field="filtered_resps")
    return [number(path, row, one, method) for one in filtered]


def number(path: Path, row: int, pair: object, method: str) -> float:
    """The number in [value, is greedy].

    Raises:
        InputError: it is none. A likelihood of 0 has an infinite logarithm or loss, which is one.
    """
    written = pair[0] if isinstance(pair, list) and pair else pair
    try:
        value = float(written)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        value = math.nan
    worst = -math.inf if method == "loglik" else math.inf
    if not math.isfinite(value) and value != worst:
        raise InputError(path, f"{written!r} is no finite number", row=row, field="filtered_resps")
    return value


def _of_other_samples(
    path: Path, info: SamplesInfo, records: Sequence[Mapping[str, Any]]
) -> list[Known] | None:
    """The questions, from the folder's samples of the task without _ppl; None: there are none."""
    base = "_".join(part for part in info.task.split("_") if part != "ppl")
    own = path.name.replace(info.task, base)
    folder = path.parent
    others = sorted(folder.glob(f"*_samples_{base}.jsonl"), reverse=True) if base else []
    samples_path = next(
        (one for one in (folder / own, *others) if one.is_file() and one != path), None
    )
    if samples_path is None or base == info.task:
        return None
    there = [record for record in json_records(samples_path, "jsonl") if isinstance(record, dict)]
    if not there or not lmms_seed.has(there[0]):
        return None
    known = dict(
        zip(
            (record.get("doc_id") for record in there),
            zip(lmms_seed.known(samples_path, there), there, strict=True),
            strict=True,
        )
    )
    found = []
    for row, record in enumerate(records, start=1):
        question, other = known.get(record.get("doc_id"), (None, {}))
        text = _question_text(record)
        if question is None or not str(other.get("input", "")).lstrip().startswith(text):
            raise InputError(
                path,
                f"{record.get('doc_id')!r} is not the same document in {samples_path.name}, which has to "
                "hold the questions' ids",
                row=row,
                field="doc_id",
            )
        found.append(replace(question, row=row))
    return found


def _of_warehouse(
    con: duckdb.DuckDBPyConnection,
    path: Path,
    benchmark: str | None,
    info: SamplesInfo,
    records: Sequence[Mapping[str, Any]],
) -> list[str]:
    con.execute(
        "CREATE OR REPLACE TEMP TABLE stage_unidentified (row BIGINT, text VARCHAR, target VARCHAR)"
    )
    staged_rows.add(
        con,
        "stage_unidentified",
        [
            (row, _question_text(record), str(record.get("target")))
            for row, record in enumerate(records, start=1)
        ],
    )
    found = {
        row: (n, key)
        for row, n, key in con.execute(_SQL["find_questions"], {"benchmark": benchmark}).fetchall()
    }
    con.execute("DROP TABLE stage_unidentified")
    keys = []
    for row in range(1, len(records) + 1):
        n, key = found.get(row, (0, ""))
        if n != 1:
            raise InputError(
                path,
                f"does not hold the question's id: there are no samples of "
                f"{info.task.replace('_ppl', '')} next to it, and {n or 'no'} questions in the "
                "warehouse have its text and right choice",
                row=row,
                field="input",
            )
        keys.append(str(key))
    return keys


def _question_text(record: Mapping[str, Any]) -> str:
    return _ENDING.sub("", str(record.get("input", ""))).strip()
