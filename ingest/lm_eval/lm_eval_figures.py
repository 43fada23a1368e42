"""lm-evaluation-harness's own figures of its tasks, `{model}/results_{time}.json`.

They are kept as written, to compare ours with, and no view scores from them. A figure is of the run
of its task's samples and its filter; a group of tasks has figures too, and no run. Which tasks a group
has is with the source (`flags`, under `harness`).
"""

from __future__ import annotations

from functools import partial

import duckdb

from ingest import harness_results
from ingest.adapter import Adapter, Place
from ingest.facts.other_facts import Facts
from ingest.lm_eval import lm_eval_results
from ingest.reading import json_map
from ingest.reading.probe import Probe
from ingest.settings import Settings
from ingest.staged import Staged
from warehouse import models, statements
from warehouse.errors import InputError
from warehouse.wording import counted

_SQL = statements.of_module(__file__)


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Say of which model the figures are; `load` stores them.

    Raises:
        InputError: the file is named as no results file.
    """
    time = lm_eval_results.time_of(probe.path)
    if probe.kind != lm_eval_results.KIND or time is None:
        raise InputError(probe.path, "is not named as one of lm-evaluation-harness's results files")
    results = json_map.read_object(probe.path)
    model, _ = harness_results.model_of(probe.path, results, settings)
    groups = lm_eval_results.tasks_of_groups(results)
    return Staged(
        said={"tasks_of_groups": groups} if groups else {},
        facts=Facts(
            partial(load, con, settings, model, time),
            {"model": model, "run": settings.run or time},
            harness=harness_results.LM_EVAL,
            is_staged=False,
        ),
    )


def load(
    con: duckdb.DuckDBPyConnection, settings: Settings, model: str, time: str, source_id: int
) -> list[str]:
    """Store the figures; return what was loaded."""
    model_id = models.ensure(con, model, source_id=source_id)
    loaded = []
    for task, n in con.execute(_SQL["tasks"]).fetchall():
        of_task = {"model_id": model_id, "samples": f"samples_{task}_{time}.jsonl"}
        found = con.execute(_SQL["runs_of_samples"], of_task).fetchone()
        label, benchmark_id = found or (settings.run or f"{time}_{task}", None)
        con.execute(
            _SQL["add_figures"],
            {
                "model_id": model_id,
                "benchmark_id": benchmark_id,
                "task": task,
                "label": label,
                "source_id": source_id,
            },
        )
        of_run = f"run {label}" if found else "without answers here"
        loaded.append(f"{counted(n, 'figure')} of the harness: {task} of {model}, {of_run}")
    return loaded


ADAPTER = Adapter(
    name="lm_eval_figures",
    version=2,
    description="lm-evaluation-harness's own figures, `{model}/results_{time}.json`: kept as "
    "written and compared with ours",
    needs=("metric",),
    accepts=lambda probe: probe.kind == lm_eval_results.KIND,
    stage=stage,
    place=Place.REFERRING,
)
