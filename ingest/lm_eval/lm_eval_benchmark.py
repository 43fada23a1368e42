"""The benchmark of a task that nobody has heard of, whose answers are words: its rule.

The rule is that of the task's exact_match, as the results file states it; without one, a judge has
to grade. Numbers are compared as numbers where expressions are taken out of both texts (gsm8k's
commas and dollars).
"""

from __future__ import annotations

import json
import re

import duckdb

from ingest.facts import resolve
from ingest.lm_eval.lm_eval_metrics import ExactMatch
from ingest.settings import Settings
from ingest.staged import Staged
from warehouse import benchmark, known_benchmarks, taxonomy
from warehouse.benchmark import Benchmark
from warehouse.errors import InputError

_NUMBER = re.compile(r"\s*[-+]?(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)?(?:\.[0-9]*)?\s*")


def is_number(text: str) -> bool:
    """Whether a reference is a decimal number."""
    return _NUMBER.fullmatch(text) is not None and any(one.isdigit() for one in text)


def new(
    con: duckdb.DuckDBPyConnection,
    settings: Settings,
    staged: Staged,
    metric: ExactMatch,
    *,
    all_numbers: bool,
) -> Benchmark | None:
    """The benchmark, with the rule; None: it is known, or the task has no exact_match."""
    if not metric.is_known:
        return None
    dataset = resolve.mapped(con, settings, staged).dataset
    name = settings.benchmark or (dataset.benchmark if dataset else None)
    if not name or known_benchmarks.find(name) or taxonomy.benchmark_id(con, name) is not None:
        return None
    if metric.expressions and all_numbers:
        rule = ['rule = "number"', "tolerance = 0.0"]
    else:
        rule = ['rule = "exact"', f'normaliser = "{"lower" if metric.ignores_case else "none"}"']
    lines = [
        f"name = {json.dumps(name, ensure_ascii=False)}",
        'description = "Inferred from the settings of its first run"',
        'task = "open"',
        'strategy = "vanilla"',
        'average = "micro"',
        "",
        "[[rule]]",
        *rule,
    ]
    try:
        return benchmark.parse("\n".join(lines) + "\n", "inferred from the harness's settings")
    except InputError:
        # Such a name can be no folder's; without a rule, a judge grades.
        return None
