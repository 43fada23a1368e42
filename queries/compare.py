"""What changes from one release to another: the SQL, and on this warehouse verdicts and ranks.

The flips of each model's latest run, by kind and with examples, show why two releases disagree about a
benchmark; their points add up to what the boards differ by.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import unified_diff
from itertools import combinations
from pathlib import Path

import duckdb

from queries import attached, choosing, install, release, session
from queries import release as releases
from queries.release import Release
from warehouse import statements
from warehouse.errors import UsageError
from warehouse.later import pl

_SQL = statements.of_module(__file__)

_RULES = "question_rule"
_OF_RUN = ("dataset", "model", "run")


@dataclass(frozen=True)
class Explanation:
    """What sets two releases apart on one benchmark.

    Attributes:
        judge_before, judge_after: the judge of each board.
        boards: a row per run: what each board shows, and the points of the flips.
        kinds: a row per run, way of deciding before and after, and change.
        examples: single answers, of each kind some.
        n_flips: answers whose score differs.
        n_judged: those of them that a judge would settle: one of the releases reads nothing in them.
    """

    judge_before: str
    judge_after: str
    boards: pl.DataFrame
    kinds: pl.DataFrame
    examples: pl.DataFrame
    n_flips: int
    n_judged: int


def explain(
    con: duckdb.DuckDBPyConnection,
    before: Release,
    after: Release,
    benchmark: str,
    *,
    judge: str | None = None,
    judge_after: str | None = None,
    n_examples: int = 2,
) -> Explanation:
    """Set two releases side by side on a benchmark.

    Args:
        judge, judge_after: of each board; None: rules alone.
        n_examples: how many examples of each kind.

    Raises:
        UsageError: the benchmark is not known, has no runs, or there is no such judge.
    """
    name, _, _, task, benchmark_id = choosing.choose_benchmark(con, benchmark)
    both = schemas(con, before, after)
    judges = []
    for one, wanted in ((before, judge), (after, judge_after or judge)):
        session.use_release(
            con, one.name if one.name in release.shipped_names() else str(one.directory)
        )
        if wanted not in (None, choosing.NONE):
            choosing.require_judge(con, wanted, benchmark_id, task, "vanilla")
        judges.append(wanted or choosing.NONE)
    session.use_release(con)
    parameters = {"benchmark": name, "judge": judges[0], "judge_after": judges[1]}
    flips = _flips_frame(con, "explain_flips", both, before, after, parameters)
    boards = _flips_frame(con, "explain_boards", both, before, after, parameters)
    if not boards.height:
        raise UsageError(
            f"{name} has no run with a score under {before.name}, judge {judges[0]}, and "
            f"{after.name}, judge {judges[1]}"
        )
    scored = flips.filter(pl.col("change") != "same score")
    return Explanation(
        judge_before=judges[0],
        judge_after=judges[1],
        boards=_with_points(boards, flips),
        kinds=_kinds(flips),
        examples=_examples(flips, n_examples),
        n_flips=scored.height,
        n_judged=scored.filter(pl.col("may_be_judged")).height,
    )


def _with_points(boards: pl.DataFrame, flips: pl.DataFrame) -> pl.DataFrame:
    """The boards with the answers that went up and down, and what they come to."""
    of_run = flips.group_by("run_id").agg(
        (pl.col("points") > 0).sum().alias("up"),
        (pl.col("points") < 0).sum().alias("down"),
        pl.col("points").sum(),
    )
    joined = boards.join(of_run, on="run_id", how="left").with_columns(
        pl.col("up", "down", "points").fill_null(0)
    )
    return joined.select(
        *_OF_RUN,
        pl.col("score_before").alias("before"),
        pl.col("score_after").alias("after"),
        (pl.col("score_after") - pl.col("score_before")).alias("difference"),
        pl.col("n_before").alias("of"),
        pl.col("n_after").alias("of after"),
        "up",
        "down",
        "points",
        pl.col("points_before").alias("points before"),
        pl.col("points_after").alias("points after"),
    ).sort("dataset", "model")


def _kinds(flips: pl.DataFrame) -> pl.DataFrame:
    kinds = flips.group_by(*_OF_RUN, "how_before", "how_after", "change").agg(
        pl.len().alias("answers"),
        pl.col("points").sum(),
        pl.col("may_be_judged").sum().alias("for a judge"),
    )
    return kinds.sort(
        *_OF_RUN, "answers", "how_before", "how_after", "change",
        descending=[False, False, False, True, False, False, False],
    )  # fmt: skip


def _examples(flips: pl.DataFrame, most: int) -> pl.DataFrame:
    kind = ["how_before", "how_after", "change"]
    scored = flips.filter(pl.col("change") != "same score")
    return (
        scored.filter(pl.int_range(pl.len()).over(kind) < most)
        .sort(*kind, "dataset", "model", maintain_order=True)
        .select(*kind, "model", "question_key", "text", "before", "after", "answer")
        .with_columns(pl.col("text").str.slice(0, 80))
    )


def _flips_frame(
    con: duckdb.DuckDBPyConnection,
    query: str,
    schemas: dict[str, str],
    before: Release,
    after: Release,
    parameters: dict[str, str],
) -> pl.DataFrame:
    sql = statement(query, schemas, before, after)
    for word, one in (("before_rules", before), ("after_rules", after)):
        rules = _rules(con, schemas[one.name]) if _RULES in one.views else _SQL["no_rules"]
        sql = sql.replace(word, rules)
    return session.frame_of(con, sql, parameters)


def _rules(con: duckdb.DuckDBPyConnection, schema: str) -> str:
    """The view of rules of a release whose views are in a schema, qualified by its catalog."""
    catalog, _, release = schema.partition(".")
    is_attached = catalog == attached.CATALOG
    where = release if is_attached else install.schemas_of(con, release)[_RULES]
    return f"{catalog}.{where}.{_RULES}"


STUDY = "rank_agreement"


def rows(con: duckdb.DuckDBPyConnection, names: Sequence[str]) -> pl.DataFrame:
    """Kendall's tau-b between each two releases, by dataset and judge: rows of rank_agreement of the kind release.

    Args:
        names: releases by name, or folders of them; those that are not installed are computed in the
            connection.

    Raises:
        UsageError: no such release, or fewer than two.
    """
    found = {one.name: one for one in (releases.load(name) for name in names)}
    if len(found) < 2:
        raise UsageError(
            f"{', '.join(found) or 'nothing'} is one release: a second one is to be compared with it"
        )
    frames = []
    for one, other in combinations(sorted(found), 2):
        both = schemas(con, found[one], found[other])
        sql = statement("release_ranks", both, found[one], found[other])
        frames.append(session.frame_of(con, sql, {"one": one, "other": other}))
    return pl.concat(frames)


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
