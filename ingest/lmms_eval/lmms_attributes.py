"""How each of lmms-eval's answers came about: what a sample holds next to the answer and its metrics.

input           the prompt, with the few-shot examples and all that the task adds
input_media     the images, videos and sounds
token_counts    what the answer took, where the model counts it
arguments       in files of earlier versions, the prompt and the settings of its generation
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import duckdb

from ingest import staged_rows
from ingest.lmms_eval.lmms_scores import Place

_KEPT = ("input_media", "token_counts", "arguments")


def stage(
    con: duckdb.DuckDBPyConnection,
    records: Sequence[Mapping[str, Any]],
    places: Mapping[int, Place],
) -> None:
    """Stage what the records say that have a place; it holds for the run of each filter."""
    staged_rows.add(
        con,
        "stage_answer_attribute",
        [
            (row, None, place.split, place.question_key, place.step, 0, *pair)
            for row, place in places.items()
            for pair in _attributes(records[row - 1])
        ],
    )


def _attributes(record: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    prompt = record.get("input")
    if isinstance(prompt, str) and prompt:
        yield "prompt", prompt
    for name in _KEPT:
        value = record.get(name)
        if _says_something(value):
            yield name, json.dumps(value, ensure_ascii=False)


def _says_something(value: object) -> bool:
    """Whether anything is in it: of an answer that nobody counted, token_counts is [null]."""
    if isinstance(value, list):
        return any(_says_something(one) for one in value)
    if isinstance(value, Mapping):
        return any(_says_something(one) for one in value.values())
    return value is not None and value != ""
