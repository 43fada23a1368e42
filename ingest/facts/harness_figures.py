"""Figures that a harness wrote next to the answers that they are of, from `stage_harness_figure`.

They are kept as written, to compare ours with. Figures that another file brought already, with the
same value, are no news; where the value is another one, the latest source holds.
"""

from __future__ import annotations

import duckdb

from ingest.loading import Loading
from warehouse import models, statements
from warehouse.wording import counted

_SQL = statements.of_module(__file__)


def add(con: duckdb.DuckDBPyConnection, loading: Loading, label: str) -> None:
    """Store what was staged, for the benchmark that the file is of."""
    if "stage_harness_figure" not in loading.also:
        return
    for (model,) in con.execute(_SQL["models"]).fetchall():
        parameters = {
            "model": model,
            "model_id": models.ensure(con, model, source_id=loading.source_id),
            "benchmark_id": loading.named_benchmark.benchmark_id,
            "label": label,
        }
        ((n,),) = con.execute(_SQL["count_news"], parameters).fetchall()
        if n:
            con.execute(_SQL["add"], parameters | {"source_id": loading.source_id})
            loading.report.loaded.append(f"{counted(n, 'figure')} of the harness")
            loading.report.has_harness_facts = True
