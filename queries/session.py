"""Asking a warehouse: named queries from `commands/*.sql`, and SQL of the user's own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb
import polars as pl

from queries.confined import asking
from queries.confined.asking import Limits
from queries.install import LATEST, installed
from warehouse.errors import UsageError
from warehouse.resources import Resources

if TYPE_CHECKING:
    import pyarrow as pa

_COMMANDS = Path(__file__).parent / "commands"


def use_release(con: duckdb.DuckDBPyConnection, name: str = LATEST) -> None:
    """Let names of views mean those of a release that is installed in the warehouse.

    Raises:
        UsageError: it is not installed.
    """
    here = installed(con)
    if name != LATEST and name not in here:
        raise UsageError(
            f"no release {name!r} in this warehouse; it has {', '.join(here) or 'none'} "
            "(`evalhouse releases install` adds one)"
        )
    if not here:
        raise UsageError("no release is installed; run `evalhouse releases install`")
    con.execute(f"SET search_path = '{name},main'")


def require_view(con: duckdb.DuckDBPyConnection, name: str) -> None:
    """Refuse a release that was installed before it had a view.

    Raises:
        UsageError: the release in use has no such view.
    """
    ((here,),) = con.execute(
        "SELECT count(*) FROM duckdb_views() WHERE view_name = ? "
        "AND schema_name = current_schema()",
        [name],
    ).fetchall()
    if not here:
        raise UsageError(
            f"the release in this warehouse has no view {name}; `evalhouse releases install` "
            "installs it as it comes with this evalhouse"
        )


def ask(
    con: duckdb.DuckDBPyConnection, query: str, parameters: Mapping[str, object] | None = None
) -> pl.DataFrame:
    """The result of `commands/{query}.sql`.

    Raises:
        UsageError: it asks for a column that the views in this warehouse, of an earlier evalhouse, have not.
    """
    sql = (_COMMANDS / f"{query}.sql").read_text(encoding="utf-8")
    try:
        return frame_of(con.sql(sql, params=dict(parameters or {})))
    except duckdb.BinderException as error:
        raise UsageError(
            f"the release in this warehouse is not as this evalhouse has it ({str(error).splitlines()[0]}); "
            "`evalhouse releases install` installs it anew"
        ) from error


def remembering() -> Callable[..., pl.DataFrame]:
    """`ask` for one state of a warehouse: the same question again is not asked again.

    Of each query the last answer is kept.
    """
    last: dict[str, tuple[dict[str, object], pl.DataFrame]] = {}

    def remembered(
        con: duckdb.DuckDBPyConnection, query: str, parameters: Mapping[str, object] | None = None
    ) -> pl.DataFrame:
        asked = dict(parameters or {})
        if query not in last or last[query][0] != asked:
            last[query] = asked, ask(con, query, asked)
        return last[query][1]

    return remembered


def ask_later_view(
    con: duckdb.DuckDBPyConnection, query: str, parameters: Mapping[str, object], *, view: str
) -> pl.DataFrame:
    """The same of a query that reads a view which older installations of a release have not.

    Raises:
        UsageError: this one has not.
    """
    try:
        return ask(con, query, parameters)
    except duckdb.CatalogException as error:
        raise UsageError(
            f"the release in this warehouse has no view {view}; `evalhouse releases install` adds it"
        ) from error


def run_user_sql(
    con: duckdb.DuckDBPyConnection, path: Path, sql: str, *, limits: Limits, resources: Resources
) -> pl.DataFrame:
    """The result of a user's query, which runs in a process that cannot write.

    Args:
        con: the warehouse, open for reading, whose release is in use.
        path: its file.
        sql: one SELECT, or EXPLAIN of one.
        limits: of time and rows.
        resources: of memory and threads.

    Raises:
        UsageError: the query is wrong; the message is the engine's, with the place and a
            suggestion for a misspelt name.
        EvalhouseError: it takes more time, rows or memory than it may.
    """
    names = ("search_path", "disabled_optimizers")
    (told,) = con.execute("SELECT " + ", ".join(f"current_setting('{n}')" for n in names)).fetchall()  # fmt: skip
    table = asking.rows_of(
        sql,
        path,
        settings=dict(zip(names, told, strict=True)),
        memory_limit=resources.memory_limit,
        threads=resources.threads,
        limits=limits,
    )
    try:
        return frame_of_table(table)
    except pl.exceptions.PolarsError as error:
        raise UsageError(f"the result has a type that cannot be shown: {error}") from error


def frame_of(relation: duckdb.DuckDBPyRelation) -> pl.DataFrame:
    """A result as polars; columns of one name are told apart by :1, :2 behind it."""
    return frame_of_table(relation.to_arrow_table())


def frame_of_table(table: pa.Table) -> pl.DataFrame:
    """The same of an Arrow table."""
    names: list[str] = []
    for name in table.column_names:
        count = sum(1 for earlier in names if earlier == name or earlier.startswith(f"{name}:"))
        names.append(f"{name}:{count}" if count else name)
    frame = pl.from_arrow(table.rename_columns(names))
    assert isinstance(frame, pl.DataFrame)
    return frame
