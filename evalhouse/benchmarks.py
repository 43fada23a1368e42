"""The benchmarks that are known here, and adding one by its folder."""

from __future__ import annotations

from pathlib import Path

import duckdb

from judge import template
from warehouse import benchmark, benchmark_changes, known_benchmarks, taxonomy
from warehouse.benchmark import Benchmark
from warehouse.benchmark_rules import Rule
from warehouse.errors import InputError, UsageError
from warehouse.later import pl

NEW_WAY = (
    "a benchmark is changed by its TOML: `evalhouse benchmarks edit NAME`, or `benchmarks show NAME --toml "
    "> FILE` and `benchmarks set NAME FILE`; in Python `set_benchmark(name, text)`"
)
"""For those who know `benchmarks set NAME KEY=VALUE` of before."""


def load(folder: Path) -> Benchmark:
    """The benchmark of a folder, with its judge's template checked.

    Raises:
        InputError: the folder holds none, or says what cannot be.
    """
    found = benchmark.load(folder)
    if found.judge_template is not None:
        path = folder / benchmark.JUDGE_FILE
        task = template.parse(found.judge_template, str(path)).task
        if (task == "choice_extraction") != (found.task == "choice"):
            raise InputError(
                path, f"{task!r} is no task of a benchmark of {found.task}", field="task"
            )
    return found


def not_read(folder: Path) -> tuple[str, ...]:
    """The names of what lies in a benchmark's folder, and is neither read nor about it."""
    read = {benchmark.FILE, benchmark.JUDGE_FILE}
    return tuple(
        sorted(
            each.name
            for each in folder.iterdir()
            if each.name not in read
            and not each.name.lower().startswith((".", "readme", "license"))
        )
    )


def frame(con: duckdb.DuckDBPyConnection | None) -> pl.DataFrame:
    """What is known: a row per benchmark, also those that the warehouse has without a folder."""
    rows = [
        {
            "benchmark": one.name,
            "task": one.task,
            "strategy": one.strategy,
            "average": one.average,
            "levels": _levels(one),
            "from": one.origin,
        }
        for one in known_benchmarks.known()
    ]
    known = {row["benchmark"].lower() for row in rows}
    for row in taxonomy.table(con) if con is not None else ():
        if row[0].lower() not in known:
            rows.append({**dict(zip(rows[0], row, strict=False)), "from": "its questions"})
    return pl.DataFrame(rows)


def find(name: str, con: duckdb.DuckDBPyConnection | None) -> Benchmark:
    """The benchmark of that name or alias, also one that the warehouse has without a folder.

    Raises:
        UsageError: none is known.
    """
    found = known_benchmarks.find(name)
    if found is None and con is not None:
        found = benchmark_changes.of_questions(con, name)
    if found is None:
        names = ", ".join(one.name for one in known_benchmarks.known())
        raise UsageError(f"no folder of a benchmark {name!r} is known; there are {names}")
    return found


def described(one: Benchmark) -> str:
    """A benchmark as lines of text: conventions, names, and its abilities as a tree."""
    lines = [f"{one.name}: {one.description}" if one.description else one.name]
    lines.append(f"  {one.task} · {one.strategy} · {one.average} · ties {one.rounding}")
    lines.append(f"  from {one.origin}: {one.path}")
    lines.append(f"  names: {', '.join(dict.fromkeys((one.name.lower(), *one.aliases)))}")
    if one.splits is not None:
        lines.append(f"  splits: {', '.join(one.splits) or 'none, it is one set'}")
    for dataset in one.datasets:
        given = (dataset.version, dataset.split, dataset.language)
        lines.append(f"  {', '.join(dataset.names)}: {'/'.join((one.name, *filter(None, given)))}")
    for level in one.levels:
        columns = f" (columns {', '.join(level.columns)})" if level.columns else ""
        names = [ability.name for ability in one.abilities if ability.level == level.name]
        lines.append(f"  {level.name}{columns}: {', '.join(names) or 'as its questions state'}")
    lines += [f"  rule: {_rule(rule)}" for rule in one.scoring.rules]
    lines += [f"  group {group.name}: {group.counts}" for group in one.scoring.groups]
    if one.scoring.figures:
        lines.append(f"  figures: {', '.join(figure.name for figure in one.scoring.figures)}")
    if one.judge_template is not None:
        lines.append(f"  judge: a template of its own, {benchmark.JUDGE_FILE}")
    return "\n".join(lines)


def _rule(rule: Rule) -> str:
    words = [rule.rule]
    words += [f"normaliser {rule.normaliser}"] if rule.normaliser else []
    words += [f"tolerance {rule.tolerance:g}"] if rule.tolerance is not None else []
    words += [f"where {rule.attribute} is {rule.value}"] if rule.attribute else []
    return ", ".join(words)


def _levels(one: Benchmark) -> str:
    names = [level.name for level in one.levels] or [ability.level for ability in one.abilities]
    return ", ".join(dict.fromkeys(names))
