"""What the commands share: options, and the warehouse that they open."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

import evalhouse
from evalhouse.printing import note
from evalhouse.reader import Reader
from queries import hooks
from queries import release as releases
from warehouse.errors import EvalhouseError

Db = Annotated[
    Path | None,
    typer.Option(
        "--db", help="The warehouse file; by default EVALHOUSE_DB, else warehouse.duckdb."
    ),
]
Wait = Annotated[
    float,
    typer.Option(
        "--wait", metavar="SECONDS", min=0, help="Wait while another process holds the file."
    ),
]
NoRefresh = Annotated[
    bool,
    typer.Option(
        "--no-refresh",
        help="Leave results to a later command; boards compute meanwhile (see refresh).",
    ),
]


def _with_warnings(name: str) -> str:
    """Note what the folder of a user's release replaces that is no hook."""
    # Not Path.is_dir, which raises for names that cannot exist.
    if os.path.isdir(name) and name not in releases.shipped_names():  # noqa: PTH112
        # What is wrong with the folder is the command's to say.
        with suppress(EvalhouseError):
            note_warnings(releases.load(name))
    return name


ReleaseName = Annotated[
    str,
    typer.Option(
        "--release",
        help="A release by name, or the folder of one of your own.",
        callback=_with_warnings,
    ),
]


def note_warnings(release: releases.Release) -> None:
    """Note what a user's release replaces that is no hook."""
    for text in hooks.warnings(release):
        note(text)


def house_of(db: Path | None, wait: float) -> evalhouse.Warehouse:
    """The warehouse of a command; notes about it go to standard error."""
    # Imported here, with all that reads files and asks judges: a board needs none of it.
    return evalhouse.Warehouse(db, wait=wait, warn=note)


def reader_of(db: Path | None, wait: float) -> Reader:
    """The same for a command that only reads."""
    return Reader(db, wait=wait, warn=note)
