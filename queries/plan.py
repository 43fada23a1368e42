"""From a release's files to statements: dependencies, order, qualified names, comments."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from graphlib import CycleError, TopologicalSorter

from sqlglot import exp

from queries.heads import head, shared_column_comments
from queries.lint import parse_file
from queries.release import Release, SqlFile
from warehouse.errors import EvalhouseError


@dataclass(frozen=True)
class PlannedObject:
    """A macro or view with its names qualified, ready to be created.

    `sql` is a SELECT for a view, and the whole CREATE MACRO for a macro. `reads` says whether it names
    a view or a table; `is_per_run` that its head declares `-- @kept per run`: what a run's rows are
    depends on the run's own facts and on nothing of other runs.
    """

    file: SqlFile
    sql: str
    depends_on: tuple[str, ...]
    comment: str
    column_comments: dict[str, str]
    reads: bool = True
    is_per_run: bool = False


def plan(release: Release, schema: str | None = None) -> tuple[PlannedObject, ...]:
    """The release's macros and views in an order in which they can be created.

    Args:
        release: what to install.
        schema: where; by default the release's name.

    Raises:
        EvalhouseError: a file is not allowed, names an unknown view, or views depend in a circle.
    """
    schema = schema or release.name
    planned = {(file.kind, file.name): _planned(file, release, schema) for file in release.files}
    order = TopologicalSorter(
        {
            key: [
                ("macro" if name in release.macros and name not in release.views else "view", name)
                for name in item.depends_on
            ]
            for key, item in planned.items()
        }
    )
    try:
        return tuple(planned[key] for key in order.static_order())
    except CycleError as error:
        circle = " → ".join(name for _, name in error.args[1])
        raise EvalhouseError(
            f"release {release.name}: views depend in a circle: {circle}"
        ) from error


# Stands for the schema in what is kept of a file: releases that inherit it differ in nothing else.
_SCHEMA = "the schema"


def _planned(file: SqlFile, release: Release, schema: str) -> PlannedObject:
    qualified, hidden = _qualified(file, frozenset(release.macros))
    for name in hidden:
        if name in release.views:
            raise EvalhouseError(f"{file.path}: WITH {name} hides the view of that name")
    for name in qualified.depends_on:
        if name not in release.views and name not in release.macros:
            raise EvalhouseError(
                f"{file.path}: {name} is no view of the release {release.name} "
                f"(write main.{name} for a table of facts)"
            )
    return replace(qualified, sql=qualified.sql.replace(f'"{_SCHEMA}"', f'"{schema}"'))


@lru_cache(maxsize=1024)
def _qualified(file: SqlFile, macros: frozenset[str]) -> tuple[PlannedObject, tuple[str, ...]]:
    """A file with its names qualified by `_SCHEMA`, and the names that its WITH gives."""
    try:
        return _walked(file, macros)
    except RecursionError as error:
        raise EvalhouseError(f"{file.path}: is nested too deeply") from error


def _walked(file: SqlFile, macros: frozenset[str]) -> tuple[PlannedObject, tuple[str, ...]]:
    tree = parse_file(file, macros)
    depends: set[str] = set()
    reads = False
    with_names = {cte.alias for cte in tree.find_all(exp.CTE)}
    for table in list(tree.find_all(exp.Table)):
        if file.kind == "macro" and table.parent_select is None:
            continue  # the macro's own name
        reads = True
        if table.db == "" and table.name in with_names:
            continue
        if table.db == "":
            depends.add(table.name)
            table.set("db", exp.to_identifier(_SCHEMA, quoted=True))
        elif table.db != "main":
            raise EvalhouseError(
                f"{file.path}: {table.db}.{table.name} is in another schema; a view reads main and "
                "its own release"
            )
    # Those within others first, so that the copy of an outer call has them as they are to be.
    for call in reversed(list(tree.find_all(exp.Anonymous))):
        if call.name in macros:
            depends.add(call.name)
            call.replace(
                exp.Dot(this=exp.to_identifier(_SCHEMA, quoted=True), expression=call.copy())
            )
    if file.kind == "macro":
        tree.this.this.set("db", exp.to_identifier(_SCHEMA, quoted=True))
        depends.discard(file.name)
    told = head(file)
    planned = PlannedObject(
        file=file,
        sql=tree.sql("duckdb", pretty=True, comments=False),
        depends_on=tuple(sorted(depends)),
        comment=told.comment,
        column_comments={**shared_column_comments(), **told.columns},
        reads=reads,
        is_per_run=told.is_per_run,
    )
    return planned, tuple(sorted(with_names))
