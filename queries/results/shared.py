"""Rows that judges share: what differs in the judge alone is stored once.

A judge changes few answers of a run: under every other it has the row that it has under `none`. So a row
is stored with the number of a set of judges, and the view of the result has it under each judge of the set.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import duckdb

from warehouse import statements

JUDGE_COLUMNS = ("judge_id", "judge", "judge_sample")
"""The columns that say whose a row is."""
SET = "judge_set"
"""The column in their place, and the table of the sets."""
_SQL = statements.of_module(__file__)


@contextmanager
def shared(
    con: duckdb.DuckDBPyConnection, names: Iterable[str], known: str | None
) -> Iterator[str]:
    """Put the rows of temporary tables that differ in the judge alone into one; give the table of the sets.

    Args:
        names: the tables; each gets the column SET in place of its judge.
        known: the table of the sets that are there already, and keep their numbers.
    """
    con.execute(_SQL["begin"].format(**_TABLES))
    try:
        if known is not None:
            con.execute(_SQL["known"].format(**_TABLES, known=known))
        for name in names:
            _share(con, f'temp."{name}"')
        yield _TABLES["sets"]
    finally:
        for table in _TABLES.values():
            con.execute(f"DROP TABLE IF EXISTS {table}")


_TABLES = {name: f'temp."its {name}"' for name in ("sets", "member", "together")}
"""Tables of this alone; no view has a name with a blank."""


def _share(con: duckdb.DuckDBPyConnection, rows: str) -> None:
    there = [column for column, *_ in con.execute(f"DESCRIBE {rows}").fetchall()]
    its = [one for one in JUDGE_COLUMNS if one in there]
    places = {
        **_TABLES,
        "rows": rows,
        "columns": ", ".join(f't."{one}"' for one in there if one not in its),
        "judge_columns": ", ".join(
            one if one in its else f"NULL AS {one}" for one in JUDGE_COLUMNS
        ),
        "is_its_judge": " AND ".join(
            f"t.{one} IS NOT DISTINCT FROM m.{one}" if one in its else f"m.{one} IS NULL"
            for one in JUDGE_COLUMNS
        ),
        "members_of_sets": _SQL["members_of_sets"].format(**_TABLES).rstrip(";"),
    }
    distinct = f"SELECT count(*) FROM (SELECT DISTINCT {', '.join(its)} FROM {rows})"
    ((n,),) = con.execute(distinct).fetchall()
    for step in ("member", "together" if n > 1 else "alone", "add"):
        con.execute(_SQL[step].format(**places))
    if n > 1:
        con.execute(_SQL["replace"].format(**places))
        return
    # Under one judge all rows have the same set, and need not be written again.
    numbers = con.execute(_SQL["set_alone"].format(**places)).fetchall()
    number = numbers[0][0] if numbers else "NULL"
    con.execute(f"ALTER TABLE {rows} ADD COLUMN {SET} INTEGER DEFAULT {number}")
    for column in its:
        con.execute(f"ALTER TABLE {rows} DROP COLUMN {column}")
