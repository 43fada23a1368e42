"""The benchmark of a task that nobody has heard of, whose answers are words: its rule.

The rule is that of the task's exact_match, as the results file states it; without one, a judge has
to grade. Numbers are compared as numbers where expressions are taken out of both texts (gsm8k's
commas and dollars).
"""

from __future__ import annotations

import json
import re
from dataclasses import replace

import duckdb

from ingest.facts import resolve
from ingest.harness_results import SamplesInfo
from ingest.lm_eval.lm_eval_metrics import ExactMatch
from ingest.names import DatasetName
from ingest.settings import Settings, TaskMap
from ingest.staged import Staged
from warehouse import benchmark, known_benchmarks, taxonomy
from warehouse.benchmark import INFERRED, Benchmark
from warehouse.errors import InputError

_NUMBER = re.compile(r"\s*[-+]?(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)?(?:\.[0-9]*)?\s*")


def is_number(text: str) -> bool:
    """Whether a reference is a decimal number."""
    return _NUMBER.fullmatch(text) is not None and any(one.isdigit() for one in text)


def named(settings: Settings, info: SamplesInfo) -> SamplesInfo:
    """The same, of a dataset called after its task where nobody has heard of it.

    It is none of a benchmark that was inferred from another task, whichever file came first.
    """
    if settings.benchmark is not None or TaskMap.of(settings.map).get(info.task) is not None:
        return info
    known = known_benchmarks.find(info.benchmark) if info.benchmark else None
    is_other = known is not None and known.is_inferred and info.task.lower() != known.name.lower()
    if info.dataset is not None and not is_other:
        return info
    return replace(info, dataset=DatasetName(info.task), way=None)


def new(
    con: duckdb.DuckDBPyConnection,
    settings: Settings,
    staged: Staged,
    metric: ExactMatch,
    *,
    all_numbers: bool,
    is_named_after_task: bool,
) -> Benchmark | None:
    """The benchmark, with the rule; None: it is known, or the user named it and it has no rule.

    Args:
        metric: the task's exact_match.
        all_numbers: every reference is a number.
        is_named_after_task: as `named` has it.
    """
    task = staged.questions.task if staged.questions else "open"
    rule: list[str] = []
    if task == "open" and metric.is_known:
        rule = ["", "[[rule]]", *_rule(metric, all_numbers=all_numbers)]
    if not rule and not is_named_after_task:
        return None
    dataset = resolve.mapped(con, settings, staged).dataset
    name = settings.benchmark or (dataset.benchmark if dataset else None)
    if not name or known_benchmarks.find(name) or taxonomy.benchmark_id(con, name) is not None:
        return None
    lines = [
        f"name = {json.dumps(name, ensure_ascii=False)}",
        f'description = "{INFERRED}the settings of its first run"',
        f'task = "{task}"',
        'strategy = "vanilla"',
        'average = "micro"',
        *rule,
    ]
    try:
        return benchmark.parse("\n".join(lines) + "\n", "inferred from the harness's settings")
    except InputError:
        # Such a name can be no folder's; without a rule, a judge grades.
        return None


def _rule(metric: ExactMatch, *, all_numbers: bool) -> list[str]:
    if metric.expressions and all_numbers:
        return ['rule = "number"', "tolerance = 0.0"]
    return ['rule = "exact"', f'normaliser = "{"lower" if metric.ignores_case else "none"}"']
