"""Long predictions straight from the file to the facts, where nothing about the file is doubtful.

What the rows have in common (model, split, pass, sample, failed) is read once and checked as a
whole in `stage_place`; questions, passes and duplicates are checked by counting what has been
stored. Whatever does not add up is `Doubtful`: the rows are then staged and checked one by one,
which names the wrong one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import duckdb

from ingest.loading import Loading
from ingest.reading.raw import quoted
from warehouse import statements
from warehouse.wording import counted

_SQL = statements.of_module(__file__)
PLACE = ("model", "split", "pass", "sample", "failed")
_MAX_BITS = 900_000_000
"""Longer bit strings DuckDB does not aggregate."""


class Doubtful(Exception):
    """Something is wrong, or too unusual for the short way."""


def collect(
    con: duckdb.DuckDBPyConnection, written: list[str], values: dict[str, str], text: str, key: str
) -> bool:
    """Fill `stage_place` with what rows have in common, and say whether all of it is in order.

    Args:
        written: the file's columns that give a row's place.
        values: SQL over `raw` for each part of the place; NULL where a cell is wrong.
        text: SQL for the prediction.
        key: SQL for the question's key.
    """
    kept = "".join(f"{quoted(name)} AS {quoted('written_' + name)}, " for name in written)
    names = "".join(f"{quoted(name)}, " for name in written)
    con.execute("DROP TABLE IF EXISTS stage_place")
    con.execute(
        _SQL["collect_places"].format(
            kept=kept, names=names, **{f"its_{name}": values[name] for name in PLACE}
        )
    )
    same = [
        f"raw.{quoted(name)} IS NOT DISTINCT FROM p.{quoted('written_' + name)}" for name in written
    ]
    con.execute(
        _SQL["place_rows"].format(
            names=names,
            split=values["split"],
            key=key,
            text=text,
            same=" AND ".join(same) or "true",
        )
    )
    ((in_order,),) = con.execute(_SQL["places_in_order"]).fetchall()
    return bool(in_order)


def load(con: duckdb.DuckDBPyConnection, loading: Loading, run: Mapping[str, str | None]) -> None:
    """Store the runs and their predictions.

    Args:
        run: the harness, method and produced_at of the runs.

    Raises:
        Doubtful: not every row has a question, pass and run of its own.
    """
    con.execute(_SQL["find_keys"])
    runs = _make_runs(con, loading, run)
    ((n_passes, n_samples, n_splits, questions),) = con.execute(_SQL["spans"]).fetchall()
    first_question, last_question = questions
    if first_question is None:
        raise Doubtful
    insert = _SQL["add_predictions"].format(
        and_split="AND s.split_key = k.split_key" if n_splits else ""
    )
    try:
        ((n_stored,),) = con.execute(insert).fetchall()
    except (duckdb.DataError, duckdb.IntegrityError, duckdb.InvalidInputException) as error:
        raise Doubtful from error
    n_questions = last_question - first_question + 1
    n_keys = len(runs) * n_questions * n_passes * n_samples
    count = _SQL["count_keys_as_bits" if n_keys <= _MAX_BITS else "count_keys"].format(
        first_run=runs[0][0],
        first_question=first_question,
        n_questions=n_questions,
        n_passes=n_passes,
        n_samples=n_samples,
        n_keys=n_keys,
    )
    ((n_different,),) = con.execute(count).fetchall()
    if not n_stored == n_different == loading.report.n_rows:
        raise Doubtful
    loading.report.loaded.extend(
        f"run {run_id}: {model} on {dataset}, {loading.label}: {counted(n, 'prediction')}"
        for run_id, model, dataset, n, *_ in runs
    )


def _make_runs(
    con: duckdb.DuckDBPyConnection, loading: Loading, run: Mapping[str, str | None]
) -> list[tuple[Any, ...]]:
    """Make the runs, and return their ids, models, datasets and numbers of rows."""
    label, source_id = loading.label, loading.source_id
    con.execute(_SQL["add_models"], {"source_id": source_id})
    con.execute(_SQL["find_runs"])
    runs = con.execute(
        "SELECT run_id, model, dataset, n, model_id, dataset_id FROM stage_run ORDER BY run_id"
    ).fetchall()
    con.execute(_SQL["find_live_runs"], {"label": label})
    ((n_live,),) = con.execute("SELECT count(*) FROM stage_live").fetchall()
    if len({run[-2:] for run in runs}) < len(runs) or (n_live and not loading.settings.replace):
        raise Doubtful
    if n_live:
        con.execute(_SQL["supersede_live_runs"], {"source_id": source_id})
    con.execute(_SQL["add_runs"], {**run, "label": label, "source_id": source_id})
    con.execute(_SQL["place_runs"])
    con.execute(_SQL["add_samples"])
    return runs
