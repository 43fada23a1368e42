"""`evalhouse export eee`: runs as records of Every Eval Ever."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evalhouse.cli_shared import Db, ReleaseName, Wait, house_of, out
from queries import install
from queries.eee_export import RELATIONSHIPS, Publisher, eee_files
from warehouse.errors import UsageError


def export_eee(
    run_ids: Annotated[
        list[int] | None, typer.Argument(metavar="RUN…", help="Runs by number, as listed.")
    ] = None,
    folder: Annotated[Path, typer.Option("--out", metavar="DIR", help="The folder.")] = Path(),
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
    """Runs as Every Eval Ever records: an aggregate JSON each, and a record per answer beside it."""
    if every == bool(run_ids):
        raise UsageError("say which runs, or --all")
    if relationship not in RELATIONSHIPS:
        raise UsageError(f"--relationship is one of {', '.join(RELATIONSHIPS)}")
    for name, value in (("organization", organization), ("developer", developer)):
        if not value.strip():
            raise UsageError(f"--{name} cannot be blank")
    house = house_of(db, wait)
    name = house.ensure_release(release)
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
        for run_id in chosen:
            made = eee_files(con, run_id, judge=judge, release=name, publisher=publisher)
            for path, text in made.files.items():
                _refuse_other(folder / path, text, overwrite)
            for path, text in made.files.items():
                _write(folder / path, text)
            out(made.summary)
            out(f"  {folder / next(iter(made.files))}")


def _refuse_other(path: Path, text: str, overwrite: bool) -> None:
    """Refuse to write over a file that says something else, such as under another judge."""
    try:
        if path.exists() and not overwrite and path.read_bytes() != text.encode():
            raise UsageError(f"{path}: is there with other content; --overwrite replaces it")
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror or error}") from error


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="ascii")
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror or error}") from error
