"""A benchmark of an Inspect dataset that nobody has heard of, with the rule that its scorer stands for.

    includes              contains, in any case
    match                 contains, in any case: at whichever end; exact where location is exact
    exact                 exact, without regard to case, white space and a full stop at the end

A scorer that looks for a number, a pattern or shared words has no rule like it, nor has one that
asks a model.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import duckdb

from ingest.names import DatasetName
from ingest.settings import Settings
from warehouse import benchmark, known_benchmarks
from warehouse.benchmark import INFERRED, Benchmark
from warehouse.errors import InputError

_CONTAINS = ("contains", "lower")
_EXACT = ("exact", "plain")


def of_scorers(
    con: duckdb.DuckDBPyConnection,
    path: Path,
    run_spec: Mapping[str, Any],
    dataset: DatasetName,
    settings: Settings,
    *,
    has_categories: bool,
) -> Benchmark | None:
    """The benchmark of open questions that the log is taken for; None: it is known, or has no rule."""
    name = dataset.benchmark
    there = con.execute(
        "SELECT count(*) FROM main.benchmark WHERE lower(name) = lower(?)", [name]
    ).fetchall()
    if not name or settings.benchmark or there != [(0,)] or known_benchmarks.find(name) is not None:
        return None
    rule = next((found for one in _scorers(run_spec) if (found := _rule(*one))), None)
    if rule is None:
        return None
    lines = [
        f"name = {json.dumps(name, ensure_ascii=False)}",
        f"description = {json.dumps(f'{INFERRED}the scorers of its first log')}",
        'task = "open"',
        'strategy = "vanilla"',
        'average = "micro"',
    ]
    if has_categories:
        lines += ["", "[[level]]", 'name = "category"', 'columns = ["category"]']
    lines += ["", "[[rule]]", f'rule = "{rule[0]}"', f'normaliser = "{rule[1]}"']
    try:
        return benchmark.parse("\n".join(lines) + "\n", f"inferred from {path}")
    except InputError:
        # Such a name can be no folder's; it stays a benchmark without a rule.
        return None


def _scorers(run_spec: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The scorers in the header, by name, with their options."""
    listed = run_spec.get("scorers")
    for one in listed if isinstance(listed, list) else []:
        if isinstance(one, dict):
            options = one.get("options")
            yield str(one.get("name")).rpartition("/")[2], options if isinstance(options, dict) else {}  # fmt: skip


def _rule(scorer: str, options: Mapping[str, Any]) -> tuple[str, str] | None:
    """The rule and the normaliser that a scorer stands for."""
    if options.get("numeric") or options.get("ignore_case") is False:
        return None
    if scorer == "match":
        return _EXACT if options.get("location") == "exact" else _CONTAINS
    return {"includes": _CONTAINS, "exact": _EXACT}.get(scorer)
