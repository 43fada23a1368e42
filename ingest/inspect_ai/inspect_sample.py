"""One sample of an Inspect log as values: the question, the answer, what scorers and graders said."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ingest.inspect_ai import inspect_scores
from ingest.inspect_ai.inspect_messages import answer, first_image, text
from ingest.inspect_ai.inspect_scores import Said, Scored
from ingest.reading import json_map
from warehouse.errors import InputError

_COST = ("model_usage", "total_time", "working_time", "started_at", "completed_at", "turn_count", "limit")  # fmt: skip


@dataclass(frozen=True)
class Sample:
    """A sample: its values in the order of the columns of `raw`, and what belongs to it."""

    values: tuple[Any, ...]
    said: list[Said]
    scored: list[Scored]
    explained: list[tuple[str, str]]
    cost: str | None


def read(path: Path, row: int, name: str, sample: dict[str, Any]) -> Sample:
    """A sample taken apart.

    Raises:
        InputError: it is not as samples are.
    """

    def value_of(key: str, types: tuple[type, ...], words: str) -> Any:
        value = sample.get(key)
        if not isinstance(value, types) or isinstance(value, bool):
            raise InputError(path, f"is no {words} in {name}", row=row, field=key)
        return value

    none = type(None)
    attachments = value_of("attachments", (dict, none), "object") or {}
    output = value_of("output", (dict, none), "object") or {}
    choices = value_of("choices", (list, none), "list")
    target = value_of("target", (str, list, none), "text or list")
    error = value_of("error", (dict, none), "object") or value_of(
        "invalidation", (dict, none), "object"
    )
    epoch = value_of("epoch", (int,), "whole number")
    if not 1 <= epoch <= 32_767:
        raise InputError(path, f"{epoch} is no epoch in {name}", row=row, field="epoch")
    key = str(value_of("id", (int, str), "number or text")).strip()
    if not key:
        raise InputError(path, f"is empty in {name}", row=row, field="id")
    metadata = dict(value_of("metadata", (dict, none), "object") or {})
    prompt = value_of("input", (str, list), "text or list of messages")
    found = (
        key,
        epoch,
        text(attachments, prompt, "user") or None,
        first_image(attachments, prompt),
        None if choices is None else _json([text(attachments, one) for one in choices]),
        _json(
            [text(attachments, one) for one in (target if isinstance(target, list) else [target])]
        ),
        answer(attachments, output),
        None if error is None else str(error.get("message") or error.get("reason") or error),
        output.get("model") if isinstance(output.get("model"), str) else None,
        json_map.text(metadata.pop("split", None)) or None,
        _json([{"name": key, "value": json_map.text(value)} for key, value in metadata.items()]),
    )
    scores = value_of("scores", (dict, none), "object") or {}
    if not scores and isinstance(sample.get("score"), dict):
        scores = {inspect_scores.ONLY: sample["score"]}
    said = inspect_scores.said(attachments, sample, scores)
    known = {found[2], found[6], *(one.reply for one in said)}
    return Sample(
        found,
        said,
        inspect_scores.scored(attachments, scores),
        inspect_scores.explained(attachments, scores, known),
        _cost(sample, output),
    )


def _cost(sample: dict[str, Any], output: dict[str, Any]) -> str | None:
    """What the log says of a sample's tokens, times, limit and end, as JSON."""
    choices, retries = output.get("choices"), sample.get("error_retries")
    first = choices[0] if isinstance(choices, list) and choices else None
    found: dict[str, object] = {name: sample.get(name) for name in _COST}
    found["stop_reason"] = first.get("stop_reason") if isinstance(first, dict) else None
    found["usage"] = output.get("usage")
    found["error_retries"] = len(retries) if isinstance(retries, list) else None
    found = {name: value for name, value in found.items() if value not in (None, "", {}, 0)}
    # NaN is no JSON that SQL reads.
    return _json(json.loads(json.dumps(found), parse_constant=str)) if found else None


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
