"""Installing releases: each as a schema of its name, what nobody queries in one next to it
(`NAME_internal`), and `latest` pointing at the default one.

The tables and figures of the papers that come with evalhouse, and the studies of scores, are installed
apart, as the schemas `papers` and `studies` on the default release; `queries.attached` computes what is not
installed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import duckdb

from queries import create
from queries import release as releases
from queries.plan import PlannedObject, internal_schema, plan
from queries.release import GROUPS, PAPERS, Release, SqlFile
from queries.results import compute, other_runs, tables
from queries.results.tables import SET, Definition
from warehouse import statements
from warehouse.connection import transaction
from warehouse.errors import EvalhouseError, UsageError

LATEST = releases.LATEST
_SQL = statements.of_module(__file__)


@dataclass(frozen=True)
class Installed:
    """A release in a warehouse: its state, and hash by (kind, name)."""

    name: str
    builds_on: str | None
    state: str
    is_default: bool
    objects: dict[tuple[str, str], str]


def installed(con: duckdb.DuckDBPyConnection) -> dict[str, Installed]:
    """The releases in this warehouse by name.

    Raises:
        EvalhouseError: a name can be none of a release's; it would be a piece of SQL.
    """
    return {name: found for name, found in _recorded(con).items() if name not in GROUPS}


def groups(con: duckdb.DuckDBPyConnection) -> tuple[str, ...]:
    """Return those of GROUPS that are installed."""
    return tuple(name for name in GROUPS if name in _recorded(con))


def installed_group(con: duckdb.DuckDBPyConnection, name: str) -> Installed | None:
    """The papers' tables or the studies, if they are installed."""
    return _recorded(con).get(name)


def _recorded(con: duckdb.DuckDBPyConnection) -> dict[str, Installed]:
    objects: dict[str, dict[tuple[str, str], str]] = {}
    for name, kind, item, sha in con.execute(
        "SELECT release, kind, name, sha256 FROM main.release_object"
    ).fetchall():
        objects.setdefault(name, {})[kind, item] = sha
    found = con.execute(
        "SELECT name, builds_on, state, is_default FROM main.release ORDER BY is_default DESC, name"
    ).fetchall()
    for name, *_ in found:
        if name not in GROUPS and not releases.is_name(name):
            raise EvalhouseError(f"main.release: a release is named {name!r}, which none can be")
    return {
        name: Installed(name, builds_on, state, is_default, objects.get(name, {}))
        for name, builds_on, state, is_default in found
    }


def bring_up_to_date(con: duckdb.DuckDBPyConnection) -> tuple[str, ...]:
    """Install anew what is not here as it ships, or the default release where none is; return the names."""
    default = releases.default_name()
    stale = tuple(differing(con)) if installed(con) else (default,)
    if stale:
        with transaction(con):
            for name in stale:
                if name not in GROUPS:
                    _install(con, releases.load(name))
            # They go along with the default release.
            for group in GROUPS:
                if group in stale and default not in stale:
                    _add_group(con, group)
    return stale


def install_where_none_is(con: duckdb.DuckDBPyConnection) -> None:
    """Install the default release into a file that has none, in the transaction that is open."""
    if not installed(con):
        _install(con, releases.load(releases.default_name()))


def install(
    con: duckdb.DuckDBPyConnection, release: Release, files: Iterable[SqlFile] | None = None
) -> None:
    """Install one release, in place of an earlier installation of the same name.

    Args:
        files: those of its files to install; by default all but the papers' that come with evalhouse.

    Raises:
        EvalhouseError: a view does not bind; the message names its file. Or what somebody else made would
            be dropped too. Nothing is changed then.
    """
    with transaction(con):
        _install(con, release, files)


def install_group(con: duckdb.DuckDBPyConnection, name: str) -> None:
    """Install the papers' tables or the studies, and the default release if it is not as it ships."""
    with transaction(con):
        _add_group(con, name)


def uninstall(con: duckdb.DuckDBPyConnection, name: str) -> bool:
    """Take a release, or the papers, out of the warehouse; return whether it was there.

    Raises:
        UsageError: it is the one that `latest` points at.
        EvalhouseError: what somebody else made would be dropped too.
    """
    here = _recorded(con)
    if name in (LATEST, releases.default_name()):
        raise UsageError(f"{name} is what {LATEST} points at, and stays")
    if name not in here:
        return False
    with transaction(con):
        create.drop(con, *((name,) if name in GROUPS else (name, internal_schema(name))))
        _forget(con, name)
    return True


def copy_of(con: duckdb.DuckDBPyConnection, here: Mapping[str, Installed]) -> None:
    """Install shipped releases, without comments, with the objects that an installation of them elsewhere
    says it has.

    Args:
        con: a warehouse without releases.
        here: installations that are as they ship, by name, of releases and of GROUPS.
    """
    for name, found in here.items():
        if name not in GROUPS:
            release = releases.load(name)
            groups = tuple(one for one in GROUPS if release.is_default and one in here)
            _install(con, release, files_of(release, found), groups=groups, comments=False)


def differing(con: duckdb.DuckDBPyConnection) -> dict[str, list[str]]:
    """What is installed of the shipped releases and is not as it ships: name → those views and macros.

    Earlier installations held the papers' tables and figures too. They may stay where they were.
    """
    result = {}
    recorded = _recorded(con)
    default = releases.default_name()
    for name, found in recorded.items():
        if name in GROUPS:
            of = releases.load(default)
            required = allowed = _hashes(of.files_of(name))
        elif name in releases.shipped_names():
            of = releases.load(name)
            required, allowed = _hashes(of.lasting_files), _hashes(of.files)
        else:
            continue
        changed = {item for (_, item), _ in required.items() - found.objects.items()}
        changed |= {item for (_, item), _ in found.objects.items() - allowed.items()}
        if changed or found.state != of.state:
            result[name] = sorted(changed) or [f"now {of.state}"]
        elif name not in GROUPS and not _internal_views(con, name):
            result[name] = [f"now with {internal_schema(name)}"]
    if recorded.keys() - set(GROUPS) and default not in recorded:
        result[default] = [f"now {LATEST}"]
    return result


def schemas(con: duckdb.DuckDBPyConnection, name: str) -> tuple[str, ...]:
    """The schemas of an installed release, its own first."""
    return (name, internal_schema(name)) if _internal_views(con, name) else (name,)


def schemas_of(con: duckdb.DuckDBPyConnection, name: str) -> dict[str, str]:
    """Where each view and macro of an installed release is: the schema by its name."""
    internal = _internal_views(con, name)
    return {
        item: internal_schema(name) if (kind, item) in internal else name
        for kind, item in installed(con)[name].objects
    }


def _internal_views(con: duckdb.DuckDBPyConnection, name: str) -> set[tuple[str, str]]:
    """What of an installed release nobody queries; nothing where an earlier evalhouse installed it."""
    parameters = {"schema": name, "internal": internal_schema(name)}
    return {("view", view) for (view,) in con.execute(_SQL["internal"], parameters).fetchall()}


def found_as(con: duckdb.DuckDBPyConnection, name_or_directory: str) -> str | None:
    """The name of a release if it is installed here; if a folder is meant, as it stands on disk.

    Raises:
        UsageError: it is neither installed, nor shipped, nor a folder.
        EvalhouseError: the folder is not a release.
    """
    here = installed(con)
    if name_or_directory == LATEST:
        # An earlier evalhouse let it point at another release.
        return LATEST if releases.default_name() in here else None
    if name_or_directory in here and (
        name_or_directory in releases.shipped_names() or not Path(name_or_directory).is_dir()
    ):
        return name_or_directory
    release = releases.load(name_or_directory)
    found = here.get(release.name)
    if found is None:
        return None
    as_on_disk = (
        _hashes(release.lasting_files).items()
        <= found.objects.items()
        <= _hashes(release.files).items()
    )
    return release.name if as_on_disk else None


def objects(con: duckdb.DuckDBPyConnection, name_or_directory: str) -> dict[tuple[str, str], str]:
    """The hashes of what scores with a release rest on, installed or not; the papers' tables are not of it."""
    name = releases.default_name() if name_or_directory == LATEST else name_or_directory
    found = found_as(con, name)
    if found is None:
        return _hashes(releases.load(name).lasting_files)
    papers = _hashes(releases.load(releases.default_name()).paper_files).items()
    return dict(installed(con)[found].objects.items() - papers)


def _hashes(files: Iterable[SqlFile]) -> dict[tuple[str, str], str]:
    return {(file.kind, file.name): file.sha256 for file in files}


def files_of(release: Release, found: Installed) -> list[SqlFile]:
    """The files of a release that an installation of it has: earlier ones had the papers' tables too."""
    return [file for file in release.files if (file.kind, file.name) in found.objects]


def _install(
    con: duckdb.DuckDBPyConnection,
    release: Release,
    files: Iterable[SqlFile] | None = None,
    *,
    groups: Sequence[str] | None = None,
    is_same: bool = False,
    comments: bool = True,
) -> None:
    """Create a release's views, and those of `latest` and of GROUPS if it is the default one.

    Args:
        files: those of its files to install; by default all that last.
        groups: those of GROUPS to install; by default those that were there.
        is_same: they are installed already, so that what is kept of their results stays.
        comments: whether to put each view's and column's comment into the catalog.
    """
    if groups is None:
        groups = _groups_there(con, release) if release.is_default else ()
    planned = plan(release, files=release.lasting_files if files is None else files)
    schema = release.name
    (create.empty if is_same else create.schemas)(con, schema, internal_schema(schema))
    create.stand_in(con, planned)
    create.require_views(schema, planned)
    if release.is_default:
        con.execute("UPDATE main.release SET is_default = FALSE")
        _point_latest(con, release, planned, comments=comments)
    put_results(con, release, planned, is_same=is_same, comments=comments)
    for group in groups:
        _put_group(con, release, group, planned, comments=comments)
    _record(con, release, schema, planned)


def put_results(
    con: duckdb.DuckDBPyConnection,
    release: Release,
    planned: Sequence[PlannedObject],
    *,
    is_same: bool = False,
    comments: bool = True,
) -> None:
    """Make the tables of a release's results, where they are not there, and all its views upon them.

    Args:
        planned: its objects; empty tables stand in for its views.
        is_same: the tables are there, with their rows.
    """
    columns = create.columns(con, planned)
    if not is_same:
        for item in tables.results(planned):
            if not item.is_internal:
                names = tables.stored(item, [name for name, _ in columns[item.qualified]])
                stored = ", ".join(
                    f"CAST(NULL AS INTEGER) AS {name}" if name == SET else f'"{name}"'
                    for name in names
                )
                sql = f"SELECT {stored} FROM {item.qualified}"
                con.execute(f"CREATE TABLE {tables.table(item)} AS {sql} WITH NO DATA")
            con.execute(tables.comment(item))
        con.execute(tables.state_tables(release.name))
        compute.write(con, release.name, definitions_of(release, planned, columns))
    views = [*views_of(planned, columns), *tables.views(release.name)]
    create.put_views(con, views, comments=comments, is_recorded=True)


def definitions_of(
    release: Release,
    planned: Sequence[PlannedObject],
    columns: Mapping[str, Sequence[tuple[str, str]]],
) -> list[Definition]:
    """What a release's results are computed with.

    Args:
        columns: of each object, by its qualified name.

    Raises:
        EvalhouseError: a file of the user's own looks at other runs and does not say so.
    """
    types = {item.file.name: columns.get(item.qualified, []) for item in planned}
    found = tables.definitions(planned, types)
    of_runs = tables.of_runs(planned, types)
    for one in found:
        file = release.views[one.name]
        if not file.is_shipped and one.table != tables.OF_ALL_RUNS and one.name != tables.RUNS:
            other_runs.require_one(release, file, of_runs)
    return found


def views_of(
    planned: Sequence[PlannedObject], columns: Mapping[str, Sequence[tuple[str, str]]]
) -> list[PlannedObject]:
    """The objects of a release as they are made upon the tables of its results."""
    names = {item.file.name: item.qualified for item in planned}
    views = {item.file.name: item for item in planned if item.file.kind == "view"}

    def made(item: PlannedObject) -> PlannedObject:
        if item.stored_in is not None:
            result = views[item.stored_in.partition(" ")[0]]
            types = columns[item.qualified]
            return replace(item, sql=tables.view_of_stored(item, types, result, names))
        if item.table is None or item.is_internal:
            return item
        return replace(item, sql=tables.view(item, columns[item.qualified], names))

    return [made(item) for item in planned]


def _groups_there(con: duckdb.DuckDBPyConnection, release: Release) -> tuple[str, ...]:
    """Those of GROUPS that are there; the papers' tables may lie in the default release's schema."""
    here = _recorded(con)
    papers = {file.name for file in release.paper_files}
    has_papers = PAPERS in here or (
        release.name in here
        and not papers.isdisjoint(name for _, name in here[release.name].objects)
    )
    return tuple(one for one in GROUPS if one in here or (one == PAPERS and has_papers))


def _add_group(con: duckdb.DuckDBPyConnection, name: str) -> None:
    """Install one of GROUPS, which takes the default release being created again beneath it."""
    release = releases.load(releases.default_name())
    found = installed(con).get(release.name)
    groups = tuple(one for one in GROUPS if one == name or one in _groups_there(con, release))
    if found is None or release.name in differing(con):
        _install(con, release, groups=groups)
    else:
        _install(con, release, files_of(release, found), groups=groups, is_same=True)


def _put_group(
    con: duckdb.DuckDBPyConnection,
    release: Release,
    name: str,
    below: Iterable[PlannedObject],
    *,
    comments: bool,
) -> None:
    """Create the views of one of GROUPS on the views of the default release."""
    there = {item.file.name: item.schema for item in below if item.file.group is None}
    planned = plan(release, name, files=release.files_of(name), there=there)
    create.schemas(con, name)
    create.stand_in(con, planned)
    create.put_views(con, planned, comments=comments, is_recorded=True)
    _record(con, release, name, planned)


def _point_latest(
    con: duckdb.DuckDBPyConnection,
    release: Release,
    planned: Sequence[PlannedObject],
    *,
    comments: bool,
) -> None:
    """Make the views of the schema `latest` those of a release."""
    create.schemas(con, LATEST)
    create.put_views(con, views_of_latest(planned, LATEST), comments=comments)


def views_of_latest(planned: Iterable[PlannedObject], schema: str) -> list[PlannedObject]:
    """The views of `latest`, in a schema: what a release has, without what only other views read."""
    return [
        replace(item, schema=schema, sql=f"SELECT * FROM {item.qualified}")
        for item in planned
        if not item.is_internal
    ]


def _record(
    con: duckdb.DuckDBPyConnection, release: Release, name: str, planned: Iterable[PlannedObject]
) -> None:
    """Note what is installed under a name, in place of what was noted before."""
    is_whole = name == release.name
    _forget(con, name)
    con.execute(
        "INSERT INTO main.release VALUES (?, ?, ?, ?, now() AT TIME ZONE 'UTC')",
        [
            name,
            release.builds_on if is_whole else release.name,
            release.state,
            release.is_default and is_whole,
        ],
    )
    con.executemany(
        "INSERT INTO main.release_object VALUES (?, ?, ?, ?, ?)",
        [[name, f.kind, f.name, f.origin, f.sha256] for f in (item.file for item in planned)],
    )


def _forget(con: duckdb.DuckDBPyConnection, name: str) -> None:
    con.execute("DELETE FROM main.release WHERE name = ?", [name])
    con.execute("DELETE FROM main.release_object WHERE release = ?", [name])
