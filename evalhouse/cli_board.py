"""`evalhouse board`: models by the figures of many benchmarks."""

from __future__ import annotations

from typing import Annotated

import typer

from evalhouse.cli_output import Output, check_format, deliver
from evalhouse.cli_shared import Db, Wait, reader_of
from queries import many_benchmarks, render
from queries.decimals import MAX_DIGITS
from queries.install import LATEST
from warehouse.errors import UsageError


def board_command(
    name: Annotated[
        str | None, typer.Argument(help="A board, such as openvlm, or a .toml file of one.")
    ] = None,
    db: Db = None,
    everything: Annotated[
        bool, typer.Option("--all", help="A column for every dataset there is.")
    ] = False,
    judge: Annotated[
        str | None,
        typer.Option(
            help="For the columns that have it; others are under none, or their only one."
        ),
    ] = None,
    release: Annotated[str, typer.Option(help="A release by name, or the folder of one.")] = LATEST,
    digits: Annotated[int, typer.Option(help="Decimals.", min=0, max=MAX_DIGITS)] = 1,
    format: Annotated[str, typer.Option("--format", help=" | ".join(render.FORMATS))] = "table",
    output: Output = None,
    wait: Wait = 0,
) -> None:
    """Models by the figures of many benchmarks, with their mean and mean rank.

    Of each model its latest run of each dataset. Where one is missing it prints -, and the model
    has no mean. json and parquet hold a row per model and column, unrounded.
    """
    check_format(format, render.FORMATS, output)
    if (name is None) != everything:
        shipped = ", ".join(many_benchmarks.shipped_names())
        raise UsageError(f"say which board ({shipped}, or a .toml file), or --all")
    found = reader_of(db, wait).board(name, release=release, judge=judge)
    if format in render.BINARY:
        deliver(render.pack_many(found, format, digits=digits), output)
    else:
        deliver(render.render_many(found, format, digits=digits), output)
