"""`evalhouse subsets suggest`: a small subset that ranks models as all questions do."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Annotated

import typer

from evalhouse.cli_shared import Db, NoRefresh, ReleaseName, Wait, house_of
from evalhouse.printing import out, shown
from queries import install, render, suggest
from queries.suggest import Agreement, Suggestion
from warehouse import sources, subsets
from warehouse.connection import transaction
from warehouse.later import pl


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
    with house.reading() as con:
        found = suggest.suggest(
            con, benchmark, n, dataset=dataset, judge=judge, seed=seed, release=release
        )
    out(
        f"{found.dataset} · judge {found.judge}: {len(found.question_ids):,} of {found.n_questions:,} questions, "
        f"chosen on {len(found.chosen_on):,} models, tried on {len(found.tried_on):,} others"
    )
    rows = [
        _row("suggested", found.suggested),
        _row(f"random, mean of {found.n_random:,}", found.at_random),
    ]
    shown(render.render_frame(pl.DataFrame(rows), "table"))
    if name is not None:
        with house.changing(refresh=not no_refresh) as con, transaction(con):
            made = subsets.create(
                con,
                name,
                found.dataset_id,
                found.question_ids,
                source_id=sources.next_id(con, "source"),
            )
            if made is not None:
                sources.add(con, _source(name, found))
        out(f"subset {name} of {found.dataset}" + (" is there already" if made is None else ""))


def _row(subset: str, found: Agreement) -> dict[str, str | None]:
    return {
        "subset": subset,
        "tau-b": None if found.tau_b is None else f"{found.tau_b:.3f}",
        "error of a score": f"{100 * found.error:.2f}",
    }


def _source(name: str, found: Suggestion) -> sources.Source:
    content = json.dumps(found.question_ids).encode()
    return sources.Source(
        path="evalhouse:subsets suggest",
        sha256=sha256(content).hexdigest(),
        bytes=len(content),
        format="suggested_questions",
        adapter_version=1,
        flags={"subset": name, "chosen_on": list(found.chosen_on), "judge": found.judge},
        n_rows=len(found.question_ids),
    )
