"""Reading kept tables alone: where every run is fresh, the half of a view that computes is not
planned.

Planning that half takes longer than all else that a board needs. So a connection gets temporary
views that hide those of the release: the same text as in the catalog, with the kept tables where
the divided views are named. Where a run is not fresh, nothing is hidden, and the figures are the
same either way.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

import duckdb

from queries.kept import compose, refresh
from queries.plan import internal_schema, places
from queries.release import INTERNAL
from warehouse import statements

_SQL = statements.of_module(__file__)
_WORD = re.compile(r"\w+")
_TABLE = re.compile(
    r"""(?<!DISTINCT )\b(?:FROM|JOIN)\s+(?:"?\w+"?\s*\.\s*)*"?(\w+)""", re.IGNORECASE
)
_SEVERAL = re.compile(r"""\bFROM\s+(?:(?!\b(?:BY|SELECT)\b)[\w\s."])+,""", re.IGNORECASE)
"""Tables with a comma between them, and no list of columns."""


@dataclass(frozen=True)
class _Installed:
    """A release of which every run is fresh, as a connection found it."""

    schema: str
    texts: Mapping[str, str]
    bound: set[str] = field(default_factory=set)


_found: WeakKeyDictionary[duckdb.DuckDBPyConnection, dict[str, _Installed | None]] = (
    WeakKeyDictionary()
)
"""What connections that cannot write have seen; nothing changes a file while they are open."""


def bind(con: duckdb.DuckDBPyConnection, release: str, names: Iterable[str]) -> frozenset[str]:
    """Let the names of views mean the kept rows for the rest of a connection, if all are fresh.

    Args:
        con: a connection on which nothing is written until `unbind`.
        release: an installed release, or `latest`.
        names: what will be queried; what is no view that rests on kept rows stays as it is.

    Returns:
        the names that mean kept rows now.
    """
    installed = _look(con, release)
    if installed is None:
        return frozenset()
    made: list[str] = []
    try:
        for name, sql in _hiding(installed, names).items():
            if name not in installed.bound:
                con.execute(sql)
                made.append(name)
    except (duckdb.CatalogException, duckdb.BinderException):
        # Somebody dropped or changed a table; the views say what there is to say.
        for name in made:
            con.execute(f"DROP VIEW temp.{name}")
        return frozenset()
    installed.bound.update(made)
    return frozenset(installed.bound)


def bind_named(con: duckdb.DuckDBPyConnection, release: str, sql: str) -> frozenset[str]:
    """The same of the views that a query may name."""
    return bind(con, release, _named(sql))


def creations(con: duckdb.DuckDBPyConnection, release: str, sql: str) -> list[str]:
    """What `bind_named` would run, for another connection to the same file."""
    installed = _look(con, release)
    return [] if installed is None else list(_hiding(installed, _named(sql)).values())


def _named(sql: str) -> list[str]:
    """The words of a query that may be views; `score` is also a column of most of them."""
    return _WORD.findall(sql) if _SEVERAL.search(sql) else after_from(sql)


def after_from(sql: str) -> list[str]:
    """What stands behind each FROM and JOIN of a query, without its schema."""
    return _TABLE.findall(sql)


def unbind(con: duckdb.DuckDBPyConnection, names: Iterable[str] | None = None) -> None:
    """Let names mean the views again.

    Args:
        names: those that matter: nothing is done where none of them means kept rows; None: any.
    """
    if names is not None and all(
        installed is None or installed.bound.isdisjoint(names)
        for installed in _found.get(con, {}).values()
    ):
        return
    for installed in _found.pop(con, {}).values():
        for name in installed.bound if installed else ():
            con.execute(f"DROP VIEW IF EXISTS temp.{name}")


def _look(con: duckdb.DuckDBPyConnection, release: str) -> _Installed | None:
    """A release with the texts of its views; None where it is not installed, or a run not fresh."""
    known = _found.setdefault(con, {})
    if release not in known:
        found = con.execute(_SQL["release"], {"release": release}).fetchall()
        known[release] = None
        if found and all_fresh(con, found[0][0]):
            schema = str(found[0][0])
            both = [schema, internal_schema(schema)]
            rows = con.execute(_SQL["texts"], {"schemas": both}).fetchall()
            known[release] = _Installed(schema, {name: _query_of(sql) for name, sql in rows})
    return known[release]


def _query_of(sql: str) -> str:
    """A view's query, of the statement that makes it. Names of views and of schemas hold no space."""
    return sql.partition(" AS ")[2].rstrip().removesuffix(";")


def _hiding(installed: _Installed, names: Iterable[str]) -> dict[str, str]:
    """The statements that make temporary views of these names, by name.

    What is between a view and the kept rows is written out in it, as the engine binds a view with
    all below it when it is made.
    """
    schema, texts = installed.schema, installed.texts
    reference = re.compile(
        rf'(?<![\w."])"?{re.escape(schema)}(?:{INTERNAL})?"?\."?(\w+)"?(?P<alias>\s+AS\b)?',
        re.IGNORECASE,
    )
    made = {}
    for name in dict.fromkeys(one for one in names if one in texts):
        if name in compose.KEPT:
            kept = f'"{internal_schema(schema)}".kept_{name}'
            made[name] = f'CREATE OR REPLACE TEMP VIEW "{name}" AS FROM {kept}'
        elif order := _above_kept(name, texts, reference):
            query = _one_query(installed, order, reference)
            made[name] = f'CREATE OR REPLACE TEMP VIEW "{name}" AS {query}'
    return made


def _one_query(installed: _Installed, order: Sequence[str], reference: re.Pattern[str]) -> str:
    """The query of the last of these views over kept rows, the others in a WITH."""

    def hidden(found: re.Match[str]) -> str:
        name = found[1]
        if name in compose.KEPT:
            own = f'"{internal_schema(installed.schema)}".kept_{name}'
        elif name in order:
            own = f"alone_{name}"
        else:
            return found[0]
        return own + (found["alias"] or f' AS "{name}"')

    parts = [
        f"alone_{name} AS NOT MATERIALIZED ({reference.sub(hidden, installed.texts[name])})"
        for name in order
    ]
    return f"WITH {', '.join(parts)} FROM alone_{order[-1]}"


def all_fresh(con: duckdb.DuckDBPyConnection, release: str) -> bool:
    """Whether every run of an installed release has kept results that hold."""
    if not refresh.is_of_now(con, release):
        return False
    try:
        ((is_fresh,),) = con.execute(_SQL["all_fresh"].format(**places(release))).fetchall()
    except (duckdb.CatalogException, duckdb.BinderException):
        # Somebody dropped or changed a table of it.
        return False
    return bool(is_fresh)


def _above_kept(view: str, texts: Mapping[str, str], reference: re.Pattern[str]) -> list[str]:
    """The views between one and the kept rows, lowest first, itself last; empty: it rests on none."""
    order: list[str] = []
    known: dict[str, bool] = dict.fromkeys(compose.KEPT, True)

    def rests(name: str) -> bool:
        if name not in known:
            known[name] = False
            found = reference.finditer(texts.get(name, ""))
            below = [rests(one) for one in dict.fromkeys(match[1] for match in found)]
            if any(below):
                known[name] = True
                order.append(name)
        return known[name]

    rests(view)
    return order
