"""What the views and macros of installed releases are, to compare with what they should be.

A file says of its releases which ones they are, and who made the file may have written something
else into their schemas. So what is there is compared with the same installations, made here and
thrown away.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping
from pathlib import Path

import duckdb

from queries import install
from queries import release as releases
from queries.install import Installed
from queries.plan import internal_schema
from warehouse import connection, statements

Definitions = Mapping[tuple[str, str, str], str]
"""The definition of each object by schema, name and kind (view, table or macro)."""

_SQL = statements.of_module(__file__)
_WRAPPED = re.compile(r"\(SELECT \* FROM (?=\(SELECT \* FROM \(VALUES )|(\) AS valueslist)\1+")
"""What the engine puts around VALUES each time that it writes a query, as an import does."""


def read(con: duckdb.DuckDBPyConnection) -> Definitions:
    """Those of the shipped releases, of `latest`, of the papers and of the studies in a warehouse."""
    shipped = releases.shipped_names()
    schemas = [*shipped, *map(internal_schema, shipped), install.LATEST, *releases.GROUPS]
    return {
        (schema, name, kind): _WRAPPED.sub(r"\1", definition)
        for kind, schema, name, definition in con.execute(
            _SQL["definitions"], {"schemas": schemas}
        ).fetchall()
    }


def changed(con: duckdb.DuckDBPyConnection, blank: Path | None = None) -> dict[str, list[str]]:
    """What is installed as it ships by its own account and is not: the schema → those objects,
    sorted.

    A release that says itself that it is not as it ships, such as an older one, has nothing to be
    compared with and is left out, and so is one of the user's own; `install.differing` names the
    former.

    Args:
        con: the warehouse to look at.
        blank: an empty warehouse of this evalhouse, if there is one; where it has the same releases,
            none has to be made.
    """
    said = install.differing(con)
    shipped = releases.shipped_names()
    claimed = [one for one in install.installed(con).values() if one.name in shipped]
    # The papers' tables and the studies are made upon the default release.
    claimed = [one for one in claimed if one.name not in said]
    has_default = any(one.name == releases.default_name() for one in claimed)
    for group in releases.GROUPS:
        found_group = install.installed_group(con, group)
        if found_group is not None and has_default and group not in said:
            claimed.append(found_group)
    schemas = {one.name for one in claimed} | ({install.LATEST} if has_default else set())
    schemas |= {internal_schema(one.name) for one in claimed}
    found, made = read(con), _made({one.name: one for one in claimed}, blank)
    result: dict[str, list[str]] = {}
    for key in sorted(found.keys() | made.keys()):
        schema, name, _ = key
        if schema in schemas and found.get(key) != made.get(key):
            result.setdefault(schema, []).append(name)
    return result


def _made(claimed: Mapping[str, Installed], blank: Path | None) -> Definitions:
    """What such installations are; those that an empty warehouse has are read from it."""
    if blank is None or not blank.is_file() or not claimed.keys().isdisjoint(releases.GROUPS):
        # A group of views is made upon the default release.
        return made_here(claimed)
    con = connection.open_for_reading(blank)
    try:
        there = {
            name: one
            for name, one in install.installed(con).items()
            if name in claimed and one.objects == claimed[name].objects
        }
        found = read(con) if there else {}
    finally:
        con.close()
    rest = {name: one for name, one in claimed.items() if name not in there}
    return {**(made_here(rest) if rest else {}), **found}


def made_here(claimed: Mapping[str, Installed]) -> Definitions:
    """What such installations are, made by this evalhouse."""
    # In a file, and opened again: the engine writes some of a definition anew when it has read it.
    with tempfile.TemporaryDirectory(prefix="evalhouse-") as folder:
        path = Path(folder) / "made.duckdb"
        connection.open_for_writing(path, then=lambda con: install.copy_of(con, claimed)).close()
        con = connection.open_for_reading(path)
        try:
            return read(con)
        finally:
            con.close()
