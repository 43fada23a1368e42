"""Building, verifying and dropping kept results."""

from __future__ import annotations

from dataclasses import dataclass

import duckdb

from queries.kept import build, compose, judged
from queries.plan import PlannedObject, internal_schema, places
from warehouse import statements
from warehouse.connection import transaction
from warehouse.errors import EvalhouseError

_SQL = statements.of_module(__file__)
_TABLES = compose.TABLES


class OlderInstallationError(EvalhouseError):
    """A release does not keep results as this evalhouse does, or a table or view for that is gone."""

    def __init__(self, release: str) -> None:
        super().__init__(
            f"{release} lacks a table or view of kept results: an earlier evalhouse installed it, or "
            f"somebody dropped that; `evalhouse releases install {release}` installs it anew"
        )


@dataclass(frozen=True)
class Kept:
    """How much of a release's results is kept.

    Attributes:
        release: its name.
        n_runs: runs that count.
        n_fresh: those whose kept results hold.
        n_built: those whose results this refresh computed.
        undeclared: views of the release that may look at other runs, for which nothing is kept.
        changed: runs of which this refresh found facts or judgments that were changed by hand.
    """

    release: str
    n_runs: int
    n_fresh: int
    n_built: int = 0
    undeclared: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()


def refresh(con: duckdb.DuckDBPyConnection, release: str, *, verify: bool = False) -> Kept:
    """Compute and keep the results of the runs that are not fresh.

    That is one transaction, or of very many answers one for each batch of runs: within one, the engine
    keeps the tables of all of them, dropped or not.

    Args:
        con: open for writing.
        release: one that is installed.
        verify: also hash every answer, question and judgment that kept results rest on, and compute
            those of which somebody changed one by hand, in another client.

    Raises:
        OlderInstallationError: the release has to be installed anew first.
    """
    both = places(release)
    if not is_of_now(con, release):
        raise OlderInstallationError(release)
    if _undeclared(con, release):
        return state(con, release)
    with transaction(con):
        con.execute(_SQL["stale"].format(**both))
        of_people = judged.prepare(con, release)
        changed: tuple[str, ...] = ()
        if verify:
            changed = _look_closely(con, release)
            con.execute(_SQL["add_changed"].format(**both))
        later = _split(con, release)
        n_built = _bring_up(con, release, of_people, anew=verify)
    for batch in later:
        with transaction(con):
            con.execute(_SQL["take_batch"], {"batch": batch})
            n_built += _bring_up(con, release, of_people, anew=False)
    for table in ("stale_run", "stale_batch", "changed_run"):
        con.execute(f"DROP TABLE IF EXISTS temp.{table}")
    found = state(con, release)
    return Kept(release, found.n_runs, found.n_fresh, n_built, changed=changed)


def _bring_up(
    con: duckdb.DuckDBPyConnection,
    release: str,
    of_people: tuple[PlannedObject, ...],
    *,
    anew: bool,
) -> int:
    """Keep the results of the runs in `stale_run`; return how many. Nothing is written for none."""
    both = places(release)
    ((n_stale, n_gone, last_kept, last),) = con.execute(_SQL["to_do"].format(**both)).fetchall()
    if n_stale or n_gone:
        for table in (*_TABLES, *([judged.TABLE] if of_people else [])):
            if table != "kept_judging":
                con.execute(_SQL["forget"].format(**both, table=table))
    if n_stale:
        _keep(con, release, of_people)
        con.execute(_SQL["look_at_stale"])
        con.execute(_SQL["keep_runs"].format(**both, facts_hash=compose.facts_hash(release)))
        con.execute("DROP TABLE looked_at")
    if last != last_kept or anew:
        # A sum: what came since is added, and what was there need not be read again.
        known = 0 if anew else _kept_judgments_hash(con, release)
        after = 0 if anew else last_kept
        new = known + _judgments_hash(con, after=after, last=last)
        con.execute(f"DELETE FROM {both['internal']}.kept_judging")
        con.execute(f"INSERT INTO {both['internal']}.kept_judging VALUES (?, ?)", [last, new])
    return int(n_stale)


def _split(con: duckdb.DuckDBPyConnection, release: str) -> list[int]:
    """Leave in `stale_run` what tables can be made for at a time; return the numbers of later batches.

    Those are not fresh from now on, also where only their facts were found changed. A user's release is
    not split: its views compute every run that is not fresh.
    """
    ((n_answers,),) = con.execute(_SQL["answers"]).fetchall()
    if n_answers <= build.MOST_ANSWERS or build.planned(con, release) is None:
        return []
    con.execute(_SQL["forget"].format(**places(release), table="kept_run"))
    con.execute(_SQL["make_batches"], {"most": build.MOST_ANSWERS})
    first, *later = [batch for (batch,) in con.execute(_SQL["batches"]).fetchall()]
    con.execute(_SQL["take_batch"], {"batch": first})
    return later


def _keep(
    con: duckdb.DuckDBPyConnection, release: str, of_people: tuple[PlannedObject, ...]
) -> None:
    """Store the rows of the runs in `stale_run`; with those of people's judging, if there is what they rest on."""
    both = places(release)
    schema, internal = both["schema"], both["internal"]
    ((n_judges,),) = con.execute(f"SELECT count(*) FROM {internal}.judge_asked").fetchall()
    views = [*compose.KEPT, *([compose.SUBJECTS] if n_judges else [])]
    needs = n_judges and con.execute(_SQL["reads_need"], {"release": release}).fetchall()
    needed = [compose.NEEDED] if needs else []
    sources = {view: f"{schema}.{view}" for view in (*views, *needed)}
    sources[compose.SUBJECTS] = f"{internal}.{compose.SUBJECTS}"
    sources |= {
        item.file.name: f"({item.sql})" for item in of_people if item.file.name == judged.VIEW
    }
    of_release = build.planned(con, release)
    if of_release is not None:
        sources = build.tables(con, release, of_people or of_release, sources)
    for view in views:
        name = "keep_subjects" if view == compose.SUBJECTS else "keep"
        con.execute(_SQL[name].format(**both, view=view, source=sources[view]))
    for view in needed:
        con.execute(_SQL["keep_need"].format(**both, source=sources[view]))
    if of_people:
        judged.keep(con, release, sources[judged.VIEW])
    build.drop(con)


def state(con: duckdb.DuckDBPyConnection, release: str) -> Kept:
    """How much of a release's results is kept and fresh."""
    if not is_of_now(con, release):
        ((n_runs,),) = con.execute(f'SELECT count(*) FROM "{release}".current_run').fetchall()
        return Kept(release, n_runs, 0)
    ((n_runs, n_fresh),) = con.execute(_SQL["state"].format(**places(release))).fetchall()
    return Kept(release, n_runs, n_fresh, undeclared=_undeclared(con, release))


def unkept_answers(con: duckdb.DuckDBPyConnection, release: str) -> int:
    """How many answers the runs have whose results are not kept."""
    sql = _SQL["unkept_answers"].format(**places(release))
    return int(con.execute(sql).fetchall()[0][0])


def is_of_now(con: duckdb.DuckDBPyConnection, release: str) -> bool:
    """Whether a release has the tables and views with which this evalhouse keeps results."""
    names = [*_TABLES, *compose.VIEWS]
    parameters = {"schema": internal_schema(release), "names": names}
    found = con.execute(_SQL["is_of_now"], parameters).fetchall()
    return bool(found[0][0])


def has_results(con: duckdb.DuckDBPyConnection, release: str) -> bool:
    """Whether anything of a release is kept, fresh or not, also by an earlier evalhouse."""
    parameters = {"schemas": [release, internal_schema(release)]}
    return any(
        con.execute(_SQL["has_rows"].format(schema=f'"{schema}"')).fetchall()[0][0]
        for (schema,) in con.execute(_SQL["was_kept"], parameters).fetchall()
    )


def _undeclared(con: duckdb.DuckDBPyConnection, release: str) -> tuple[str, ...]:
    """What keeps a release's results from being kept."""
    found = con.execute(_SQL["undeclared"].format(**places(release))).fetchall()
    return tuple(name for (name,) in found)


def drop(con: duckdb.DuckDBPyConnection, release: str) -> None:
    """Forget a release's kept results; every query then computes from the facts.

    Raises:
        OlderInstallationError: the release has to be installed anew first.
    """
    if not is_of_now(con, release):
        raise OlderInstallationError(release)
    with transaction(con):
        for table in _TABLES:
            con.execute(f'DELETE FROM "{internal_schema(release)}".{table}')
        judged.drop(con, release)


def changed_by_hand(con: duckdb.DuckDBPyConnection, release: str) -> tuple[str, ...]:
    """The runs whose kept results are read although some fact they rest on was changed by hand.

    Every fact is hashed. Which runs a changed judgment concerned before is unknown: then it is
    every run with subjects.

    Raises:
        OlderInstallationError: the release has to be installed anew first.
    """
    if not is_of_now(con, release):
        raise OlderInstallationError(release)
    found = _look_closely(con, release)
    con.execute("DROP TABLE changed_run")
    return found


def _look_closely(con: duckdb.DuckDBPyConnection, release: str) -> tuple[str, ...]:
    """Make `changed_run` from every fact that fresh kept results rest on; return its runs by
    name."""
    both = places(release)
    con.execute(_SQL["look_at_kept"].format(**both))
    ((last,),) = con.execute(
        f"SELECT coalesce(max(last_judgment_id), 0) FROM {both['internal']}.kept_judging"
    ).fetchall()
    now = _judgments_hash(con, after=0, last=last)
    con.execute(
        _SQL["changed"].format(**both, facts_hash=compose.facts_hash(release)),
        {"are_judgments_changed": now != _kept_judgments_hash(con, release)},
    )
    con.execute("DROP TABLE looked_at")
    return tuple(
        f"run {run_id}: {model} ({run}) on {dataset}"
        for run_id, model, run, dataset in con.execute(_SQL["changed_runs"]).fetchall()
    )


def _judgments_hash(con: duckdb.DuckDBPyConnection, *, after: int, last: int) -> int:
    ((found,),) = con.execute(_SQL["judgments_hash"], {"after": after, "last": last}).fetchall()
    return int(found or 0)


def _kept_judgments_hash(con: duckdb.DuckDBPyConnection, release: str) -> int:
    ((found,),) = con.execute(
        f'SELECT max(judgments_key) FROM "{internal_schema(release)}".kept_judging'
    ).fetchall()
    return int(found or 0)
