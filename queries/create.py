"""Creating the views and macros of a plan in a schema, in little time.

The engine reads a view's query down to the tables whenever something names it, which for views upon views
takes many times as long as the views themselves. So an empty table stands in for each view until
everything that names it is there, comments included.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from graphlib import TopologicalSorter

import duckdb

from queries.plan import PlannedObject
from warehouse import statements
from warehouse.errors import EvalhouseError

_SQL = statements.of_module(__file__)
_QUALIFIED = re.compile(r'"(\w+)"\."?(\w+)"?')
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


def schemas(con: duckdb.DuckDBPyConnection, *names: str) -> None:
    """Empty schemas, in place of those of these names; see `drop`."""
    drop(con, *names)
    for name in names:
        con.execute(f'CREATE SCHEMA "{name}"')


def drop(con: duckdb.DuckDBPyConnection, *schemas: str) -> None:
    """Take schemas out of the file, with all that is in them.

    Raises:
        EvalhouseError: what somebody else made would be dropped too.
    """
    _require_no_others(con, schemas)
    for schema in schemas:
        con.execute(f'DROP SCHEMA IF EXISTS "{schema}" CASCADE')


def empty(con: duckdb.DuckDBPyConnection, *schemas: str) -> None:
    """Take the views and macros out of schemas, and leave their tables.

    Raises:
        EvalhouseError: what somebody else made would be dropped too.
    """
    _require_no_others(con, schemas)
    for schema in schemas:
        for kind, name in con.execute(_SQL["views_and_macros"], {"schema": schema}).fetchall():
            con.execute(f'DROP {kind} IF EXISTS "{schema}".{_quoted(name)} CASCADE')


def _require_no_others(con: duckdb.DuckDBPyConnection, schemas: Sequence[str]) -> None:
    """Refuse where the engine would drop what people made, as it records what that reads."""
    found = con.execute(_SQL["others"], {"schemas": list(schemas)}).fetchall()
    if found:
        names = ", ".join(name for (name,) in found)
        raise EvalhouseError(
            f"{names}: made with enable_view_dependencies or enable_macro_dependencies, so that DuckDB "
            "would drop it with the release's views that it reads; drop it, and make it again without "
            "that setting"
        )


def stand_in(con: duckdb.DuckDBPyConnection, planned: Sequence[PlannedObject]) -> None:
    """Create macros, and an empty table in place of each view; a result that nobody queries is its table.

    Args:
        planned: in the order in which they can be created.

    Raises:
        EvalhouseError: a view does not bind, or has not the columns that it has to have.
    """
    with _recording(con):
        for item in planned:
            again = "IF NOT EXISTS " if item.table is not None and item.is_internal else ""
            table = f"CREATE TABLE {again}{item.qualified} AS {item.sql} WITH NO DATA"
            try:
                con.execute(item.sql if item.file.kind == "macro" else table)
            except duckdb.Error as error:
                raise EvalhouseError(f"{item.file.place}: {error}") from error
            _require_columns(con, item)


def require_views(release: str, planned: Iterable[PlannedObject]) -> None:
    """Refuse a release without the views that users and commands rely on."""
    there = {item.file.name for item in planned if item.file.kind == "view"}
    for view in sorted(RELIED_ON.keys() - there):
        raise EvalhouseError(f"release {release}: there is no view {view}")


def put_views(
    con: duckdb.DuckDBPyConnection,
    planned: Sequence[PlannedObject],
    *,
    comments: bool = True,
    is_recorded: bool = False,
) -> None:
    """Create views, each in the place of the table that stands in for it if there is one.

    Args:
        planned: views, and perhaps macros, which are there already.
        comments: whether to put each view's and column's comment into the catalog.
        is_recorded: whether the file is to say what each view reads. DuckDB's EXPORT DATABASE sorts by
            names what it knows nothing of, and what was exported so cannot be imported.
    """
    views = {
        item.qualified: item
        for item in planned
        if item.file.kind == "view" and not (item.table is not None and item.is_internal)
    }
    tables = columns(con, views.values())
    for name in views.keys() & tables.keys():
        con.execute(f"DROP TABLE {name}")
    with _recording(con) if is_recorded else nullcontext():
        late = _reading_later(views) if is_recorded else ()
        for name in _below_first(views) if is_recorded else views:
            option = "" if name in late else "WITH (DEFER_BINDING)"
            con.execute(f"CREATE VIEW {name} {option} AS {views[name].sql}")
            if comments and name in tables:
                # Before others read it, which takes longer then.
                _comment(con, views[name], tables[name])
    if comments and (rest := views.keys() - tables.keys()):
        # Of views without a table in their place, the engine has to find the columns.
        there = columns(con, views.values())
        for name in rest:
            _comment(con, views[name], there[name])


@contextmanager
def _recording(con: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Let the catalog record what each view and macro that is made meanwhile reads."""
    con.execute("SET enable_view_dependencies = true; SET enable_macro_dependencies = true")
    try:
        yield
    finally:
        # A transaction that failed takes no statement until it is rolled back.
        with suppress(duckdb.TransactionException):
            con.execute("RESET enable_view_dependencies; RESET enable_macro_dependencies")


def _below_first(views: Mapping[str, PlannedObject]) -> Iterable[str]:
    """The views' qualified names, each after those that its query names."""
    named = {
        name: {f'"{schema}"."{view}"' for schema, view in _QUALIFIED.findall(item.sql)}
        for name, item in views.items()
    }
    return TopologicalSorter(
        {name: sorted(below & views.keys()) for name, below in named.items()}
    ).static_order()


def _reading_later(views: Mapping[str, PlannedObject]) -> set[str]:
    """The views that read one whose name sorts behind theirs, by either case: of the others nothing need be
    recorded, and each record is read whenever the file is opened."""
    return {
        name
        for name, item in views.items()
        for schema, view in _QUALIFIED.findall(item.sql)
        for read in [f'"{schema}"."{view}"']
        if read in views and (read > name or read.upper() > name.upper())
    }


def _comment(
    con: duckdb.DuckDBPyConnection, item: PlannedObject, columns: Iterable[tuple[str, str]]
) -> None:
    """Put a view's and its columns' comments into the catalog."""
    written = [f"COMMENT ON VIEW {item.qualified} IS {_literal(item.comment)}"]
    for column, _ in columns:
        if column in item.column_comments:
            text = _literal(item.column_comments[column])
            written.append(f"COMMENT ON COLUMN {item.qualified}.{_quoted(column)} IS {text}")
    con.execute(";\n".join(written))


def columns(
    con: duckdb.DuckDBPyConnection, planned: Iterable[PlannedObject]
) -> dict[str, list[tuple[str, str]]]:
    """List the columns of every table and view in the schemas of some views, each with its type, by its
    qualified name."""
    schemas = {item.schema.rpartition('"')[2]: item.schema for item in planned}
    # What is next to the file has its database before the schema.
    databases = {item.schema.partition('"')[0] for item in planned if '"' in item.schema}
    found: dict[str, list[tuple[str, str]]] = {}
    for schema, view, column, its_type in con.execute(
        _SQL["columns"], {"schemas": list(schemas), "database": next(iter(databases), None)}
    ).fetchall():
        found.setdefault(f'"{schemas[schema]}"."{view}"', []).append((column, its_type))
    return found


def _require_columns(con: duckdb.DuckDBPyConnection, item: PlannedObject) -> None:
    """Refuse a view without the columns that users and commands rely on, before others read it."""
    view = item.file.name
    if view not in RELIED_ON:
        return
    there = {row[0] for row in con.execute(f"DESCRIBE {item.qualified}").fetchall()}
    missing = [name for name in RELIED_ON[view].split() if name not in there]
    if missing:
        release = item.schema.rpartition('"')[2]
        raise EvalhouseError(
            f"release {release}: the view {view} has no column {', '.join(missing)}"
        )


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
