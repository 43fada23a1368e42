"""The benchmark, judge, strategy, level and subset of a board, or what there is to choose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any

import duckdb

from queries import session
from warehouse import known_benchmarks, statements, subsets
from warehouse.benchmark import STRATEGIES_OF, require_task
from warehouse.errors import UsageError
from warehouse.judges import USUAL_TASK

_SQL = statements.of_module(__file__)
STRATEGIES = tuple(dict.fromkeys((*STRATEGIES_OF["choice"], *STRATEGIES_OF["open"])))
NONE = "none"
"""The judge of a board by rules alone."""
SOFT = "graded"
"""The strategy of soft scores, for which a judge is needed."""
GROUP = "group:"
"""How the name of a strategy begins that counts groups of questions."""
CAPABILITY_LEVEL = "capability_level"
WHOLE = subsets.RESERVED
"""The subset that every question of a dataset is in."""


def choose_benchmark(con: duckdb.DuckDBPyConnection, wanted: str) -> tuple[str, str, str, str, int]:
    """A benchmark by its name or another that it is known by: name, strategy, average, task, id.

    Raises:
        UsageError: there is none; the message names those that are like it, or else all. Or its task is none.
    """
    there = con.execute(
        "SELECT name, strategy, average, task, benchmark_id FROM main.benchmark ORDER BY benchmark_id"
    ).fetchall()
    by_name = {row[0].lower(): row for row in there}
    found = by_name.get(wanted.lower())
    if found is None:
        one, _ = known_benchmarks.named().get(wanted.lower(), (None, None))
        found = by_name.get(one.name.lower() if one else "")
    if found is None:
        near = get_close_matches(wanted.lower(), by_name, n=3)
        names = [by_name[name][0] for name in near or by_name]
        words = f"is {' or '.join(names)}" if near else f"are {', '.join(names) or 'none'}"
        raise UsageError(f"no benchmark {wanted!r} here; there {words}")
    name, strategy, average, task, benchmark_id = found
    return name, strategy, average, require_task(task, name), benchmark_id


def is_by_rules(task: str, strategy: str) -> bool:
    """Whether a benchmark's rules score its answers in words, rather than a judge's soft scores."""
    return task == "open" and strategy != SOFT


def judges_of_board(
    con: duckdb.DuckDBPyConnection, benchmark_id: int, task: str, strategy: str
) -> tuple[str, ...]:
    """The judges that a board can be under, people too.

    Args:
        task, strategy: the benchmark's task, and the strategy of the board.
    """
    if is_by_rules(task, strategy):
        rows = session.rows(con, "rule_judges", {"benchmark_id": benchmark_id})
        return (*(str(name) for (name,) in rows), NONE)
    return judges_of_task(con, USUAL_TASK[task])


def judges_of_task(con: duckdb.DuckDBPyConnection, task: str) -> tuple[str, ...]:
    """The judges of a task, people too, and none where rules alone can do it."""
    known = tuple(str(name) for (name,) in session.rows(con, "judges", {"task": task}))
    # Rules alone can find which choice an answer names, but not how good an answer in words is.
    return (*known, NONE) if task == USUAL_TASK["choice"] else known


def is_soft(task: str, strategy: str) -> bool:
    """Whether a board is of soft scores, which rules alone cannot give."""
    return task == "open" and strategy == SOFT


def judges_of_datasets(
    con: duckdb.DuckDBPyConnection, judge: str | None, benchmark_id: int, task: str, strategy: str
) -> dict[str, str]:
    """The judge of each of a benchmark's datasets with runs: the requested one, or the default (default_judge).

    Raises:
        UsageError: there is no such judge; or soft scores are wanted, and no model has given any.
    """
    if judge is not None:
        require_judge(con, judge, benchmark_id, task, strategy)
    parameters = {"benchmark_id": benchmark_id, "is_graded": is_soft(task, strategy)}
    rows = _defaults(con, "default_judges", parameters)
    found = {str(dataset): judge or default for dataset, default in rows}
    if not is_soft(task, strategy):
        return {dataset: its or NONE for dataset, its in found.items()}
    if not found or None in found.values():
        people = judges_of_board(con, benchmark_id, task, strategy)
        if not people:
            raise UsageError(
                f"no judge gives a {USUAL_TASK[task].replace('_', ' ')} in this warehouse: answers in words "
                "need one"
            )
        if found:
            raise UsageError(
                f"people alone have judged these answers in words: say --judge {' or '.join(people)}"
            )
    return {dataset: str(its) for dataset, its in found.items()}


def default_judges(con: duckdb.DuckDBPyConnection) -> dict[str, dict[str, str]]:
    """The default judges of each dataset by strategy, that of its benchmark's own first; under `choice` stands
    that of choices."""
    found: dict[str, dict[str, str]] = {}
    for dataset, task, strategy, judge in _defaults(con, "every_default_judge", {}):
        found.setdefault(dataset, {})["choice" if task == "choice" else strategy] = judge
    return found


def _defaults(
    con: duckdb.DuckDBPyConnection, query: str, parameters: Mapping[str, object]
) -> list[tuple[Any, ...]]:
    try:
        return session.rows(con, query, parameters)
    except duckdb.CatalogException as error:
        raise UsageError(
            "the release in this warehouse has no view default_judge; `evalhouse releases install` adds it, or "
            "say --judge"
        ) from error


def choose_judge_of_runs(
    con: duckdb.DuckDBPyConnection,
    judge: str | None,
    benchmark_id: int,
    task: str,
    strategy: str,
    runs: Mapping[int, str],
) -> str:
    """The requested judge of a few runs, or their datasets' default; none where that differs, or leaves verdicts
    of these runs pending, unless soft scores are wanted.

    Args:
        runs: the dataset of each, by the run's number.

    Raises:
        UsageError: as `judges_of_datasets` says.
    """
    if judge is not None:
        require_judge(con, judge, benchmark_id, task, strategy)
        return judge
    defaults = judges_of_datasets(con, None, benchmark_id, task, strategy)
    chosen = list(dict.fromkeys(defaults[dataset] for dataset in runs.values()))
    if is_soft(task, strategy) or chosen == [NONE]:
        return chosen[0]
    parameters = {"run_ids": list(runs), "strategy": strategy, "judge": chosen[0]}
    if len(chosen) > 1 or session.rows(con, "pending_under", parameters)[0][0]:
        return NONE
    return chosen[0]


def require_judge(
    con: duckdb.DuckDBPyConnection, judge: str, benchmark_id: int, task: str, strategy: str
) -> None:
    """Refuse a judge that a board cannot be under.

    Raises:
        UsageError: naming those that it can be under.
    """
    require_among(judge, judges_of_board(con, benchmark_id, task, strategy))


def require_among(judge: str, offered: Sequence[str]) -> None:
    """Refuse a judge that is not among those offered.

    Raises:
        UsageError: naming those.
    """
    if judge not in offered:
        raise UsageError(f"no judge {judge!r}; there are {', '.join(offered) or 'no judges'}")


def groups_of(con: duckdb.DuckDBPyConnection, benchmark_id: int) -> tuple[str, ...]:
    """The strategies that count a benchmark's questions in groups."""
    rows = con.execute(_SQL["groups"], {"benchmark_id": benchmark_id}).fetchall()
    return tuple(f"{GROUP}{name}" for (name,) in rows)


def choose_strategy(strategy: str, task: str, benchmark: str, groups: tuple[str, ...] = ()) -> str:
    """The strategy, if a benchmark of that task, with these groups, has it.

    Raises:
        UsageError: it has not.
    """
    known = (*STRATEGIES_OF[task], *groups)
    if strategy not in known:
        raise UsageError(f"no strategy {strategy!r} for {benchmark}; there are {', '.join(known)}")
    return strategy


def levels_of(con: duckdb.DuckDBPyConnection, benchmark_id: int) -> dict[str, bool]:
    """The levels of a benchmark's abilities in order, and whether each divides another."""
    return {
        str(level): bool(n_parents)
        for level, n_parents in con.execute(
            _SQL["levels"], {"benchmark_id": benchmark_id}
        ).fetchall()
    }


def choose_level(level: str | None, divides: Mapping[str, bool]) -> str:
    """The requested level, or the default; `divides` is what `levels_of` returns.

    Raises:
        UsageError: there is no such level.
    """
    levels = list(divides)
    if level is None:
        if CAPABILITY_LEVEL in levels:
            return CAPABILITY_LEVEL
        return levels[1 if len(levels) > 1 and divides[levels[1]] else 0] if levels else "overall"
    if level != "overall" and level not in levels:
        raise UsageError(f"no level {level!r}; there are {', '.join(('overall', *levels))}")
    return level


def require_subset(
    con: duckdb.DuckDBPyConnection, subset: str, benchmark_id: int, name: str
) -> None:
    """Refuse a subset that no dataset of the benchmark has.

    Raises:
        UsageError: naming those there are.
    """
    known = con.execute(_SQL["subsets"], {"benchmark_id": benchmark_id}).fetchall()
    offered = [WHOLE, *(str(each) for (each,) in known)]
    if subset not in offered:
        raise UsageError(f"{name!r} has no subset {subset!r}; there are {', '.join(offered)}")
