"""HELM's own figures of a run, `stats.json` next to `scenario_state.json`.

They are kept as written, to compare ours with, and no view scores from them. A figure is the mean of
a metric, by split: `split=test|exact_match`, and with `|perturbation=NAME` behind it where it is of
perturbed instances. Statistics of the run itself, of tokens, times and costs, are left.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import duckdb

from ingest.adapter import Adapter, Place
from ingest.facts import resolve
from ingest.facts.other_facts import Facts
from ingest.helm import helm_files
from ingest.helm.helm_files import Run
from ingest.reading.probe import Probe, json_records
from ingest.settings import Settings
from ingest.staged import Staged
from warehouse import models, statements, taxonomy
from warehouse.errors import InputError
from warehouse.wording import counted

_SQL = statements.of_module(__file__)


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Say of which run the figures are; `load` stores them.

    Raises:
        InputError: a figure has no name, or there are none; the states are not next to it.
    """
    path = probe.path
    state_path = path.with_name(helm_files.STATE)
    if not state_path.is_file():
        raise InputError(
            path, f"there is no {state_path.name} next to it, which says whose they are"
        )
    run = helm_files.run_of(state_path)
    figures: list[tuple[str, str]] = []
    n_rows = 0
    for row, record in enumerate(json_records(path, probe.kind), start=1):
        n_rows = row
        name = record.get("name") if isinstance(record, dict) else None
        if not isinstance(record, dict) or not isinstance(name, dict) or not name.get("name"):
            raise InputError(path, "is no name of a figure", row=row, field="name")
        mean = record.get("mean")
        if isinstance(mean, int | float) and helm_files.is_metric(str(name["name"])):
            figures.append((_metric(name), repr(float(mean))))
    label = settings.run or run.label
    return Staged(
        facts=Facts(
            partial(load, con, settings, run, label, figures),
            {"model": settings.model or run.model, "run": label},
            harness=helm_files.HARNESS,
            is_staged=False,
        ),
        n_rows=n_rows,
    )


def _metric(name: dict[str, Any]) -> str:
    split = f"split={name['split']}|" if name.get("split") else ""
    perturbation = name.get("perturbation")
    behind = ""
    if isinstance(perturbation, dict):
        kind = str(perturbation.get("name"))
        on = perturbation.get("computed_on")
        behind = f"|perturbation={kind}" + (f",{on}" if on else "")
    sub_split = f"|sub_split={name['sub_split']}" if name.get("sub_split") else ""
    return f"{split}{name['name']}{sub_split}{behind}"


def load(
    con: duckdb.DuckDBPyConnection,
    settings: Settings,
    run: Run,
    label: str,
    figures: list[tuple[str, str]],
    source_id: int,
) -> list[str]:
    """Store the figures; return what was loaded."""
    model = settings.model or run.model
    model_id = models.ensure(con, model, source_id=source_id)
    named = resolve.mapped(con, settings, Staged(dataset=run.dataset, task_name=run.task)).benchmark
    benchmark_id, _ = taxonomy.ensure_benchmark(
        con, settings.benchmark or named or run.task, source_id=source_id
    )
    con.executemany(
        _SQL["add_figure"],
        [[model_id, benchmark_id, run.task, label, *one, source_id] for one in figures],
    )
    return [f"{counted(len(figures), 'figure')} of the harness: {run.task} of {model}, run {label}"]


ADAPTER = Adapter(
    name="helm_figures",
    version=1,
    description="HELM's own figures, `stats.json` next to `scenario_state.json`: kept as written "
    "and compared with ours",
    needs=("name", "count", "sum", "sum_squared"),
    accepts=lambda probe: probe.kind == "json" and probe.path.name == helm_files.FIGURES,
    stage=stage,
    place=Place.REFERRING,
    reads_itself=True,
)
