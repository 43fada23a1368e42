"""Queries: named ones from `commands/*.sql`, and SQL of the user's own."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import duckdb

from queries import attached, install
from queries import release as releases
from queries.confined import running
from queries.confined.running import Limits
from queries.install import LATEST
from queries.release import GROUPS, INTERNAL, PAPERS, STUDIES
from queries.results import compute
from queries.results import refresh as keeping
from warehouse import connection, statements
from warehouse.errors import UsageError
from warehouse.later import pl
from warehouse.resources import Resources

if TYPE_CHECKING:
    import pyarrow as pa

_SQL = statements.of_module(__file__)
Result = TypeVar("Result")
COMMANDS = Path(__file__).parent / "commands"
_NO_SUCH_NAME = ("Catalog Error", "Binder Error")
"""How the engine's message begins where a schema is missing; Binder where a macro of that name is there."""
_LOST = re.compile(r"\bTable with name (\w+) does not exist")
MOST_ATTACHED = 1_000_000
"""Answers of runs out of date that a command which reads computes; of more, their figures are of before."""


@dataclass(frozen=True)
class Computed:
    """The results of runs that were out of date, in a file that is no longer open.

    Attributes:
        file: a database with the release's views.
        schemas: of that database.
        search_path: what names mean where it is attached.
    """

    file: Path
    schemas: frozenset[str]
    search_path: str


def use_release(con: duckdb.DuckDBPyConnection, name_or_directory: str = LATEST) -> str:
    """Let names of views mean those of a release; return its name.

    One that is not installed as it stands on disk is computed in views of this connection alone.
    With the papers installed, names of their tables have a meaning too, where the release is the
    one they rest on.

    Raises:
        UsageError: it is neither installed, nor shipped, nor a folder.
        EvalhouseError: the folder is no release, or its views do not bind.
    """
    require_any(con)
    name = releases.default_name() if name_or_directory == LATEST else name_or_directory
    if name not in attached.schemas(con):
        with compute.in_the_file(con):
            found = install.found_as(con, name_or_directory)
            is_there = found is not None and not _is_to_compute(con, found, name_or_directory)
            if not is_there:
                name = _compute(con, name_or_directory, found)
        if found is not None and is_there:
            look_in(con, *_installed_schemas(con, found), "main")
            return found
    places = (LATEST, name) if name == releases.default_name() else (name,)
    look_in(con, *(f"{attached.CATALOG}.{one}" for one in reversed(places)), "main")
    return name_or_directory if name_or_directory == LATEST else name


def _compute(con: duckdb.DuckDBPyConnection, name_or_directory: str, found: str | None) -> str:
    """Compute what is not in the file as it should be; return the release's name.

    Args:
        found: its name, where it is installed.
    """
    release = releases.load(name_or_directory)
    if release.name in attached.schemas(con):
        return release.name
    if found is None:
        attached.make(con, release)
    else:
        files = install.files_of(release, install.installed(con)[release.name])
        groups = install.groups(con) if release.is_default else ()
        attached.make(con, release, keeping.stale(con, release.name), files, groups)
    return release.name


def _is_to_compute(con: duckdb.DuckDBPyConnection, found: str, name_or_directory: str) -> bool:
    """Whether runs of an installed release are to be computed next to the file.

    That wants the release's files: those that come with evalhouse, or the folder that was named.
    """
    name = releases.default_name() if found == LATEST else found
    runs = keeping.stale(con, name) if keeping.is_of_now(con, name) else []
    if not runs or keeping.n_answers(con, runs) > MOST_ATTACHED:
        return False
    is_shipped = name in releases.shipped_names()
    return name not in install.differing(con) if is_shipped else name_or_directory != name


def of_before(con: duckdb.DuckDBPyConnection) -> dict[str, int]:
    """Count the runs whose figures are of before: out of date, and too many to be computed by a reader.

    Returns:
        by installed release; those without such runs are left out.
    """
    found = {}
    for name in install.installed(con):
        runs = keeping.stale(con, name) if keeping.is_of_now(con, name) else []
        if runs and not _is_to_compute(con, name, name):
            found[name] = len(runs)
    return found


def use_facts(con: duckdb.DuckDBPyConnection, name_or_directory: str = LATEST) -> str:
    """The same, with every figure as the facts have it now, also where they were changed by hand.

    Every fact is hashed first. Where results do not hold, all is computed; that wants the
    release's files, so one that is known by its name alone, or that an earlier evalhouse installed,
    is used as it is.
    """
    name = use_release(con, name_or_directory)
    schema = releases.default_name() if name == LATEST else name
    if schema in attached.schemas(con):
        return name
    if keeping.is_of_now(con, schema) and not keeping.changed_by_hand(con, schema):
        return name
    if schema in releases.shipped_names():
        is_at_hand = schema not in install.differing(con)
        at_hand = schema
    else:
        # Found as installed, so the folder holds what is there.
        is_at_hand = name_or_directory != schema
        at_hand = name_or_directory
    if is_at_hand:
        look_in(con, "main")
        attached.make(con, releases.load(at_hand))
        look_in(con, f"{attached.CATALOG}.{schema}", "main")
    return name


def require_installed(con: duckdb.DuckDBPyConnection, name_or_directory: str) -> tuple[str, ...]:
    """The same of a release that has to be in the file; return the schemas of its views.

    Raises:
        UsageError: it is not; the message names the command that installs it.
    """
    require_any(con)
    found = install.found_as(con, name_or_directory)
    if found is None:
        name = releases.load(name_or_directory).name
        differs = " as the folder has it" if name in install.installed(con) else ""
        raise UsageError(
            f"the release {name} is not installed in this warehouse{differs}; "
            f"`evalhouse releases install {name_or_directory}` installs it"
        )
    schemas = _installed_schemas(con, found)
    look_in(con, *schemas, "main")
    return schemas


def views_listed(con: duckdb.DuckDBPyConnection, name_or_directory: str) -> pl.DataFrame:
    """The views of a release that are there to be queried, and the tables of facts, with their comments.

    Raises:
        UsageError: it is not installed.
    """
    first, *others = require_installed(con, name_or_directory)
    # What nobody queries lies in a schema of its own; `latest` is the default release by another name.
    return frame(con, "view_list", {"schemas": [first, *(one for one in others if one in GROUPS)]})


def require_any(con: duckdb.DuckDBPyConnection) -> None:
    """Refuse a warehouse without a release.

    Raises:
        UsageError: so it is.
    """
    if not install.installed(con):
        raise UsageError("no release is installed; run `evalhouse releases install`")


def _installed_schemas(con: duckdb.DuckDBPyConnection, name: str) -> tuple[str, ...]:
    default = releases.default_name()
    groups = [
        one for one in GROUPS if name in (LATEST, default) and install.installed_group(con, one)
    ]
    own = default if name == LATEST else name
    return (*((LATEST,) if name == LATEST else ()), *install.schemas(con, own), *groups)


def look_in(con: duckdb.DuckDBPyConnection, *schemas: str) -> None:
    """Set where the engine looks for names; a schema without a catalog is the warehouse's."""
    home = compute.home_of(con)
    path = ",".join(schema if "." in schema else f"{home}.{schema}" for schema in schemas)
    con.execute(f"SET search_path = '{path}'")


def require_view(con: duckdb.DuckDBPyConnection, view: str, release: str = LATEST) -> None:
    """Refuse a release without a view; it may have been installed before it had one.

    Args:
        release: the one in use.

    Raises:
        UsageError: it has no such view.
    """
    ((here,),) = con.execute(_SQL["has_view"], {"name": view}).fetchall()
    if here:
        return
    shipped = releases.default_name() if release == LATEST else release
    if shipped in releases.shipped_names() and view not in releases.load(shipped).views:
        raise UsageError(f"the release {shipped} has no view {view}")
    raise UsageError(
        f"the release in this warehouse has no view {view}; `evalhouse releases install` "
        "installs it as it comes with this evalhouse"
    )


def frame(
    con: duckdb.DuckDBPyConnection, query: str, parameters: Mapping[str, object] | None = None
) -> pl.DataFrame:
    """The result of `commands/{query}.sql`.

    Raises:
        UsageError: it reads a column that this warehouse's views, of an earlier evalhouse, lack.
    """
    return frame_of_table(
        _run_query(con, query, lambda sql: statements.table_of(con, sql, parameters))
    )


def rows(
    con: duckdb.DuckDBPyConnection,
    query: str,
    parameters: Mapping[str, object] | None = None,
    *,
    source: str = "",
) -> list[tuple[Any, ...]]:
    """The same as plain rows, without a library of data frames.

    Args:
        source: what stands in place of {source} in the query, as FROM takes it.
    """
    return _run_query(
        con, query, lambda sql: con.execute(sql, parameters or None).fetchall(), source=source
    )


def records(
    con: duckdb.DuckDBPyConnection,
    query: str,
    parameters: Mapping[str, object] | None = None,
    *,
    source: str = "",
) -> list[dict[str, Any]]:
    """The same rows by the columns' names."""
    found = rows(con, query, parameters, source=source)
    names = [column[0] for column in con.description or ()]
    return [dict(zip(names, row, strict=True)) for row in found]


def _run_query(
    con: duckdb.DuckDBPyConnection, query: str, run: Callable[[str], Result], *, source: str = ""
) -> Result:
    sql = statements.of_file(COMMANDS / f"{query}.sql").replace("{source}", source)
    try:
        return run(sql)
    except (duckdb.BinderException, duckdb.CatalogException) as error:
        if isinstance(error, duckdb.CatalogException) and not _LOST.search(str(error)):
            raise
        raise UsageError(
            f"the release in this warehouse is not as this evalhouse has it ({str(error).splitlines()[0]}); "
            "`evalhouse releases install` installs it anew"
        ) from error


def remembering() -> Callable[..., list[dict[str, Any]]]:
    """`records` for one state of a warehouse: the same query with the same parameters is run once.

    Of each query the last answer is kept.
    """
    last: dict[str, tuple[tuple[dict[str, object], str], list[dict[str, Any]]]] = {}

    def remembered(
        con: duckdb.DuckDBPyConnection,
        query: str,
        parameters: Mapping[str, object] | None = None,
        *,
        source: str = "",
    ) -> list[dict[str, Any]]:
        given = dict(parameters or {}), source
        if query not in last or last[query][0] != given:
            last[query] = given, records(con, query, parameters, source=source)
        return last[query][1]

    return remembered


def is_out_of_date(con: duckdb.DuckDBPyConnection, name_or_directory: str) -> bool:
    """Whether a reader computes runs of a release that has to be in the file.

    Raises:
        UsageError: the release is not installed.
    """
    require_installed(con, name_or_directory)
    found = install.found_as(con, name_or_directory)
    return found is not None and _is_to_compute(con, found, name_or_directory)


def use_installed(
    con: duckdb.DuckDBPyConnection, name_or_directory: str, folder: Path | None = None
) -> Computed | None:
    """Let names mean the views of a release that has to be in the file, as its facts are now.

    Args:
        folder: where to write the results of runs that are out of date; None: they stay in memory.

    Returns:
        what it wrote into the folder; None: nothing.

    Raises:
        UsageError: the release is not installed.
    """
    if not is_out_of_date(con, name_or_directory):
        return None
    if folder is None:
        use_release(con, name_or_directory)
        return None
    file = folder / "attached.duckdb"
    attached.attach(con, file)
    use_release(con, name_or_directory)
    ((path,),) = con.execute("SELECT current_setting('search_path')").fetchall()
    schemas = attached.schemas(con)
    look_in(con, "main")
    con.execute(f"DETACH {attached.CATALOG}")
    return Computed(file, schemas, str(path))


def run_user_sql(
    con: duckdb.DuckDBPyConnection,
    path: Path,
    sql: str,
    *,
    limits: Limits,
    resources: Resources,
    computed: Computed | None = None,
) -> pl.DataFrame:
    """The result of a user's query, which runs in a process that cannot write.

    Args:
        con: the warehouse, open for reading, whose release is in use.
        path: its file.
        sql: one SELECT, or EXPLAIN of one.
        limits: of time and rows.
        resources: of memory and threads.
        computed: what `use_installed` wrote.

    Raises:
        UsageError: the query is wrong; the message is the engine's, with the place and a
            suggestion for a misspelt name. Where it names what is not installed, the message names
            the command that installs that.
        EvalhouseError: it takes more time, rows or memory than it may.
    """
    names = ("search_path", "disabled_optimizers", "enable_caching_operators")
    (values,) = con.execute(
        "SELECT " + ", ".join(f"CAST(current_setting('{n}') AS VARCHAR)" for n in names)
    ).fetchall()
    settings = dict(zip(names, values, strict=True))
    if computed is not None:
        settings["search_path"] = ",".join([computed.search_path, *_others(con, computed, sql)])
    try:
        table = running.rows_of(
            sql,
            path,
            settings=settings,
            attached=None if computed is None else (computed.file, attached.CATALOG),
            memory_limit=resources.memory_limit,
            threads=resources.threads,
            limits=limits,
        )
    except UsageError as error:
        hint = _not_installed(con, sql) if str(error).startswith(_NO_SUCH_NAME) else None
        lost = _LOST.search(str(error))
        if hint is None and lost is not None and lost[1] in _names_of_release():
            hint = "`evalhouse releases install` installs the release anew"
        if hint is None:
            raise
        raise UsageError(f"{error}\n{hint}") from error
    try:
        return frame_of_table(table)
    except pl.exceptions.PolarsError as error:
        raise UsageError(f"the result has a type that cannot be shown: {error}") from error


def _others(con: duckdb.DuckDBPyConnection, computed: Computed, sql: str) -> list[str]:
    """Return the schemas of the file that a query names and that were not computed.

    Where names mean what was computed first, the engine finds a schema of the file only if it is in the
    path. One that no query names must not be: a view that the release lacks would be another's.
    """
    named = {
        release
        for release in (*install.installed(con), *install.groups(con))
        if re.search(rf'\b{release}({INTERNAL})?"?\s*\.', sql, re.IGNORECASE)
    }
    if not named.isdisjoint(GROUPS):
        named.add(releases.default_name())
    return [
        f"{connection.CATALOG}.{schema}"
        for (schema,) in con.execute(_SQL["schemas"]).fetchall()
        if schema.removesuffix(INTERNAL) in named and schema not in computed.schemas
    ]


def _names_of_release() -> frozenset[str]:
    """The views of the default release, but those that are installed apart."""
    return frozenset(file.name for file in releases.load(releases.default_name()).lasting_files)


def _not_installed(con: duckdb.DuckDBPyConnection, sql: str) -> str | None:
    """How to install what a query names that the engine did not find."""
    missing = [one for one in GROUPS if install.installed_group(con, one) is None]
    for name in (*releases.shipped_names(), *missing):
        if name not in install.installed(con) and re.search(
            rf'\b{name}"?\s*\.', sql, re.IGNORECASE
        ):
            return f"{name} is not installed in this warehouse: `evalhouse releases install {name}` installs it"
    for group, what in ((PAPERS, "the papers' tables"), (STUDIES, "the studies")):
        views = [file.name for file in releases.load(releases.default_name()).files_of(group)]
        found = re.search(rf"\b({'|'.join(views)})\b", sql, re.IGNORECASE)
        if found is None:
            continue
        if group not in missing:
            return f"{what} are in the schema {group}: {group}.{found[1].lower()}"
        return (
            f"{what} are not installed in this warehouse: `evalhouse releases install {group}` "
            f"installs {group}.{found[1].lower()} and the others"
        )
    return None


def frame_of(
    con: duckdb.DuckDBPyConnection,
    sql: str,
    parameters: Mapping[str, object] | Sequence[object] | None = None,
) -> pl.DataFrame:
    """The rows of a query as polars, as `frame_of_table` has them."""
    return frame_of_table(statements.table_of(con, sql, parameters))


def frame_of_table(table: pa.Table) -> pl.DataFrame:
    """An Arrow table as polars; columns of one name are numbered: :1, :2."""
    names: list[str] = []
    for name in table.column_names:
        count = sum(1 for earlier in names if earlier == name or earlier.startswith(f"{name}:"))
        names.append(f"{name}:{count}" if count else name)
    frame = pl.from_arrow(table.rename_columns(names))
    assert isinstance(frame, pl.DataFrame)
    return frame
