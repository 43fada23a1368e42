"""`evalhouse sql`, `leaderboard` and `show`: querying the warehouse, in DuckDB or on Spark."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any

import duckdb
import typer
from typer.core import TyperCommand

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
    deliver_frames,
    reader_of,
)
from evalhouse.printing import console, escaped, out
from queries import (
    board_figure,
    chosen_lines,
    corrected,
    install,
    leaderboard,
    listed,
    render,
    show,
)
from queries.confined import running
from queries.decimals import MAX_DIGITS
from queries.options import BoardOptions
from warehouse.errors import UsageError
from warehouse.files import writing

if TYPE_CHECKING:
    from queries.spark.views import SparkHouse


DUCKDB, SPARK = "duckdb", "spark"

Engine = Annotated[str, typer.Option("--engine", help=f"{DUCKDB} | {SPARK}")]
ParquetDir = Annotated[
    Path | None,
    typer.Option("--parquet", metavar="DIR", help="spark: an export in place of the warehouse."),
]
Master = Annotated[
    str | None,
    typer.Option("--master", metavar="URL", help="spark: a cluster; by default this machine."),
]


def wants_spark(engine: str, db: Path | None, parquet: Path | None, master: str | None) -> bool:
    """Whether a command goes to Spark.

    Raises:
        UsageError: there is no such engine, or the options are not its own.
    """
    if engine not in (DUCKDB, SPARK):
        raise UsageError(f"--engine is {DUCKDB} or {SPARK}, not {engine!r}")
    if engine == DUCKDB and (parquet is not None or master is not None):
        raise UsageError("--parquet and --master go with --engine spark")
    if parquet is not None and db is not None:
        raise UsageError("--db or --parquet, not both")
    return engine == SPARK


@contextmanager
def spark_house(
    db: Path | None, wait: float, *, parquet: Path | None, master: str | None, release: str
) -> Iterator[SparkHouse]:
    """An export on Spark; by default the warehouse, exported for as long as the `with` lasts."""
    from evalhouse.transfer import export_parquet
    from queries.spark import ask

    with TemporaryDirectory(prefix="evalhouse-") as temporary:
        folder = parquet
        if folder is None:
            folder = Path(temporary, "export")
            with reader_of(db, wait).reading(folders=[writing.place_of(folder)]) as con:
                export_parquet(con, folder)
        with ask.opened(folder, master=master, release=release) as house:
            yield house


def warn(text: str) -> None:
    """A note on standard error."""
    console.print(f"[yellow]note[/yellow]: {escaped(text)}", soft_wrap=True)


_DRAWN = ("svg", "png")
_CORRECTED = frozenset({"benchmark", "level", "judge", "average", "release", "runs", "by"})
"""What a corrected board can be asked for."""


class QueryCommand(TyperCommand):
    """A command whose query may begin with a comment, which looks like an option."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put such a query behind all options."""
        if "--" not in args:
            queries = [word for word in args if _is_commented(word)]
            if queries:
                args = [word for word in args if not _is_commented(word)] + ["--", *queries]
        return super().parse_args(ctx, args)


def _is_commented(word: str) -> bool:
    name = word.partition("=")[0]
    return word.startswith("--") and ("\n" in word or any(c.isspace() for c in name))


def sql(
    query: Annotated[
        str | None,
        typer.Argument(help="A query; without one, the views that matter most are listed."),
    ] = None,
    db: Db = None,
    every: Annotated[
        bool, typer.Option("--all", help="List every view, and the tables of facts.")
    ] = False,
    describe: Annotated[
        str | None,
        typer.Option("--describe", metavar="VIEW", help="The columns of a view, with comments."),
    ] = None,
    release: ReleaseName = install.LATEST,
    format: FrameFormat = "table",
    output: Output = None,
    engine: Engine = DUCKDB,
    parquet: ParquetDir = None,
    master: Master = None,
    timeout: Annotated[
        float | None,
        typer.Option(
            "--timeout",
            metavar="SECONDS",
            min=0,
            help=f"What it may take; by default {running.TIMEOUT:g}. 0 is no limit.",
        ),
    ] = None,
    max_rows: Annotated[
        int | None,
        typer.Option(
            "--max-rows",
            metavar="N",
            min=0,
            help=f"What it may give; by default {running.MAX_ROWS:,}. 0 is no limit.",
        ),
    ] = None,
    wait: Wait = 0,
) -> None:
    """Ask the warehouse in SQL, read-only and without access to anything else.

    A query is one SELECT (also FROM, VALUES, PIVOT, DESCRIBE, SUMMARIZE, SHOW), or EXPLAIN of one.
    Views are those of the release, which has to be installed (`evalhouse releases install`); tables
    of facts are in the schema main. In CSV, texts that a spreadsheet program would take for
    formulas have a ' before them; json and parquet are exact. On Spark the query is the same, in
    DuckDB's SQL.

    It runs in a process that cannot write. What takes longer than --timeout, gives more than
    --max-rows or takes more than --memory-limit is an error; the result may take half of that
    memory once more.
    """
    check_format(format, render.FRAME_FORMATS, output)
    if [query is not None, every, describe is not None].count(True) > 1:
        raise UsageError("say a query, --all or --describe VIEW: each is an answer of its own")
    if wants_spark(engine, db, parquet, master):
        if timeout is not None or max_rows is not None:
            raise UsageError("--timeout and --max-rows go with --engine duckdb; Spark has its own")
        if query is None:
            raise UsageError("--engine spark wants a query; the views are the same as DuckDB's")
        from queries.spark import ask as spark

        with spark_house(db, wait, parquet=parquet, master=master, release=release) as exported:
            frame = spark.run_user_sql(exported, query, release=release, warn=warn)
    else:
        limits = running.Limits(
            running.TIMEOUT if timeout is None else timeout or None,
            running.MAX_ROWS if max_rows is None else max_rows or None,
        )
        if query is not None:
            running.start()
        house = reader_of(db, wait)
        if query is None:
            with house.reading() as con:
                if describe is None:
                    frame = listed.views(con, release, every=every)
                else:
                    what, frame = listed.described(con, release, describe)
                    if format == "table":
                        out(what)
        else:
            try:
                frame = house.sql(
                    query, release=release, timeout=limits.timeout, max_rows=limits.max_rows
                )
            except KeyboardInterrupt as error:
                # Typer would end the program without a word.
                raise duckdb.InterruptException("interrupted") from error
    deliver_frame(frame, format, output)
    if query is None and not every and describe is None and format == "table" and output is None:
        out(
            "\nThe columns of one: evalhouse sql --describe VIEW. All views, and the tables of facts: "
            "evalhouse sql --all."
        )


@with_options(release=ReleaseName)
def leaderboard_command(
    options: BoardOptions,
    db: Db = None,
    corrected_by: Annotated[
        str | None,
        typer.Option(
            "--corrected",
            metavar="METHOD",
            help="Also the scores corrected by a person's labels: ppi | rg; with --by.",
        ),
    ] = None,
    digits: Annotated[
        int, typer.Option(help="Decimals of the percentages.", min=0, max=MAX_DIGITS)
    ] = 2,
    format: Annotated[
        str, typer.Option("--format", help=" | ".join((*render.FORMATS, *_DRAWN)))
    ] = "table",
    figure: Annotated[
        str | None,
        typer.Option(
            metavar="KIND",
            help=f"What svg, png and html draw: {' | '.join(board_figure.KINDS)}; by default heatmap, "
            "and html is the table.",
        ),
    ] = None,
    output: Output = None,
    engine: Engine = DUCKDB,
    parquet: ParquetDir = None,
    master: Master = None,
    wait: Wait = 0,
) -> None:
    """A benchmark's leaderboard as its paper prints it, in percent.

    Best scores are bold, second ones underlined; - is nothing to average; a range stands where
    verdicts are pending. Right counts the questions that are right, of all in the dataset. With
    --intervals, ± is half of a 95 % interval, clustered where questions share an image, and Ranks
    are those a model could have, distinguished only where that is certain (view rank_range).
    --corrected ppi prints what a person's labels say the scores are, next to those under the judge
    alone (study corrected_score). svg and png draw the board, html too with --figure: a heat map,
    bars, or the chosen models' polygons in one radar.
    """
    check_format(format, (*render.FORMATS, *_DRAWN), output)
    is_drawn = format in _DRAWN or (format == "html" and figure is not None)
    if figure is not None and not is_drawn:
        raise UsageError(f"--figure goes with --format svg, png or html, not {format}")
    by = options.by
    if corrected_by is not None and by is None:
        raise UsageError("--corrected METHOD goes with --by PERSON")
    if corrected_by is None and by is not None and by not in chosen_lines.GROUPINGS:
        raise UsageError(
            f"--by is {' or '.join(chosen_lines.GROUPINGS)}, not {by!r}; a person goes with --corrected METHOD"
        )
    if corrected_by is not None and by is not None:
        for one in fields(options):
            if one.name not in _CORRECTED and getattr(options, one.name) != one.default:
                raise UsageError(f"--{one.name} does not go with --corrected")
        for option, value, default in (("engine", engine, DUCKDB), ("figure", figure, None)):
            if value != default:
                raise UsageError(f"--{option} does not go with --corrected")
        if is_drawn:
            raise UsageError(f"{format} does not go with --corrected")
        with reader_of(db, wait).reading() as con:
            found = corrected.boards(
                con, options.benchmark, person=by, correction=corrected_by, level=options.level,
                judge=options.judge, average=options.average, release=options.release, runs=options.runs,
            )  # fmt: skip
        deliver_frames([(one.title, one.wide(digits), one.frame) for one in found], format, output)
        return
    if wants_spark(engine, db, parquet, master):
        from queries.spark import ask as spark

        place = spark_house(db, wait, parquet=parquet, master=master, release=options.release)
        with place as exported:
            boards = spark.boards(exported, options)
    else:
        with reader_of(db, wait).reading() as con:
            boards = leaderboard.boards(con, options)
    if not boards:
        raise UsageError(f"no run of {options.benchmark!r} fits; `evalhouse runs` lists them")
    all_runs = options.runs == "all"
    if is_drawn:
        deliver(board_figure.draw(boards, format, kind=figure or "heatmap", digits=digits), output)
        return
    if format in render.BINARY:
        deliver(render.pack_boards(boards, format, digits=digits, runs=all_runs), output)
    else:
        deliver(render.render_boards(boards, format, digits=digits, runs=all_runs), output)


def show_command(
    key: Annotated[str, typer.Argument(help="The question's key in its dataset, such as 241.")],
    model: Annotated[
        str | None, typer.Option("--model", help="The model's name or alias; by default all.")
    ] = None,
    db: Db = None,
    dataset: Annotated[
        str | None, typer.Option(help="The dataset's name, if several have the key.")
    ] = None,
    judge: Annotated[
        str | None, typer.Option(help="A judge's name, or none; by default all.")
    ] = None,
    release: ReleaseName = install.LATEST,
    wait: Wait = 0,
) -> None:
    """Everything about one question: choices, predictions, matches, judgments, scores."""
    views = reader_of(db, wait).show(
        key, model=model, dataset=dataset, judge=judge, release=release
    )
    out("\n\n".join(show.render(view) for view in views))


sql_app = typer.Typer()
sql_app.command(cls=QueryCommand)(sql)
