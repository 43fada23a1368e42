"""`evalhouse compare`: two runs side by side, question by question."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Annotated

import typer

from evalhouse.cli_options import with_options
from evalhouse.cli_output import Output, check_format, deliver, deliver_frame
from evalhouse.cli_shared import Db, ReleaseName, Wait, reader_of
from queries import over_many, paired, render
from queries.comparison import Comparison
from queries.decimals import MAX_DIGITS
from queries.options import CompareOptions, OverOptions
from queries.over_many import ComparisonOfMany
from warehouse.errors import UsageError

_OF_MANY = frozenset(one.name for one in fields(OverOptions) if one.kw_only)
_IS_OF_ONE = "is for one dataset; --over compares whole ones"


@with_options(release=ReleaseName)
def compare_command(
    options: CompareOptions,
    db: Db = None,
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
    if options.margin is not None:
        options = replace(options, margin=options.margin / 100)
    found: Comparison | ComparisonOfMany
    with house.reading() as con:
        if over is None:
            found = paired.compare(con, options)
        else:
            for one in fields(CompareOptions):
                is_given = one.kw_only and getattr(options, one.name) != one.default
                if is_given and one.name not in _OF_MANY:
                    raise UsageError(f"--{one.name.replace('_', '-')} {_IS_OF_ONE}")
            if questions:
                raise UsageError(f"--questions {_IS_OF_ONE}")
            of_many = {name: getattr(options, name) for name in _OF_MANY}
            found = over_many.compare(
                con, OverOptions(options.model_a, options.model_b, over, **of_many)
            )
    if questions and isinstance(found, Comparison):
        deliver_frame(house.differing_questions(found), format, output)
        return
    if format in render.BINARY:
        deliver(render.pack_comparison(found, format, digits=digits), output)
    else:
        deliver(render.render_comparison(found, format, digits=digits), output)
