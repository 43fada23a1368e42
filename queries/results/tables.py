"""What stands in a file for a release's results: a table for each, its view, and the SELECT that made it.

A view whose head declares `-- @table per run` is a result. Its rows are stored in `NAME_internal`, without
the names that its ids stand for, and those that judges share once; the view of
its name puts these back, and has the columns of its SELECT. A result that nobody queries is its table.

Rows that judges share: what differs in the judge alone is stored once.

A judge changes few answers of a run: under every other it has the row that it has under `none`. So a row
is stored with the number of a set of judges, and the view of the result has it under each judge of the set.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import duckdb

from queries.heads import head, shared_column_comments
from queries.plan import RELEASE, PlannedObject, internal_schema, places
from queries.release import SqlFile
from warehouse import statements
from warehouse.errors import EvalhouseError

_SQL = statements.of_module(__file__)

JUDGE_COLUMNS = ("judge_id", "judge", "judge_sample")
"""The columns that say whose a row is."""
SET = "judge_set"
"""The column in their place, and the table of the sets."""


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
        alone: dict[tuple[object, ...], int] = {}
        for name in names:
            _share(con, f'temp."{name}"', alone)
        yield _TABLES["sets"]
    finally:
        for table in _TABLES.values():
            con.execute(f"DROP TABLE IF EXISTS {table}")


_TABLES = {name: f'temp."its {name}"' for name in ("sets", "member", "together")}
"""Tables of this alone; no view has a name with a blank."""


def _share(con: duckdb.DuckDBPyConnection, rows: str, alone: dict[tuple[object, ...], int]) -> None:
    """Share a table's rows.

    Args:
        alone: gets the set of each judge that all rows of a table are of.
    """
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
    found = con.execute(f"SELECT DISTINCT {', '.join(its)} FROM {rows} LIMIT 2").fetchall()
    if len(found) > 1:
        for step in ("member", "together", "add", "replace"):
            con.execute(_SQL[step].format(**places))
        return
    # Under one judge all rows have the same set, and need not be written again.
    of_one = [dict(zip(its, one, strict=True)) for one in found]
    keys = [tuple(one.get(name) for name in JUDGE_COLUMNS) for one in of_one]
    for key in {*keys} - alone.keys():
        for step in ("member", "alone", "add"):
            con.execute(_SQL[step].format(**places))
        ((alone[key],),) = con.execute(_SQL["set_alone"].format(**places)).fetchall()
    number = alone[keys[0]] if keys else "NULL"
    con.execute(f"ALTER TABLE {rows} ADD COLUMN {SET} INTEGER DEFAULT {number}")
    for column in its:
        con.execute(f"ALTER TABLE {rows} DROP COLUMN {column}")


RUNS = "current_run"
OF_ALL_RUNS = "of all runs"
ABILITIES = "ability_tree"
NAMES: Mapping[str, str] = {
    **dict.fromkeys(
        ("benchmark", "dataset", "version", "split", "language", "model", "run", "is_latest", "method"),
        "r.{name}",
    ),
    "question_key": "q.{name}",
    **dict.fromkeys(("level", "ability", "abbreviation", "parent_id"), "a.{name}"),
    "ability_ordinal": "a.ordinal",
}  # fmt: skip
"""The columns that follow from a row's ids, and where the view takes them from."""
_KEYS = {"r": "run_id", "q": "question_id", "a": "ability_id"}
_TYPES = {"judge_id": "INTEGER", "judge": "VARCHAR", "judge_sample": "SMALLINT"}
STATE = ("computed_run", "computed_judging", SET, "definition")
"""The tables that go with those of the results."""
VIEWS = ("run_stamp", "stale_run")
"""The views that go with them."""
_TEXT = "CASE WHEN t.is_raw THEN p.text ELSE t.other_text END"
"""The text of an answer, of which the model's raw output is not stored again."""
_HERE = Path(__file__).parent


@dataclass(frozen=True)
class Definition:
    """One SELECT of those that results are computed with, in the order in which each rests on those before.

    Attributes:
        name: the result, or the step to one.
        table: per run, of all runs; None: a step, which is not stored.
        key: what tells the rows of a run apart; (): unknown.
        n_readers: how often later ones name it.
        rules: those of benchmarks whose questions alone it has rows of; None: it may have others.
        judgments_of: what has the subjects whose judgments alone it reads; (): it reads all of them.
        rows_of: the definition without whose rows it has none; None: there is no such one.
        columns: as CREATE TABLE takes them.
        sql: without schemas, so that it means the facts and results of whatever the search path names.
    """

    name: str
    table: str | None
    key: tuple[str, ...]
    n_readers: int
    rules: tuple[str, ...] | None
    judgments_of: tuple[str, ...]
    rows_of: str | None
    columns: str
    sql: str


def results(planned: Iterable[PlannedObject]) -> list[PlannedObject]:
    """The results of a release, in the order in which one rests on the other."""
    return [item for item in planned if item.table is not None]


def table(item: PlannedObject) -> str:
    """Where a result's rows are stored, as a statement takes it."""
    return _in_internal(item, item.file.name)


def _in_internal(item: PlannedObject, name: str) -> str:
    schema = item.schema if item.is_internal else internal_schema(item.schema)
    return f'"{schema}"."{name}"'


def stored(item: PlannedObject, columns: Sequence[str], *, sets: bool = True) -> list[str]:
    """The columns of a result's table: not what its ids stand for, and for the judge a set of them.

    Args:
        sets: False: each judge has rows of its own.
    """
    if item.is_internal:
        return list(columns)
    left = [name for name in columns if not _is_named(name, columns)]
    if not sets or not is_shared(item, columns):
        return left
    return [*(name for name in left if name not in JUDGE_COLUMNS), SET]


def is_shared(item: PlannedObject, columns: Sequence[str]) -> bool:
    """Whether rows that judges share are stored once."""
    return not item.is_internal and "judge" in columns


def comment(item: PlannedObject) -> str:
    """The statement that says in the catalog what a result's table holds."""
    text = f"The stored rows of {item.file.name}, by run; definition has the query that made them."
    return f"COMMENT ON TABLE {table(item)} IS '{text}'"


def _is_named(name: str, columns: Sequence[str]) -> bool:
    source = NAMES.get(name)
    return source is not None and "run_id" in columns and _KEYS[source[0]] in columns


def view(
    item: PlannedObject,
    types: Sequence[tuple[str, str]],
    names: Mapping[str, str],
    *,
    sets: bool = True,
    rows: str | None = None,
) -> str:
    """The query of a result's view.

    Args:
        types: the columns of its SELECT, in their order, each with its type.
        names: each view of the release, as a statement takes it.
        sets: False: each judge has rows of its own in the table.
        rows: where the rows are, of a view that has no table (see heads.Head.stored_in).
    """
    columns = [name for name, _ in types]
    texts = rows is not None and "prediction" in columns
    named = {NAMES[name][0] for name in columns if _is_named(name, columns)} | {"r"}
    sources = [f"{rows or table(item)} AS t"]
    sources.append(f"INNER JOIN {names[RUNS]} AS r ON t.run_id = r.run_id")
    if "q" in named:
        sources.append("INNER JOIN main.question AS q ON t.question_id = q.question_id")
    if "a" in named:
        sources.append(_SQL["abilities"].rstrip(";").format(abilities=names[ABILITIES]))
    if texts:
        sources.append(_SQL["answers"].rstrip(";"))
    with_sets = sets and is_shared(item, columns)
    if with_sets:
        # The judge that nobody asked is in no view (see compute.computed).
        sources.append(_SQL["judges"].format(sets=_in_internal(item, SET)))
    shown = [
        f"{NAMES[name].format(name=name)} AS {name}"
        if _is_named(name, columns)
        else _of_judge(name, its_type)
        if name in JUDGE_COLUMNS and with_sets
        else f"{_TEXT} AS {name}"
        if name == "prediction" and texts
        else f"t.{name}"
        for name, its_type in types
    ]
    return f"SELECT {', '.join(shown)} FROM {' '.join(sources)}"


def view_of_stored(
    item: PlannedObject,
    types: Sequence[tuple[str, str]],
    result: PlannedObject,
    names: Mapping[str, str],
) -> str:
    """Return the query of a view whose rows a result has.

    Args:
        item: the view.
        types: as for `view`.
        result: what it is stored in.
        names: as for `view`.
    """
    if result.is_internal:
        return view(item, types, names, rows=result.qualified)
    condition = (item.stored_in or "").partition(" ")[2]
    columns = ", ".join(name for name, _ in types)
    return f"SELECT {columns} FROM {result.qualified} WHERE {condition or 'TRUE'}"


def _of_judge(name: str, its_type: str) -> str:
    """A column of the table of sets, of the type that a SELECT gives it."""
    if its_type == _TYPES[name]:
        return f"j.{name}"
    return f"CAST(j.{name} AS {its_type}) AS {name}"


def definitions(
    planned: Sequence[PlannedObject], columns: Mapping[str, Sequence[tuple[str, str]]]
) -> list[Definition]:
    """What the results of a release are computed with.

    Args:
        planned: its objects, in the order in which they can be created.
        columns: of each view, names and types.

    Raises:
        EvalhouseError: a file's `@rows_of` names what its query does not read.
    """
    items = {item.file.name: item for item in planned if item.file.kind == "view"}
    wanted: set[str] = set()
    left = [item.file.name for item in results(planned)]
    while left:
        name = left.pop()
        if name not in wanted:
            wanted.add(name)
            left += [one for one in items[name].depends_on if one in items]
    read = Counter(mention for name in wanted for mention in items[name].mentions)
    for name in wanted:
        of = head(items[name].file).rows_of
        if of is None:
            continue
        if of not in items[name].depends_on:
            raise EvalhouseError(
                f"{items[name].file.place}: @rows_of {of}: it does not read that view"
            )
        read[of] += 1
    return [
        Definition(
            name=name,
            table=items[name].table,
            key=items[name].key,
            n_readers=read[name],
            rules=None if items[name].rules is None else tuple(sorted(items[name].rules or ())),
            judgments_of=head(items[name].file).judgments_of,
            rows_of=head(items[name].file).rows_of,
            columns=", ".join(f'"{one}" {its_type}' for one, its_type in columns[name]),
            sql=_text(items[name]),
        )
        for name in _ordered(wanted, items)
    ]


def of_runs(
    planned: Iterable[PlannedObject], columns: Mapping[str, Sequence[tuple[str, str]]]
) -> set[str]:
    """The views that rest on runs, and have the run in their rows."""
    rest = {RUNS}
    for item in planned:
        if not rest.isdisjoint(item.depends_on):
            rest.add(item.file.name)
    return {name for name in rest if any(column == "run_id" for column, _ in columns.get(name, ()))}


def _ordered(wanted: set[str], items: Mapping[str, PlannedObject]) -> list[str]:
    """The names in their order, but that what reads judgments of subjects comes after these."""
    done: dict[str, None] = {}

    def put(name: str) -> None:
        if name in done:
            return
        below = [*items[name].depends_on, *head(items[name].file).judgments_of]
        for one in below:
            if one in items:
                put(one)
        done[name] = None

    for name in items:
        if name in wanted:
            put(name)
    return list(done)


def _text(item: PlannedObject) -> str:
    """A view's SELECT as its file has it, without its head."""
    lines = item.file.text.splitlines()
    while lines and (lines[0].startswith("--") or not lines[0].strip()):
        lines.pop(0)
    text = "\n".join(lines).rstrip().removesuffix(";")
    release = item.schema.rpartition('"')[2].removesuffix("_internal")
    return text.replace(RELEASE, f"'{release}'")


def views(schema: str) -> tuple[PlannedObject, ...]:
    """The views of what each run's results rest on, and of the runs that are out of date."""
    made = []
    for name in VIEWS:
        path = _HERE / f"{name}.sql"
        file = SqlFile("view", name, "results", "", path, statements.read(path))
        its_head = head(file)
        sql = statements.of_file(path).format(**places(schema))
        comments = {**shared_column_comments(), **its_head.columns}
        made.append(
            PlannedObject(file, internal_schema(schema), sql, (), its_head.comment, comments)
        )
    return tuple(made)


def state_tables(schema: str) -> str:
    """SQL that makes the tables of STATE."""
    return _SQL["create"].format(**places(schema))


def facts_hash(schema: str) -> str:
    """The query of a hash of all facts but judgments, of the runs in the table looked_at."""
    return statements.of_file(_HERE / "facts_hash.sql").format(**places(schema))
