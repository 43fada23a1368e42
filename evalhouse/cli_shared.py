"""What the commands share: options, and the warehouse that they open."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evalhouse.api import Warehouse
from evalhouse.printing import note

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
        help="Leave kept results to a later command; boards compute meanwhile (see refresh).",
    ),
]
ReleaseName = Annotated[
    str, typer.Option("--release", help="A release by name, or the folder of one of your own.")
]


def house_of(db: Path | None, wait: float) -> Warehouse:
    """The warehouse of a command; notes about it go to standard error."""
    return Warehouse(db, wait=wait, warn=note)
