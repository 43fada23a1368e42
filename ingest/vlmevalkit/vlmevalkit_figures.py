"""VLMEvalKit's own figures of a run, `{model}_{dataset}[_{judge}]_acc.csv` and other score files.

They are kept as written, to compare ours with, and no view scores from them. Other content of the
same file adds to what is there: the latest source holds.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import duckdb

from ingest.adapter import Adapter, Place
from ingest.facts import resolve
from ingest.facts.other_facts import Facts
from ingest.names import known_names, read_dataset_name
from ingest.reading.probe import Probe
from ingest.settings import Settings
from ingest.staged import Staged
from ingest.vlmevalkit import figure_rows
from ingest.vlmevalkit.figure_rows import FigureName
from warehouse import models, statements, taxonomy
from warehouse.errors import InputError
from warehouse.later import pl
from warehouse.wording import counted

_SQL = statements.of_module(__file__)


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Say of which run the figures are; its part stores them.

    Raises:
        InputError: the file's name and the flags do not say of which model and dataset they are, or
            it is named as no score file.
    """
    name, label = _named(con, probe, settings)
    return _staged(name, label, partial(load, con, settings, name, label))


def _named(
    con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings
) -> tuple[FigureName, str]:
    if probe.kind != figure_rows.KIND:
        raise InputError(probe.path, "is not named as one of VLMEvalKit's score files")
    known = tuple(name for (name,) in con.execute(_SQL["benchmarks"]).fetchall())
    name = figure_rows.read(probe.path, settings.model, (*known, *known_names(settings)))
    if name is None:
        raise InputError(
            probe.path,
            "the name does not say of which model and dataset these figures are (expected "
            "{model}_{dataset}_acc.csv, in VLMEvalKit's work dir)",
        )
    return name, settings.run or name.label


def _staged(
    name: FigureName, label: str, store: Callable[[int], list[str]], n_rows: int | None = None
) -> Staged:
    return Staged(
        facts=Facts(
            store,
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
        ),
        n_rows=n_rows,
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
    of_file = _of_file(name, label, source_id)
    of_file |= {
        "model_id": models.ensure(con, name.model, source_id=source_id),
        "benchmark_id": benchmark_id,
    }
    con.execute(_SQL["add_figures"], of_file)
    return _loaded(name, label, n, n_empty)


def _of_file(name: FigureName, label: str, source_id: int) -> dict[str, object]:
    """What all figures of a file have in common."""
    return {
        "task": name.dataset,
        "label": label,
        "judge": name.judge,
        "part": f"{name.part}:" if name.part else "",
        "source_id": source_id,
    }


def _loaded(name: FigureName, label: str, n: int, n_empty: int) -> list[str]:
    judge = f", judge {name.judge}" if name.judge else ""
    loaded = [
        f"{counted(n, 'figure')} of the harness: {name.dataset} of {name.model}, run {label}{judge}"
    ]
    if n_empty:
        loaded.append(f"left out: {counted(n_empty, 'cell')} without a number")
    return loaded


def _benchmark(con: duckdb.DuckDBPyConnection, settings: Settings, dataset: str) -> str:
    """The benchmark that a dataset is of; one that is not known is a benchmark of its own."""
    named = Staged(dataset=read_dataset_name(dataset, tuple(settings.map)), task_name=dataset)
    return resolve.mapped(con, settings, named).benchmark or dataset


_TYPES = {
    "model_id": int,
    "benchmark_id": int,
    "task": str,
    "label": str,
    "judge": str,
    "metric": str,
    "value": str,
    "source_id": int,
}
"""The columns of figures that are stored at once."""


class Figures:
    """Several score files, whose figures are stored at once."""

    def __init__(self) -> None:
        self._columns: dict[str, list[object]] = {column: [] for column in _TYPES}
        self._benchmarks: dict[str, int] = {}
        self._models: dict[str, int] = {}

    def stage(self, con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
        """Read a file and say of which run its figures are.

        Raises:
            InputError: as the format's own `stage`, or the file is broken.
        """
        cells = figure_rows.cells(probe.path)
        name, label = _named(con, probe, settings)
        keep = partial(self._keep, con, settings, name, label, cells)
        return _staged(name, label, keep, len(cells["metric"]))

    def _keep(
        self,
        con: duckdb.DuckDBPyConnection,
        settings: Settings,
        name: FigureName,
        label: str,
        cells: dict[str, list[str | None]],
        source_id: int,
    ) -> list[str]:
        """Keep a file's figures back; return what will be loaded."""
        if name.dataset not in self._benchmarks:
            benchmark = settings.benchmark or _benchmark(con, settings, name.dataset)
            found, _ = taxonomy.ensure_benchmark(con, benchmark, source_id=source_id)
            self._benchmarks[name.dataset] = found
        if name.model not in self._models:
            self._models[name.model] = models.ensure(con, name.model, source_id=source_id)
        of_file = _of_file(name, label, source_id)
        part = of_file.pop("part")
        of_file |= {
            "model_id": self._models[name.model],
            "benchmark_id": self._benchmarks[name.dataset],
        }
        found_cells = zip(cells["metric"], cells["value"], strict=True)
        figures = [(metric, value) for metric, value in found_cells if value is not None]
        for column, value in of_file.items():
            self._columns[column] += [value] * len(figures)
        self._columns["metric"] += [f"{part}{metric}" for metric, _ in figures]
        self._columns["value"] += [value for _, value in figures]
        return _loaded(name, label, len(figures), len(cells["value"]) - len(figures))

    def finish(self, con: duckdb.DuckDBPyConnection) -> frozenset[int]:
        """Store the figures of all files, in their order; return the sources that have some."""
        frame = pl.DataFrame(self._columns, schema=_TYPES)
        con.register("figures_frame", frame.to_arrow())
        try:
            con.execute(_SQL["add_all"])
        finally:
            con.unregister("figures_frame")
        return frozenset(frame["source_id"].to_list())


ADAPTER = Adapter(
    name="vlmevalkit_figures",
    version=1,
    description="VLMEvalKit's own figures, `{model}_{dataset}[_{judge}]_acc.csv`, `_score.csv`, "
    "`_score_fine.csv`, `_score.json` and `_rating.json`: kept as written and compared with ours",
    needs=("metric",),
    accepts=lambda probe: probe.kind == figure_rows.KIND,
    stage=stage,
    place=Place.FIGURES,
    together=Figures,
)
