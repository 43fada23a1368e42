"""`evalhouse study`, `power` and `label`: what scores are worth, and what people should label."""

from __future__ import annotations

from typing import Annotated

import typer

from evalhouse.cli_shared import Db, Output, ReleaseName, Wait, check_format, deliver, house_of
from evalhouse.printing import out, shown
from evalhouse.reader import Reader
from queries import compare, install, label_frame, paired, power, render, session, studies
from queries.choosing import choose_benchmark
from queries.options import CompareOptions
from queries.power import Spread
from warehouse import judges, labels
from warehouse.connection import transaction
from warehouse.errors import UsageError
from warehouse.later import pl
from warehouse.wording import counted

label_app = typer.Typer(
    help="Draw answers that a person should label, and list what is left of them.",
    no_args_is_help=True,
)

Judge = Annotated[str, typer.Option("--judge", help="The judge that is to be checked.")]
Benchmark = Annotated[
    str | None, typer.Option(help="By default the only one that the judge decides.")
]


@label_app.command(name="plan")
def label_plan(
    judge: Judge,
    n: Annotated[int, typer.Option("--n", min=1, help="How many questions of runs to draw.")],
    by: Annotated[
        str,
        typer.Option(help="What divides them into strata: model, ability, verdict; with commas."),
    ] = "",
    allocate: Annotated[
        str, typer.Option(help="proportional | neyman: more where the judge's scores differ more.")
    ] = labels.ALLOCATIONS[0],
    seed: Annotated[int, typer.Option(help="Another seed is another draw.")] = 0,
    benchmark: Benchmark = None,
    release: ReleaseName = install.LATEST,
    db: Db = None,
    wait: Wait = 0,
) -> None:
    """Draw questions of runs that the judge decides, and keep each one's chance as a fact.

    Every answer to a drawn question that no rule reads is to be labelled: `evalhouse label todo`. The
    latest plan of a judge and benchmark holds; an earlier one stays in the table label_plan, and holds
    again where it is drawn again. Drawn by a hash, so the same for the same answers and seed.
    """
    divided_by = tuple(part.strip() for part in by.split(",") if part.strip())
    with house_of(db, wait).changing(refresh=False) as con:
        frame = label_frame.make(
            con,
            judge,
            n=n,
            benchmark=benchmark,
            divided_by=divided_by,
            allocation=allocate,
            seed=seed,
            release=release,
        )
        with transaction(con):
            added = labels.add(con, frame.plan, frame.drawn, rows=frame.rows)
    n_all = sum(one.n for one in frame.strata)
    if added is None:
        out("the same plan is there already, and holds")
        return
    plan_id, n_drawn = added
    out(
        f"plan {plan_id}: {n_drawn:,} of {n_all:,} questions of runs of {frame.benchmark} that {judge} decides, "
        f"{len(frame.strata):,} {'stratum' if len(frame.strata) == 1 else 'strata'} ({allocate})"
    )
    for one in frame.strata if len(frame.strata) > 1 else ():
        out(f"  {one.name}: {frame.drawn[one.name]:,} of {one.n:,}")


@label_app.command(name="todo")
def label_todo(
    judge: Judge,
    benchmark: Benchmark = None,
    by: Annotated[
        str | None,
        typer.Option(
            "--by",
            metavar="PERSON",
            help="What is left for this person; by default what nobody has labelled.",
        ),
    ] = None,
    format: Annotated[
        str, typer.Option("--format", help=" | ".join(render.FRAME_FORMATS))
    ] = "table",
    output: Output = None,
    db: Db = None,
    wait: Wait = 0,
) -> None:
    """List what is left to label, in its order.

    Several people can label the same plan: each with --by has all of it. Add the columns judge (the
    person's name) and verdict to its CSV, and `ingest` reads it.
    """
    check_format(format, render.FRAME_FORMATS, output)
    with house_of(db, wait).reading() as con:
        session.use_release(con)
        session.require_view(con, "label_todo")
        judges.known(con, judge)
        if benchmark is not None:
            benchmark = choose_benchmark(con, benchmark)[0]
        frame = session.frame(
            con, "label_todo", {"judge": judge, "benchmark": benchmark, "person": by}
        )
    if format in render.BINARY:
        deliver(render.pack_frame(frame, format), output)
    elif frame.height or format != "table":
        deliver(render.render_frame(frame, format), output)
    else:
        out("nothing is left to label")


_EFFECTS = (0.005, 0.01, 0.02, 0.05, 0.1)


def power_command(
    model_a: Annotated[
        str | None, typer.Argument(help="A model or a run's label; or give --benchmark.")
    ] = None,
    model_b: Annotated[str | None, typer.Argument(help="The other one.")] = None,
    benchmark: Annotated[
        str | None, typer.Option(help="Instead of two models: the median over its pairs of models.")
    ] = None,
    dataset: Annotated[str | None, typer.Option(help="The dataset, if they share several.")] = None,
    judge: Annotated[
        str | None, typer.Option(help="A judge's name, or none for the rules alone.")
    ] = None,
    effect: Annotated[
        float | None, typer.Option(help="A difference of scores, as a fraction such as 0.02.")
    ] = None,
    chance: Annotated[
        float, typer.Option("--power", help="How likely it is to be seen.")
    ] = power.POWER,
    release: ReleaseName = install.LATEST,
    db: Db = None,
    wait: Wait = 0,
) -> None:
    """How large a difference can be seen, and how many questions one takes.

    By the spread of this warehouse's own runs, paired by question, of a test at 5 % on both sides.
    """
    if effect is not None and not 0 < effect < 1:
        raise UsageError("--effect is a fraction above 0 and below 1, such as 0.02")
    if not power.LEVEL < chance < 1:
        raise UsageError(
            f"--power is a fraction above {power.LEVEL}, as often as no difference is seen as one, and below 1, "
            "such as 0.8"
        )
    if (benchmark is None) == (model_b is None):
        raise UsageError("give two models, or --benchmark")
    with house_of(db, wait).reading() as con:
        if benchmark is not None:
            title, n_pairs, spread = power.of_benchmark(
                con, benchmark, judge=judge, release=release
            )
            title += f" · median of {n_pairs:,} pair{'s' * (n_pairs > 1)} of models"
        else:
            assert model_a is not None
            assert model_b is not None
            options = CompareOptions(
                model_a, model_b, dataset=dataset, judge=judge, release=release
            )
            found = paired.compare(con, options)
            spread = power.of_pair(con, found)
            one, two = found.names
            title = f"{found.a.dataset} · {one} less {two} · {found.strategy} · judge {found.judge}"
    _print_power(title, spread, effect, chance, is_pair=benchmark is None)


def _print_power(
    title: str, spread: Spread, effect: float | None, chance: float, *, is_pair: bool
) -> None:
    out(title)
    out(
        f"{counted(spread.n, 'question shows', 'questions show')} a difference of "
        f"{100 * spread.least(power=chance):.2f} percentage points "
        f"in {100 * chance:g} of 100 cases; here it is {100 * abs(spread.difference):.2f}"
    )
    effects = [effect] if effect is not None else list(_EFFECTS)
    found = power.table(spread, effects, chance)
    shown(render.render_frame(found, "table"))
    if not is_pair:
        out("answers to each question: give two models")
    elif spread.of_answers is None:
        out(
            "answers to each question: not known, as the runs do not both have several answers, equally many, "
            "to each"
        )
    elif found["answers to each"].has_nulls():
        out("answers to each question: where none are given, no number of them is enough")


def study_command(
    name: Annotated[
        str | None, typer.Argument(help="Such as judge_calibration; without one, all are listed.")
    ] = None,
    where: Annotated[
        list[str] | None,
        typer.Option(
            "--where", metavar="COLUMN=VALUE", help="Only rows with that value; may be repeated."
        ),
    ] = None,
    columns: Annotated[
        str | None, typer.Option(help="Only these columns, with commas between, in this order.")
    ] = None,
    top: Annotated[int | None, typer.Option(min=1, help="Only so many rows.")] = None,
    release: ReleaseName = install.LATEST,
    against: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RELEASE",
            help="Of rank_agreement: how far this release ranks models as --release does; may be repeated.",
        ),
    ] = None,
    format: Annotated[
        str, typer.Option("--format", help=" | ".join(render.FRAME_FORMATS))
    ] = "table",
    output: Output = None,
    db: Db = None,
    wait: Wait = 0,
) -> None:
    """What scores are worth: judges checked by people, noise, questions, ranks.

    `evalhouse releases install studies` puts all of them into the file, as the schema studies, for
    `evalhouse sql` and other clients.
    """
    check_format(format, render.FRAME_FORMATS, output)
    if against and name != compare.STUDY:
        raise UsageError(f"--against is for the study {compare.STUDY}")
    if name is None:
        frame = studies.listed(release)
    elif against:
        frame = studies.chosen(
            _unchosen(house_of(db, wait), name, release, against),
            name,
            studies.conditions(where or ()),
        )
    else:
        with house_of(db, wait).reading() as con:
            frame = studies.rows(con, name, studies.conditions(where or ()), release=release)
    if columns is not None:
        wanted = [one.strip() for one in columns.split(",")]
        unknown = [one for one in wanted if one not in frame.columns]
        if unknown:
            raise UsageError(
                f"there is no column {unknown[0]!r}; there are {', '.join(frame.columns)}"
            )
        frame = frame.select(wanted)
    if top is not None:
        frame = frame.head(top)
    if format == "table":
        # Columns that say nothing make a table too wide to read.
        frame = frame.select(
            one for one in frame.columns if frame[one].is_not_null().any() or not frame.height
        )
    if format in render.BINARY:
        deliver(render.pack_frame(frame, format), output)
    elif frame.height or format != "table":
        deliver(render.render_frame(frame, format), output)
    elif where and (there := _unchosen(house_of(db, wait), name or "", release, against)).height:
        out(f"{name}: {studies.none_chosen(there, studies.conditions(where))}")
    else:
        out(f"{name}: nothing in this warehouse; {studies.needs(name or '', release)}")


def _unchosen(house: Reader, name: str, release: str, against: list[str] | None) -> pl.DataFrame:
    """All rows of a study."""
    with house.reading() as con:
        if against:
            return compare.rows(con, [release, *against])
        return studies.rows(con, name, release=release)
