"""Another warehouse's facts into this one: what both know once, and nothing if they contradict.

What a row is known by decides whether both have it: a dataset by benchmark, version, split and
language, a question by its key, a model by its names, a run by model, dataset, label and rows, a
judge by all but its name, a judgment by what was said of what. Our ids hold; those of the other are
mapped to new ones.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import duckdb

from warehouse import connection, identity, known_benchmarks, merge_benchmarks, statements
from warehouse.connection import transaction
from warehouse.errors import EvalhouseError, UsageError
from warehouse.judgment import OF, SAID, tagged
from warehouse.merge_tables import MAPS, TABLES, insert_sql
from warehouse.tables import IDS, REFERENCES, of_ids

_SQL = statements.of_module(__file__)
_FOUND, _RUNS, _CONFLICTS, _JUDGMENTS, _NOTES = (
    statements.of_module(str(Path(__file__).with_name(f"merge_{name}.sql")))
    for name in ("maps", "runs", "conflicts", "judgments", "notes")
)
_JOINING = (
    "join_samples",
    "join_predictions",
    "join_choice_scores",
    "join_sample_errors",
    "join_answer_attributes",
    "join_harness_scores",
    "join_status",
    "join_inputs",
    "join_thinking",
    "supersede_joined",
)
_MAPPED_FIRST = ("benchmark", "ability", "dataset", "question", "model", "judge")
_MAPPED_OF_JUDGMENTS = {"subject_hash", *REFERENCES}


@dataclass(frozen=True)
class Merged:
    """What came over: counts by name, and notes."""

    counts: dict[str, int]
    notes: list[str] = field(default_factory=list)


class MergeConflictError(EvalhouseError):
    """Two warehouses say different things of the same. Exit code 1.

    Args:
        path: the other one.
        conflicts: each by the name of what it is about.
    """

    def __init__(self, path: Path, conflicts: list[str]) -> None:
        self.conflicts = conflicts
        noun = "conflict" if len(conflicts) == 1 else "conflicts"
        super().__init__(f"{path}: {len(conflicts):,} {noun}; nothing is merged")


class _NotForRealError(Exception):
    """Ends a merge that was only to be looked at."""


def merge(con: duckdb.DuckDBPyConnection, other: Path, *, dry_run: bool = False) -> Merged:
    """Take over what another warehouse holds, in one atomic transaction.

    Args:
        con: a warehouse open for writing, which may read the other one (`connection.with_logs`).
        other: the other one; it is only read.
        dry_run: only report what would come over.

    Raises:
        MergeConflictError: the two contradict each other.
        EvalhouseError: the other is no warehouse of the same schema, or in use.
    """
    merged: list[Merged] = []
    with _attached(con, other):
        statements.define_plain_text(con)
        try:
            with transaction(con):
                merged.append(_merge(con, other))
                if dry_run:
                    raise _NotForRealError
        except _NotForRealError:
            pass
        finally:
            _forget(con)
            known_benchmarks.reread(con)
    return merged[0]


def _merge(con: duckdb.DuckDBPyConnection, other: Path) -> Merged:
    for table in _MAPPED_FIRST:
        _map(con, table)
    for sql in _RUNS.values():
        con.execute(sql)
    _map(con, "run")
    con.execute(_SQL["find_joined"])
    _map_flags(con)
    _map(con, "source")
    _map(con, "dataset_subset")
    _map(con, "label_plan")
    for sql in _filled(_JUDGMENTS).values():
        con.execute(sql)
    shared = merge_benchmarks.find(con)
    conflicts = _texts(con, _filled(_CONFLICTS))
    if conflicts:
        raise MergeConflictError(other, conflicts)
    counts = con.execute(_SQL["counts"])
    names = [column[0] for column in counts.description or ()]
    merged = dict(zip(names, counts.fetchall()[0], strict=True))
    notes = [note for one in shared for note in one.notes] + _texts(con, _NOTES)
    same_payer = identity.of(con) == identity.of(con, "the_other")
    con.execute(_SQL["complete_questions"])
    con.execute(_SQL["forget_assumed_choices"])
    con.execute(_SQL["add_names_as_aliases"])
    columns = dict(con.execute(_SQL["columns"]).fetchall())
    for name in TABLES:
        con.execute(insert_sql(name, columns[name], same_payer=same_payer))
    joined = [str(text) for (text,) in con.execute(_SQL["describe_joined"]).fetchall()]
    for name in _JOINING:
        con.execute(_SQL[name])
    merge_benchmarks.finish(con, shared)
    notes += joined
    merged["new_sources"] -= _drop_sources(con)
    return Merged(merged, notes)


def _map(con: duckdb.DuckDBPyConnection, table: str) -> None:
    column = IDS[table]
    con.execute(
        _SQL["number"].format(
            merge_table=MAPS[column], found=_FOUND[table], id=column, table=of_ids(table)
        )
    )


def _filled(queries: Mapping[str, str]) -> dict[str, str]:
    """The queries with the columns by which two judgments are of the same, or are the same."""
    of, every = tagged(OF), tagged(OF, SAID)
    columns = {
        "of": ", ".join(of),
        "not_mapped": ", ".join(f"o.{name}" for name in every if name not in _MAPPED_OF_JUDGMENTS),
        "is_of_same": " AND ".join(f"o.{name} IS NOT DISTINCT FROM g.{name}" for name in of),
        "is_same": " AND ".join(f"g.{name} IS NOT DISTINCT FROM t.{name}" for name in every),
    }
    return {name: sql.format(**columns) for name, sql in queries.items()}


def _drop_sources(con: duckdb.DuckDBPyConnection) -> int:
    """Take out new sources without facts, whose files would count as read; return how many."""
    referring = con.execute(_SQL["columns_of_sources"], {"tables": list(TABLES)}).fetchall()
    # That a file of predictions named a dataset counts for nothing without its runs or questions.
    here, there = (
        " UNION ".join(
            f"SELECT {column} FROM {place}.{table}"
            + (" WHERE role <> 'predictions'" if table == "dataset_source" else "")
            for table, column in referring
        )
        for place in ("main", "the_other.main")
    )
    ((n,),) = con.execute(
        _SQL["drop_sources"].format(there=there, here=here),
        {"stored_as": known_benchmarks.STORED_AS},
    ).fetchall()
    con.execute(_SQL["forget_dropped_sources"])
    return int(n)


def _map_flags(con: duckdb.DuckDBPyConnection) -> None:
    """The settings of sources that name runs by id, with the ids that those have here."""
    runs = dict(con.execute(_SQL["runs_by_other_id"]).fetchall())
    changed = []
    for source_id, flags in con.execute(_SQL["flags_with_runs"]).fetchall():
        read = json.loads(flags)
        if isinstance(read.get("runs"), list):
            read["runs"] = sorted(runs.get(run_id, run_id) for run_id in read["runs"])
            changed.append([source_id, json.dumps(read, sort_keys=True, ensure_ascii=False)])
    con.execute("CREATE OR REPLACE TEMP TABLE merge_flags (source_id INTEGER, flags VARCHAR)")
    if changed:
        con.executemany("INSERT INTO merge_flags VALUES (?, ?)", changed)


def _texts(con: duckdb.DuckDBPyConnection, queries: Mapping[str, str]) -> list[str]:
    return [str(text) for sql in queries.values() for (text,) in con.execute(sql).fetchall()]


@contextmanager
def _attached(con: duckdb.DuckDBPyConnection, other: Path) -> Iterator[None]:
    ((here,),) = con.execute(
        "SELECT path FROM duckdb_databases() WHERE database_name = current_database()"
    ).fetchall()
    if not other.is_file():
        raise UsageError(f"{other}: no such file")
    if other.samefile(here):
        raise UsageError(f"{other}: is the warehouse itself")
    try:
        # Says why a file is no sound warehouse, and waits for nobody.
        connection.open_for_reading(other).close()
    except duckdb.Error as error:
        raise UsageError(f"{other}: is no warehouse: {str(error).splitlines()[0]}") from error
    path = statements.literal(str(other.absolute()))
    con.execute(f"ATTACH {path} AS the_other (TYPE duckdb, READ_ONLY)")
    try:
        yield
    except (duckdb.OutOfMemoryException, duckdb.InterruptException):
        raise
    except duckdb.Error as error:
        # The engine does not say in which of the two files it met it.
        raise EvalhouseError(
            f"{other}: cannot be merged: {connection.first_line(error)} (`evalhouse check` says whether "
            "this file or the warehouse is damaged)"
        ) from error
    finally:
        # After an error that the engine takes for fatal, nothing is to be done any more.
        with suppress(duckdb.Error):
            con.execute("DETACH the_other")


def _forget(con: duckdb.DuckDBPyConnection) -> None:
    for (name,) in con.execute(
        "SELECT table_name FROM duckdb_tables() WHERE temporary AND starts_with(table_name, 'merge_')"
    ).fetchall():
        con.execute(f"DROP TABLE temp.{name}")
