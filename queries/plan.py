"""From a release's files to statements: dependencies, order, qualified names, comments."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from graphlib import CycleError, TopologicalSorter

from queries.heads import head, shared_column_comments
from queries.lint import parse_file
from queries.release import INTERNAL, Release, SqlFile, load, require_frozen
from warehouse.errors import EvalhouseError
from warehouse.later import exp


@dataclass(frozen=True)
class _Mention:
    """A name in a text: where it begins; `schema` is "" where the text names none."""

    place: int
    schema: str
    name: str


@dataclass(frozen=True)
class _Located:
    """What a file names, in the order of its text, and the names that its WITH gives."""

    mentions: tuple[_Mention, ...]
    with_names: frozenset[str]


@lru_cache(maxsize=1024)
def _located(file: SqlFile, macros: frozenset[str]) -> _Located:
    """Find what a view's SELECT or a macro's body names; of a macro also its own name.

    Args:
        macros: what of its functions is a macro.

    Raises:
        EvalhouseError: the file is not allowed (see `queries.lint.parse_file`).
    """
    try:
        tree = parse_file(file, macros)
        with_names = frozenset(cte.alias for cte in tree.find_all(exp.CTE))
        # The head of a macro is a table to the parser.
        own = tree.this.this if file.kind == "macro" else None
        found = [
            _Mention(_place(one.args.get("db") or one.this), one.db, one.name)
            for one in tree.find_all(exp.Table)
            if one is own or one.db or one.name not in with_names
        ]
        calls = [one for one in tree.find_all(exp.Anonymous) if one.name in macros]
        found += [_Mention(_place(one), "", one.name) for one in calls]
    except RecursionError as error:
        raise EvalhouseError(f"{file.place}: is nested too deeply") from error
    return _Located(tuple(sorted(found, key=lambda one: one.place)), with_names)


def _place(named: exp.Expr) -> int:
    return int(named.meta["start"])


@dataclass(frozen=True)
class PlannedObject:
    """A macro or view with its names qualified, ready to be created.

    `schema` is where it is to be, as it is written between quotation marks. `sql` is a SELECT for a
    view, and the whole CREATE MACRO for a macro. `table` says that its rows are stored, as a result: per
    run, or of all runs; `key` what tells those of a run apart; `is_internal` that only other views read it;
    `rules` those whose questions alone it has rows of; `stored_in` the result that has its rows, and which of
    them (see heads.Head); `mentions` the views and macros of the release that its text names, each as often as
    it does.
    """

    file: SqlFile
    schema: str
    sql: str
    mentions: tuple[str, ...]
    comment: str
    column_comments: dict[str, str]
    table: str | None = None
    key: tuple[str, ...] = ()
    is_internal: bool = False
    rules: frozenset[str] | None = None
    stored_in: str | None = None

    @property
    def qualified(self) -> str:
        """Its name as a statement takes it."""
        return f'"{self.schema}"."{self.file.name}"'

    @property
    def depends_on(self) -> tuple[str, ...]:
        """The views and macros that it names, each once."""
        return tuple(sorted(set(self.mentions)))


def plan(
    release: Release,
    schema: str | None = None,
    *,
    files: Iterable[SqlFile] | None = None,
    there: Mapping[str, str] | None = None,
) -> tuple[PlannedObject, ...]:
    """The release's macros and views in an order in which they can be created.

    Args:
        release: what to install.
        schema: where, all of it; by default in the release's own schemas, `internal_schema` for what
            only other views read.
        files: those of its files that are wanted, with everything they rest on; by default all.
        there: what is there already and is not planned: the schema by the name of the view or macro.

    Raises:
        EvalhouseError: a file is not allowed, names an unknown view, views depend in a circle, or a
            frozen statement has changed.
    """
    require_frozen(release)
    there = there or {}
    views, macros = release.views, release.macros

    @cache
    def schema_of(name: str) -> str:
        if name in there:
            return there[name]
        if schema is not None or name not in views:
            return schema or release.name
        return internal_schema(release.name) if is_internal(release, name) else release.name

    planned: dict[tuple[str, str], PlannedObject] = {}
    rests_on: dict[tuple[str, str], list[tuple[str, str]]] = {}
    left = list(release.files if files is None else files)
    while left:
        file = left.pop()
        key = (file.kind, file.name)
        if key in planned:
            continue
        planned[key] = _planned(file, release, schema_of)
        below = [
            views[name] if name in views else macros[name]
            for name in planned[key].depends_on
            if name not in there
        ]
        rests_on[key] = [(one.kind, one.name) for one in below]
        left += below
    # In the files' order, not in the order of the request.
    order = TopologicalSorter(
        {
            (f.kind, f.name): rests_on[f.kind, f.name]
            for f in release.files
            if (f.kind, f.name) in planned
        }
    )
    try:
        return tuple(planned[key] for key in order.static_order())
    except CycleError as error:
        circle = " → ".join(name for _, name in error.args[1])
        raise EvalhouseError(
            f"release {release.name}: views depend in a circle: {circle}"
        ) from error


def internal_schema(release: str) -> str:
    """The schema of what nobody queries: the views that only other views read, and the tables of results."""
    return f"{release}{INTERNAL}"


def places(release: str) -> dict[str, str]:
    """Both schemas of an installed release by what stands for them in a query: schema, internal."""
    return {"schema": f'"{release}"', "internal": f'"{internal_schema(release)}"'}


def is_internal(release: Release, view: str) -> bool:
    """Whether only other views read a view; one that replaces another is as that one."""
    file = release.views[view]
    return head(release.replaced.get(view, file)).is_internal


def table_of(release: Release, view: str) -> str | None:
    """Say whether a view's rows are stored: per run, or of all runs; None: they are not.

    An override of a result is one, whatever its head says.
    """
    declared = head(release.views[view]).table
    if declared is None and view in release.replaced and head(release.replaced[view]).table:
        return "per run"
    return declared


# Stands for the schema in what is kept of a file: releases that inherit it differ in nothing else.
_SCHEMA = "the schema"


RELEASE = "'{release}'"
"""What stands in a view's text for the name of the release that it is planned for, as a literal."""
_QUALIFIED = re.compile(rf'"{_SCHEMA}"\.("?)(\w+)')


def _planned(file: SqlFile, release: Release, schema_of: Callable[[str], str]) -> PlannedObject:
    qualified, hidden = _qualified(file, macros_of(file, release))
    for name in hidden:
        if name in release.views:
            raise EvalhouseError(f"{file.place}: WITH {name} hides the view of that name")
    for name in qualified.depends_on:
        if name not in release.views and name not in release.macros:
            raise EvalhouseError(
                f"{file.place}: {name} is no view of the release {release.name} "
                f"(write main.{name} for a table of facts)"
            )
    sql = _QUALIFIED.sub(lambda m: f'"{schema_of(m[2])}".{m[1]}{m[2]}', qualified.sql)
    return replace(
        qualified,
        # The name of a release is a schema's, so there is no quotation mark in it.
        sql=sql.replace(RELEASE, f"'{release.name}'"),
        schema=schema_of(file.name),
        table=table_of(release, file.name) if file.kind == "view" else None,
        key=head(file).key or head(release.replaced.get(file.name, file)).key,
        stored_in=_stored_in(file, release),
        is_internal=file.kind == "view" and is_internal(release, file.name),
    )


def _stored_in(file: SqlFile, release: Release) -> str | None:
    """Return what result has a view's rows; None where the view or that result is not as it ships.

    A head is no checked SQL, so nobody else's is asked; and what a user changed, a query computes.
    """
    stored_in = head(file).stored_in if file.is_shipped else None
    if stored_in is None or not release.views[stored_in.partition(" ")[0]].is_shipped:
        return None
    return stored_in


@lru_cache(maxsize=1024)
def _qualified(file: SqlFile, macros: frozenset[str]) -> tuple[PlannedObject, frozenset[str]]:
    """A file with its names qualified by `_SCHEMA`, and the names that its WITH gives."""
    found = _located(file, macros)
    parts, end = [], 0
    for each in found.mentions:
        if each.schema == "main":
            continue
        if each.schema:
            raise EvalhouseError(
                f"{file.place}: {each.schema}.{each.name} is in another schema; a view reads main and "
                "its own release"
            )
        parts += [file.text[end : each.place], f'"{_SCHEMA}".']
        end = each.place
    declared = head(file)
    names = [one.name for one in found.mentions if not one.schema]
    made = PlannedObject(
        file=file,
        schema=_SCHEMA,
        sql="".join([*parts, file.text[end:]]),
        mentions=tuple(name for name in names if file.kind == "view" or name != file.name),
        comment=declared.comment,
        column_comments={**shared_column_comments(), **declared.columns},
        rules=declared.rules,
    )
    return made, found.with_names


def macros_of(file: SqlFile, release: Release) -> frozenset[str]:
    """The macros that a file of a release may call: those that came with it, also where a user's release
    has others."""
    return frozenset((load(file.origin) if file.is_shipped else release).macros)
