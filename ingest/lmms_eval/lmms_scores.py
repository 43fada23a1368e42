"""What lmms-eval made of an answer: the fields of a sample that are metrics of its task."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

import duckdb

from ingest import harness_metrics, staged_rows
from ingest.harness_results import SamplesInfo

_NO_METRICS = frozenset(
    [
        "doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "input",
        "input_media", "token_counts", "submission", "doc_hash", "prompt_hash", "target_hash",
    ]
)  # fmt: skip


class Place(Protocol):
    """Which question and pass a sample is about."""

    @property
    def split(self) -> str | None: ...
    @property
    def question_key(self) -> str: ...
    @property
    def step(self) -> int: ...


def stage(
    con: duckdb.DuckDBPyConnection,
    info: SamplesInfo,
    records: Sequence[Mapping[str, Any]],
    places: Mapping[int, Place],
) -> None:
    """Stage the metrics of the records that have a place, of the run of what was scored."""
    rows: list[tuple[object, ...]] = []
    name, listed = _filter(info), _listed(info)
    for row, place in places.items():
        said = records[row - 1].get("filtered_resps")
        text = said if isinstance(said, str) else None
        where = (row, info.model, place.split, place.question_key, place.step, 0)
        for metric, value in _metrics(records[row - 1]):
            if metric not in listed and (listed or isinstance(value, str)):
                # Nothing is made of it: MMMU's samples have the same under another name too.
                continue
            found = harness_metrics.read(value, said=text)
            if found is not None:
                rows.append((*where, metric, name, found.value, found.score, found.answer))
    staged_rows.add(con, "stage_harness_score", rows)


def _metrics(record: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    for name, value in record.items():
        if name not in _NO_METRICS and isinstance(value, int | float | dict | str):
            yield name, value


def _listed(info: SamplesInfo) -> set[object]:
    """The metrics that the task's settings name; none: these are not known."""
    listed = info.config.get("metric_list")
    return (
        {one.get("metric") for one in listed if isinstance(one, dict)}
        if isinstance(listed, list)
        else set()
    )


def _filter(info: SamplesInfo) -> str | None:
    """The name of the task's filter; None: there is none, or several."""
    listed = info.config.get("filter_list")
    names = (
        [one.get("name") for one in listed if isinstance(one, dict)]
        if isinstance(listed, list)
        else []
    )
    found = names[0] if len(names) == 1 else None
    return found if isinstance(found, str) and found != "none" else None
