"""What lm-evaluation-harness made of an answer: a field for each metric that `metrics` lists."""

from __future__ import annotations

from collections.abc import Iterator

from ingest import harness_metrics
from ingest.lm_eval.lm_eval_records import Sample


def name_of(written: str) -> str | None:
    """A filter's name; None: there is none, which the harness writes as one."""
    return None if written == "none" else written


def rows(model: str, one: Sample) -> Iterator[tuple[object, ...]]:
    """The rows for `stage_harness_score`; with repeats they are of what the filter made of all."""
    answer = one.filtered[0] if one.filtered and one.filtered != one.said else None
    place = (one.row, model, None, one.question.key, one.question.step, 0)
    for name, value in one.metrics.items():
        found = harness_metrics.read(value)
        if found is not None:
            yield (*place, name, name_of(one.filter), found.value, found.score, answer)
