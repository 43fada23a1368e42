"""`evalhouse export` of one run: submissions to benchmarks' servers, VLMEvalKit's file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evalhouse.cli_shared import Db, ReleaseName, Wait, reader_of
from evalhouse.exporting import Written
from evalhouse.printing import out
from queries import install
from queries.export import forms

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
    form: Annotated[str, typer.Option("--as", help=" | ".join(forms.FORMS))] = "xlsx",
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
    for note in made.notes:
        out(f"  {note}")
    for file in made.files:
        out(f"  {file}")
