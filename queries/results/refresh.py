"""Keeping results up to date, verifying them, and dropping them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

import duckdb

from queries import release as releases
from queries.plan import internal_schema, places
from queries.results import compute, tables
from queries.results.tables import SET, Definition, shared
from warehouse import statements
from warehouse.connection import transaction
from warehouse.errors import EvalhouseError

MOST_ANSWERS = 3_000_000
"""Answers of the runs that are computed at a time: of more the engine would want more memory than most
machines have."""
NEED = "judge_need"
_SQL = statements.of_module(__file__)
Con = duckdb.DuckDBPyConnection
Asked = ParamSpec("Asked")
Answer = TypeVar("Answer")


def _in_the_file(
    ask: Callable[Concatenate[Con, Asked], Answer],
) -> Callable[Concatenate[Con, Asked], Answer]:
    """Let a question be about the file, where names mean what is computed next to it."""

    @wraps(ask)
    def asked(con: Con, /, *args: Asked.args, **kwargs: Asked.kwargs) -> Answer:
        with compute.in_the_file(con):
            return ask(con, *args, **kwargs)

    return asked


class OlderInstallationError(EvalhouseError):
    """A release has no results as this evalhouse stores them, or a table or view for that is gone."""

    def __init__(self, release: str) -> None:
        super().__init__(
            f"{release} lacks a table or view of results: an earlier evalhouse installed it, or "
            f"somebody dropped that; `evalhouse releases install {release}` installs it anew"
        )


@dataclass(frozen=True)
class Kept:
    """How much of a release's results is up to date.

    Attributes:
        release: its name.
        n_runs: runs that count.
        n_fresh: those whose results are up to date.
        n_built: those whose results this refresh computed.
        changed: runs of which this refresh found facts or judgments that were changed by hand.
    """

    release: str
    n_runs: int
    n_fresh: int
    n_built: int = 0
    changed: tuple[str, ...] = ()


def refresh(con: duckdb.DuckDBPyConnection, release: str, *, verify: bool = False) -> Kept:
    """Compute the results of the runs that are out of date, and store them.

    Runs are taken in groups; a group is one transaction, so that a run's results are all of before or all
    of after.

    Args:
        con: open for writing.
        release: one that is installed.
        verify: also hash every answer, question and judgment that results rest on, and compute
            those of which somebody changed one by hand, in another client.

    Raises:
        OlderInstallationError: the release has to be installed anew first.
    """
    require(con, release)
    both = places(release)
    changed: tuple[str, ...] = ()
    con.execute(_SQL["stale"].format(**both))
    if verify:
        changed = _look_closely(con, release)
        con.execute(_SQL["add_changed"].format(**both))
    definitions = compute.read(con, release)
    groups = _groups(con, release, definitions)
    ((has_judge,),) = con.execute("SELECT count(*) > 0 FROM main.judge").fetchall()
    with_judges = [name for name, its in _columns(con, release, definitions).items() if SET in its]
    for n, runs in enumerate(groups):
        # A release of the user's own may look at all judges at once, such as by a vote. Where there is
        # no judge, the first one makes all runs be computed anyway.
        unasked = release in releases.shipped_names() and has_judge
        with (
            compute.computed(con, release, definitions, runs, unasked=unasked) as steps,
            shared(con, with_judges, f"{both['internal']}.{SET}") as sets,
            transaction(con),
        ):
            if n == 0:
                _forget(con, release, definitions, verify)
            _store(con, release, definitions, runs, steps, sets)
            if n == len(groups) - 1:
                _forget_sets(con, release, with_judges)
    if not groups:
        with transaction(con):
            _forget(con, release, definitions, verify)
    for table in ("stale", "changed_run"):
        con.execute(f"DROP TABLE IF EXISTS temp.{table}")
    found = state(con, release)
    return Kept(release, found.n_runs, found.n_fresh, sum(map(len, groups)), changed=changed)


@contextmanager
def needs(con: duckdb.DuckDBPyConnection, release: str) -> Iterator[None]:
    """Let `judge_need` mean what waits for judges now, also of runs whose results are out of date.

    Nothing is stored; a judge of this transaction alone counts too.
    """
    if not is_of_now(con, release):
        yield
        return
    con.execute(_SQL["stale"].format(**places(release)))
    definitions = compute.read(con, release)
    last = next(n for n, one in enumerate(definitions) if one.name == NEED)
    con.execute(_SQL["need_of_before"].format(**places(release)))
    for runs in _groups(con, release, definitions):
        with compute.computed(con, release, definitions[: last + 1], runs) as steps:
            con.execute(f"INSERT INTO temp.need SELECT * FROM {steps}.{NEED}")
    con.execute(f"CREATE TEMP VIEW {NEED} AS FROM temp.need")
    try:
        yield
    finally:
        con.execute(f"DROP VIEW temp.{NEED}")
        for table in ("need", "stale"):
            con.execute(f"DROP TABLE temp.{table}")


def _groups(
    con: duckdb.DuckDBPyConnection, release: str, definitions: Sequence[Definition]
) -> list[list[int]]:
    """The runs to compute, in groups that memory holds; all in one where one looks at the others."""
    most = MOST_ANSWERS
    if any(one.table == tables.OF_ALL_RUNS for one in definitions):
        con.execute(_SQL["all_if_any"].format(**places(release)))
        most = 2**62
    groups: dict[int, list[int]] = {}
    for run_id, group in con.execute(_SQL["groups"], {"most": most}).fetchall():
        groups.setdefault(group, []).append(run_id)
    return list(groups.values())


def _forget(
    con: duckdb.DuckDBPyConnection, release: str, definitions: Sequence[Definition], verify: bool
) -> None:
    """Let no run that is to be computed count as up to date, and drop the rows of runs that are gone.

    The judgments that are there now are those that all results rest on from here on. Nothing is written
    where nothing changed.
    """
    both = places(release)
    ((n_stale, n_gone, last_known, last),) = con.execute(_SQL["to_do"].format(**both)).fetchall()
    if n_stale:
        con.execute(_SQL["out_of_date"].format(**both))
    if n_gone:
        for name in ("computed_run", *(one.name for one in definitions if one.table)):
            con.execute(_SQL["gone"].format(**both, table=name))
    if last != last_known or verify:
        # A sum: what came since is added, and what was there need not be read again.
        known = 0 if verify else _known_judgments_hash(con, release)
        new = known + _judgments_hash(con, after=0 if verify else last_known, last=last)
        con.execute(f"DELETE FROM {both['internal']}.computed_judging")
        con.execute(f"INSERT INTO {both['internal']}.computed_judging VALUES (?, ?)", [last, new])


def _store(
    con: duckdb.DuckDBPyConnection,
    release: str,
    definitions: Sequence[Definition],
    runs: Sequence[int],
    steps: str,
    sets: str,
) -> None:
    """Put what was computed of some runs in the place of their earlier results: the only place where
    results are written."""
    both = places(release)
    among = ", ".join(map(str, runs))
    con.execute(_SQL["add_sets"].format(**both, sets=sets))
    columns = _columns(con, release, definitions)
    for one in definitions:
        if one.table is None:
            continue
        its = columns[one.name]
        target = f'{both["internal"]}."{one.name}"'
        shown = ", ".join(f'"{column}"' for column in its)
        # Sorted, as the engine packs what is alike.
        order = ", ".join(f'"{key}"' for key in ("run_id", *one.key) if key in its)
        con.execute(f"DELETE FROM {target} WHERE run_id IN ({among})")
        con.execute(
            f'INSERT INTO {target} SELECT {shown} FROM {steps}."{one.name}" ORDER BY {order}'
        )
    con.execute(f"CREATE OR REPLACE TEMP TABLE looked_at AS SELECT unnest([{among}]) AS run_id")
    con.execute(_SQL["computed"].format(**both, facts_hash=tables.facts_hash(release)))
    con.execute("DROP TABLE looked_at")


def _columns(
    con: duckdb.DuckDBPyConnection, release: str, definitions: Sequence[Definition]
) -> dict[str, list[str]]:
    """The columns of each result's table."""
    found: dict[str, list[str]] = {one.name: [] for one in definitions if one.table is not None}
    for name, column in con.execute(
        _SQL["columns"], {"schema": internal_schema(release), "names": list(found)}
    ).fetchall():
        found[name].append(column)
    return found


def _forget_sets(con: duckdb.DuckDBPyConnection, release: str, names: Sequence[str]) -> None:
    """Drop the sets of judges that no row has any more.

    Args:
        names: the results that have such sets.
    """
    internal = places(release)["internal"]
    used = " UNION ALL ".join(f'SELECT DISTINCT {SET} FROM {internal}."{name}"' for name in names)
    if used:
        con.execute(f"DELETE FROM {internal}.{SET} WHERE {SET} NOT IN ({used})")


@_in_the_file
def state(con: duckdb.DuckDBPyConnection, release: str) -> Kept:
    """How many runs of a release have results that are up to date."""
    if not is_of_now(con, release):
        ((n_runs,),) = con.execute(f'SELECT count(*) FROM "{release}".current_run').fetchall()
        return Kept(release, n_runs, 0)
    ((n_runs, n_stale),) = con.execute(_SQL["state"].format(**places(release))).fetchall()
    return Kept(release, n_runs, n_runs - n_stale)


@_in_the_file
def stale(con: duckdb.DuckDBPyConnection, release: str) -> list[int]:
    """The runs of an installed release whose results are out of date."""
    sql = f'SELECT run_id FROM "{internal_schema(release)}".stale_run ORDER BY run_id'
    return [run_id for (run_id,) in con.execute(sql).fetchall()]


def n_answers(con: duckdb.DuckDBPyConnection, runs: Sequence[int]) -> int:
    """How many answers some runs have."""
    return int(con.execute(_SQL["n_answers"], {"runs": list(runs)}).fetchall()[0][0])


@_in_the_file
def is_of_now(con: duckdb.DuckDBPyConnection, release: str) -> bool:
    """Whether a release has the tables and views of results as this evalhouse makes them."""
    schema = internal_schema(release)

    def are_there(names: Sequence[str]) -> bool:
        given = {"schema": schema, "names": names}
        return bool(con.execute(_SQL["are_there"], given).fetchall()[0][0])

    if not are_there([*tables.STATE, *tables.VIEWS]):
        return False
    cursor = con.execute(f'SELECT * FROM "{schema}".definition LIMIT 0')
    if not {field.name for field in fields(Definition)} <= {one[0] for one in cursor.description}:
        return False
    sql = f'SELECT name FROM "{schema}".definition WHERE "table" IS NOT NULL'
    return are_there([name for (name,) in con.execute(sql).fetchall()])


def require(con: duckdb.DuckDBPyConnection, release: str) -> None:
    """Refuse a release without them.

    Raises:
        OlderInstallationError: so it is.
    """
    if not is_of_now(con, release):
        raise OlderInstallationError(release)


def drop(con: duckdb.DuckDBPyConnection, release: str) -> None:
    """Forget a release's results; `refresh` computes them anew.

    Raises:
        OlderInstallationError: the release has to be installed anew first.
    """
    require(con, release)
    names = [one.name for one in compute.read(con, release) if one.table is not None]
    with transaction(con):
        for name in ("computed_run", "computed_judging", SET, *names):
            con.execute(f'DELETE FROM "{internal_schema(release)}"."{name}"')


@_in_the_file
def doubled(con: duckdb.DuckDBPyConnection, release: str) -> list[tuple[str, int, str]]:
    """The results with two rows of one key: each, how many keys, and the first of them.

    Raises:
        OlderInstallationError: the release has to be installed anew first.
    """
    require(con, release)
    internal = places(release)["internal"]
    definitions = compute.read(con, release)
    columns = _columns(con, release, definitions)
    found = []
    for one in definitions:
        if one.table is None or not one.key:
            continue
        keys = ", ".join(f'"{name}"' for name in ("run_id", *one.key))
        judges = f"INNER JOIN {internal}.{SET} USING ({SET})" if SET in columns[one.name] else ""
        its = f'{internal}."{one.name}" {judges}'
        rows = con.execute(_SQL["doubled"].format(keys=keys, rows=its)).fetchall()
        for *values, n in rows:
            pairs = zip(("run_id", *one.key), values, strict=True)
            found.append((one.name, n, ", ".join(f"{name} {value}" for name, value in pairs)))
    return found


@_in_the_file
def changed_by_hand(con: duckdb.DuckDBPyConnection, release: str) -> tuple[str, ...]:
    """The runs whose results are read although some fact they rest on was changed by hand.

    Every fact is hashed. Which runs a changed judgment concerned before is unknown: then it is
    every run with subjects.

    Raises:
        OlderInstallationError: the release has to be installed anew first.
    """
    require(con, release)
    found = _look_closely(con, release)
    con.execute("DROP TABLE changed_run")
    return found


def _look_closely(con: duckdb.DuckDBPyConnection, release: str) -> tuple[str, ...]:
    """Make `changed_run` from every fact that results rest on which are up to date; return its runs by
    name."""
    both = places(release)
    con.execute(_SQL["look_at_computed"].format(**both))
    ((last,),) = con.execute(
        f"SELECT coalesce(max(last_judgment_id), 0) FROM {both['internal']}.computed_judging"
    ).fetchall()
    now = _judgments_hash(con, after=0, last=last)
    con.execute(
        _SQL["changed"].format(**both, facts_hash=tables.facts_hash(release)),
        {"are_judgments_changed": now != _known_judgments_hash(con, release)},
    )
    con.execute("DROP TABLE looked_at")
    return tuple(
        f"run {run_id}: {model} ({run}) on {dataset}"
        for run_id, model, run, dataset in con.execute(_SQL["changed_runs"]).fetchall()
    )


def _judgments_hash(con: duckdb.DuckDBPyConnection, *, after: int, last: int) -> int:
    ((found,),) = con.execute(_SQL["judgments_hash"], {"after": after, "last": last}).fetchall()
    return int(found or 0)


def _known_judgments_hash(con: duckdb.DuckDBPyConnection, release: str) -> int:
    ((found,),) = con.execute(
        f'SELECT max(judgments_hash) FROM "{internal_schema(release)}".computed_judging'
    ).fetchall()
    return int(found or 0)
