"""The views that there are to be queried: the dozen that most questions need first, and any one's columns."""

from __future__ import annotations

from difflib import get_close_matches

import duckdb

from queries import session
from warehouse.errors import UsageError
from warehouse.later import pl

FIRST = (
    "score",
    "answer_sheet",
    "leaderboard",
    "benchmark_score",
    "question_result",
    "pass_result",
    "choice_match",
    "score_interval",
    "paired_difference",
    "judge_agreement",
    "judge_cost",
    "harness_difference",
)
"""The views that most questions need, as far as a release has them."""


def views(con: duckdb.DuckDBPyConnection, release: str, *, every: bool) -> pl.DataFrame:
    """The views of a release with their comments, FIRST ones first.

    Args:
        every: also all others, and the tables of facts.

    Raises:
        UsageError: it is not installed.
    """
    found = session.views_listed(con, release)
    place = {name: number for number, name in enumerate(FIRST)}
    rows = sorted(found.rows(), key=lambda row: (place.get(row[1], len(place)), row[0], row[1]))
    shown = [row for row in rows if every or (row[1] in place and row[0] != "main")]
    return pl.DataFrame(shown, schema=found.schema, orient="row")


def described(con: duckdb.DuckDBPyConnection, release: str, name: str) -> tuple[str, pl.DataFrame]:
    """What one view or table is, and its columns with their types and comments.

    Args:
        name: also with its schema, such as main.prediction.

    Raises:
        UsageError: the release is not installed, or has no such view.
    """
    schemas = (*session.require_installed(con, release), "main")
    schema, _, view = name.lower().rpartition(".")
    rows = session.frame(con, "view_columns", {"schemas": [schema] if schema else list(schemas)})
    there = [row for row in rows.to_dicts() if row["view"] == view]
    if not there:
        near = get_close_matches(view, sorted(set(rows["view"])), n=3)
        like = f"; there is {' or '.join(near)}" if near else ""
        raise UsageError(f"no view {name!r} here{like}; `evalhouse sql --all` lists them")
    first = min((row["schema"] for row in there), key=[schema, *schemas].index)
    shown = [row for row in there if row["schema"] == first]
    columns = pl.DataFrame(
        [{key: row[key] for key in ("column", "type", "comment")} for row in shown]
    )
    return f"{first}.{view}: {shown[0]['what'] or ''}", columns
