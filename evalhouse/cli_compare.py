"""`evalhouse compare`: two runs side by side, question by question."""

from __future__ import annotations

from typing import Annotated

import typer

from evalhouse.cli_output import Output, check_format, deliver, deliver_frame
from evalhouse.cli_shared import Db, ReleaseName, Wait, reader_of
from queries import averaging, choosing, install, render
from queries.comparison import Comparison
from queries.decimals import MAX_DIGITS
from queries.over_many import ComparisonOfMany
from warehouse.errors import UsageError

_MODEL = "A model's name or alias, for its latest run; or a run's label."


def compare_command(
    model_a: Annotated[str, typer.Argument(help=_MODEL)],
    model_b: Annotated[str, typer.Argument(help=_MODEL)],
    db: Db = None,
    dataset: Annotated[
        str | None,
        typer.Option(
            help="A dataset, or a benchmark with one; by default the only one that both have."
        ),
    ] = None,
    dataset_b: Annotated[
        str | None,
        typer.Option(
            help="MODEL_B's dataset, if it is another one whose questions have the same keys."
        ),
    ] = None,
    level: Annotated[str | None, typer.Option(help="overall, or a level of the taxonomy.")] = None,
    strategy: Annotated[
        str | None, typer.Option(help=" | ".join((*choosing.STRATEGIES, f"{choosing.GROUP}NAME")))
    ] = None,
    judge: Annotated[
        str | None, typer.Option(help="A judge's name, or none for the rules alone.")
    ] = None,
    subset: Annotated[
        str, typer.Option(help="A subset of the dataset; `evalhouse subsets` lists them.")
    ] = choosing.WHOLE,
    margin: Annotated[
        float | None,
        typer.Option(
            help="Percentage points that would not matter: also test that the two are equal within these."
        ),
    ] = None,
    average: Annotated[
        str | None,
        typer.Option(
            help="micro (over questions, the default) or macro (over abilities, as some boards are)."
        ),
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option(
            metavar="ATTRIBUTE",
            help="Questions of one value of this attribute, such as videoID, count as one cluster.",
        ),
    ] = None,
    over: Annotated[
        str | None,
        typer.Option(
            metavar="NAMES",
            help="The mean over several datasets or benchmarks, with commas between; all: all of both; "
            "or of a board's columns: openvlm, or a .toml file.",
        ),
    ] = None,
    questions: Annotated[
        bool,
        typer.Option(
            "--questions",
            help="The questions that the two do not score alike, in place of figures.",
        ),
    ] = False,
    release: ReleaseName = install.LATEST,
    digits: Annotated[
        int, typer.Option(help="Decimals of the percentages.", min=0, max=MAX_DIGITS)
    ] = 2,
    format: Annotated[str, typer.Option("--format", help=" | ".join(render.FORMATS))] = "table",
    output: Output = None,
    wait: Wait = 0,
) -> None:
    """Compare two runs over the questions that both answered, in percent.

    The difference is MODEL_A less MODEL_B, with its 95 % interval and how likely one as large is by
    chance: paired by question, clustered where questions share an image, and corrected for looking
    at several abilities. Under group:NAME groups of questions are compared, such as those of an
    image, and a missing answer is wrong. --over compares the mean of several datasets, each by its
    benchmark's main figure, or of a board's columns. json and parquet hold every column of the view paired_difference,
    unrounded.
    """
    check_format(format, render.FORMATS, output)
    if questions:
        check_format(format, render.FRAME_FORMATS, output)
    house = reader_of(db, wait)
    share = None if margin is None else margin / 100
    found: Comparison | ComparisonOfMany
    if over is not None:
        given = {"dataset": dataset, "dataset-b": dataset_b, "level": level, "strategy": strategy}
        given["subset"] = subset if subset != choosing.WHOLE else None
        given["questions"] = "yes" if questions else None
        for name, value in given.items():
            if value is not None:
                raise UsageError(f"--{name} is for one dataset; --over compares whole ones")
        found = house.compare_over(
            model_a,
            model_b,
            over,
            judge=judge,
            average=average,
            margin=share,
            cluster=cluster,
            release=release,
        )
    else:
        found = house.compare(
            model_a,
            model_b,
            dataset=dataset,
            dataset_b=dataset_b,
            level=level,
            strategy=strategy,
            judge=judge,
            subset=subset,
            margin=share,
            average=average or averaging.AVERAGES[0],
            cluster=cluster,
            release=release,
        )
    if questions and isinstance(found, Comparison):
        deliver_frame(house.differing_questions(found), format, output)
        return
    if format in render.BINARY:
        deliver(render.pack_comparison(found, format, digits=digits), output)
    else:
        deliver(render.render_comparison(found, format, digits=digits), output)
