"""The benchmark, judge, strategy, level and subset of a board, or what there is to choose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches

import duckdb

from queries import session
from warehouse import known_benchmarks, statements, subsets
from warehouse.benchmark import STRATEGIES_OF, require_task
from warehouse.errors import UsageError
from warehouse.judges import USUAL_TASK

_SQL = statements.of_module(__file__)
STRATEGIES = tuple(dict.fromkeys((*STRATEGIES_OF["choice"], *STRATEGIES_OF["open"])))
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
    return task == "open" and strategy != "graded"


def judges_of_board(
    con: duckdb.DuckDBPyConnection, benchmark_id: int, task: str, strategy: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The judges that a board can be under, and those of them that it has to be under one of.

    Args:
        task, strategy: the benchmark's task, and the strategy of the board.
    """
    if is_by_rules(task, strategy):
        rows = session.rows(con, "rule_judges", {"benchmark_id": benchmark_id})
        wanted = tuple(str(name) for name, is_wanted in rows if is_wanted)
        return (*(str(name) for name, _ in rows), "none"), wanted
    return _judges_of_task(con, USUAL_TASK[task])


def _judges_of_task(
    con: duckdb.DuckDBPyConnection, task: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    rows = session.rows(con, "judges", {"task": task})
    known = tuple(str(name) for name, _ in rows)
    wanted = tuple(str(name) for name, draws_alone in rows if not draws_alone)
    # Rules alone can find which choice an answer names, but not how good an answer in words is.
    return ((*known, "none") if task == "choice_extraction" else known), wanted


def choose_judge_of_board(
    con: duckdb.DuckDBPyConnection, judge: str | None, benchmark_id: int, task: str, strategy: str
) -> str:
    """The requested judge of a board, or the only one there is, or none.

    Raises:
        UsageError: there is no such judge, or there are several and none was requested.
    """
    offered, wanted = judges_of_board(con, benchmark_id, task, strategy)
    return _chosen(judge, offered, wanted, USUAL_TASK[task])


def choose_judge(con: duckdb.DuckDBPyConnection, judge: str | None, task: str) -> str:
    """The requested judge of a task, or the only one there is, or none.

    Raises:
        UsageError: there is no such judge, or there are several and none was requested.
    """
    return _chosen(judge, *_judges_of_task(con, task), task)


def _chosen(judge: str | None, offered: Sequence[str], wanted: Sequence[str], task: str) -> str:
    if not offered:
        raise UsageError(
            f"no judge gives a {task.replace('_', ' ')} in this warehouse: answers in words need one"
        )
    if judge is None:
        if len(wanted) > 1:
            raise UsageError(f"several judges: say --judge {' or '.join(offered)}")
        return wanted[0] if wanted else "none"
    if judge not in offered:
        raise UsageError(f"no judge {judge!r}; there are {', '.join(offered)}")
    return judge


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
