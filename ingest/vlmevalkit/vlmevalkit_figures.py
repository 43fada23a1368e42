"""VLMEvalKit's own figures of a run, `{model}_{dataset}[_{judge}]_acc.csv` and other score files.

They are kept as written, to compare ours with, and no view scores from them. Other content of the
same file adds to what is there: the latest source holds.
"""

from __future__ import annotations

from functools import partial

import duckdb

from ingest.adapter import Adapter, Place
from ingest.facts import resolve
from ingest.facts.other_facts import Facts
from ingest.names import known_names, read_dataset_name
from ingest.reading.probe import Probe
from ingest.settings import Settings
from ingest.staged import Staged
from ingest.vlmevalkit import figure_names, figure_rows
from ingest.vlmevalkit.figure_names import FigureName
from warehouse import models, statements, taxonomy
from warehouse.errors import InputError

_SQL = statements.of_module(__file__)


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Say of which run the figures are; `load` stores them.

    Raises:
        InputError: the file's name and the flags do not say of which model and dataset they are, or
            it is named as no score file.
    """
    if probe.kind != figure_rows.KIND:
        raise InputError(probe.path, "is not named as one of VLMEvalKit's score files")
    known = tuple(name for (name,) in con.execute(_SQL["benchmarks"]).fetchall())
    name = figure_names.read(probe.path, settings.model, (*known, *known_names(settings)))
    if name is None:
        raise InputError(
            probe.path,
            "the name does not say of which model and dataset these figures are (expected "
            "{model}_{dataset}_acc.csv, in VLMEvalKit's work dir)",
        )
    label = settings.run or name.label
    return Staged(
        facts=Facts(
            partial(load, con, settings, name, label),
            # Files of different runs may hold the same figures.
            {
                "model": name.model,
                "run": label,
                "task_name": name.dataset,
                "part": name.part,
                "judge": name.judge,
            },
            harness="vlmevalkit",
            is_staged=False,
        )
    )


def load(
    con: duckdb.DuckDBPyConnection,
    settings: Settings,
    name: FigureName,
    label: str,
    source_id: int,
) -> list[str]:
    """Store the figures; return what was loaded."""
    benchmark = settings.benchmark or _benchmark(con, settings, name.dataset)
    benchmark_id, _ = taxonomy.ensure_benchmark(con, benchmark, source_id=source_id)
    ((n, n_empty),) = con.execute(_SQL["counts"]).fetchall()
    con.execute(
        _SQL["add_figures"],
        {
            "model_id": models.ensure(con, name.model, source_id=source_id),
            "benchmark_id": benchmark_id,
            "task": name.dataset,
            "label": label,
            "judge": name.judge,
            "part": f"{name.part}:" if name.part else "",
            "source_id": source_id,
        },
    )
    judge = f", judge {name.judge}" if name.judge else ""
    loaded = [f"{n:,} figures of the harness: {name.dataset} of {name.model}, run {label}{judge}"]
    if n_empty:
        loaded.append(f"left out: {n_empty:,} cells without a number")
    return loaded


def _benchmark(con: duckdb.DuckDBPyConnection, settings: Settings, dataset: str) -> str:
    """The benchmark that a dataset is of; one that is not known is a benchmark of its own."""
    named = Staged(dataset=read_dataset_name(dataset, tuple(settings.map)), task_name=dataset)
    return resolve.mapped(con, settings, named).benchmark or dataset


ADAPTER = Adapter(
    name="vlmevalkit_figures",
    version=1,
    description="VLMEvalKit's own figures, `{model}_{dataset}[_{judge}]_acc.csv`, `_score.csv`, "
    "`_score_fine.csv`, `_score.json` and `_rating.json`: kept as written and compared with ours",
    needs=("metric",),
    accepts=lambda probe: probe.kind == figure_rows.KIND,
    stage=stage,
    place=Place.REFERRING,
)
