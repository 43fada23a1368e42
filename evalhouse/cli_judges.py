"""`evalhouse judges`: listing judges, and mending a name."""

from __future__ import annotations

from typing import Annotated

import typer

from evalhouse.cli_output import FrameFormat, Output, check_format, deliver_frame
from evalhouse.cli_shared import Db, NoRefresh, Wait, house_of, reader_of
from queries import render, session
from warehouse import judges

judges_app = typer.Typer(
    help="List the judges, give one a better name, or take one out.", invoke_without_command=True
)


@judges_app.callback()
def judges_list(
    context: typer.Context,
    db: Db = None,
    format: FrameFormat = "table",
    output: Output = None,
    wait: Wait = 0,
) -> None:
    """List the judges: task, models, template, what they judged, what it cost."""
    if context.invoked_subcommand is not None:
        return
    check_format(format, render.FRAME_FORMATS, output)
    with reader_of(db, wait).reading() as con:
        session.use_release(con)
        frame = session.frame(con, "judge_list")
    deliver_frame(frame, format, output)


@judges_app.command(name="rename")
def judges_rename(
    name: Annotated[str, typer.Argument(help="The judge's name, as listed.")],
    new_name: Annotated[str, typer.Argument(help="A better one.")],
    no_refresh: NoRefresh = False,
    db: Db = None,
    wait: Wait = 0,
) -> None:
    """Give a judge a better name. Its judgments stay its own."""
    with house_of(db, wait).changing(refresh=not no_refresh) as con:
        judges.rename(con, name, new_name)


@judges_app.command(name="retract")
def judges_retract(
    name: Annotated[str, typer.Argument(help="The judge's name, as listed.")],
    no_refresh: NoRefresh = False,
    db: Db = None,
    wait: Wait = 0,
) -> None:
    """Take a judge out of every view; its judgments stay."""
    with house_of(db, wait).changing(refresh=not no_refresh) as con:
        judges.retract(con, name)
