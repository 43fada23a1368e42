"""What changes from one release to another: the SQL, and on this warehouse verdicts and ranks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path

import duckdb

from queries import release as releases
from queries import session
from queries.release import Release
from warehouse import statements
from warehouse.errors import UsageError
from warehouse.later import pl

_COMMANDS = Path(__file__).parent / "commands"


@dataclass(frozen=True)
class Comparison:
    """Release `before` against `after`.

    `changed` names each view or macro that differs, with its unified diff. `flips` has a row per
    model, dataset and kind of change of a verdict under judge none; `examples` single verdicts;
    `ranks` the models whose score or rank on the benchmark's own board differs.
    """

    before: str
    after: str
    changed: dict[str, str]
    flips: pl.DataFrame
    examples: pl.DataFrame
    ranks: pl.DataFrame


def compare_sql(before: Release, after: Release) -> dict[str, str]:
    """The views and macros that differ, with their diffs."""
    old = {file.key: file for file in before.files}
    new = {file.key: file for file in after.files}
    result = {}
    for key in sorted(old.keys() | new.keys()):
        one = old[key].text.splitlines() if key in old else []
        two = new[key].text.splitlines() if key in new else []
        if one != two:
            names = (f"{before.name}/{key}", f"{after.name}/{key}")
            result[key] = "\n".join(unified_diff(one, two, *names, lineterm=""))
    return result


def compare(con: duckdb.DuckDBPyConnection, before: Release, after: Release) -> Comparison:
    """Compare two releases in the warehouse; those that are not installed are computed in the
    connection.

    Raises:
        UsageError: they are two folders of one name.
    """
    found = schemas(con, before, after)
    return Comparison(
        before=before.name,
        after=after.name,
        changed=compare_sql(before, after),
        flips=_frame(con, "diff_flips", found, before, after),
        examples=_frame(con, "diff_examples", found, before, after),
        ranks=_frame(con, "diff_ranks", found, before, after),
    )


def schemas(con: duckdb.DuckDBPyConnection, before: Release, after: Release) -> dict[str, str]:
    """Where the views of two releases are, by their names; they are made there if need be.

    Raises:
        UsageError: they are two folders of one name.
    """
    if before.name == after.name and before.directory != after.directory:
        raise UsageError(f"both releases are called {before.name}: give one folder another name")
    found = {release.name: _schema(con, release) for release in (before, after)}
    # Where the engine looks in the memory's catalog first, it does not bind macros of the
    # warehouse's views.
    session.use_release(con)
    return found


def _schema(con: duckdb.DuckDBPyConnection, release: Release) -> str:
    """Where the views of a release are, qualified by its catalog; it is made there if need be."""
    is_shipped = release.name in releases.shipped_names()
    session.use_release(con, release.name if is_shipped else str(release.directory))
    sql = "SELECT current_database(), current_schema()"
    ((catalog, schema),) = con.execute(sql).fetchall()
    return f"{catalog}.{schema}"


def statement(query: str, schemas: Mapping[str, str], before: Release, after: Release) -> str:
    """A query of two releases' views, with the schemas of these in it."""
    sql = statements.of_file(_COMMANDS / f"{query}.sql")
    # The names are schemas that were checked when the releases were read.
    return sql.replace("before_release.", f"{schemas[before.name]}.").replace(
        "after_release.", f"{schemas[after.name]}."
    )


def _frame(
    con: duckdb.DuckDBPyConnection,
    query: str,
    schemas: Mapping[str, str],
    before: Release,
    after: Release,
) -> pl.DataFrame:
    return session.frame_of(con, statement(query, schemas, before, after))
