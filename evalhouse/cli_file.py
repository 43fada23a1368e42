"""`evalhouse status`, `refresh`, `check` and `migrate`: the warehouse file itself."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from typing import Annotated, TypeVar

import duckdb
import typer

from evalhouse.cli_shared import Db, NoRefresh, ReleaseName, Wait, house_of, reader_of
from evalhouse.printing import console, out, shown
from queries import definitions, install, render, session
from queries import release as releases
from queries.kept import refresh as keeping
from queries.kept.refresh import Kept
from warehouse import connection, migrate
from warehouse.check import Finding, own_objects, run_checks
from warehouse.errors import EvalhouseError

_T = TypeVar("_T")
_MOST_RUNS = 10
"""So many are named."""


def status(db: Db = None, wait: Wait = 0) -> None:
    """What is in the file: facts, datasets and how complete they are, subsets, judges, releases.

    Runs that their harness did not finish are named as partial.

    Also how many runs of each release have kept results that hold (see refresh).
    """
    house = reader_of(db, wait)
    with house.reading() as con:
        session.use_release(con)
        facts, datasets, partial, judges = (
            session.ask(con, f"status_{part}")
            for part in ("facts", "datasets", "partial", "judges")
        )
        subsets = session.ask(con, "subset_list")
        here = install.installed(con)
        groups = [one for one in releases.GROUPS if install.installed_group(con, one)]
        kept = [keeping.state(con, name) for name in here]
    size = house.path.stat().st_size / 1e6
    out(f"{house.path}, {size:,.1f} MB")
    shown(render.render_frame(facts, "table"))
    shown("\n" + render.render_frame(datasets, "table"))
    if partial.height:
        out("\nPartial runs, which their harness did not finish:")
        shown(render.render_frame(partial, "table"))
    for frame in (subsets, judges):
        if frame.height:
            shown("\n" + render.render_frame(frame, "table"))
    out(
        "\nReleases: "
        + ", ".join(
            f"{found.name} ({found.state}{', latest' if found.is_default else ''})"
            for found in here.values()
        )
        + "".join(f"; {group}" for group in groups)
    )
    out("Kept results: " + "; ".join(f"{k.release} {_how_fresh(k)}" for k in kept))


def _why_live(kept: Kept) -> str:
    return (
        f"nothing is kept, every query computes from the facts: {', '.join(kept.undeclared)} may look at other "
        "runs (a view that does not declares it in its head: `-- @kept per run`)"
    )


def _how_fresh(kept: Kept) -> str:
    if kept.undeclared:
        return _why_live(kept)
    if not kept.n_fresh:
        return "none"
    return f"{kept.n_fresh:,} of {kept.n_runs:,} runs"


def refresh(
    db: Db = None,
    release: ReleaseName = install.LATEST,
    all_releases: Annotated[
        bool, typer.Option("--all", help="Every release that is installed.")
    ] = False,
    drop: Annotated[
        bool, typer.Option("--drop", help="Forget what is kept; it changes no answer.")
    ] = False,
    verify: Annotated[
        bool,
        typer.Option(
            "--verify", help="Also find what somebody changed by hand: every fact is looked at."
        ),
    ] = False,
    wait: Wait = 0,
) -> None:
    """Keep each run's results in the file, so that boards are fast.

    Commands that change facts end with this. Only runs are computed whose results are not kept yet,
    or rest on other facts or judgments than there are now, as far as evalhouse's commands and API
    changed them. What another client wrote by hand is found with --verify.
    """
    house = house_of(db, wait)
    if not house.path.exists():
        raise EvalhouseError(f"{house.path}: no warehouse there")
    names = [one.release for one in house.kept()] if all_releases else [release]
    for name in names:
        if drop:
            house.drop_kept(release=name)
            out(f"{name}: nothing is kept")
            continue
        started = time.monotonic()
        with console.status(f"computing the results of {name}"):
            kept = house.refresh(release=name, verify=verify)
        if kept.undeclared:
            out(f"{kept.release}: {_why_live(kept)}")
            continue
        out(
            f"{kept.release}: {kept.n_built:,} {_runs(kept.n_built)} computed in "
            f"{time.monotonic() - started:.1f} s; {kept.n_fresh:,} of {kept.n_runs:,} are kept"
        )
        for run in kept.changed:
            out(f"  changed by hand: {run}")


def _runs(n: int) -> str:
    return "run" if n == 1 else "runs"


def check(db: Db = None, wait: Wait = 0) -> None:
    """Verify what the engine does not enforce: damage, keys, references, orphans, views, files on disk.

    Every column of every table is read. Exit code 1 if something is wrong.
    """
    path = db or connection.default_path()
    # Opened as it is: what every other command reads first may be what is damaged.
    with (
        closing(connection.open_for_reading(path, wait=wait)) as con,
        connection.errors_naming(path),
    ):
        wrong = False
        for finding in _findings(con):
            if finding.n:
                wrong = True
                out(f"{finding.check}: {finding.description}: {finding.n:,}")
                for example in finding.examples:
                    out(f"  {example}")
            else:
                out(f"{finding.check}: ok")
        own = own_objects(con)
    if own:
        out(
            f"in the schema main, and no part of evalhouse, which does not read it: {', '.join(own)}"
        )
    if wrong:
        raise typer.Exit(1)


def _findings(con: duckdb.DuckDBPyConnection) -> Iterator[Finding]:
    """Every check. One that meets what cannot be read says so in place of its rows."""
    yield from run_checks(con)
    yield _definitions(con)
    about = "what a release keeps"
    here = _or_why(partial(install.installed, con))
    if isinstance(here, str):
        yield Finding("kept results", about, 1, (here,))
        return
    for name in here:
        check = f"kept results of {name}"
        try:
            changed = _or_why(partial(keeping.changed_by_hand, con, name))
        except keeping.OlderInstallationError:
            continue
        if isinstance(changed, str):
            yield Finding(check, about, 1, (changed,))
            continue
        yield Finding(
            check,
            "runs whose facts or judgments were changed by hand after their results were kept "
            f"(`evalhouse refresh --verify --release {name}` computes them anew)",
            len(changed),
            changed[:_MOST_RUNS],
        )


def _definitions(con: duckdb.DuckDBPyConnection) -> Finding:
    changed = _or_why(partial(definitions.changed, con))
    if isinstance(changed, str):
        return Finding("definitions", "what a release says of its views", 1, (changed,))
    names = [f"{schema}.{name}" for schema, names in changed.items() for name in names]
    return Finding(
        "definitions",
        "A view, macro or table of a release is not what its release says (`evalhouse releases install "
        "RELEASE` puts it right)",
        len(names),
        tuple(names),
    )


def _or_why(check: Callable[[], _T]) -> _T | str:
    """What a check finds, or why it cannot: a damaged file still gets every other check."""
    try:
        return check()
    except (duckdb.OutOfMemoryException, duckdb.InterruptException):
        raise
    except duckdb.Error as error:
        return f"cannot be checked: {connection.first_line(error)}"


def migrate_command(db: Db = None, no_refresh: NoRefresh = False, wait: Wait = 0) -> None:
    """Upgrade an older warehouse to this evalhouse's schema."""
    path = db or connection.default_path()
    if not path.exists():
        raise EvalhouseError(f"{path}: no warehouse there")
    with house_of(db, wait).changing(refresh=not no_refresh) as con:
        version = migrate.installed_version(con, path)
    out(f"{path}: schema version {version}")
