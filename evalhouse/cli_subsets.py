"""`evalhouse subsets`: listing subsets of datasets, and making one of what a model answered."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Annotated

import typer

from evalhouse.cli_shared import Db, NoRefresh, Wait, house_of, reader_of
from evalhouse.cli_suggest import subsets_suggest
from evalhouse.printing import out, shown
from queries import answered, render, session
from warehouse import sources, subsets
from warehouse.connection import transaction

subsets_app = typer.Typer(
    help="List the subsets of datasets, make one of what a model answered, or have a small one suggested.",
    no_args_is_help=True,
)


@subsets_app.command(name="list")
def subsets_list(db: Db = None, wait: Wait = 0) -> None:
    """List the subsets: dataset, name, questions, and how each came about."""
    with reader_of(db, wait).reading() as con:
        frame = session.ask(con, "subset_list")
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
    with house_of(db, wait).changing(refresh=not no_refresh) as con:
        session.use_release(con)
        found = answered.find(
            con,
            answered_by,
            benchmark=benchmark,
            run=run,
            split=split,
            version=version,
            language=language,
        )
        with transaction(con):
            content = json.dumps(found.question_ids).encode()
            source = sources.Source(
                path="evalhouse:subsets add",
                sha256=sha256(content).hexdigest(),
                bytes=len(content),
                format="answered_questions",
                adapter_version=1,
                flags={"subset": name} | found.counts,
                n_rows=len(found.question_ids),
            )
            made = subsets.create(
                con,
                name,
                found.dataset_id,
                found.question_ids,
                source_id=sources.next_id(con, "source"),
                replace=replace,
            )
            if made is not None:
                sources.add(con, source)
    refused = "" if found.n_refused is None else f", {found.n_refused:,} refused"
    out(
        f"{found.model} ({found.run}) answered {len(found.question_ids):,} of "
        f"{found.n_questions:,} questions; {found.n_missing:,} missing, {found.n_blank:,} blank"
        + refused
    )
    if found.n_refused is None:
        out("the release has no view of refusals: they count as answers")
    there = ": there already, with the same questions" if made is None else ""
    out(f"subset {name} of {found.dataset}{there}")


subsets_app.command(name="suggest")(subsets_suggest)
