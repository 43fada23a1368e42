"""Scores that were published of benchmarks known here; what is of none is kept as it is written."""

from __future__ import annotations

from collections import defaultdict
from functools import partial
from pathlib import Path

import duckdb

from ingest.facts.other_facts import Facts
from ingest.names import DatasetName
from ingest.sample import About, Figure, Published
from ingest.settings import Settings, TaskMap
from ingest.staged import Staged
from warehouse import known_benchmarks, models, statements, taxonomy
from warehouse.errors import InputError
from warehouse.wording import counted

_SQL = statements.of_module(__file__)
_Kept = tuple[int, int, str, Figure]
"""The benchmark's and the model's id, the task, and the figure."""


def published(
    con: duckdb.DuckDBPyConnection, path: Path, about: About, settings: Settings
) -> Staged:
    """Stage nothing: the figures are stored as they are.

    Raises:
        InputError: they are of another benchmark, or name their models themselves.
    """
    own = about.dataset.benchmark if isinstance(about.dataset, DatasetName) else None
    given = settings.benchmark or own
    if own and given and known_benchmarks.find(given) != known_benchmarks.find(own):
        raise InputError(path, f"is a score file of {own}, not of {given}")
    if settings.model and any(one.model for one in about.figures):
        raise InputError(path, "names its models itself, in its first column: leave --model out")
    flags = {"columns": list(about.header)} if about.header else {}
    store = partial(_store, con, path, about, settings)
    return Staged(facts=Facts(store, flags), n_rows=about.n_rows)


def _store(
    con: duckdb.DuckDBPyConnection, path: Path, about: About, settings: Settings, source_id: int
) -> list[str]:
    """Store the figures; return what was loaded.

    Raises:
        InputError: nothing says which benchmark one is of, it has no such ability, or a model is
            there under two names.
    """
    if not about.figures:
        return [*about.remarks]
    scores: dict[tuple[int, int, int], list[_Kept]] = defaultdict(list)
    kept: list[_Kept] = []
    model_ids: dict[str, int] = {}
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
        if ability_id is None and score.unknown:
            raise InputError(path, score.unknown, row=0, field=score.field)
        model = settings.model or one.model or about.model
        if model not in model_ids:
            model_id = models.ensure(con, model, source_id=source_id)
            if also := [name for name, known in model_ids.items() if known == model_id]:
                problem = f"{model} stands twice, as {also[0]}"
                raise InputError(path, problem, row=score.row, field="model")
            model_ids[model] = model_id
        figure = (benchmark_id, model_ids[model], task or canonical, one)
        if ability_id is None or score.percent is None:
            kept.append(figure)
        else:
            scores[benchmark_id, model_ids[model], ability_id].append(figure)
    # Of several none is the one score.
    kept += [figure for several in scores.values() if len(several) > 1 for figure in several]
    single = {place: several[0][-1] for place, several in scores.items() if len(several) == 1}
    for place, one in single.items():
        score = one.published
        assert score is not None
        row = [*place, score.percent, score.spread, score.samples, source_id]
        con.execute(_SQL["add_score"], row)
    label = settings.run or about.label
    for benchmark_id, model_id, task, one in kept:
        figure_row = [model_id, benchmark_id, task, label, one.metric, one.value, source_id]
        con.execute(_SQL["add_figure"], figure_row)
    of = next(iter(model_ids)) if len(model_ids) == 1 else f"{len(model_ids)} models"
    loaded = [f"{counted(len(single), 'published score')} of {of}"] if single else []
    if kept:
        tasks = ", ".join(dict.fromkeys(task for _, _, task, _ in kept))
        loaded.append(
            f"{counted(len(kept), 'figure')} of {of}, as they are written: {tasks}; they are of no "
            "ability known here, of another average, strategy or scale, or several of one thing"
        )
    return [*loaded, *about.remarks]


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
