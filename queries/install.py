"""Installing releases: each as a schema of its name, and `latest` pointing at the default one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb

from queries import release as releases
from queries.kept import compose
from queries.plan import PlannedObject, plan
from queries.release import Release
from warehouse.connection import transaction
from warehouse.errors import EvalhouseError

LATEST = "latest"

_PER_QUESTION = "run_id model dataset question_id question_key"
_COUNTED = "score score_low score_high n_pending n_fallback n_missing"
_SCORED = (
    "run_id benchmark dataset version split language model run strategy judge level ability average "
    f"n n_answered score_answered stderr {_COUNTED}"
)
RELIED_ON = {
    "choice_match": f"{_PER_QUESTION} pass sample matched rule",
    "pass_result": f"{_PER_QUESTION} pass sample component judge judge_sample predicted answer score "
    "resolved_by",
    "question_result": f"{_PER_QUESTION} strategy judge n_passes n_expected {_COUNTED}",
    "ability_score": _SCORED,
    "leaderboard": f"{_SCORED} rank rank_latest is_latest",
    "subset_leaderboard": f"{_SCORED} subset rank rank_latest is_latest is_reached n_hidden weight "
    "answered_weight weighted_points",
    "choice_ranking": f"{_PER_QUESTION} pass sample component picked picked_sum picked_mean",
    "verdict": "judge subject_hash judge_sample verdict verdict_score state",
    "judge_todo": "judge_id judge judge_sample subject_hash attempt question_id question_key pass "
    "prediction run_id task n_answers",
    "mark_total": "run_id model dataset judge judge_sample n n_marked mean_mark",
    "sample_total": "run_id model run dataset benchmark judge judge_sample level ability abbreviation "
    "ability_ordinal n n_pending n_missing score score_low score_high total",
    "judge_agreement": "judge_a judge_b task n n_agree agreement n_case_1 n_case_2 kappa",
    "judge_error": "judge reference_judge task n mean_abs_error",
    "judge_stability": "judge task n_subjects n_samples mean_spread max_spread mean_stddev share_changed",
    "match_rate": "run_id model dataset judge strategy n_answers n_matched match_rate n_asked "
    "n_extracted extraction_rate rules_score judge_gain score",
    "judge_cost": "judge run_id day origin n_judgments n_calls n_cached prompt_tokens completion_tokens cost_usd "
    "original_cost_usd n_failed",
}
"""The columns at least that every release has, by view."""


@dataclass(frozen=True)
class Installed:
    """A release in a warehouse: its state, and hash by (kind, name)."""

    name: str
    builds_on: str | None
    state: str
    is_default: bool
    objects: dict[tuple[str, str], str]


def installed(con: duckdb.DuckDBPyConnection) -> dict[str, Installed]:
    """The releases in this warehouse by name.

    Raises:
        EvalhouseError: a name can be none of a release's; it would be a piece of SQL.
    """
    objects: dict[str, dict[tuple[str, str], str]] = {}
    for name, kind, item, sha in con.execute(
        "SELECT release, kind, name, sha256 FROM main.release_object"
    ).fetchall():
        objects.setdefault(name, {})[kind, item] = sha
    found = con.execute("SELECT name, builds_on, state, is_default FROM main.release").fetchall()
    for name, *_ in found:
        if not releases.is_name(name):
            raise EvalhouseError(f"main.release: a release is named {name!r}, which none can be")
    return {
        name: Installed(name, builds_on, state, is_default, objects.get(name, {}))
        for name, builds_on, state, is_default in found
    }


def install_shipped(con: duckdb.DuckDBPyConnection) -> tuple[str, ...]:
    """Install every shipped release that is absent or differs; return those that were installed."""
    stale = tuple(differing(con))
    if stale:
        with transaction(con):
            for name in stale:
                _install(con, releases.load(name))
    return stale


def install_where_none_is(con: duckdb.DuckDBPyConnection) -> None:
    """Install every shipped release into a file that has none, in the transaction that is open."""
    if not installed(con):
        for name in releases.shipped_names():
            _install(con, releases.load(name))


def install(con: duckdb.DuckDBPyConnection, release: Release) -> None:
    """Install one release, in place of an earlier installation of the same name.

    Raises:
        EvalhouseError: a view does not bind; the message names its file. Nothing is changed then.
    """
    with transaction(con):
        _install(con, release)


def differing(con: duckdb.DuckDBPyConnection) -> dict[str, list[str]]:
    """Shipped releases whose views in this warehouse are absent or other ones: name → those views."""
    here = installed(con)
    result = {}
    for name in releases.shipped_names():
        shipped = {(f.kind, f.name): f.sha256 for f in releases.load(name).files}
        found = here[name].objects if name in here else {}
        changed = sorted(
            item
            for kind, item in shipped.keys() | found.keys()
            if shipped.get((kind, item)) != found.get((kind, item))
        )
        if name in here and here[name].state != releases.load(name).state:
            changed = changed or [f"now {releases.load(name).state}"]
        if changed:
            result[name] = changed
    return result


def ensure(con: duckdb.DuckDBPyConnection, name_or_directory: str) -> str | None:
    """The name of a release if it is installed here as it stands on disk, else None."""
    here = installed(con)
    if name_or_directory == LATEST or name_or_directory in releases.shipped_names():
        return name_or_directory
    if name_or_directory in here and not Path(name_or_directory).is_dir():
        return name_or_directory
    release = releases.load(name_or_directory)
    found = here.get(release.name)
    if found and found.objects == {(f.kind, f.name): f.sha256 for f in release.files}:
        return release.name
    return None


def _install(con: duckdb.DuckDBPyConnection, release: Release) -> None:
    """Create a release's views, and those of `latest` if it is the default one.

    The engine reads a view's query down to the tables whenever something names it, which for views
    upon views takes many times as long as the views themselves. So an empty table stands in for each
    view until everything that names it is there.
    """
    planned = plan(release)
    views = [item for item in planned if item.file.kind == "view"]
    con.execute(f'DROP SCHEMA IF EXISTS "{release.name}" CASCADE')
    con.execute(f'CREATE SCHEMA "{release.name}"')
    for item in planned:
        stand_in = f'CREATE TABLE "{release.name}"."{item.file.name}" AS {item.sql} WITH NO DATA'
        try:
            con.execute(item.sql if item.file.kind == "macro" else stand_in)
        except duckdb.Error as error:
            raise EvalhouseError(f"{item.file.path}: {error}") from error
        _require_columns(con, release.name, item.file.name)
    for view in sorted(RELIED_ON.keys() - {item.file.name for item in views}):
        raise EvalhouseError(f"release {release.name}: there is no view {view}")
    if release.is_default:
        _point_latest(con, release, views)
    con.execute(compose.tables(release.name))
    beside = compose.views(release.name, planned)
    for item in beside:
        con.execute(f'CREATE VIEW "{release.name}"."{item.file.name}" AS {item.sql}')
    for item in reversed(views):
        name = f'"{release.name}"."{item.file.name}"'
        sql = compose.divided(item, planned, release.name)
        con.execute(f"DROP TABLE {name}")
        con.execute(f"CREATE VIEW {name} AS {sql}")
    _comment(con, release.name, [*views, *beside])
    con.execute("DELETE FROM main.release WHERE name = ?", [release.name])
    con.execute("DELETE FROM main.release_object WHERE release = ?", [release.name])
    con.execute(
        "INSERT INTO main.release VALUES (?, ?, ?, ?, now() AT TIME ZONE 'UTC')",
        [release.name, release.builds_on, release.state, release.is_default],
    )
    con.executemany(
        "INSERT INTO main.release_object VALUES (?, ?, ?, ?, ?)",
        [[release.name, f.kind, f.name, f.origin, f.sha256] for f in release.files],
    )


def _point_latest(
    con: duckdb.DuckDBPyConnection, release: Release, views: Sequence[PlannedObject]
) -> None:
    """Make the views of the schema `latest` those of a release."""
    con.execute(f"DROP SCHEMA IF EXISTS {LATEST} CASCADE")
    con.execute(f"CREATE SCHEMA {LATEST}")
    for item in views:
        name = item.file.name
        con.execute(f'CREATE VIEW {LATEST}."{name}" AS SELECT * FROM "{release.name}"."{name}"')
    _comment(con, LATEST, views)


def _require_columns(con: duckdb.DuckDBPyConnection, release: str, view: str) -> None:
    """Refuse a view without the columns that users and commands rely on, before others read it."""
    if view not in RELIED_ON:
        return
    there = {row[0] for row in con.execute(f'DESCRIBE "{release}"."{view}"').fetchall()}
    missing = [name for name in RELIED_ON[view].split() if name not in there]
    if missing:
        raise EvalhouseError(
            f"release {release}: the view {view} has no column {', '.join(missing)}"
        )


def _comment(con: duckdb.DuckDBPyConnection, schema: str, views: Sequence[PlannedObject]) -> None:
    """Put each view's and column's comment into the catalog."""
    there = _columns(con, schema)
    statements = []
    for item in views:
        name = f'"{schema}"."{item.file.name}"'
        statements.append(f"COMMENT ON VIEW {name} IS {_literal(item.comment)}")
        statements += [
            f"COMMENT ON COLUMN {name}.{_quoted(column)} IS {_literal(item.column_comments[column])}"
            for column in there[item.file.name]
            if column in item.column_comments
        ]
    con.execute(";\n".join(statements))


def _columns(con: duckdb.DuckDBPyConnection, schema: str) -> dict[str, list[str]]:
    """The columns of every view of a schema. One question: it takes the engine as long as for one view."""
    found: dict[str, list[str]] = {}
    for view, column in con.execute(
        "SELECT table_name, column_name FROM duckdb_columns() WHERE schema_name = ?", [schema]
    ).fetchall():
        found.setdefault(view, []).append(column)
    return found


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
