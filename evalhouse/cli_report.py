"""`evalhouse report`: the pages as files."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from evalhouse.cli_shared import Db, Wait, house_of
from evalhouse.pages.report import Report, Wanted, write
from evalhouse.printing import console, escaped, out
from warehouse.errors import UsageError
from warehouse.files import writing
from warehouse.images import Images
from warehouse.wording import counted


def report(
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="A folder, new or empty.")],
    benchmarks: Annotated[
        list[str] | None, typer.Argument(help="Such as MMBench; by default all that have runs.")
    ] = None,
    db: Db = None,
    judge: Annotated[
        str | None, typer.Option(help="Whose verdicts questions are seen under, or none.")
    ] = None,
    questions: Annotated[
        int, typer.Option("--questions", help="Of each cell, so many that are not right.", min=0)
    ] = 5,
    thumbnail: Annotated[
        int | None,
        typer.Option(
            "--thumbnail", metavar="N", min=16, help="Scale pictures down to N pixels at most."
        ),
    ] = None,
    wait: Wait = 0,
) -> None:
    """Write the pages of a warehouse as files that open from disk, without a server or a network.

    Boards of every level and judge, the first questions of each cell that are not right, with their
    pictures, models, the first run of each board compared with those after it, and judges. Equal
    warehouses give equal files.
    """
    if thumbnail is not None and find_spec("PIL") is None:
        raise UsageError(
            "--thumbnail wants pillow: pip install 'evalhouse[web]' brings what it needs"
        )
    writing.require_room(directory, "a report")
    house = house_of(db, wait)
    wanted = Wanted(tuple(benchmarks or ()), judge, questions, thumbnail)
    with console.status("asking") as status, writing.folder(directory, last="index.html") as new:
        made = Report(house.path.name, Images.of(house.path), new, wanted)
        with house.reading() as con:
            write(con, made, step=lambda text: status.update(escaped(text)))
    for line in made.left_out:
        console.print(f"[yellow]note[/yellow]: {escaped(line)}", soft_wrap=True)
    out(
        f"{directory / 'index.html'}: {counted(made.n_pages, 'page')} and {counted(made.n_pictures, 'picture')} of "
        f"{house.path}"
    )
