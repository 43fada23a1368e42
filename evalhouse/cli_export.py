"""`evalhouse export`: what is in the warehouse as the files of other tools."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evalhouse.cli_bundle import export_bundle
from evalhouse.cli_export_eee import export_eee
from evalhouse.cli_export_runs import (
    export_mmbench_submission,
    export_seedbench_submission,
    export_vlmevalkit,
    print_written,
)
from evalhouse.cli_import import summary
from evalhouse.cli_shared import Db, ReleaseName, Wait, reader_of
from evalhouse.printing import out
from queries import install
from warehouse.errors import UsageError

export_app = typer.Typer(invoke_without_command=True)
export_app.command(name="eee")(export_eee)


@export_app.callback()
def export(
    context: typer.Context,
    parquet: Annotated[
        Path | None,
        typer.Option("--parquet", metavar="DIR", help="A new or empty folder for every fact."),
    ] = None,
    db: Db = None,
    wait: Wait = 0,
) -> None:
    """Write what is here as files: for other tools, or with --parquet the whole warehouse.

    The folder holds every table of facts as Parquet, and a manifest of rows and hashes;
    `evalhouse import DIR` makes the same warehouse of it.
    """
    if context.invoked_subcommand is not None:
        if parquet is not None or db is not None or wait:
            raise UsageError(f"options of {context.invoked_subcommand} stand behind it")
        return
    if parquet is None:
        forms = ", ".join(str(command.name) for command in export_app.registered_commands)
        raise UsageError(f"say what to export: --parquet DIR, or one of {forms}")
    made = reader_of(db, wait).export.parquet(parquet)
    out(f"{parquet}: {summary(made)}")
    out(
        "with questions and answers, under the licences of their data sets; without images, of which a "
        "warehouse has the hashes"
    )


@export_app.command(name="mmvet")
def export_mmvet(
    db: Db = None,
    model: Annotated[str | None, typer.Option(help="Only this model, by name or alias.")] = None,
    run: Annotated[str | None, typer.Option(help="The run's label; by default the latest.")] = None,
    judge: Annotated[str | None, typer.Option(help="Whose grades.")] = None,
    subset: Annotated[
        str | None, typer.Option(help="Score files of a subset, such as bard_set.")
    ] = None,
    dataset: Annotated[
        str | None, typer.Option(help="The dataset's name, if there are several.")
    ] = None,
    release: ReleaseName = install.LATEST,
    pending_as_zero: Annotated[
        bool, typer.Option("--pending-as-zero", help="Write 0.0 for grades that are not there.")
    ] = False,
    output: Annotated[Path, typer.Option("-o", "--output", "--out", help="The folder.")] = Path(),
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Also over files with other content.")
    ] = False,
    wait: Wait = 0,
) -> None:
    """MM-Vet's official grade and score files, one set a run, as its own script names them.

    They are rounded as the boards are."""
    for one in reader_of(db, wait).export.mmvet(
        output,
        model=model,
        run=run,
        judge=judge,
        subset=subset,
        dataset=dataset,
        release=release,
        pending_as_zero=pending_as_zero,
        overwrite=overwrite,
    ):
        print_written(one)


export_app.command(name="mmbench-submission")(export_mmbench_submission)
export_app.command(name="seedbench-submission")(export_seedbench_submission)
export_app.command(name="vlmevalkit")(export_vlmevalkit)
export_app.command(name="bundle")(export_bundle)
