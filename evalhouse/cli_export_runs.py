"""`evalhouse export` of one run: submissions to benchmarks' servers, VLMEvalKit's file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from evalhouse.cli_output import refuse_others, write_files
from evalhouse.cli_shared import Db, ReleaseName, Wait, reader_of
from evalhouse.printing import out
from queries import install
from queries.export import forms, submissions
from queries.export.table import Table
from queries.export.vlmevalkit import prediction_file
from warehouse.errors import UsageError

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
    _check_form(form, ("xlsx", "tsv"))
    house = reader_of(db, wait)
    with house.reading() as con:
        made = submissions.mmbench(
            con, run, letters=letters, judge=judge, sample=sample, release=release
        )
    _deliver_table(made, form, output, overwrite)


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
    house = reader_of(db, wait)
    with house.reading() as con:
        made = submissions.seedbench(
            con, run, letters=letters, judge=judge, sample=sample, release=release
        )
    _deliver(made.name, made.text.encode(), made.summary, made.notes, output, overwrite)


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
    _check_form(form, tuple(forms.FORMS))
    house = reader_of(db, wait)
    with house.reading() as con:
        made = prediction_file(con, run, sample=sample, release=release)
    _deliver_table(made, form, output, overwrite)


def _check_form(form: str, known: Sequence[str]) -> None:
    if form not in known:
        raise UsageError(f"--as is {', '.join(known)}, not {form!r}")


def _deliver_table(made: Table, form: str, folder: Path, overwrite: bool) -> None:
    notes = list(made.notes)
    if form != "json" and made.n_taken_for_nothing:
        notes.append(
            f"{made.n_taken_for_nothing:,} cells are words such as None or nan, which pandas, and so "
            "VLMEvalKit, reads as nothing; --as json keeps them"
        )
    content = forms.write(made, form)
    _deliver(f"{made.stem}.{form}", content, made.summary, notes, folder, overwrite)


def _deliver(
    name: str, content: bytes, summary: str, notes: Sequence[str], folder: Path, overwrite: bool
) -> None:
    refuse_others(folder, {name: content}, overwrite=overwrite)
    write_files(folder, {name: content})
    out(summary)
    for note in notes:
        out(f"  {note}")
    out(f"  {folder / name}")
