"""Reading kept tables alone: where every run is fresh, the half of a view that computes is not
planned.

Planning that half takes longer than all else that a board needs. So a connection gets temporary
views that hide those of the release: the same text as in the catalog, with the kept tables where
the divided views are named. Where a run is not fresh, nothing is hidden, and the figures are the
same either way.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import duckdb

from queries.kept import compose, refresh
from warehouse import statements

_SQL = statements.of_module(__file__)
_CREATED = re.compile(r"CREATE VIEW \S+ AS (?P<query>.+?);?\s*", re.DOTALL)


def bind(con: duckdb.DuckDBPyConnection, release: str, views: Sequence[str]) -> bool:
    """Let the names of some views mean the kept rows for the rest of a connection, if all are
    fresh.

    Args:
        con: a connection on which nothing is written.
        release: an installed release, or `latest`.
        views: those that will be queried.

    Returns:
        whether it was done.
    """
    found = con.execute(_SQL["release"], {"release": release}).fetchall()
    if not found or not _all_fresh(con, found[0][0]):
        return False
    schema = str(found[0][0])
    texts: dict[str, str] = {}
    for name, sql in con.execute(_SQL["texts"], {"schema": schema}).fetchall():
        created = _CREATED.fullmatch(sql)
        if created is not None:
            texts[name] = created["query"]
    if not set(views) <= texts.keys():
        return False
    reference = re.compile(rf'(?<![\w."])"?{re.escape(schema)}"?\."?(\w+)"?')
    order = _above_kept(views, texts, reference)

    def hidden(found: re.Match[str]) -> str:
        name = found[1]
        if name in compose.KEPT:
            return f'"{schema}".kept_{name}'
        return f"temp.{name}" if name in order else found[0]

    made: list[str] = []
    try:
        for name in order:
            text = reference.sub(hidden, texts[name])
            con.execute(f"CREATE OR REPLACE TEMP VIEW {name} AS {text}")
            made.append(name)
    except (duckdb.CatalogException, duckdb.BinderException):
        # Somebody dropped or changed a table; the views say what there is to say.
        for name in made:
            con.execute(f"DROP VIEW temp.{name}")
        return False
    return True


def _all_fresh(con: duckdb.DuckDBPyConnection, release: str) -> bool:
    if not refresh.is_of_now(con, release):
        return False
    try:
        ((is_fresh,),) = con.execute(_SQL["all_fresh"].format(schema=f'"{release}"')).fetchall()
    except (duckdb.CatalogException, duckdb.BinderException):
        # Somebody dropped or changed a table of it.
        return False
    return bool(is_fresh)


def _above_kept(
    views: Sequence[str], texts: dict[str, str], reference: re.Pattern[str]
) -> list[str]:
    """The views that are queried and rest on kept ones, with those between, lowest first."""
    order: list[str] = []
    known: dict[str, bool] = dict.fromkeys(compose.KEPT, True)

    def rests(name: str) -> bool:
        if name not in known:
            known[name] = False
            below = [rests(one) for one in dict.fromkeys(reference.findall(texts.get(name, "")))]
            if any(below):
                known[name] = True
                order.append(name)
        return known[name]

    for view in views:
        rests(view)
    return order
