"""Whether a file's tables are those of evalhouse, checked before anything of it is read or written.

A file may come from anybody. In the place of a table it may hold a view that reads something else,
a column that a function fills, or a trigger that acts when a row is added; a macro may take the
name of a function of the engine. So each name of ours in the schema `main` has to be a base table
exactly as the migrations make it, and nothing there may shadow what our queries call. What else
lies in the file is its owner's, and none of our queries reads it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path

import duckdb

from warehouse import migrate, statements
from warehouse.errors import EvalhouseError

_SQL = statements.of_module(__file__)
_MARK = "schema_version"
_VERSIONS = {
    digest: int(version)
    for version, digest in tomllib.loads(
        Path(__file__).with_name("shapes.toml").read_text(encoding="utf-8")
    )["sha256"].items()
}
"""Schema versions by the hash of their tables; other tables are compared one by one."""

_CATALOGS = frozenset({"_warehouse", "the_other", "memory", "temp", "system"})
"""Names that mean a catalog in our queries; a schema of such a name would make them ambiguous."""

_OURS_ELSEWHERE = ("kept_",)
"""How the tables begin that evalhouse writes next to a release's views."""

_MACROS = frozenset({"plain_text"})
_ADVICE = "Open the file with DuckDB to drop or rename it, if you trust the file otherwise."


def require(
    con: duckdb.DuckDBPyConnection, path: Path, catalog: str, *, current_only: bool = False
) -> int:
    """The schema version of an attached file with sound tables; 0 for an empty one.

    Args:
        con: has the file attached, and another catalog in use, which is in memory and empty.
        path: the file's, for messages.
        catalog: the name under which it is attached.
        current_only: refuse an older schema, which is right for a file that is not to be upgraded.

    Raises:
        EvalhouseError: it is no warehouse, or something in it is not as the migrations make it.
        SchemaVersionError: a newer evalhouse made it, or an older one.
    """
    parameters = {"catalog": catalog}
    found: dict[str, list[tuple[str, str, str]]] = {}
    for kind, schema, name, detail in con.execute(_SQL["objects"], parameters).fetchall():
        found.setdefault(kind, []).append((schema, name, detail))
    in_main = {
        name.lower(): (name, sql)
        for schema, name, sql in found.get("table", ())
        if schema == "main"
    }
    if _MARK not in in_main:
        if found:
            raise EvalhouseError(f"{path}: a DuckDB file, but not a warehouse of evalhouse")
        return 0
    ours = {name: in_main[name][1] for name in in_main.keys() & migrate.table_names()}
    exact = _VERSIONS.get(digest_of(ours.values()))
    if exact is None:
        mark = {_MARK: expected(con, 0)[_MARK]}
        _require_tables(con, path, catalog, found, in_main, mark, "any schema version")
    version = _version(con, path, catalog)
    migrate.require_version(path, version, or_older=not current_only)
    if version != exact:
        ours = expected(con, version)
        of = f"schema version {version}"
        _require_tables(con, path, catalog, found, in_main, ours, of)
    _require_free(path, in_main, found, ours, version)
    _require_nothing_acts(path, found, ours)
    _require_nothing_shadows(con, path, catalog, found, ours)
    return version


def expected(con: duckdb.DuckDBPyConnection, version: int) -> dict[str, str]:
    """The tables of a schema version by name, as this engine renders their definitions.

    Args:
        con: its catalog in use is in memory and empty, and is so again afterwards.
        version: 0 for what is there before the first migration.
    """
    con.execute("BEGIN TRANSACTION")
    try:
        migrate.create(con, version)
        return dict(con.execute(_SQL["tables"]).fetchall())
    finally:
        con.execute("ROLLBACK")


def digest_of(definitions: Iterable[str]) -> str:
    """The hash of tables' definitions, in any order."""
    return sha256("\n".join(sorted(definitions)).encode()).hexdigest()


def _version(con: duckdb.DuckDBPyConnection, path: Path, catalog: str) -> int:
    rows = con.execute(f"SELECT version FROM {catalog}.main.{_MARK} ORDER BY version").fetchall()
    versions = [version for (version,) in rows]
    if not versions or versions != list(range(max(versions[0], 1), versions[-1] + 1)):
        listed = ", ".join(map(str, versions)) or "none"
        raise EvalhouseError(
            f"{path}: main.{_MARK} should name schema versions in a row, each once; it has {listed}"
        )
    return int(versions[-1])


def _require_tables(
    con: duckdb.DuckDBPyConnection,
    path: Path,
    catalog: str,
    found: Mapping[str, list[tuple[str, str, str]]],
    in_main: Mapping[str, tuple[str, str]],
    ours: Mapping[str, str],
    version: str,
) -> None:
    views = {name.lower() for _, name, _ in found.get("view", ())}
    for name, sql in ours.items():
        if name in in_main and in_main[name][1] == sql:
            continue
        if name in in_main:
            its_name = in_main[name][0]
            what = _difference(con, catalog, its_name, sql)
            raise EvalhouseError(f"{path}: main.{its_name} is not the table of {version}: {what}")
        if name in views:
            raise EvalhouseError(f"{path}: main.{name} is a view and should be a table. {_ADVICE}")
        raise EvalhouseError(f"{path}: the table main.{name} of {version} is missing")


def _difference(con: duckdb.DuckDBPyConnection, catalog: str, name: str, sql: str) -> str:
    """The first thing in which a table differs from its definition."""

    def columns(of: str, table: str) -> list[tuple[str, ...]]:
        return con.execute(_SQL["columns"], {"catalog": of, "table": table}).fetchall()

    con.execute("BEGIN TRANSACTION")
    try:
        con.execute(sql)
        ((here,),) = con.execute("SELECT current_database()").fetchall()
        wanted = columns(here, name.lower())
    finally:
        con.execute("ROLLBACK")
    got = columns(catalog, name)
    for one, other in zip(got, wanted, strict=False):
        if one[0] != other[0]:
            return f"it has the column {one[0]} where {other[0]} should be"
        for said, its, should in zip(
            ("type", "NULL allowed", "DEFAULT", "generated by"), one[1:], other[1:], strict=True
        ):
            if its != should:
                return f"column {one[0]}: {said}: {its}, and should be {should}"
    if len(got) != len(wanted):
        longer = (got if len(got) > len(wanted) else wanted)[min(len(got), len(wanted))][0]
        return f"the column {longer} is {'too many' if len(got) > len(wanted) else 'missing'}"
    return "it has a constraint or a name of its own"


def _require_free(
    path: Path,
    in_main: Mapping[str, tuple[str, str]],
    found: Mapping[str, list[tuple[str, str, str]]],
    ours: Mapping[str, str],
    version: int,
) -> None:
    """Refuse a name of a later schema that is taken by something of the owner's."""
    taken = in_main.keys() | {name.lower() for _, name, _ in found.get("view", ())}
    for name in migrate.table_names() - ours.keys():
        if name in taken:
            raise EvalhouseError(
                f"{path}: main.{name} is a name of a later schema than this file's version {version}. "
                "Rename it with DuckDB first."
            )


def _require_nothing_acts(
    path: Path, found: Mapping[str, list[tuple[str, str, str]]], ours: Mapping[str, str]
) -> None:
    for kind in ("trigger", "index"):
        for schema, table, name in found.get(kind, ()):
            if (schema == "main" and table.lower() in ours) or (
                schema != "main" and table.lower().startswith(_OURS_ELSEWHERE)
            ):
                raise EvalhouseError(
                    f"{path}: the {kind} {name} on {schema}.{table} is none of evalhouse's. {_ADVICE}"
                )


def _functions(con: duckdb.DuckDBPyConnection) -> frozenset[str]:
    """The engine's own functions, listed once in a process: no extension is loaded later."""
    if not _listed:
        _listed.append(frozenset(name for (name,) in con.execute(_SQL["functions"]).fetchall()))
    return _listed[0]


_listed: list[frozenset[str]] = []


def _require_nothing_shadows(
    con: duckdb.DuckDBPyConnection,
    path: Path,
    catalog: str,
    found: Mapping[str, list[tuple[str, str, str]]],
    ours: Mapping[str, str],
) -> None:
    shadows = [("view", name) for _, name, _ in found.get("view", ()) if name.lower() in ours]
    shadows += [("sequence", n) for _, n, _ in found.get("sequence", ()) if n.lower() in ours]
    shadows += [("schema", n) for _, n, _ in found.get("schema", ()) if n.lower() in _CATALOGS]
    types = [name for _, name, _ in found.get("type", ())]
    if types:
        known = {name for (name,) in con.execute(_SQL["types"]).fetchall()}
        shadows += [("type", name) for name in types if name.lower() in known | ours.keys()]
    macros = [name for (name,) in con.execute(_SQL["macros"], {"catalog": catalog}).fetchall()]
    if macros:
        taken = _functions(con) | _MACROS | ours.keys()
        shadows += [("macro", name) for name in macros if name.lower() in taken]
    for kind, name in shadows:
        place = name if kind == "schema" else f"main.{name}"
        raise EvalhouseError(
            f"{path}: the {kind} {place} takes the place of what evalhouse's queries mean. {_ADVICE}"
        )
