"""`evalhouse status`, `refresh`, `check` and `migrate`: the warehouse file itself."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from evalhouse.cli_shared import Db, NoRefresh, ReleaseName, Wait, house_of, reader_of
from evalhouse.printing import console, out, shown
from queries import install, render
from queries.results.refresh import Kept
from warehouse import connection, migrate
from warehouse.check import Finding
from warehouse.errors import EvalhouseError


def status(db: Db = None, wait: Wait = 0) -> None:
    """What is in the file: facts, datasets and how complete they are, subsets, judges, releases.

    Runs that their harness did not finish are named as partial, questions that a newer list leaves out
    as dropped.

    Also how many runs of each release have results that are up to date (see refresh).
    """
    found = reader_of(db, wait).status()
    out(f"{found.path}, {found.bytes / 1e6:,.1f} MB")
    shown(render.render_frame(found.facts, "table"))
    shown("\n" + render.render_frame(found.datasets, "table"))
    if found.dropped.height:
        out("\nDropped questions, which do not count; their answers are kept:")
        shown(render.render_frame(found.dropped, "table"))
    if found.partial.height:
        out("\nPartial runs, which their harness did not finish:")
        shown(render.render_frame(found.partial, "table"))
    for frame in (found.subsets, found.judges):
        if frame.height:
            shown("\n" + render.render_frame(frame, "table"))
    out(
        "\nReleases: "
        + ", ".join(
            f"{one.name} ({one.state}{', latest' if one.is_default else ''})"
            for one in found.releases.values()
        )
        + "".join(f"; {group}" for group in found.groups)
    )
    out("Results: " + "; ".join(f"{k.release} {_how_fresh(k)}" for k in found.kept))


def _how_fresh(kept: Kept) -> str:
    if not kept.n_fresh:
        return "none"
    return f"{kept.n_fresh:,} of {kept.n_runs:,} runs"


def refresh(
    db: Db = None,
    release: ReleaseName = install.LATEST,
    all_releases: Annotated[
        bool, typer.Option("--all", help="Every release that is installed.")
    ] = False,
    drop: Annotated[bool, typer.Option("--drop", help="Forget all results.")] = False,
    verify: Annotated[
        bool,
        typer.Option(
            "--verify", help="Also find what somebody changed by hand: every fact is looked at."
        ),
    ] = False,
    wait: Wait = 0,
) -> None:
    """Compute the results of the runs that are out of date.

    Commands that change facts end with this. A run is out of date whose results were never computed,
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
            out(f"{name}: no results are left")
            continue
        started = time.monotonic()
        with console.status(f"computing the results of {name}"):
            kept = house.refresh(release=name, verify=verify)
        out(
            f"{kept.release}: {kept.n_built:,} {_runs(kept.n_built)} computed in "
            f"{time.monotonic() - started:.1f} s; {kept.n_fresh:,} of {kept.n_runs:,} are up to date"
        )
        for run in kept.changed:
            out(f"  changed by hand: {run}")


def _runs(n: int) -> str:
    return "run" if n == 1 else "runs"


def check(db: Db = None, wait: Wait = 0) -> None:
    """Verify what the engine does not enforce: damage, keys, references, orphans, views, files on disk.

    Every column of every table is read. Exit code 1 if something is wrong.
    """
    checked = reader_of(db, wait).check(found=_print)
    if checked.own:
        out(
            "in the schema main, and no part of evalhouse, which does not read it: "
            + ", ".join(checked.own)
        )
    if not checked.is_ok:
        raise typer.Exit(1)


def _print(finding: Finding) -> None:
    if not finding.n:
        out(f"{finding.check}: ok")
        return
    out(f"{finding.check}: {finding.description}: {finding.n:,}")
    for example in finding.examples:
        out(f"  {example}")


def migrate_command(db: Db = None, no_refresh: NoRefresh = False, wait: Wait = 0) -> None:
    """Upgrade an older warehouse to this evalhouse's schema and releases, and compute all results."""
    path = db or connection.default_path()
    if not path.exists():
        raise EvalhouseError(f"{path}: no warehouse there")
    with house_of(db, wait).changing(refresh=not no_refresh) as con:
        install.bring_up_to_date(con)
        version = migrate.installed_version(con, path)
    out(f"{path}: schema version {version}")
