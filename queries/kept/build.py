"""Computing the results of runs to be kept: what several kept views rest on is computed once, in temporary tables.

A query of each view would plan and compute every verdict again. Runs with many answers are taken a few
at a time: over all of them the engine would want more memory, or spill more, than most machines have.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

import duckdb

from queries import release as releases
from queries.kept import compose
from queries.plan import PlannedObject, internal_schema, plan
from warehouse import statements

MOST_ANSWERS = 3_000_000
"""Answers of the runs whose tables are made at a time."""

_SQL = statements.of_module(__file__)
_PREFIX = "built_"

_COPIES = ("answered_pass",)
"""Rows of other views under other names: a table of these would only take longer to read."""


def planned(con: duckdb.DuckDBPyConnection, release: str) -> tuple[PlannedObject, ...] | None:
    """The views of a shipped release that is installed as it ships; None of any other."""
    if release not in releases.shipped_names():
        return None
    shipped = releases.load(release)
    there = con.execute(
        "SELECT kind, name, sha256 FROM main.release_object WHERE release = ?", [release]
    ).fetchall()
    files = {(file.kind, file.name, file.sha256) for file in shipped.lasting_files}
    return plan(shipped, files=shipped.lasting_files) if files <= set(there) else None


def tables(
    con: duckdb.DuckDBPyConnection,
    release: str,
    of_release: Iterable[PlannedObject],
    views: Iterable[str],
) -> dict[str, str]:
    """Make the tables for some views of the runs in `stale_run`; return what each view is instead, as FROM takes it.

    Args:
        con: with the table `stale_run`.
        release: installed.
        of_release: its objects in the order in which they are created.
        views: what is to be kept.
    """
    runs = f"{_PREFIX}{compose.RUNS}"
    con.execute(_SQL["keep_stale_runs"].format(table=runs, release=release, runs=compose.RUNS))
    items = {item.file.name: item for item in of_release if item.file.kind == "view"}
    items |= _without_rows(con, release, runs, items.values())
    wanted = list(views)
    inside = frozenset[str]().union(*(compose.resting_on_runs(view, items) for view in wanted))
    order = [one for one in items if one in inside]
    if compose.are_of_subjects(order, items):
        # Of the judgments there may be millions, of which a few runs want some hundreds.
        inside |= {*compose.VERDICTS}
        order = compose.verdicts_after_subjects(order, items)
    name = compose.names(inside, release)
    uses = _uses(order, items, name)
    if compose.VERDICTS[0] in inside:
        uses.update(compose.SUBJECT_VIEWS)
    bodies = {compose.RUNS: runs}
    for one in order:
        if one == compose.RUNS:
            continue
        sql = name.sub(lambda found: bodies[found[1]], items[one].sql)
        if one == compose.VERDICTS[0]:
            sql = compose.of_subjects(sql, [bodies[one] for one in compose.SUBJECT_VIEWS])
        if uses[one] > 1 and one not in (*wanted, *_COPIES):
            con.execute(f"CREATE OR REPLACE TEMP TABLE {_PREFIX}{one} AS {sql}")
            bodies[one] = f"{_PREFIX}{one}"
        else:
            bodies[one] = f"(\n{sql}\n)"
    return {view: bodies[view] for view in wanted}


def _without_rows(
    con: duckdb.DuckDBPyConnection, release: str, runs: str, items: Iterable[PlannedObject]
) -> dict[str, PlannedObject]:
    """The views that have rows of other rules alone than those of the runs' benchmarks, as views without
    rows: the engine takes longer to plan all rules than to score a few answers.

    Args:
        con: where.
        release: installed.
        runs: the table of the runs.
        items: its views.
    """
    rules = {rule for (rule,) in con.execute(_SQL["rules"].format(runs=runs)).fetchall()}
    left_out = {
        item.file.name: item
        for item in items
        if item.rules is not None and item.rules.isdisjoint(rules)
    }
    if not left_out:
        return {}
    columns: dict[str, list[str]] = {}
    for view, name, its_type in con.execute(
        _SQL["columns"],
        {"schemas": [release, internal_schema(release)], "views": list(left_out)},
    ).fetchall():
        columns.setdefault(view, []).append(f'CAST(NULL AS {its_type}) AS "{name}"')
    return {
        view: replace(
            item,
            sql=f"SELECT {', '.join(columns[view])} WHERE FALSE",
            depends_on=(compose.RUNS,),
        )
        for view, item in left_out.items()
        # Somebody may have dropped it, in a client of their own.
        if view in columns
    }


def drop(con: duckdb.DuckDBPyConnection) -> None:
    """Drop what `tables` made."""
    for (name,) in con.execute(
        "SELECT table_name FROM duckdb_tables() WHERE temporary AND starts_with(table_name, ?)",
        [_PREFIX],
    ).fetchall():
        con.execute(f"DROP TABLE temp.{name}")


def _uses(
    order: Iterable[str], items: Mapping[str, PlannedObject], name: re.Pattern[str]
) -> Counter[str]:
    """In how many places the views name each of them."""
    return Counter(found for one in order for found in name.findall(items[one].sql))
