"""Rows that judges share: what differs in the judge alone is stored once.

A judge changes few answers of a run: under every other it has the row that it has under `none`. So a row
is stored with the number of a set of judges, and the view of the result has it under each judge of the set.
"""

from __future__ import annotations

from collections.abc import Iterable

import duckdb

from warehouse import statements

JUDGE_COLUMNS = ("judge_id", "judge", "judge_sample")
"""The columns that say whose a row is."""
SET = "judge_set"
"""The column in their place, and the table of the sets."""
_SQL = statements.of_module(__file__)


def share(
    con: duckdb.DuckDBPyConnection, steps: str, names: Iterable[str], known: str | None
) -> str:
    """Put the rows of results that differ in the judge alone into one; return the table of the sets.

    Args:
        steps: the schema of what was computed.
        names: those results that are stored so.
        known: the table of the sets that are there already, and keep their numbers.
    """
    # No view has a name with a blank.
    tables = {name: f'{steps}."its {name}"' for name in ("sets", "member", "together")}
    con.execute(_SQL["begin"].format(**tables))
    if known is not None:
        con.execute(_SQL["known"].format(**tables, known=known))
    members_of_sets = _SQL["members_of_sets"].format(**tables).rstrip(";")
    for name in names:
        rows = f'{steps}."{name}"'
        there = [column for column, *_ in con.execute(f"DESCRIBE {rows}").fetchall()]
        its = [one for one in JUDGE_COLUMNS if one in there]
        columns = ", ".join(f't."{one}"' for one in there if one not in its)
        judge = ", ".join(one if one in its else f"NULL AS {one}" for one in JUDGE_COLUMNS)
        same = " AND ".join(
            f"t.{one} IS NOT DISTINCT FROM m.{one}" if one in its else f"m.{one} IS NULL"
            for one in JUDGE_COLUMNS
        )
        ((n,),) = con.execute(
            f"SELECT count(*) FROM (SELECT DISTINCT {', '.join(its)} FROM {rows})"
        ).fetchall()
        for step in ("member", "together" if n > 1 else "apart", "add", "replace"):
            con.execute(
                _SQL[step].format(
                    **tables,
                    rows=rows,
                    columns=columns,
                    judge_columns=judge,
                    is_its_judge=same,
                    members_of_sets=members_of_sets,
                )
            )
    return tables["sets"]
