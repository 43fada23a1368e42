"""`evalhouse export eee`: runs as records of Every Eval Ever."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evalhouse.cli_output import refuse_others
from evalhouse.cli_shared import Db, ReleaseName, Wait, reader_of
from evalhouse.printing import out
from queries import install
from queries.eee_export import RELATIONSHIPS, Publisher, eee_files
from warehouse.errors import UsageError
from warehouse.files import writing


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
    if relationship not in RELATIONSHIPS:
        raise UsageError(f"--relationship is one of {', '.join(RELATIONSHIPS)}")
    for name, value in (("organization", organization), ("developer", developer)):
        if not value.strip():
            raise UsageError(f"--{name} cannot be blank")
    house = reader_of(db, wait)
    publisher = Publisher(organization, relationship, developer)
    with house.reading() as con:
        chosen = run_ids or [
            run_id
            for (run_id,) in con.execute(
                "SELECT run_id FROM main.run WHERE superseded_by IS NULL AND retracted_at IS NULL "
                "ORDER BY run_id"
            ).fetchall()
        ]
        if not chosen:
            raise UsageError("the warehouse has no run")
        lines, n_left = [], 0
        with writing.folder(folder) as unfinished:
            for run_id in chosen:
                try:
                    made = eee_files(con, run_id, judge=judge, release=release, publisher=publisher)
                except UsageError as error:
                    if not every:
                        raise
                    n_left += 1
                    lines.append(f"run {run_id} is left out: {error}")
                    continue
                files = {str(path): text.encode("ascii") for path, text in made.files.items()}
                refuse_others(folder, files, overwrite=overwrite)
                for path, content in files.items():
                    writing.fill(unfinished / path, content)
                lines += [made.summary, f"  {folder / next(iter(made.files))}"]
    for line in lines:
        out(line)
    if n_left:
        out(f"{n_left:,} of {len(chosen):,} runs are left out")
        raise typer.Exit(1)
