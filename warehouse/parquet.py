"""The facts as a folder of Parquet files, and back: every table of the schema main, row for row.

The two tables that grow with every run lie in parts of so many runs each (`run_group=…`), so that
20,000 runs are forty files and not twenty thousand. Rows never pass through Python.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import duckdb

from warehouse import manifest as manifests
from warehouse import migrate, sources, statements
from warehouse.connection import CATALOG, allowed, transaction
from warehouse.errors import FullDiskError, InputError, SchemaVersionError, UsageError
from warehouse.files import writing
from warehouse.manifest import DataFile, Manifest, TableFiles
from warehouse.statements import literal, quoted

RUNS_PER_GROUP = 500
_BY_RUN = ("prediction", "choice_score")
_SQL = statements.of_module(__file__)


def export(con: duckdb.DuckDBPyConnection, folder: Path, *, evalhouse: str) -> Manifest:
    """Write every table of facts to a folder, atomic where it is new; the manifest comes last.

    Args:
        con: a warehouse of the newest schema.
        folder: made if it does not exist; has to be empty.
        evalhouse: the version to note.

    Raises:
        UsageError: the folder holds something, or cannot be written.
    """
    writing.require_room(folder, "an export")
    with writing.folder(folder, last=manifests.NAME) as new:
        try:
            tables = {
                name: _export_table(con, new, name, columns)
                for name, columns in _columns(con).items()
            }
        except duckdb.IOException as error:
            said = str(error).replace(str(new), str(folder))
            why = "the disk is full: " if writing.is_full(said) else ""
            raise UsageError(f"{folder}: cannot be written: {why}{said}") from error
        manifest = Manifest(
            schema_version=migrate.installed_version(con, folder),
            evalhouse=evalhouse,
            duckdb=duckdb.__version__,
            tables=tables,
        )
        manifests.write(new, manifest)
    return manifest


def load(con: duckdb.DuckDBPyConnection, folder: Path, manifest: Manifest) -> None:
    """Put an export's rows into a new warehouse, after checking every file; one atomic transaction.

    Args:
        con: a warehouse of the manifest's schema version, without rows of its own.
        folder: where the files are.
        manifest: the folder's.

    Raises:
        InputError: a file, a table or a column is not what the manifest says or the schema holds.
    """
    manifests.check_files(folder, manifest)
    path = folder / manifests.NAME
    here = _columns(con)
    for name in sorted(here.keys() | manifest.tables.keys()):
        columns = manifest.tables[name].columns if name in manifest.tables else None
        if columns != here.get(name):
            raise InputError(path, _difference(columns, here.get(name)), field=f"tables.{name}")
    manifests.require_each_once(folder, manifest)
    with transaction(con):
        for name, table in manifest.tables.items():
            _load_table(con, folder, name, table)


def contents(con: duckdb.DuckDBPyConnection) -> dict[str, tuple[int, str]]:
    """By table of facts, its number of rows and their hash in any order, as in a manifest."""
    return {name: _content(con, name, columns) for name, columns in _columns(con).items()}


def require_known(folder: Path, manifest: Manifest) -> None:
    """Refuse an export of a schema that this evalhouse does not know.

    Raises:
        SchemaVersionError: it is newer, or older than what this evalhouse upgrades.
    """
    steps = migrate.available()
    first, newest = steps[0].version, steps[-1].version
    if not first <= manifest.schema_version <= newest:
        older = f" Evalhouse {migrate.LAST_TO_UPGRADE} imports it, and exports it anew."
        raise SchemaVersionError(
            f"{folder}: holds schema version {manifest.schema_version}, written by evalhouse "
            f"{manifest.evalhouse}; this one knows {first} to {newest}."
            + older
            * (manifest.schema_version < first)
        )


def _columns(con: duckdb.DuckDBPyConnection) -> dict[str, dict[str, str]]:
    """The types of each table's columns."""
    found: dict[str, dict[str, str]] = {}
    # Other objects of the schema main are the user's, and no facts.
    parameters = {"ours": sorted(migrate.table_names()), "catalog": CATALOG}
    for table, column, its_type in con.execute(_SQL["columns"], parameters).fetchall():
        found.setdefault(table, {})[column] = its_type
    return found


def _export_table(
    con: duckdb.DuckDBPyConnection,
    folder: Path,
    name: str,
    columns: Mapping[str, str],
) -> TableFiles:
    files = []
    for place, condition in _parts(con, name):
        target = folder / place
        target.parent.mkdir(parents=True, exist_ok=True)
        ((rows,),) = con.execute(
            _SQL["write"].format(
                table=quoted(name), condition=condition, file=literal(allowed(target)[0])
            )
        ).fetchall()
        size = target.stat().st_size
        files.append(DataFile(place, int(rows), size, sources.digest(target)))
    rows, content = _content(con, name, columns)
    return TableFiles(columns, rows, content, tuple(files))


def _parts(con: duckdb.DuckDBPyConnection, name: str) -> Iterator[tuple[str, str]]:
    """The files of a table, and the condition on the rows of each."""
    if name not in _BY_RUN:
        yield f"{name}/part-0.parquet", ""
        return
    groups = _SQL["groups"].format(key="run_id", size=RUNS_PER_GROUP, table=quoted(name))
    for (group,) in con.execute(groups).fetchall():
        first = int(group) * RUNS_PER_GROUP
        # A range, so that what holds other runs is not read.
        between = f" WHERE run_id BETWEEN {first} AND {first + RUNS_PER_GROUP - 1}"
        yield f"{name}/run_group={int(group)}/part-0.parquet", between


def _load_table(con: duckdb.DuckDBPyConnection, folder: Path, name: str, table: TableFiles) -> None:
    # What the migrations put there: which ones they were, and who pays.
    con.execute(f"DELETE FROM main.{quoted(name)}")
    for file in table.files:
        path = folder / file.path
        if sources.digest(path) != file.sha256:
            raise InputError(path, "its content is not what was exported: the sha256 differs")
        read = "read_parquet($path, hive_partitioning = false)"
        parameters = {"path": allowed(path)[1]}
        try:
            found = con.execute(f"DESCRIBE SELECT * FROM {read}", parameters).fetchall()
            columns = {column: its_type for column, its_type, *_ in found}
            if columns != dict(table.columns):
                raise InputError(path, _difference(columns, table.columns))
            listed = ", ".join(map(quoted, table.columns))
            con.execute(
                f"INSERT INTO main.{quoted(name)} ({listed}) SELECT {listed} FROM {read}",
                parameters,
            )
        except (duckdb.InterruptException, duckdb.OutOfMemoryException):
            raise
        except duckdb.Error as error:
            if writing.is_full(str(error)):
                raise FullDiskError(f"the disk is full: {str(error).splitlines()[0]}") from error
            raise InputError(path, str(error).splitlines()[0]) from error
    rows, content = _content(con, name, table.columns)
    if (rows, content) != (table.rows, table.content):
        raise InputError(
            folder / name,
            f"{rows:,} rows with the hash {content}, the manifest says {table.rows:,} and {table.content}",
        )


def _content(
    con: duckdb.DuckDBPyConnection, name: str, columns: Mapping[str, str]
) -> tuple[int, str]:
    """How many rows a table has, and their hash in any order."""
    row = " || ".join(_encoded(quoted(column), its_type) for column, its_type in columns.items())
    sql = _SQL["content"].format(row=row, table=quoted(name))
    ((n_rows, upper, lower),) = con.execute(sql).fetchall()
    return int(n_rows), f"{int(upper):x}-{int(lower):x}"


def _encoded(column: str, its_type: str) -> str:
    """A value as a text behind its length, so that no two rows have the same text."""
    if its_type.endswith("[]"):
        inside = f"list_transform({column}, lambda x_: {_encoded('x_', its_type[:-2])})"
        return f"coalesce('[' || array_to_string({inside}, '') || ']', '-')"
    text = column if its_type == "VARCHAR" else f"CAST({column} AS VARCHAR)"
    return f"coalesce(length({text}) || ':' || {text}, '-')"


def _difference(found: Mapping[str, str] | None, wanted: Mapping[str, str] | None) -> str:
    if wanted is None:
        return "the schema has no such table"
    if found is None:
        return "this table is missing"
    for name in dict.fromkeys((*found, *wanted)):
        if name not in wanted:
            return f"the schema has no column {name}"
        if name not in found:
            return f"the column {name} is missing"
        if found[name] != wanted[name]:
            return f"the column {name} is {found[name]}, and should be {wanted[name]}"
    return "the columns are in another order"
