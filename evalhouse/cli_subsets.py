"""`evalhouse subsets`: listing subsets of datasets, making one, and having one suggested."""

from __future__ import annotations

from typing import Annotated

import typer

from evalhouse.cli_shared import Db, NoRefresh, ReleaseName, Wait, house_of, reader_of
from evalhouse.printing import out, shown
from queries import install, render
from queries.suggest import Agreement
from warehouse.later import pl
from warehouse.wording import counted


def subsets_suggest(
    benchmark: Annotated[str, typer.Option(help="Such as MMBench.")],
    n: Annotated[int, typer.Option("--n", min=2, help="How many questions.")] = 100,
    dataset: Annotated[
        str | None, typer.Option(help="The dataset, if several have scores.")
    ] = None,
    judge: Annotated[
        str | None, typer.Option(help="A judge's name, or none for the rules alone.")
    ] = None,
    name: Annotated[str | None, typer.Option(help="Also make it a subset of that name.")] = None,
    seed: Annotated[int, typer.Option(help="Which half of the models is which.")] = 0,
    release: ReleaseName = install.LATEST,
    no_refresh: NoRefresh = False,
    db: Db = None,
    wait: Wait = 0,
) -> None:
    """Suggest a small subset that ranks models as the whole dataset does.

    Chosen on half of the models; printed is how it does on the other half, next to random subsets of
    the same size: Kendall's tau-b of the ranks, and the mean error of a score in percentage points.
    """
    house = house_of(db, wait)
    found = house.suggest_subset(
        benchmark, n, dataset=dataset, judge=judge, seed=seed, release=release
    )
    out(
        f"{found.dataset} · judge {found.judge}: {len(found.question_ids):,} of {found.n_questions:,} questions, "
        f"chosen on {counted(len(found.chosen_on), 'model')}, tried on {len(found.tried_on):,} others"
    )
    rows = [
        _suggested_row("suggested", found.suggested),
        _suggested_row(f"random, mean of {found.n_random:,}", found.at_random),
    ]
    shown(render.render_frame(pl.DataFrame(rows), "table"))
    if name is not None:
        is_new = house.add_suggested(name, found, refresh=not no_refresh)
        out(f"subset {name} of {found.dataset}" + (" is there already" if not is_new else ""))


def _suggested_row(subset: str, found: Agreement) -> dict[str, str | None]:
    return {
        "subset": subset,
        "tau-b": None if found.tau_b is None else f"{found.tau_b:.3f}",
        "error of a score": f"{100 * found.error:.2f}",
    }


subsets_app = typer.Typer(
    help="List the subsets of datasets, make one of what a model answered, or have a small one suggested.",
    no_args_is_help=True,
)


@subsets_app.command(name="list")
def subsets_list(db: Db = None, wait: Wait = 0) -> None:
    """List the subsets: dataset, name, questions, and how each came about."""
    frame = reader_of(db, wait).subsets()
    shown(render.render_frame(frame, "table") if frame.height else "no subsets")


@subsets_app.command(name="add")
def subsets_add(
    name: Annotated[str, typer.Argument(help="What to call it.")],
    benchmark: Annotated[str, typer.Option(help="Such as MM-Vet.")],
    answered_by: Annotated[
        str, typer.Option(help="The model whose answers there are: its name or alias.")
    ],
    run: Annotated[str | None, typer.Option(help="The run's label; by default the latest.")] = None,
    split: Annotated[str | None, typer.Option(help="The dataset's split.")] = None,
    version: Annotated[str | None, typer.Option(help="The dataset's version.")] = None,
    language: Annotated[str | None, typer.Option(help="The dataset's language.")] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Supersede a subset of that name.")
    ] = False,
    no_refresh: NoRefresh = False,
    db: Db = None,
    wait: Wait = 0,
) -> None:
    """Name the questions that a model answered: not failed, not blank, and no refusal.

    With several samples or passes, a question counts if all of its answers that are there do.
    """
    added = house_of(db, wait).add_subset(
        name,
        benchmark,
        answered_by,
        run=run,
        split=split,
        version=version,
        language=language,
        replace=replace,
        refresh=not no_refresh,
    )
    found = added.answered
    refused = "" if found.n_refused is None else f", {found.n_refused:,} refused"
    out(
        f"{found.model} ({found.run}) answered {len(found.question_ids):,} of "
        f"{counted(found.n_questions, 'question')}; {found.n_missing:,} missing, {found.n_blank:,} blank"
        + refused
    )
    if found.n_refused is None:
        out("the release has no view of refusals: they count as answers")
    there = ": there already, with the same questions" if added.already else ""
    out(f"subset {name} of {found.dataset}{there}")


subsets_app.command(name="suggest")(subsets_suggest)
