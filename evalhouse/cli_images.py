"""`evalhouse images`: the pictures next to the warehouse."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evalhouse import pictures
from evalhouse.cli_shared import Db, Wait, house_of
from evalhouse.printing import console, escaped, out
from warehouse.images import Images
from warehouse.wording import counted

images_app = typer.Typer(
    help="The pictures next to the warehouse: add, export and check them.", no_args_is_help=True
)


@images_app.command(name="add")
def images_add(
    files: Annotated[
        list[Path],
        typer.Argument(help="Pictures, tables with them (TSV, CSV, XLSX, JSON, Parquet), folders."),
    ],
    db: Db = None,
    wait: Wait = 0,
) -> None:
    """Keep the pictures that questions have the hash of, each once, next to the warehouse."""
    house = house_of(db, wait)
    with console.status("reading pictures") as status:
        added = pictures.add(
            house, files, step=lambda text: status.update(f"reading {escaped(text)}")
        )
    out(said_of(added, Images.of(house.path).folder))


@images_app.command(name="export")
def images_export(
    folder: Annotated[Path, typer.Argument(help="Where to write HASH.png and so on.")],
    db: Db = None,
    wait: Wait = 0,
) -> None:
    """Copy the pictures that are kept into a folder."""
    house = house_of(db, wait)
    with house.reading():
        pass
    n, n_damaged = pictures.export(house, folder)
    out(f"{folder}: {counted(n, 'picture')}")
    if n_damaged:
        out(f"{n_damaged:,} damaged ones are left out; `evalhouse images check` names them")


@images_app.command(name="check")
def images_check(db: Db = None, wait: Wait = 0) -> None:
    """Verify each picture by its hash, and count those that questions have and that are not kept.

    Exit code 1 if a picture's bytes are not those of its hash.
    """
    house = house_of(db, wait)
    wanted = pictures.hashes(house)
    n_there, wrong = pictures.damaged(house)
    kept = {name for name, _ in Images.of(house.path).all()}
    out(f"{counted(n_there, 'picture is', 'pictures are')} kept, {len(wrong):,} of them damaged")
    out(f"{len(wanted - kept):,} of {len(wanted):,} pictures of questions are not kept")
    for path in wrong[:10]:
        out(f"  damaged: {path}")
    if wrong:
        raise typer.Exit(1)


def said_of(added: pictures.Added, folder: Path) -> str:
    """One line on what came of pictures."""
    return (
        f"{folder}: {counted(added.n_new, 'picture')} kept, {added.n_there:,} were there already"
        + (f", {added.n_unknown:,} are of no question here" if added.n_unknown else "")
    )
