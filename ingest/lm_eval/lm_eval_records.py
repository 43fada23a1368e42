"""A line of lm-evaluation-harness's samples: its question, and the filtered responses."""

from __future__ import annotations

from collections.abc import Mapping, ValuesView
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ingest.lm_eval import lm_eval_docs
from ingest.lm_eval.lm_eval_docs import NotRead, Question
from ingest.lmms_eval.lmms_likelihoods import number
from ingest.lmms_eval.lmms_responses import texts
from warehouse.errors import InputError


@dataclass(frozen=True)
class Sample:
    """A line: its question, the filter, and the values or texts after the filter and before it.

    Attributes:
        values: log-likelihoods by label; none: the answer was generated.
        scored: whether those are of the choices' content or letter.
        metrics: what the harness made of the answer, by the metric's name.
    """

    row: int
    filter: str
    question: Question
    values: dict[str, float]
    scored: str
    filtered: list[str]
    said: list[str]
    metrics: dict[str, object]


def read(path: Path, row: int, record: Mapping[str, Any]) -> Sample:
    """The line.

    Raises:
        InputError: a field is not what it should be.
    """
    doc, name = record.get("doc"), record.get("filter")
    if not isinstance(doc, dict):
        raise InputError(path, "is no object", row=row, field="doc")
    if not isinstance(name, str) or not name.strip():
        raise InputError(path, "is empty", row=row, field="filter")
    requests = _requests(path, row, record.get("arguments"))
    ranked = all(isinstance(one[1], str) for one in requests)
    continuations = [str(one[1]) for one in requests] if ranked else []
    if len(set(continuations)) == 1 < len(continuations):
        # The choices stand in the prompts, and the same words follow each.
        continuations = [str(one[0]) for one in requests]
    try:
        question = lm_eval_docs.read(
            doc, str(record.get("target") or ""), str(requests[0][0]), continuations, record.get("doc_id")
        )  # fmt: skip
        values, scored = _values(path, row, record, question, continuations)
    except NotRead as error:
        raise InputError(path, error.problem, row=row, field=error.field) from error
    return Sample(
        row=row,
        filter=name,
        question=question,
        values=values,
        scored=scored,
        filtered=[] if ranked else texts(path, row, "filtered_resps", record.get("filtered_resps")),
        said=[] if ranked else texts(path, row, "resps", record.get("resps")),
        metrics=_metrics(record),
    )


def _metrics(record: Mapping[str, Any]) -> dict[str, object]:
    names = record.get("metrics")
    listed = names if isinstance(names, list) else ()
    return {name: record[name] for name in listed if isinstance(name, str) and name in record}


def _requests(path: Path, row: int, arguments: object) -> list[tuple[Any, Any]]:
    """Prompt and continuation, or settings, of each request; unconditional ones are left out."""
    found: list[tuple[Any, Any]] = []
    requests = arguments.values() if isinstance(arguments, dict) else arguments
    for one in requests if isinstance(requests, list | ValuesView) else ():
        pair = tuple(one.values()) if isinstance(one, dict) else tuple(one) if isinstance(one, list) else ()  # fmt: skip
        if len(pair) < 2 or not isinstance(pair[1], str | dict):
            raise InputError(
                path,
                "is neither a prompt with a continuation nor a prompt with settings",
                row=row,
                field="arguments",
            )
        found.append((pair[0], pair[1]))
    if not found:
        raise InputError(path, "holds no request", row=row, field="arguments")
    half = len(found) // 2
    if half and [one[1] for one in found[:half]] == [one[1] for one in found[half:]]:
        return found[:half] if all(one[0] == "" for one in found[half:]) else found
    return found


def _values(
    path: Path, row: int, record: Mapping[str, Any], question: Question, continuations: list[str]
) -> tuple[dict[str, float], str]:
    """The log-likelihood of each choice by its label, and what was scored."""
    if not continuations:
        return {}, ""
    filtered = record.get("filtered_resps")
    n_filtered = len(filtered) if isinstance(filtered, list) else 0
    if n_filtered not in (len(continuations), 2 * len(continuations)):
        raise NotRead(
            "filtered_resps", f"has {n_filtered} likelihoods for {len(continuations)} continuations"
        )
    assert isinstance(filtered, list)
    found = {}
    kinds = set()
    for place, (one, words) in enumerate(zip(filtered, continuations, strict=False)):
        label, kind = lm_eval_docs.label_of(words, place, question)
        if label in found:
            raise NotRead("arguments", f"scores the choice {label} twice")
        found[label] = number(path, row, one, "loglik")
        kinds.add(kind)
    return found, "letter" if kinds == {"letter"} else "content"
