"""`evalhouse label`: what a person should label, to see how far a judge is right."""

from __future__ import annotations

from typing import Annotated

import typer

from evalhouse.cli_output import Output, check_format, deliver
from evalhouse.cli_shared import Db, ReleaseName, Wait, house_of
from evalhouse.printing import out
from queries import install, label_frame, render, session
from queries.choosing import choose_benchmark
from warehouse import judges, labels
from warehouse.connection import transaction

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
