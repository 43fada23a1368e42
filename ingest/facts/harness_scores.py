"""What a harness made of answers, next to them: scores, metrics and figures.

A format stages a row for each metric or scorer of an answer, under the model, split, key, pass and
sample that the answer has. Nothing is scored from them. Figures are kept as written, to compare ours
with: those that another file brought already are no news, and of two values the latest source holds.
"""

from __future__ import annotations

import duckdb

from ingest.checks import refuse_first
from ingest.loading import Loading
from warehouse import models, runs, statements
from warehouse.wording import counted

_SQL = statements.of_module(__file__)


def add_figures(con: duckdb.DuckDBPyConnection, loading: Loading, label: str) -> None:
    """Store what was staged, for the benchmark that the file is of."""
    if "stage_harness_figure" not in loading.also:
        return
    for (model,) in con.execute(_SQL["models"]).fetchall():
        parameters = {
            "model": model,
            "model_id": models.ensure(con, model, source_id=loading.source_id),
            "benchmark_id": loading.named_benchmark.benchmark_id,
            "label": label,
            "source_id": loading.source_id,
        }
        ((n,),) = con.execute(_SQL["add_figures"], parameters).fetchall()
        if n:
            loading.report.loaded.append(f"{counted(n, 'figure')} of the harness")
            loading.report.has_harness_facts = True


def add(con: duckdb.DuckDBPyConnection, loading: Loading, key: str, table: str) -> None:
    """Store what was staged, of the runs in `stage_run` and the questions in `stage_bound`.

    Args:
        key: what the file calls a question's id, for messages.
        table: the staging table of the answers.

    Raises:
        InputError: a score of an answer that the file does not have, or two of one metric.
    """
    if "stage_harness_score" not in loading.also:
        return
    refuse_first(
        con,
        loading.path,
        _SQL["of_no_answer"].format(staged=table),
        key,
        lambda row: f"{row[2]} scores an answer to question {row[1]} that the run does not have",
    )
    refuse_first(
        con,
        loading.path,
        _SQL["duplicates"],
        "metric",
        lambda row: f"question {row[1]} has the metric {row[2]} twice",
    )
    con.execute(_SQL["add"], {"source_id": loading.source_id})
    loading.report.has_harness_facts = True


def add_to_runs_there(
    con: duckdb.DuckDBPyConnection, loading: Loading, key: str, table: str
) -> bool:
    """Store what was staged of runs that another file brought; return whether that is news."""
    if "stage_harness_score" not in loading.also:
        return False
    news = con.execute(_SQL["count_news"]).fetchall()
    if not news:
        return False
    add(con, loading, key, table)
    loading.report.loaded += [
        f"{counted(n, 'score')} of the harness for run {run_id}" for run_id, n in news
    ]
    loading.report.record_runs(runs.named(con, run_ids=[run_id for run_id, _ in news]))
    return True


def join_former(con: duckdb.DuckDBPyConnection) -> None:
    """Add the scores of earlier parts to the runs that supersede them."""
    con.execute(_SQL["join_former"])
