"""What the views and macros of installed releases are, to compare with what they should be.

A file says of its releases which ones they are, and who made the file may have written something else
into their schemas. So what is there is compared with a warehouse that was made here.
"""

from __future__ import annotations

from collections.abc import Mapping

import duckdb

from queries import install
from queries import release as releases
from warehouse import statements

Definitions = Mapping[tuple[str, str, str], str]
"""The definition of each object by schema, name and kind (view, table or macro)."""

_SQL = statements.beside(__file__)


def read(con: duckdb.DuckDBPyConnection) -> Definitions:
    """Those of the shipped releases and of `latest` in a warehouse."""
    schemas = [*releases.shipped_names(), install.LATEST]
    return {
        (schema, name, kind): definition
        for kind, schema, name, definition in con.execute(
            _SQL["definitions"], {"schemas": schemas}
        ).fetchall()
    }


def changed(con: duckdb.DuckDBPyConnection, made_here: Definitions) -> dict[str, list[str]]:
    """The shipped releases whose objects are others than they say: name → those objects, sorted.

    One that says itself that it is not as it ships, such as an older one, has nothing to be compared
    with and is left out, and so is one of the user's own; `install.differing` tells of the former.

    Args:
        con: a warehouse.
        made_here: what a warehouse holds in which this evalhouse installed its releases.
    """
    said = install.differing(con)
    there = install.installed(con)
    claimed = {name for name in releases.shipped_names() if name in there and name not in said}
    if releases.default_name() in claimed:
        claimed.add(install.LATEST)
    found = read(con)
    result: dict[str, list[str]] = {}
    for key in sorted(found.keys() | made_here.keys()):
        schema, name, _ = key
        if schema in claimed and found.get(key) != made_here.get(key):
            result.setdefault(schema, []).append(name)
    return result
