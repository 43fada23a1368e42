"""`evalhouse power`: how large a difference can be seen, and what a difference takes."""

from __future__ import annotations

from typing import Annotated

import typer

from evalhouse.cli_shared import Db, ReleaseName, Wait, house_of
from evalhouse.printing import out, shown
from queries import install, paired, power, render
from queries.options import CompareOptions
from queries.power import Spread
from warehouse.errors import UsageError
from warehouse.wording import counted

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
    _print(title, spread, effect, chance, is_pair=benchmark is None)


def _print(
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
