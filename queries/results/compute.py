"""Computing results: the one way from facts to what boards show.

The SELECTs of a release's definitions run one after the other, each over the rows that those before it
gave of the same runs. These are temporary tables, which come before all others of their names; what is a
result is then put in the place of these runs' earlier rows, in one transaction.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

import duckdb

from queries.plan import internal_schema
from queries.results.tables import RUNS, Definition
from queries.sql_files import NAME
from warehouse import connection, judges, statements
from warehouse.errors import EvalhouseError

ATTACHED = "_attached"
"""The database of what is computed next to the file."""
STEPS = "temp"
"""Where a definition's rows are."""
_SQL = statements.of_module(__file__)
_NO_FEW = 200
"""Of more runs the facts are not narrowed to them by a list."""


def home_of(con: duckdb.DuckDBPyConnection) -> str:
    """Return the name of the warehouse's database, also where what is next to it is in use."""
    ((home,),) = con.execute("SELECT current_database()").fetchall()
    return connection.CATALOG if home == ATTACHED else str(home)


@contextmanager
def in_the_file(con: duckdb.DuckDBPyConnection, *schemas: str) -> Iterator[None]:
    """Let names mean what is in the file, whatever is in use, for as long as the `with` lasts.

    Args:
        schemas: where else to look, each with its database.
    """
    ((path,),) = con.execute("SELECT current_setting('search_path')").fetchall()
    places = ",".join((f"{home_of(con)}.main", *schemas))
    con.execute(f"SET search_path = '{places}'")
    try:
        yield
    finally:
        con.execute(f"SET search_path = '{path}'")


@contextmanager
def computed(
    con: duckdb.DuckDBPyConnection,
    release: str,
    definitions: Sequence[Definition],
    run_ids: Sequence[int] | None,
    *,
    macros: str | None = None,
    unasked: bool = False,
) -> Iterator[str]:
    """Compute the results of some runs; give where each is a table meanwhile, as SQL names it.

    Args:
        release: for messages.
        run_ids: the runs; None: all that count.
        macros: the schema of the release's macros, with its database; None: the release's in the file.
        unasked: whether also under a judge of each task that nobody asked yet. Its name is blank, which no
            other's can be, and its rows are those of every judge without a verdict.

    Raises:
        EvalhouseError: a definition does not bind.
    """
    home = home_of(con)
    done: list[str] = []
    try:
        with in_the_file(con, macros or f"{home}.{release}"):
            try:
                _narrow(con, home, run_ids)
                if unasked:
                    sql = _SQL["judges"].format(home=home, tasks=list(judges.IMPORTED_TASKS))
                    con.execute(f"CREATE TEMP VIEW judge AS {sql}")
                rules: set[str] | None = None
                for definition in definitions:
                    if definition.rules is not None and rules is None:
                        rules = {rule for (rule,) in con.execute(_SQL["rules"]).fetchall()}
                    done.append(_compute(con, home, release, definition, run_ids, rules or set()))
            finally:
                for shadow in (*_NARROW, "judge"):
                    con.execute(f"DROP VIEW IF EXISTS temp.{shadow}")
        yield STEPS
    finally:
        for kind_and_name in reversed(done):
            con.execute(f"DROP {kind_and_name}")


_NARROW = {
    name.removeprefix("narrow "): sql for name, sql in _SQL.items() if name.startswith("narrow ")
}
"""Facts of which a definition sees those of the runs alone: `main.NAME` means the narrowed one."""


def _narrow(con: duckdb.DuckDBPyConnection, home: str, run_ids: Sequence[int] | None) -> None:
    """Let facts mean those of some runs, and of their datasets' questions."""
    if run_ids is None or len(run_ids) > _NO_FEW:
        return
    among = ", ".join(str(int(one)) for one in run_ids) or "NULL"
    for table, sql in _NARROW.items():
        con.execute(f"CREATE TEMP VIEW {table} AS {sql.format(home=home, among=among)}")


def _compute(
    con: duckdb.DuckDBPyConnection,
    home: str,
    release: str,
    definition: Definition,
    run_ids: Sequence[int] | None,
    rules: set[str],
) -> str:
    """Run one definition; return what it made, as DROP takes it."""
    name = f'{STEPS}."{definition.name}"'
    if _has_none(con, definition, rules):
        # To plan all rules takes longer than to score a few answers.
        con.execute(f"CREATE TEMP TABLE {name} ({definition.columns})")
        return f"TABLE {name}"
    sql = definition.sql
    if definition.name == RUNS and run_ids is not None:
        among = ", ".join(str(int(one)) for one in run_ids) or "NULL"
        sql = f"SELECT * FROM (\n{sql}\n) AS run_ WHERE run_.run_id IN ({among})"
    if definition.judgments_of:
        hashes = " UNION ALL ".join(
            f'SELECT subject_hash FROM "{one}"' for one in definition.judgments_of
        )
        con.execute(_SQL["judgments"].format(home=home, hashes=hashes))
    is_stored = definition.table is not None or definition.n_readers != 1 or definition.judgments_of
    made = f"{'TABLE' if is_stored else 'VIEW'} {name}"
    # What one alone reads is planned with that.
    option = "" if is_stored else "WITH (DEFER_BINDING) "
    try:
        con.execute(f"CREATE TEMP {made} {option}AS\n{sql}")
    except (duckdb.OutOfMemoryException, duckdb.InterruptException):
        raise
    except duckdb.Error as error:
        raise EvalhouseError(
            f"release {release}, {definition.name}: {connection.first_line(error)}"
        ) from error
    finally:
        if definition.judgments_of:
            con.execute("DROP VIEW temp.judgment")
    return made


def _has_none(con: duckdb.DuckDBPyConnection, definition: Definition, rules: set[str]) -> bool:
    """Whether a definition has no rows, without planning it."""
    if definition.rules is not None and rules.isdisjoint(definition.rules):
        return True
    if definition.rows_of is None:
        return False
    found = con.execute(f'SELECT 1 FROM {STEPS}."{definition.rows_of}" LIMIT 1').fetchall()
    return not found


def read(con: duckdb.DuckDBPyConnection, release: str) -> list[Definition]:
    """The definitions that a file has of an installed release, in their order.

    Raises:
        EvalhouseError: one is not one SELECT; a file may come from anybody.
    """
    sql = _SQL["definitions"].format(internal=f'"{internal_schema(release)}"')
    found = [
        Definition(
            name,
            table,
            tuple(key),
            n,
            None if rules is None else tuple(rules),
            tuple(of),
            rows_of,
            columns,
            text,
        )
        for name, table, key, n, rules, of, rows_of, columns, text in con.execute(sql).fetchall()
    ]
    for one in found:
        if one in _QUERIES:
            continue
        kinds = [*_kinds(con, one.sql), *_kinds(con, f"CREATE TABLE x ({one.columns})")]
        names = (one.name, *one.key, *one.judgments_of, *((one.rows_of,) if one.rows_of else ()))
        if kinds != _ONE_SELECT or not all(NAME.fullmatch(name) for name in names):
            raise EvalhouseError(
                f"release {release}: the definition of {one.name!r} in this file is no query; "
                f"`evalhouse releases install {release}` writes it anew"
            )
        _QUERIES.add(one)
    return found


_QUERIES: set[Definition] = set()
"""Definitions that were seen to be one query: to parse all takes as long as some of them."""
_ONE_SELECT = [duckdb.StatementType.SELECT, duckdb.StatementType.CREATE]


def _kinds(con: duckdb.DuckDBPyConnection, sql: str) -> list[duckdb.StatementType]:
    """What statements a text has; none where it cannot be read."""
    try:
        return [statement.type for statement in con.extract_statements(sql)]
    except duckdb.Error:
        return []


def write(con: duckdb.DuckDBPyConnection, release: str, definitions: Iterable[Definition]) -> None:
    """Put the definitions of a release into the file."""
    con.executemany(
        _SQL["define"].format(internal=f'"{internal_schema(release)}"'),
        [
            [n, one.name, one.table, list(one.key), one.n_readers, None if one.rules is None else list(one.rules),
             list(one.judgments_of), one.rows_of, one.columns, one.sql]
            for n, one in enumerate(definitions)
        ],
    )  # fmt: skip
