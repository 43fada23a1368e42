"""An aggregate of Every Eval Ever alone, `{uuid}.json`: published figures.

A result is a published score, in percent, where its dataset is of a benchmark known here, and it is
about all questions or about an ability, by the benchmark's own average. Every other one is a figure
of the harness, as it is written; a dataset that is not known becomes a benchmark of its name. No view
scores from either. Schema 0.2 says less, such as no unit and perhaps no library. An aggregate
next to its records (`{uuid}_samples.jsonl`) adds nothing to them.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

from ingest import eee_aggregate
from ingest.eee_aggregate import RESULTS, part
from ingest.fields import Field
from ingest.names import DatasetName, read_dataset_name
from ingest.reading.head import Format, Head, Seen
from ingest.sample import About, Figure, Published, Sample
from warehouse.errors import InputError
from warehouse.every_eval_ever import samples_of

FORMATS = {
    "eee_scores": Format(
        2,
        "an aggregate of Every Eval Ever alone, `{uuid}.json`: `evaluation_results`, kept as published "
        "scores or as figures",
        "REFERRING",
    )
}
FIELDS: tuple[Field, ...] = ()
_NAMED = (b'"evaluation_id":', b'"model_info":', b'"evaluation_results":')


def recognise(head: Head) -> Seen | None:
    """Say what shows that a file is an aggregate."""
    is_one = any(name in head.start for name in _NAMED)
    if is_one and isinstance(head.document.get(RESULTS), list):
        return Seen(RESULTS, are_figures=True, format="eee_scores")
    return None


def sidecar(path: Path) -> str | None:
    """Say that an aggregate is read with the records in its folder."""
    if path.suffix == ".json" and samples_of(path).is_file():
        return f"the aggregate of {samples_of(path).name}"
    return None


def read(path: Path) -> tuple[About, Iterator[Sample]]:
    """Read an aggregate.

    Raises:
        InputError: a score that is no finite number, or out of its scale, or the aggregate lacks what
            is needed of it.
    """
    aggregate = eee_aggregate.read(path)
    figures = [_figure(path, row, one) for row, one in enumerate(aggregate.results, start=1)]
    is_known = samples_of(path).is_file()
    note = f"nothing: {samples_of(path).name} in the same folder holds the run"
    return About(
        "unknown",
        aggregate.model,
        "",
        aggregate.evaluation_id,
        figures=() if is_known else tuple(figures),
        remarks=(note,) if is_known else (),
        are_published=True,
        n_rows=len(figures),
    ), iter(())


def _figure(path: Path, row: int, result: Mapping[str, Any]) -> Figure:
    """A result: its name, and the metric's, where it has one, and the score that is published so."""
    for name, value in result.items():
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError as error:
            raise InputError(path, f"cannot be read: {error}", row=row, field=name) from error
    metric, task = part(result, "metric_config"), eee_aggregate.dataset_name(result)
    named = str(result.get("evaluation_name") or "")
    names = (named, metric.get("metric_id") or metric.get("metric_name"))
    own = eee_aggregate.own_details(metric.get("additional_details"))
    is_whole = named == task or read_dataset_name(named) is not None
    ability = named.rpartition("/")[2]
    if own:
        is_whole, ability = own.get("level") == "overall", own.get("ability", "")
    return Figure(
        "|".join(str(one) for one in names if one) or "score",
        str(part(result, "score_details").get("score")),
        task=task,
        published=Published(
            partial(_dataset, path, row, result),
            _percent(path, row, result),
            None if is_whole else ability,
            own.get("level"),
            (own.get("strategy"), own.get("average")) if own else None,
        ),
    )


def _dataset(
    path: Path, row: int, result: Mapping[str, Any], known: tuple[str, ...]
) -> DatasetName | None:
    found = eee_aggregate.dataset_of(result, known)
    if found is None and not eee_aggregate.dataset_name(result):
        problem = "is missing, and nothing else says which benchmark it is; --benchmark does"
        raise InputError(path, problem, row=row, field="source_data.dataset_name")
    return found


def _percent(path: Path, row: int, result: Mapping[str, Any]) -> str | None:
    """The score in percent; None: it is on another scale, or the lower the better."""
    wrong = partial(InputError, path, row=row, field="score_details.score")
    score = part(result, "score_details").get("score")
    if isinstance(score, bool) or not isinstance(score, int | float) or not math.isfinite(score):
        raise wrong(f"{score!r} is no finite number")
    metric = part(result, "metric_config")
    unit, largest = metric.get("metric_unit"), metric.get("max_score")
    if metric.get("lower_is_better") is True:
        return None
    if unit == "percent" or largest == 100:
        scale = 1
    elif unit == "proportion" or largest == 1 or (unit is None and largest is None):
        scale = 100
    else:
        return None
    percent = Decimal(repr(score)) * scale
    if not 0 <= percent <= 100:
        raise wrong(f"{score!r} is out of its scale, 0 to {100 // scale}")
    return f"{percent.normalize():f}"
