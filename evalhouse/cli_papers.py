"""`evalhouse paper-table`: the tables and figures of the papers."""

from __future__ import annotations

from typing import Annotated

import typer

from evalhouse.cli_options import with_options
from evalhouse.cli_output import Output, check_format, deliver
from evalhouse.cli_shared import Db, ReleaseName, Wait, reader_of
from queries import figure, paper_table, render
from queries.decimals import MAX_DIGITS
from queries.options import PaperOptions
from queries.paper_entry import Entry, entries
from warehouse.errors import UsageError

_DRAWN = ("svg", "png")
_FORMATS = (*render.FORMATS, *_DRAWN)


@with_options(release=ReleaseName)
def paper_table_command(
    options: PaperOptions,
    db: Db = None,
    list_all: Annotated[
        bool, typer.Option("--list", help="List every table and figure, and the views it reads.")
    ] = False,
    digits: Annotated[
        int | None,
        typer.Option(help="Decimals; by default the paper's.", min=0, max=MAX_DIGITS),
    ] = None,
    format: Annotated[str, typer.Option("--format", help=" | ".join(_FORMATS))] = "table",
    output: Output = None,
    wait: Wait = 0,
) -> None:
    """A table or figure of one of the papers, of each model's latest run, as the paper prints it.

    One table per dataset. Best scores are bold, second ones underlined. svg, png and html draw what
    is a figure in the paper; other formats print its numbers. json and parquet hold every column of
    the view, unrounded.
    """
    check_format(format, _FORMATS, output)
    name = options.name
    if not name or list_all:
        if name or format in _DRAWN:
            raise UsageError("--list goes without a name, and is a table")
        listed = paper_table.list_tables(options.release)
        if format in render.BINARY:
            deliver(render.pack_frame(listed, format), output)
        elif format == "latex":
            raise UsageError("--list has no latex")
        else:
            deliver(render.render_frame(listed, format), output)
        return
    if name in entries():
        _require_figure(format, entries()[name])  # before any work is done
    with reader_of(db, wait).reading() as con:
        table = paper_table.paper_table(con, options)
    _require_figure(format, table.entry)
    if format in (*_DRAWN, "html") and table.entry.figure is not None:
        deliver(figure.draw(table, format, digits=digits), output)
    elif format in render.BINARY:
        deliver(render.pack_paper(table, format, digits=digits), output)
    else:
        deliver(render.render_paper(table, format, digits=digits), output)


def _require_figure(format: str, entry: Entry) -> None:
    if format in _DRAWN and entry.figure is None:
        raise UsageError(
            f"{entry.name} is a table and no figure: --format is {', '.join(render.FORMATS)}"
        )
