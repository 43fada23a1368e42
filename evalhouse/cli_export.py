"""`evalhouse export`, `import` and `verify`: the warehouse, or what is in it, as files.

Files of other tools (MM-Vet, Every Eval Ever, VLMEvalKit, benchmarks' servers), a folder of Parquet,
and bundles of leaderboards, which `verify` computes again.
"""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer

from evalhouse.cli_shared import Db, NoRefresh, ReleaseName, Wait, reader_of
from evalhouse.exporting import Written
from evalhouse.printing import console, escaped, note, out
from evalhouse.transfer import import_parquet
from queries import choosing, install
from queries.decimals import MAX_DIGITS
from queries.eee_export import RELATIONSHIPS, Publisher
from queries.export import table
from queries.export import verify as verifying
from warehouse import connection
from warehouse.errors import UsageError
from warehouse.manifest import Manifest
from warehouse.wording import counted


def export_bundle(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new or empty folder.")],
    benchmarks: Annotated[
        list[str] | None,
        typer.Argument(metavar="[BENCHMARK]...", help="By default all that have runs."),
    ] = None,
    db: Db = None,
    level: Annotated[
        list[str] | None,
        typer.Option(help="overall, or a level of the taxonomy; by default all. Repeatable."),
    ] = None,
    judge: Annotated[
        list[str] | None,
        typer.Option(help="A judge, or none for the rules alone; by default all. Repeatable."),
    ] = None,
    strategy: Annotated[
        str | None,
        typer.Option(help="By default that of each benchmark's paper, and those of its groups."),
    ] = None,
    subset: Annotated[str, typer.Option(help="A subset of the dataset.")] = choosing.WHOLE,
    runs: Annotated[str, typer.Option(help="latest (each model's) or all.")] = "latest",
    of: Annotated[
        str, typer.Option(help="Scores over all questions, or over answered ones.")
    ] = "all",
    digits: Annotated[
        int, typer.Option(help="Decimals of the percentages.", min=0, max=MAX_DIGITS)
    ] = 2,
    release: ReleaseName = install.LATEST,
    wait: Wait = 0,
) -> None:
    """Leaderboards in every table format, and a manifest to recompute them from.

    Of all benchmarks, those without such a board are named and left out; nothing is asked. The
    manifest records the parameters of each table, the hashes of the warehouse, of the datasets
    and of the release's files, and the judges; `evalhouse verify DIR` computes every figure again.
    """
    left: list[str] = []
    with console.status("") as status:
        made = reader_of(db, wait).export.bundle(
            folder,
            *(benchmarks or ()),
            levels=level or (),
            judges=judge or (),
            strategy=strategy,
            subset=subset,
            runs=runs,
            of=of,
            digits=digits,
            release=release,
            step=lambda text: status.update(escaped(text)),
            left=left.append,
        )
    for reason in left:
        out(f"left out: {reason}")
    n_figures = sum(table.n_figures for table in made.tables)
    n_files = sum(len(table.files) for table in made.tables) + (made.scores is not None)
    named = f", {counted(made.scores.n_figures, 'named figure')}" if made.scores else ""
    out(
        f"{folder}: {counted(len(made.tables), 'table')}, "
        f"{counted(n_figures, 'figure')}{named}, release {made.basis.release.name} "
        f"({counted(n_files, 'file')} and their manifest)"
    )
    out("without questions, answers, images and what judges replied: figures and hashes alone")


def verify(
    bundle: Annotated[
        Path, typer.Argument(metavar="BUNDLE", help="A folder of `evalhouse export bundle`.")
    ],
    db: Db = None,
    release: Annotated[
        str | None,
        typer.Option(help="Compute with this release or folder; by default the bundle's release."),
    ] = None,
    wait: Wait = 0,
) -> None:
    """Compute every figure of a leaderboard bundle again, from the warehouse.

    Each table is computed and written again, and its files are compared with the bundle's. Each
    figure that differs is named by table, row and column, of a file that was changed the first one,
    with exit code 1. What the figures rest on and is another here is reported, and is no error
    where every file holds.
    """
    house = reader_of(db, wait)
    with house.reading() as con, console.status("") as status:
        verdict = verifying.verify(
            con,
            bundle,
            evalhouse=version("evalhouse"),
            release=release,
            step=lambda text: status.update(escaped(text)),
        )
    for remark in verdict.notes:
        out(f"note: {remark}")
    for difference in verdict.differences:
        out(difference.line())
    if verdict.differences:
        out(f"{bundle}: {counted(len(verdict.differences), 'difference')}")
        raise typer.Exit(1)
    named = f" and {counted(verdict.n_named, 'named figure')}" if verdict.n_named else ""
    in_tables = f"in {counted(verdict.n_tables, 'table')}"
    out(f"{bundle}: {counted(verdict.n_figures, 'figure')} {in_tables}{named} hold")


def import_command(
    folder: Annotated[Path, typer.Argument(help="What `evalhouse export --parquet` wrote.")],
    db: Db = None,
    no_refresh: NoRefresh = False,
) -> None:
    """Make a new warehouse from a folder that `evalhouse export --parquet` wrote.

    Every file is checked by its hash, and every table by its rows; the releases that come with this
    evalhouse are installed. After an error no warehouse is left behind.
    """
    path = db or connection.default_path()
    made = import_parquet(folder, path, refresh=not no_refresh, note=note)
    out(f"{path}: {summary(made)}")


def summary(manifest: Manifest) -> str:
    """What an export holds, in one line."""
    tables = manifest.tables.values()
    size = sum(file.bytes for table in tables for file in table.files) / 1e6
    return (
        f"schema version {manifest.schema_version}, {counted(len(tables), 'table')}, "
        f"{counted(sum(table.rows for table in tables), 'row')} "
        f"({counted(sum(len(table.files) for table in tables), 'file')}, {size:,.1f} MB of Parquet)"
    )


RunId = Annotated[
    int, typer.Argument(metavar="RUN", help="The run's number, as `evalhouse runs` lists it.")
]
Folder = Annotated[Path, typer.Option("-o", "--output", "--out", help="The folder.")]
Overwrite = Annotated[
    bool, typer.Option("--overwrite", help="Also over a file with other content.")
]
Sample = Annotated[
    int | None, typer.Option(help="Which answer, where the run gave several to each question.")
]
Letters = Annotated[
    bool,
    typer.Option(
        "--letters", help="The letter that the release read from each answer, in its place."
    ),
]
Judge = Annotated[
    str | None, typer.Option(help="With --letters: who reads what the rules cannot; else nobody.")
]


def export_mmbench_submission(
    run: RunId,
    db: Db = None,
    letters: Letters = False,
    judge: Judge = None,
    sample: Sample = None,
    form: Annotated[
        str, typer.Option("--as", help="xlsx | tsv, which the server takes too.")
    ] = "xlsx",
    release: ReleaseName = install.LATEST,
    output: Folder = Path(),
    overwrite: Overwrite = False,
    wait: Wait = 0,
) -> None:
    """The table that MMBench's server takes: index, question, choices and prediction of every pass.

    A run that ranked the choices is written in letters.
    """
    print_written(
        reader_of(db, wait).export.mmbench_submission(
            run,
            output,
            form=form,
            letters=letters,
            judge=judge,
            sample=sample,
            release=release,
            overwrite=overwrite,
        )
    )


def export_seedbench_submission(
    run: RunId,
    db: Db = None,
    letters: Letters = False,
    judge: Judge = None,
    sample: Sample = None,
    release: ReleaseName = install.LATEST,
    output: Folder = Path(),
    overwrite: Overwrite = False,
    wait: Wait = 0,
) -> None:
    """What SEED-Bench's leaderboards take: question_id and prediction, a JSON object a line.

    Their servers compare the prediction with a letter: --letters writes one for answers in words.
    """
    print_written(
        reader_of(db, wait).export.seedbench_submission(
            run,
            output,
            letters=letters,
            judge=judge,
            sample=sample,
            release=release,
            overwrite=overwrite,
        )
    )


def export_vlmevalkit(
    run: RunId,
    db: Db = None,
    form: Annotated[str, typer.Option("--as", help=" | ".join(table.FORMS))] = "xlsx",
    sample: Sample = None,
    release: ReleaseName = install.LATEST,
    output: Folder = Path(),
    overwrite: Overwrite = False,
    wait: Wait = 0,
) -> None:
    """VLMEvalKit's prediction file {model}_{dataset}: what came in from one goes out equal.

    The splits that one file held go into one file again. Images are not kept, and so not written; a
    text that a workbook would lose is an error that names it.
    """
    print_written(
        reader_of(db, wait).export.vlmevalkit(
            run, output, form=form, sample=sample, release=release, overwrite=overwrite
        )
    )


def print_written(made: Written) -> None:
    """What was written, what has to be known of it, and the files."""
    out(made.summary)
    for remark in made.notes:
        out(f"  {remark}")
    for file in made.files:
        out(f"  {file}")


def export_eee(
    run_ids: Annotated[
        list[int] | None, typer.Argument(metavar="RUN…", help="Runs by number, as listed.")
    ] = None,
    folder: Annotated[
        Path, typer.Option("-o", "--output", "--out", metavar="DIR", help="The folder.")
    ] = Path(),
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
    """Runs as Every Eval Ever records: an aggregate JSON each, and a record per answer next to it.

    All are made before any file is there. With --all, runs that cannot be (a verdict is pending)
    are named and left out, with exit code 1.
    """
    if every == bool(run_ids):
        raise UsageError("say which runs, or --all")
    made = reader_of(db, wait).export.eee(
        folder,
        run_ids or None,
        judge=judge,
        organization=organization,
        relationship=relationship,
        developer=developer,
        release=release,
        overwrite=overwrite,
    )
    for one in made:
        if one.written is None:
            out(f"run {one.run_id} is left out: {one.left}")
        else:
            out(one.written.summary)
            out(f"  {one.written.files[0]}")
    n_left = sum(one.written is None for one in made)
    if n_left:
        out(f"{n_left:,} of {len(made):,} runs are left out")
        raise typer.Exit(1)


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
