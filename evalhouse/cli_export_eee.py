"""`evalhouse export eee`: runs as records of Every Eval Ever."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evalhouse.cli_shared import Db, ReleaseName, Wait, reader_of
from evalhouse.printing import out
from queries import install
from queries.eee_export import RELATIONSHIPS, Publisher
from warehouse.errors import UsageError


def export_eee(
    run_ids: Annotated[
        list[int] | None, typer.Argument(metavar="RUN…", help="Runs by number, as listed.")
    ] = None,
    folder: Annotated[
        Path, typer.Option("-o", "--output", "--out", metavar="DIR", help="The folder.")
    ] = Path(),
    every: Annotated[bool, typer.Option("--all", help="Every run that counts.")] = False,
    judge: Annotated[str | None, typer.Option(help="Under whose verdicts.")] = None,
    organization: Annotated[
        str, typer.Option(help="Who publishes the records.")
    ] = Publisher.organization,
    relationship: Annotated[
        str, typer.Option(help=f"Whose evaluation it is: {' | '.join(RELATIONSHIPS)}.")
    ] = Publisher.relationship,
    developer: Annotated[
        str, typer.Option(help="Who made the models whose names do not begin with it.")
    ] = Publisher.developer,
    release: ReleaseName = install.LATEST,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Also over files with other content.")
    ] = False,
    db: Db = None,
    wait: Wait = 0,
) -> None:
    """Runs as Every Eval Ever records: an aggregate JSON each, and a record per answer next to it.

    All are made before any file is there. With --all, runs that cannot be (a verdict is pending)
    are named and left out, with exit code 1.
    """
    if every == bool(run_ids):
        raise UsageError("say which runs, or --all")
    made = reader_of(db, wait).export.eee(
        folder,
        run_ids or None,
        judge=judge,
        organization=organization,
        relationship=relationship,
        developer=developer,
        release=release,
        overwrite=overwrite,
    )
    for one in made:
        if one.written is None:
            out(f"run {one.run_id} is left out: {one.left}")
        else:
            out(one.written.summary)
            out(f"  {one.written.files[0]}")
    n_left = sum(one.written is None for one in made)
    if n_left:
        out(f"{n_left:,} of {len(made):,} runs are left out")
        raise typer.Exit(1)
