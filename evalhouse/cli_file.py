"""`evalhouse status`, `check` and `migrate`: the warehouse file itself."""

from __future__ import annotations

import typer

from evalhouse.cli_shared import Db, Wait, house_of, out
from queries import install, render, session
from warehouse import connection, migrate
from warehouse.check import run_checks
from warehouse.errors import EvalhouseError


def status(db: Db = None, wait: Wait = 0) -> None:
    """What is in the file: facts, datasets and how complete they are, subsets, judges, releases."""
    house = house_of(db, wait)
    with house.reading() as con:
        session.use_release(con)
        facts, datasets, judges = (
            session.ask(con, f"status_{part}") for part in ("facts", "datasets", "judges")
        )
        subsets = session.ask(con, "subset_list")
        here = install.installed(con)
    size = house.path.stat().st_size / 1e6
    out(f"{house.path}, {size:,.1f} MB")
    out(render.render_frame(facts, "table"))
    out("\n" + render.render_frame(datasets, "table"))
    for frame in (subsets, judges):
        if frame.height:
            out("\n" + render.render_frame(frame, "table"))
    out(
        "\nReleases: "
        + ", ".join(
            f"{found.name} ({found.state}{', latest' if found.is_default else ''})"
            for found in here.values()
        )
    )


def check(db: Db = None, wait: Wait = 0) -> None:
    """Verify what the engine does not enforce: keys, references, orphans, files on disk.

    Exit code 1 if something is wrong.
    """
    wrong = False
    with house_of(db, wait).reading() as con:
        for finding in run_checks(con):
            if finding.n:
                wrong = True
                out(f"{finding.check}: {finding.description}: {finding.n:,}")
                for example in finding.examples:
                    out(f"  {example}")
            else:
                out(f"{finding.check}: ok")
    if wrong:
        raise typer.Exit(1)


def migrate_command(db: Db = None, wait: Wait = 0) -> None:
    """Upgrade an older warehouse to this evalhouse's schema."""
    path = db or connection.default_path()
    if not path.exists():
        raise EvalhouseError(f"{path}: no warehouse there")
    with house_of(db, wait).writing() as con:
        version = migrate.installed_version(con, path)
    out(f"{path}: schema version {version}")
