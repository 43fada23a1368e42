"""Comparisons: `evalhouse compare`, `board`, `differences`, `errors` and `paper-table`."""

from __future__ import annotations

import shlex
from dataclasses import fields, replace
from typing import Annotated

import typer

from evalhouse.cli_options import with_options
from evalhouse.cli_shared import (
    Db,
    FrameFormat,
    Output,
    ReleaseName,
    Wait,
    check_format,
    deliver,
    deliver_frame,
    reader_of,
)
from evalhouse.printing import out
from queries import (
    figure,
    install,
    many_benchmarks,
    over_many,
    paired,
    paper_table,
    render,
)
from queries.comparison import Comparison
from queries.decimals import MAX_DIGITS
from queries.install import LATEST
from queries.options import CompareOptions, OverOptions, PaperOptions
from queries.over_many import ComparisonOfMany
from queries.paper_entry import Entry, entries
from warehouse.errors import UsageError
from warehouse.later import pl

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


_SHORT = (
    "run_id",
    "model",
    "run",
    "dataset",
    "metric",
    "filter",
    "reducer",
    "published",
    "ours",
    "is_same",
    "reason",
    "note",
)
_SHORT_SAMPLES = (
    "question",
    "pass",
    "sample",
    "metric",
    "filter",
    "published",
    "read_there",
    "ours",
    "read_here",
    "reason",
)
_TEXTS = ("table", "markdown")


def differences_command(
    run: Annotated[
        str | None,
        typer.Argument(help="A run's number or label, as `evalhouse runs` lists them; else all."),
    ] = None,
    db: Db = None,
    samples: Annotated[
        bool,
        typer.Option("--samples", help="The answers that are scored otherwise, not the figures."),
    ] = False,
    everything: Annotated[
        bool, typer.Option("--all", help="Of answers also those that are scored the same.")
    ] = False,
    release: ReleaseName = LATEST,
    format: Annotated[
        str, typer.Option("--format", help=" | ".join(render.FRAME_FORMATS))
    ] = "table",
    output: Output = None,
    wait: Wait = 0,
) -> None:
    """Compare the figures that harnesses wrote of runs with ours, and say why they differ.

    Of one run the answers that are scored otherwise follow; with --samples they come alone, of all
    runs too. Ours is the figure of that name, or the mean of our scores of the answers that the
    harness scored.
    """
    check_format(format, render.FRAME_FORMATS, output)
    house = reader_of(db, wait)
    if samples:
        found = house.sample_differences(run, release=release, every=everything)
    else:
        found = house.differences(run, release=release)
    if format in render.BINARY:
        deliver(render.pack_frame(found, format), output)
        return
    if format not in _TEXTS:
        deliver(render.render_frame(found, format), output)
        return
    names: tuple[str, ...] = _SHORT_SAMPLES if samples and run is not None else _SHORT
    if samples and run is None:
        names = ("run_id", *_SHORT_SAMPLES)
    parts = [render.render_frame(_short(found, names), format)]
    if run is not None and not samples and found["n_differ"].fill_null(0).sum():
        more = house.sample_differences(run, release=release)
        parts.append(render.render_frame(_short(more, _SHORT_SAMPLES), format))
    deliver("\n\n".join(parts), output)


def _short(frame: pl.DataFrame, names: tuple[str, ...]) -> pl.DataFrame:
    """The columns that fit on a terminal; of those that are there or not, those that are."""
    optional = {"pass", "sample", "note", "reducer"}
    return frame.select(
        name for name in names if name not in optional or frame[name].max() not in (None, 0)
    )


def board_command(
    name: Annotated[
        str | None, typer.Argument(help="A board, such as openvlm, or a .toml file of one.")
    ] = None,
    db: Db = None,
    everything: Annotated[
        bool, typer.Option("--all", help="A column for every dataset there is.")
    ] = False,
    judge: Annotated[
        str | None,
        typer.Option(
            help="For the columns that have it; others are under none, or their only one."
        ),
    ] = None,
    release: Annotated[str, typer.Option(help="A release by name, or the folder of one.")] = LATEST,
    digits: Annotated[int, typer.Option(help="Decimals.", min=0, max=MAX_DIGITS)] = 1,
    format: Annotated[str, typer.Option("--format", help=" | ".join(render.FORMATS))] = "table",
    output: Output = None,
    wait: Wait = 0,
) -> None:
    """Models by the figures of many benchmarks, with their mean and mean rank.

    Of each model its latest run of each dataset. Where one is missing it prints -, and the model
    has no mean. json and parquet hold a row per model and column, unrounded.
    """
    check_format(format, render.FORMATS, output)
    if (name is None) != everything:
        shipped = ", ".join(many_benchmarks.shipped_names())
        raise UsageError(f"say which board ({shipped}, or a .toml file), or --all")
    found = reader_of(db, wait).board(name, release=release, judge=judge)
    if format in render.BINARY:
        deliver(render.pack_many(found, format, digits=digits), output)
    else:
        deliver(render.render_many(found, format, digits=digits), output)


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
