"""`evalhouse runs`: listing runs, and mending a wrong label or model."""

from __future__ import annotations

from typing import Annotated

import typer

from evalhouse.cli_output import FrameFormat, Output, check_format, deliver_frame
from evalhouse.cli_shared import Db, NoRefresh, Wait, house_of, reader_of
from queries import render
from warehouse import runs
from warehouse.errors import UsageError

runs_app = typer.Typer(
    help="List runs, and mend a wrong label or model.", invoke_without_command=True
)


@runs_app.callback()
def runs_list(
    context: typer.Context,
    db: Db = None,
    format: FrameFormat = "table",
    output: Output = None,
    wait: Wait = 0,
) -> None:
    """List the runs, newest first."""
    if context.invoked_subcommand is None:
        check_format(format, render.FRAME_FORMATS, output)
        deliver_frame(reader_of(db, wait).runs(), format, output)


@runs_app.command(name="rename")
def runs_rename(
    run_id: Annotated[int, typer.Argument(help="The run's number, as listed.")],
    label: Annotated[str | None, typer.Option(help="The new label.")] = None,
    model: Annotated[str | None, typer.Option(help="The right model.")] = None,
    no_refresh: NoRefresh = False,
    db: Db = None,
    wait: Wait = 0,
) -> None:
    """Give a run another label or model."""
    if label is None and model is None:
        raise UsageError("say --label or --model")
    house_of(db, wait).rename_run(run_id, label=label, model=model, refresh=not no_refresh)


@runs_app.command(name="thinking")
def runs_thinking(
    run_id: Annotated[int, typer.Argument(help="The run's number, as listed.")],
    marks: Annotated[
        str,
        typer.Argument(
            metavar="MARKS",
            help="'OPEN ... CLOSE', such as '<reason> ... </reason>'; none: its answers are read whole; "
            "known: the marks that are known alone, whatever its benchmark says.",
        ),
    ],
    no_refresh: NoRefresh = False,
    db: Db = None,
    wait: Wait = 0,
) -> None:
    """Say how a run's answers mark a model's thinking, which rules do not read."""
    house_of(db, wait).set_run_thinking(run_id, marks, refresh=not no_refresh)


@runs_app.command(name="retract")
def runs_retract(
    run_id: Annotated[int, typer.Argument(help="The run's number, as listed.")],
    no_refresh: NoRefresh = False,
    db: Db = None,
    wait: Wait = 0,
) -> None:
    """Take a run out of every view; its rows stay."""
    house_of(db, wait).retract_run(run_id, refresh=not no_refresh)


@runs_app.command(name="input")
def runs_input(
    run_id: Annotated[int, typer.Argument(help="The run's number, as listed.")],
    shown_to_model: Annotated[
        str,
        typer.Argument(
            metavar="INPUT", help="image: the question with its image; text: its text alone."
        ),
    ],
    db: Db = None,
    wait: Wait = 0,
) -> None:
    """Say what a run showed its model, so that questions solved without the image are found."""
    with house_of(db, wait).changing(refresh=False) as con:
        runs.set_input(con, run_id, shown_to_model)
