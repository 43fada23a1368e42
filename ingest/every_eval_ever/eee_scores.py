"""An aggregate of Every Eval Ever alone, `{uuid}.json`: published figures.

A result is a published score, in percent, where its dataset is of a benchmark known here, and it is
about all questions or about an ability, by the benchmark's own average. Every other one is a figure
of the harness, as it is written; a dataset that is not known becomes a benchmark of its name. No view
scores from either. Schema 0.2 says less, such as no unit and perhaps no library. An aggregate
next to its records (`{uuid}_samples.jsonl`) adds nothing to them.
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
from ingest.settings import Settings, TaskMap
from ingest.staged import Staged
from warehouse import models, statements, taxonomy
from warehouse.errors import InputError
from warehouse.every_eval_ever import samples_of
from warehouse.wording import counted

_SQL = statements.of_module(__file__)


@dataclass(frozen=True)
class _Figure:
    """A result.

    Attributes:
        task: what the file calls its dataset.
        metric: what it is of, by the file's own names.
        value: as it is written.
        percent: the same in percent; None: it is on another scale, or the lower the better.
    """

    benchmark_id: int
    task: str
    metric: str
    value: str
    percent: str | None


def load(
    con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings, source_id: int
) -> list[str]:
    """Store the figures; return what was loaded.

    Raises:
        InputError: a score that is no finite number, or out of its scale, or a result that names no
            dataset.
    """
    path = probe.path
    aggregate = eee_aggregate.read(path)
    if samples_of(path).is_file():
        return [f"nothing: {samples_of(path).name} in the same folder holds the run"]
    figures: dict[tuple[int, int], list[_Figure]] = defaultdict(list)
    kept: list[_Figure] = []
    for row, result in enumerate(aggregate.results, start=1):
        percent = _percent(path, row, result)
        name = eee_aggregate.dataset_of(con, result, settings)
        task = eee_aggregate.dataset_name(result)
        benchmark = settings.benchmark or (name.benchmark if name else None)
        is_known = benchmark is not None
        benchmark = benchmark or TaskMap.of(settings.map).get(task) or task
        if not benchmark:
            raise InputError(
                path,
                "is missing, and nothing else says which benchmark it is; --benchmark does",
                row=row,
                field="source_data.dataset_name",
            )
        benchmark_id, canonical = taxonomy.ensure_benchmark(con, benchmark, source_id=source_id)
        ability_id = _ability(con, benchmark_id, result) if is_known else None
        value = str(_object(result, "score_details")["score"])
        figure = _Figure(benchmark_id, task or canonical, _metric(result), value, percent)
        if ability_id is None or percent is None:
            kept.append(figure)
        else:
            figures[benchmark_id, ability_id].append(figure)
    model = settings.model or aggregate.model
    model_id = models.ensure(con, model, source_id=source_id)
    n_scores = 0
    for (benchmark_id, ability_id), several in figures.items():
        if len(several) > 1:
            # None of them is the one score of it.
            kept += several
            continue
        con.execute(
            "INSERT INTO main.published_score VALUES (?, ?, ?, ?, NULL, NULL, ?)",
            [benchmark_id, model_id, ability_id, several[0].percent, source_id],
        )
        n_scores += 1
    label = settings.run or aggregate.evaluation_id
    if kept:
        con.executemany(
            _SQL["add_figure"],
            [
                [model_id, one.benchmark_id, one.task, label, one.metric, one.value, source_id]
                for one in kept
            ],
        )
    loaded = [f"{counted(n_scores, 'published score')} of {model}"] if n_scores else []
    if kept:
        tasks = ", ".join(dict.fromkeys(one.task for one in kept))
        loaded.append(
            f"{counted(len(kept), 'figure')} of {model}, as they are written: {tasks}; they are of no ability "
            "known here, of another average, strategy or scale, or several of one thing"
        )
    return loaded


def _metric(result: Mapping[str, Any]) -> str:
    """What a result is of: its name, and the metric's, where it has one."""
    metric = _object(result, "metric_config")
    parts = (result.get("evaluation_name"), metric.get("metric_id") or metric.get("metric_name"))
    return "|".join(str(part) for part in parts if part) or "score"


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
    version=2,
    description="an aggregate of Every Eval Ever alone, `{uuid}.json`: `evaluation_results`, kept "
    "as published scores or as figures",
    needs=("evaluation_name", "source_data", "metric_config", "score_details"),
    accepts=lambda probe: probe.kind == "json_list",
    stage=stage,
    place=Place.REFERRING,
)
