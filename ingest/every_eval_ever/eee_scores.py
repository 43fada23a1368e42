"""An aggregate of Every Eval Ever alone, `{uuid}.json`: published figures.

A result counts where its dataset is of a benchmark known here, and it is about all questions or
about an ability, by the benchmark's own average. Figures are kept in percent, and no view scores
from them. An aggregate next to its records (`{uuid}_samples.jsonl`) adds nothing to them.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

import duckdb

from ingest.adapter import Adapter, Place
from ingest.every_eval_ever import eee_aggregate
from ingest.facts.other_facts import Facts
from ingest.names import read_dataset_name
from ingest.reading.probe import Probe
from ingest.settings import Settings
from ingest.staged import Staged
from warehouse import models, statements, taxonomy
from warehouse.errors import InputError
from warehouse.every_eval_ever import samples_of

_SQL = statements.of_module(__file__)


@dataclass(frozen=True)
class _Figure:
    """A result that is about an ability of a benchmark; `metric` as the file calls it."""

    row: int
    metric: str
    percent: str


def load(
    con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings, source_id: int
) -> list[str]:
    """Store the figures; return what was loaded.

    Raises:
        InputError: a score that is no finite number, or out of its scale, or no result is of a
            benchmark known here.
    """
    path = probe.path
    aggregate = eee_aggregate.read(path)
    if samples_of(path).is_file():
        return [f"nothing: {samples_of(path).name} in the same folder holds the run"]
    figures: dict[tuple[int, int], list[_Figure]] = defaultdict(list)
    n_foreign = n_other = 0
    for row, result in enumerate(aggregate.results, start=1):
        percent = _percent(path, row, result)
        name = eee_aggregate.dataset_of(con, result, settings)
        benchmark = settings.benchmark or (name.benchmark if name else None)
        if benchmark is None:
            n_foreign += 1
            continue
        benchmark_id, _ = taxonomy.ensure_benchmark(con, benchmark, source_id=source_id)
        ability_id = _ability(con, benchmark_id, result)
        if ability_id is None or percent is None:
            n_other += 1
            continue
        metric = _object(result, "metric_config")
        words = str(metric.get("metric_id") or metric.get("metric_name") or "its metric")
        figures[benchmark_id, ability_id].append(_Figure(row, words, percent))
    if n_foreign == len(aggregate.results):
        raise InputError(
            path,
            "holds no result of a benchmark that is known here; --benchmark says which one it is",
            field="evaluation_results.source_data.dataset_name",
        )
    model = settings.model or aggregate.model
    model_id = models.ensure(con, model, source_id=source_id)
    notes = []
    n_scores = 0
    for (benchmark_id, ability_id), several in figures.items():
        if len(several) > 1:
            metrics = ", ".join(one.metric for one in several)
            notes.append(f"left out: several figures for one thing, by {metrics}")
            continue
        con.execute(
            "INSERT INTO main.published_score VALUES (?, ?, ?, ?, NULL, NULL, ?)",
            [benchmark_id, model_id, ability_id, several[0].percent, source_id],
        )
        n_scores += 1
    if n_foreign:
        notes.append(f"left out: {n_foreign:,} results of benchmarks that are not known here")
    if n_other:
        notes.append(
            f"left out: {n_other:,} results about no ability known here, by another average or strategy "
            "than the benchmark's, or on no scale from 0 to 1 or 100"
        )
    return [f"{n_scores:,} published scores of {model}", *dict.fromkeys(notes)]


def is_sidecar(path: Path) -> str | None:
    """Describe an aggregate that is read with the records in its folder; None: it is not one."""
    if path.suffix == ".json" and samples_of(path).is_file():
        return f"the aggregate of {samples_of(path).name}"
    return None


def _ability(
    con: duckdb.DuckDBPyConnection, benchmark_id: int, result: Mapping[str, Any]
) -> int | None:
    """The ability that a result is about, 0 for all questions; None: something else."""
    ((strategy, average),) = con.execute(
        "SELECT strategy, average FROM main.benchmark WHERE benchmark_id = ?", [benchmark_id]
    ).fetchall()
    metric = _object(result, "metric_config")
    own = eee_aggregate.own_details(metric.get("additional_details"))
    if own:
        if (own.get("strategy"), own.get("average")) != (strategy, average):
            return None
        level, name = own.get("level"), own.get("ability", "")
        if level == "overall":
            return 0
    else:
        written = str(result.get("evaluation_name") or "")
        if written == eee_aggregate.dataset_name(result) or read_dataset_name(written):
            return 0
        level, name = None, written.rpartition("/")[2]
    found = con.execute(
        _SQL["find_ability"], {"benchmark_id": benchmark_id, "name": name, "level": level}
    ).fetchall()
    return int(found[0][0]) if found else None


def _percent(path: Path, row: int, result: Mapping[str, Any]) -> str | None:
    """The score in percent; None: it is on another scale, or the lower the better."""
    score = _object(result, "score_details").get("score")
    if isinstance(score, bool) or not isinstance(score, int | float) or not math.isfinite(score):
        raise InputError(
            path, f"{score!r} is no finite number", row=row, field="score_details.score"
        )
    metric = _object(result, "metric_config")
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
        raise InputError(
            path,
            f"{score!r} is out of its scale, 0 to {100 // scale}",
            row=row,
            field="score_details.score",
        )
    return f"{percent.normalize():f}"


def _object(result: Mapping[str, Any], name: str) -> dict[str, Any]:
    value = result.get(name)
    return value if isinstance(value, dict) else {}


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage nothing; `load` stores the facts."""
    return Staged(facts=Facts(partial(load, con, probe, settings)))


ADAPTER = Adapter(
    name="eee_scores",
    version=1,
    description="an aggregate of Every Eval Ever alone, `{uuid}.json`: `evaluation_results`, kept as published scores",
    needs=("evaluation_name", "source_data", "metric_config", "score_details"),
    accepts=lambda probe: probe.kind == "json_list",
    stage=stage,
    place=Place.REFERRING,
)
