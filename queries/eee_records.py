"""Every Eval Ever's instance-level records of a run: one for each question, pass and sample."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from string import ascii_uppercase
from typing import Any

from warehouse.every_eval_ever import FAILED, MISSING, OURS, VERSION


@dataclass(frozen=True)
class Link:
    """What every record of a file has in common: which aggregate and which of its results it is
    of."""

    evaluation_id: str
    model: str
    dataset: str
    result_id: str


def records(
    rows: Sequence[Mapping[str, Any]], facts: Mapping[int, Mapping[str, Any]], link: Link
) -> Iterator[dict[str, Any]]:
    """The records in the order of the rows (`commands/eee_records.sql`).

    Args:
        facts: what else is known of each question, by its id; stands in the first record of each.
    """
    seen: set[int] = set()
    for row in rows:
        question_id = row["question_id"]
        facts_of = facts[question_id]
        first = question_id not in seen
        seen.add(question_id)
        yield _record(row, facts_of, link, first)


def _record(
    row: Mapping[str, Any], facts: Mapping[str, Any], link: Link, first: bool
) -> dict[str, Any]:
    state = _state(row)
    # Labels alone are not references of an answer in words, and answers in words have no labels.
    reference = [row["answer"]] if row["answer"] is not None else list(facts["refs"] or ())
    predicted = row["predicted"]
    return {
        "schema_version": VERSION,
        "evaluation_id": link.evaluation_id,
        "model_id": link.model,
        "evaluation_name": link.dataset,
        "evaluation_result_id": link.result_id,
        "sample_id": row["question_key"],
        "sample_hash": sha256("".join((row["question"], *reference)).encode()).hexdigest(),
        "interaction_type": "single_turn",
        "input": {"raw": row["question"], "reference": reference, "choices": row["texts"]},
        "output": {"raw": [] if row["prediction"] is None else [row["prediction"]]},
        "answer_attribution": []
        if predicted is None
        else [
            {
                "turn_idx": 0,
                "source": "output.raw",
                "extracted_value": predicted,
                "extraction_method": row["resolved_by"],
                "is_terminal": True,
            }
        ],
        "evaluation": {"score": row["score"], "is_correct": row["score"] == 1},
        "error": _ERRORS.get(state) if state else None,
        "metadata": _metadata(row, facts, state, first),
    }


_ERRORS = {MISSING: "no answer", FAILED: "inference failed"}


def _state(row: Mapping[str, Any]) -> str | None:
    if not row["has_answer"] and row["scores"] is None:
        return MISSING
    return FAILED if row["failed"] else None


def _score(one: Mapping[str, Any]) -> list[object]:
    # As text: JSON has no infinite numbers.
    return [one["component"], one["label"], repr(one["score"]), one["n_tokens"], one["scorer"]]


def _metadata(
    row: Mapping[str, Any], facts: Mapping[str, Any], state: str | None, first: bool
) -> dict[str, str]:
    metadata: dict[str, object] = {
        "pass": row["pass"],
        "sample": row["sample"],
        "resolved_by": row["resolved_by"],
    }
    if state is not None:
        metadata["state"] = state
    if row["answer"] is not None:
        metadata["answer"] = row["answer"]
    labels = row["labels"]
    usual = [list(ascii_uppercase[: len(labels or ())]), list(range(len(labels or ())))]
    if labels is not None and [labels, row["ordinals"]] != usual:
        # Where the columns of choices have gaps.
        metadata |= {"labels": labels, "ordinals": row["ordinals"]}
    if row["scores"] is not None:
        metadata["scores"] = [_score(one) for one in row["scores"]]
    if first:
        names = ("abilities", "attributes", "images", "components")
        known = {name: facts[name] for name in names if facts[name]}
        if known:
            metadata["question"] = known
    return {
        f"{OURS}{name}": value if isinstance(value, str) else json.dumps(value)
        for name, value in metadata.items()
    }
