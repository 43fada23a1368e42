"""What changes from one release to another: the SQL, and on this warehouse verdicts and ranks."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path

import duckdb
import polars as pl

from queries.release import Release

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
    """Compare two releases that are both installed in the warehouse."""
    return Comparison(
        before=before.name,
        after=after.name,
        changed=compare_sql(before, after),
        flips=_ask(con, "diff_flips", before, after),
        examples=_ask(con, "diff_examples", before, after),
        ranks=_ask(con, "diff_ranks", before, after),
    )


def _ask(
    con: duckdb.DuckDBPyConnection, query: str, before: Release, after: Release
) -> pl.DataFrame:
    sql = (_COMMANDS / f"{query}.sql").read_text(encoding="utf-8")
    # The names are schemas that were checked when the releases were installed.
    sql = sql.replace("before_release.", f"{before.name}.").replace(
        "after_release.", f"{after.name}."
    )
    frame = pl.from_arrow(con.sql(sql).to_arrow_table())
    assert isinstance(frame, pl.DataFrame)
    return frame
