"""Whether a user's SELECT looks at more runs than one at a time, as far as its text shows it.

Results are computed of some runs, and a SELECT sees those alone. One that compares runs would give other
rows with every group of runs that it sees, so it has to say `-- @table of all runs`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from queries.lint import parse_file
from queries.release import Release
from queries.sql_files import SqlFile
from warehouse.errors import EvalhouseError
from warehouse.later import exp

_RUN = "run_id"
FACTS = frozenset(
    ("answer_attribute", "choice_score", "harness_score", "prediction", "run", "run_input", "run_sample",
     "run_status", "run_thinking", "sample_error")
)  # fmt: skip
"""Facts that have a run."""


def require_one(release: Release, file: SqlFile, of_runs: Collection[str]) -> None:
    """Refuse a file that looks at other runs without saying so.

    Args:
        of_runs: the views of the release that have a run.

    Raises:
        EvalhouseError: naming the file and what shows it.
    """
    found = _shown(parse_file(file, frozenset(release.macros)), of_runs)
    if found is not None:
        raise EvalhouseError(
            f"{file.place}: looks at other runs ({found}); say `-- @table of all runs` in its head, and "
            "every change computes all runs"
        )


def _shown(tree: exp.Expr, of_runs: Collection[str]) -> str | None:
    """Return what in a query spans runs; None: nothing."""
    with_run: dict[str, bool] = {}
    for cte in tree.find_all(exp.CTE):
        with_run[cte.alias] = _has_run(cte.this, with_run, of_runs)
    for select in tree.find_all(exp.Select):
        names = [name for name, has_run in _sources(select, with_run, of_runs) if has_run]
        if not names:
            continue
        for window in select.find_all(exp.Window):
            if window.parent_select is select and not _names_run(window.args.get("partition_by")):
                return "a window without run_id in its PARTITION BY"
        group = select.args.get("group")
        keys = (
            select.expressions
            if group is not None and group.args.get("all")
            else group and group.expressions
        )
        if not _names_run(keys) and any(
            found.parent_select is select and not isinstance(found.parent, exp.Window)
            for one in select.expressions
            for found in one.find_all(exp.AggFunc)
        ):
            return "an aggregate without run_id in its GROUP BY"
        apart = _apart(select, names)
        if apart is not None:
            return f"{names[0]} and {apart} are joined without run_id"
    return None


def _sources(
    select: exp.Select, with_run: dict[str, bool], of_runs: Collection[str]
) -> Iterator[tuple[str, bool]]:
    """What a SELECT reads: the name that it is called by, and whether it has a run."""
    joined = [join.this for join in select.args.get("joins") or ()]
    first = select.args.get("from_")
    for source in [*([first.this] if first is not None else []), *joined]:
        if isinstance(source, exp.Table):
            is_fact = source.db == "main"
            known = FACTS if is_fact else of_runs
            has_run = source.name in known
            yield source.alias_or_name, has_run if is_fact else with_run.get(source.name, has_run)
        elif isinstance(source, exp.Subquery):
            yield source.alias_or_name, _has_run(source.this, with_run, of_runs)


def _has_run(query: exp.Expr, with_run: dict[str, bool], of_runs: Collection[str]) -> bool:
    """Whether the rows of a query have a run."""
    if isinstance(query, exp.SetOperation):
        return _has_run(query.this, with_run, of_runs)
    if not isinstance(query, exp.Select):
        return False
    return any(
        one.alias_or_name == _RUN
        or (one.is_star and any(has for _, has in _sources(query, with_run, of_runs)))
        for one in query.expressions
    )


def _names_run(keys: Collection[exp.Expr] | None) -> bool:
    return any(isinstance(one, exp.Column) and one.name == _RUN for one in keys or ())


def _apart(select: exp.Select, names: list[str]) -> str | None:
    """Return a source that no condition holds to the first one's run; None: all are."""
    groups = {name: name for name in names}

    def of(name: str) -> str:
        while groups[name] != name:
            name = groups[name]
        return name

    for join in select.args.get("joins") or ():
        using = [one.name for one in join.args.get("using") or ()]
        if _RUN in using and join.this.alias_or_name in groups:
            groups[of(join.this.alias_or_name)] = of(names[0])
    for equal in select.find_all(exp.EQ):
        sides = [equal.this, equal.expression]
        if equal.parent_select is select and all(
            isinstance(side, exp.Column) and side.name == _RUN and side.table in groups
            for side in sides
        ):
            groups[of(sides[0].table)] = of(sides[1].table)
    return next((name for name in names if of(name) != of(names[0])), None)
