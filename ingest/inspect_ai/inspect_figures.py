"""What Inspect made of answers, and how it ran: scores of samples, figures of the log, settings.

A scorer's value of a sample is a row of `main.harness_score` with the scorer as the metric; of a
value with parts each part is one, `SCORER|PART`. A change by a person is a row with the person as
the filter. An explanation that is neither the answer nor a grader's reply is `SCORER|explanation`,
and what a sample cost is one JSON object, `sample`. A figure of the log has the scorer as its
filter.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any

import duckdb

from warehouse import statements

_SQL = statements.of_module(__file__)
_LONG = 20_000
"""Characters of a setting; longer ones are kept by their hash."""
_OF_EVAL = (
    "eval_id", "run_id", "task_id", "task", "task_registry_name", "task_version", "task_args",
    "solver", "solver_args", "model_args", "model_generate_config", "model_base_url",
    "model_roles", "config", "revision", "packages", "scorers", "metadata", "tags",
)  # fmt: skip
_ERRORS = ("stderr", "bootstrap_stderr")
"""Metrics that are standard errors; they are kept with the settings."""
_OF_LOG = ("results", "plan", "stats", "invalidated", "tags", "metadata")


def stage_scores(con: duckdb.DuckDBPyConnection, model: str) -> None:
    """Stage what scorers, and people who changed it, made of each answer, and its cost."""
    con.execute(_SQL["stage_scores"], {"model": model})
    con.execute(_SQL["stage_explanations"], {"model": model})
    con.execute(_SQL["stage_costs"], {"model": model})


def stage_figures(
    con: duckdb.DuckDBPyConnection,
    header: Mapping[str, Any],
    task: str,
    model: str,
    letters: Sequence[str],
) -> None:
    """Stage the figures of the log.

    Args:
        letters: the scorers that read labels; their judge here is `inspect:SCORER`.
    """
    graders = dict(con.execute(_SQL["graders"]).fetchall())
    # What a person changed is in the figures, and they are no judge's own.
    changed = {scorer for (scorer,) in con.execute(_SQL["changed"]).fetchall()}
    rows: list[list[object]] = []
    for name, scorer, reducer, metric, value in _figures(_plain(header.get("results"))):
        judge = f"inspect:{scorer}" if scorer in letters else graders.get(scorer)
        judge = None if scorer in changed else judge
        rows.append([len(rows), model, task, judge, metric, name, reducer, value])
    if rows:
        con.executemany("INSERT INTO stage_harness_figure VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)


def _figures(results: object) -> Iterator[tuple[str, str, str | None, str, str | None]]:
    """Each figure: the score's name, its scorer, the reducer, the metric, and the value."""
    listed = results.get("scores") if isinstance(results, dict) else None
    if isinstance(results, dict) and listed is None and isinstance(results.get("scorer"), dict):
        # Of Inspect's first versions: one scorer.
        listed = [{"name": results["scorer"].get("name"), "metrics": results.get("metrics")}]
    for score in listed if isinstance(listed, list) else []:
        metrics = score.get("metrics") if isinstance(score, dict) else None
        if not isinstance(metrics, dict):
            continue
        scorer = str(score.get("scorer") or score.get("name"))
        name = str(score.get("name") or scorer)
        reducer = score.get("reducer")
        for key, metric in metrics.items():
            if str(key) in _ERRORS:
                continue
            value = metric.get("value") if isinstance(metric, dict) else None
            group = metric.get("group") if isinstance(metric, dict) else None
            is_number = isinstance(value, int | float) and not isinstance(value, bool)
            yield (
                name if name == scorer else f"{scorer}|{name}",
                scorer,
                reducer if isinstance(reducer, str) else None,
                f"{group}|{key}" if isinstance(group, str) else str(key),
                json.dumps(value) if is_number and value == value else None,
            )


def settings(header: Mapping[str, Any], run_spec: Mapping[str, Any]) -> dict[str, object]:
    """How the log came about, as the header says: what was run, with which settings and limits."""
    found = {name: run_spec.get(name) for name in _OF_EVAL}
    of_data = run_spec.get("dataset")
    if isinstance(of_data, dict):
        found["dataset"] = {name: value for name, value in of_data.items() if name != "sample_ids"}
    for name in _OF_LOG:
        found[name] = header.get(name) or found.get(name)
    kept = {name: value for name, value in found.items() if value not in (None, {}, [])}
    return {name: _shortened(_plain(value)) for name, value in kept.items()}


def _plain(value: object) -> Any:
    """The same as JSON that every reader knows: no NaN, and no half characters."""
    written = json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
    return json.loads(written, parse_constant=str)


def _shortened(value: object) -> object:
    written = json.dumps(value, ensure_ascii=False)
    if len(written) <= _LONG:
        return value
    if isinstance(value, dict):
        parts = {name: _shortened(one) for name, one in value.items()}
        if len(json.dumps(parts, ensure_ascii=False)) <= _LONG:
            return parts
    return {"characters": len(written), "sha256": sha256(written.encode()).hexdigest()}
