"""lmms-eval's own figures of its tasks, `{model}/{time}_results.json`.

They are kept as written, to compare ours with, and no view scores from them. Each task's are of the
run that its samples are.
"""

from __future__ import annotations

from functools import partial

import duckdb

from ingest import harness_results, results_files
from ingest.adapter import Adapter, Place
from ingest.facts import resolve
from ingest.facts.other_facts import Facts
from ingest.lmms_eval import lmms_drawn, lmms_results
from ingest.reading import json_map
from ingest.reading.probe import Probe
from ingest.settings import Settings
from ingest.staged import Staged
from warehouse import models, statements, taxonomy
from warehouse.errors import InputError
from warehouse.wording import counted

_SQL = statements.of_module(__file__)


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Say of which model the figures are; `load` stores them.

    Raises:
        InputError: the file is named as no results file.
    """
    time = lmms_results.time_of(probe.path)
    if probe.kind != lmms_results.KIND or time is None:
        raise InputError(probe.path, "is not named as one of lmms-eval's results files")
    results = json_map.read_object(probe.path)
    model = settings.model or results_files.model_of(probe.path, results)[0]
    return Staged(
        facts=Facts(
            partial(load, con, settings, model, time),
            {"model": model, "run": settings.run or time},
            harness=harness_results.LMMS_EVAL,
            is_staged=False,
        )
    )


def load(
    con: duckdb.DuckDBPyConnection, settings: Settings, model: str, time: str, source_id: int
) -> list[str]:
    """Store the figures; return what was loaded."""
    model_id = models.ensure(con, model, source_id=source_id)
    loaded = []
    for task, n in con.execute(_SQL["tasks"]).fetchall():
        dataset, way = harness_results.dataset_of(con, task, settings)
        label = harness_results.label_of(time, task, dataset, way, settings)
        named = resolve.mapped(con, settings, Staged(dataset=dataset, task_name=task)).benchmark
        benchmark_id, _ = taxonomy.ensure_benchmark(
            con, settings.benchmark or named or task, source_id=source_id
        )
        con.execute(
            _SQL["add_figures"],
            {
                "model_id": model_id,
                "benchmark_id": benchmark_id,
                "task": task,
                "label": label,
                "judge": lmms_drawn.JUDGES.get(str(settings.benchmark or named)),
                "source_id": source_id,
            },
        )
        loaded.append(f"{counted(n, 'figure')} of the harness: {task} of {model}, run {label}")
    return loaded


ADAPTER = Adapter(
    name="lmms_figures",
    version=1,
    description="lmms-eval's own figures, `{model}/{time}_results.json`: kept as written and compared with ours",
    needs=("metric",),
    accepts=lambda probe: probe.kind == lmms_results.KIND,
    stage=stage,
    place=Place.REFERRING,
)
