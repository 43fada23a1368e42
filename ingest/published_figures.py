"""Scores that were published of benchmarks known here; what is of none is kept as it is written."""

from __future__ import annotations

from collections import defaultdict
from functools import partial

import duckdb

from ingest.facts.other_facts import Facts
from ingest.sample import About, Figure, Published
from ingest.settings import Settings, TaskMap
from ingest.staged import Staged
from warehouse import models, statements, taxonomy
from warehouse.wording import counted

_SQL = statements.of_module(__file__)
_Kept = tuple[int, str, Figure]
"""The benchmark's id, the task, and the figure."""


def published(con: duckdb.DuckDBPyConnection, about: About, settings: Settings) -> Staged:
    """Stage nothing: the figures are stored as they are."""
    return Staged(facts=Facts(partial(_store, con, about, settings)), n_rows=about.n_rows)


def _store(
    con: duckdb.DuckDBPyConnection, about: About, settings: Settings, source_id: int
) -> list[str]:
    """Store the figures; return what was loaded.

    Raises:
        InputError: nothing says which benchmark one is of.
    """
    if not about.figures:
        return [*about.remarks]
    scores: dict[tuple[int, int], list[tuple[str, _Kept]]] = defaultdict(list)
    kept: list[_Kept] = []
    names = [str(name) for (name,) in con.execute("SELECT name FROM main.benchmark").fetchall()]
    for one in about.figures:
        score, task = one.published, one.task or ""
        assert score is not None
        found = None if settings.benchmark else score.dataset(tuple(names))
        benchmark = settings.benchmark or (found.benchmark if found else None)
        name = benchmark or TaskMap.of(settings.map).get(task) or task
        benchmark_id, canonical = taxonomy.ensure_benchmark(con, name, source_id=source_id)
        if canonical not in names:
            names.append(canonical)
        ability_id = _ability(con, benchmark_id, score) if benchmark else None
        figure = (benchmark_id, task or canonical, one)
        if ability_id is None or score.percent is None:
            kept.append(figure)
        else:
            scores[benchmark_id, ability_id].append((score.percent, figure))
    # Of several none is the one score.
    kept += [figure for several in scores.values() if len(several) > 1 for _, figure in several]
    single = {place: several[0][0] for place, several in scores.items() if len(several) == 1}
    model = settings.model or about.model
    model_id = models.ensure(con, model, source_id=source_id)
    for (benchmark_id, ability_id), percent in single.items():
        row = [benchmark_id, model_id, ability_id, percent, source_id]
        con.execute(_SQL["add_score"], row)
    label = settings.run or about.label
    for benchmark_id, task, one in kept:
        figure_row = [model_id, benchmark_id, task, label, one.metric, one.value, source_id]
        con.execute(_SQL["add_figure"], figure_row)
    loaded = [f"{counted(len(single), 'published score')} of {model}"] if single else []
    if kept:
        tasks = ", ".join(dict.fromkeys(task for _, task, _ in kept))
        loaded.append(
            f"{counted(len(kept), 'figure')} of {model}, as they are written: {tasks}; they are of no "
            "ability known here, of another average, strategy or scale, or several of one thing"
        )
    return loaded


def _ability(con: duckdb.DuckDBPyConnection, benchmark_id: int, score: Published) -> int | None:
    """The ability that a score is of, 0 for all questions; None: something else."""
    conventions = con.execute(
        "SELECT strategy, average FROM main.benchmark WHERE benchmark_id = ?", [benchmark_id]
    ).fetchone()
    if score.by is not None and score.by != conventions:
        return None
    if score.ability is None:
        return 0
    name = {"name": score.ability, "level": score.level, "benchmark_id": benchmark_id}
    found = con.execute(_SQL["find_ability"], name).fetchone()
    return int(found[0]) if found else None
