"""`evalhouse errors`: the wrong answers of a model."""

from __future__ import annotations

import shlex
from typing import Annotated

import typer

from evalhouse.cli_output import FrameFormat, Output, check_format, deliver_frame
from evalhouse.cli_shared import Db, ReleaseName, Wait, reader_of
from evalhouse.printing import out
from queries import install, render
from warehouse.later import pl

_SHOWN = ("dataset", "question_key", "pass", "answer", "verdict", "prediction", "question", "judge")


def errors_command(
    model: Annotated[str, typer.Argument(help="The model's name or alias.")],
    db: Db = None,
    dataset: Annotated[str | None, typer.Option(help="A dataset, or a benchmark.")] = None,
    ability: Annotated[
        str | None, typer.Option(help="An ability by its name or abbreviation.")
    ] = None,
    judge: Annotated[
        str | None,
        typer.Option(help="A judge's name, or none; by default that of the view score."),
    ] = None,
    limit: Annotated[int, typer.Option(help="So many are printed as a table; 0: all.", min=0)] = 20,
    release: ReleaseName = install.LATEST,
    format: FrameFormat = "table",
    output: Output = None,
    wait: Wait = 0,
) -> None:
    """The wrong answers of a model's latest runs: question, right answer, what it said, the verdict.

    Every pass of CircularEval is an answer. Formats other than table hold all of them, with the
    choices, the abilities, the rule and the judge's reply (view answer_sheet).
    """
    check_format(format, render.FRAME_FORMATS, output)
    found = reader_of(db, wait).errors(
        model, dataset=dataset, ability=ability, judge=judge, release=release
    )
    if format != "table":
        deliver_frame(found, format, output)
        return
    if found.is_empty():
        out("no wrong answer fits")
        return
    shown = found.head(limit) if limit else found
    deliver_frame(_printed(shown), format, output)
    if output is None:
        more = (
            "; --limit 0 prints the others, --format csv all columns"
            if shown.height < found.height
            else ""
        )
        key = shlex.quote(str(shown["question_key"][0]))
        answers = "wrong answers" if found.height > 1 else "wrong answer"
        out(f"{shown.height:,} of {found.height:,} {answers}{more}.")
        out(f"Everything about one: evalhouse show {key} --model {shlex.quote(model)}")


def _printed(found: pl.DataFrame) -> pl.DataFrame:
    """The columns that a table has, without those that say the same in every row."""
    same = [name for name in ("dataset", "judge", "pass") if found[name].n_unique() == 1]
    shown = found.select(name for name in _SHOWN if name not in same)
    text = pl.coalesce("answer", "answer_text") if "answer" in shown.columns else None
    return (
        shown if text is None else shown.with_columns(found.select(text.alias("answer"))["answer"])
    )
